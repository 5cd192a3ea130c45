"""Induction: programs that give what the log recorded, and the terms under which they hold."""
