"""Views: runs, packages, attempts and artifacts folded from the log into plain JSON."""
