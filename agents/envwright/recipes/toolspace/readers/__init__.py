"""Readers: tool logs and tool manifests in the field's formats become traces and declarations."""

from envwright.recipes.toolspace.readers.disguise import disguised
from envwright.recipes.toolspace.readers.source import read_source

__all__ = ["disguised", "read_source"]
