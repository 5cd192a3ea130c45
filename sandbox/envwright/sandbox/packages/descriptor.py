"""The descriptor `package.json`: recipe, kind of world, tools and what a solver may read."""

from typing import ClassVar, Literal, Self

from pydantic import Field, model_validator

from envwright.events.values import ToolSchema
from envwright.sandbox.packages.document import Document
from envwright.sandbox.packages.paths import safe_path


class PackageFile(Document):
    """Content facts of a package."""

    PATH: ClassVar[str] = "package.json"

    schema_version: Literal[1] = 1
    recipe: str
    """The recipe that made the package."""
    recipe_version: str
    world: str
    """Kind of world, such as `tables`."""
    tools: tuple[ToolSchema, ...]
    """The tools as a solver sees them."""
    boundary: tuple[str, ...] = ()
    """Files that a solver may read; each stands in `files/`."""
    canary: str = Field(default="", pattern=r"^$|^ENVWRIGHT-CANARY-[0-9a-f]{24}$")
    """Text that must never reach a policy; see `canary.py`."""

    @model_validator(mode="after")
    def _check_names(self) -> Self:
        names = [tool.name for tool in self.tools]
        doubles = sorted({name for name in names if names.count(name) > 1})
        if doubles:
            raise ValueError(f"tools have one name twice: {', '.join(doubles)}")
        for name in self.boundary:
            if not safe_path(name).startswith("files/"):
                raise ValueError(f"boundary file {name!r} is not in files/; move it there")
        return self
