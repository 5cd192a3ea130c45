"""The command line and the web console."""
