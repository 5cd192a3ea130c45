"""Tasks: a story becomes a package with its environment, verifier and blueprint."""
