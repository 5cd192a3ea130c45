"""Worlds, packages, gates, verifiers and isolation."""
