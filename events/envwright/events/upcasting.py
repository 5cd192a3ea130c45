"""Upcasting: recorded payloads of old schema versions become today's facts, on read, purely."""

from collections.abc import Callable, Mapping

from pydantic import ValidationError

from envwright.events.canonical import Json
from envwright.events.catalog import FACTS, Fact
from envwright.events.errors import IntegrityError, UnknownSchemaError

Upcaster = Callable[[dict[str, Json]], dict[str, Json]]
"""A pure function from the data of version v to the data of version v + 1."""

Steps = Mapping[tuple[str, int], Upcaster]
"""Upcasters by event type and the version that they start from."""

STEPS: Steps = {}
"""The upcasters of the catalog. A class whose schema changes takes the next `schema_version`, and
the step from the version before it is named here; `tests/histories/README.md` has the recipe."""


class Upcasters:
    """The upcasters of a catalog, whole: between version 1 and today's there is every step."""

    def __init__(
        self, steps: Steps | None = None, catalog: Mapping[str, type[Fact]] = FACTS
    ) -> None:
        """Take the steps of a catalog.

        Raises:
            UnknownSchemaError: a step is missing, or one leads to a version that there is not.
        """
        self._steps = dict(steps or {})
        self._catalog = catalog
        self._check()

    def current_version(self, event_type: str) -> int:
        """Return the schema version that this code writes for `event_type`.

        Raises:
            UnknownSchemaError: the type is not in the catalog.
        """
        if event_type not in self._catalog:
            raise UnknownSchemaError(
                f"event type {event_type!r} is not in the catalog; a newer version may have "
                "written it"
            )
        return int(self._catalog[event_type].model_fields["schema_version"].default)

    def upcast(self, event_type: str, version: int, data: dict[str, Json]) -> dict[str, Json]:
        """Return `data` in the current schema version of `event_type`; what is given stays.

        Raises:
            UnknownSchemaError: the type or the version is unknown to this code.
        """
        current = self.current_version(event_type)
        if not 1 <= version <= current:
            raise UnknownSchemaError(
                f"{event_type!r} has schema version {version}; this code knows 1 to {current}"
            )
        for step in range(version, current):
            data = self._steps[event_type, step](dict(data))
        return data

    def decode(self, event_type: str, schema_version: int, data: dict[str, Json]) -> Fact:
        """Return the fact that recorded `data` stands for, upcast to today's schema.

        Raises:
            UnknownSchemaError: the type or version is unknown to this code.
            IntegrityError: the data does not fit its own schema.
        """
        current = self.upcast(event_type, schema_version, data)
        version = self.current_version(event_type)
        fields = {**current, "type": event_type, "schema_version": version}
        try:
            return self._catalog[event_type].model_validate(fields)
        except ValidationError as error:
            raise IntegrityError(f"{event_type!r} does not fit its schema: {error}") from error

    def _check(self) -> None:
        wanted = {
            (event_type, version)
            for event_type in self._catalog
            for version in range(1, self.current_version(event_type))
        }
        for event_type, version in sorted(wanted - self._steps.keys()):
            raise UnknownSchemaError(
                f"no upcaster from version {version} of {event_type!r} to {version + 1}"
            )
        for event_type, version in sorted(self._steps.keys() - wanted):
            raise UnknownSchemaError(
                f"the upcaster from version {version} of {event_type!r} leads to a version that "
                "the catalog does not have"
            )


UPCASTERS = Upcasters(STEPS)
"""The upcasters that decoding uses; a gap stops the import, and with it every command."""


def decode(event_type: str, schema_version: int, data: dict[str, Json]) -> Fact:
    """Return the fact that recorded `data` stands for; see `Upcasters.decode`."""
    return UPCASTERS.decode(event_type, schema_version, data)
