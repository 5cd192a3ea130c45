"""Walks: executed ways from what a user knows to a write or a question, in a live world."""
