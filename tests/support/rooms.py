"""The rooms of the house: tracked files, source roots and the modules in them."""

import ast
import subprocess
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SOURCE_ROOTS = ("events", "store", "sandbox", "agents")


@dataclass(frozen=True)
class Source:
    """A Python file, parsed once."""

    path: Path

    @cached_property
    def text(self) -> str:
        """The file's text."""
        return self.path.read_text(encoding="utf-8")

    @cached_property
    def tree(self) -> ast.Module:
        """The file's syntax tree."""
        return ast.parse(self.text, str(self.path))

    @property
    def name(self) -> str:
        """The path from the root of the repository."""
        return self.path.relative_to(ROOT).as_posix()

    @property
    def module(self) -> str:
        """The dotted name of a module in a source root, such as `envwright.events.canonical`."""
        parts = self.path.relative_to(ROOT).with_suffix("").parts[1:]
        return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def files() -> tuple[Path, ...]:
    """Return every file of the repository that is tracked, or new and not ignored."""
    git = ["git", "-c", f"safe.directory={ROOT}"]
    command = [*git, "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, check=True, text=True)
    paths = (ROOT / name for name in listed.stdout.split("\0") if name)
    return tuple(sorted(path for path in paths if path.is_file()))


@cache
def sources() -> tuple[Source, ...]:
    """Return every Python file."""
    return tuple(Source(path) for path in files() if path.suffix == ".py")


@cache
def modules() -> tuple[Source, ...]:
    """Return the modules of the packages: the Python files in the source roots."""
    return tuple(each for each in sources() if each.name.split("/")[0] in SOURCE_ROOTS)
