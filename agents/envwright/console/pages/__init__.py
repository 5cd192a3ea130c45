"""Pages: views drawn for people."""
