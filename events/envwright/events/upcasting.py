"""Upcasting: recorded payloads of old schema versions become today's facts, on read, purely."""

from collections.abc import Callable

from pydantic import ValidationError

from envwright.events.canonical import Json
from envwright.events.catalog import FACTS, Fact
from envwright.events.errors import IntegrityError, UnknownSchemaError

Upcaster = Callable[[dict[str, Json]], dict[str, Json]]
"""A pure function from the data of version v to the data of version v + 1."""


def current_version(event_type: str) -> int:
    """Return the schema version that this code writes for `event_type`.

    Raises:
        UnknownSchemaError: the type is not in the catalog.
    """
    if event_type not in FACTS:
        raise UnknownSchemaError(
            f"event type {event_type!r} is not in the catalog; a newer version may have written it"
        )
    return int(FACTS[event_type].model_fields["schema_version"].default)


class Upcasters:
    """Registry of upcasters; a gap in a chain is found when the registry is checked."""

    def __init__(self) -> None:
        self._steps: dict[tuple[str, int], Upcaster] = {}

    def register(self, event_type: str, version: int, step: Upcaster) -> None:
        """Register the step from `version` to `version + 1` of `event_type`."""
        if (event_type, version) in self._steps:
            raise ValueError(f"two upcasters from version {version} of {event_type!r}")
        self._steps[event_type, version] = step

    def check(self) -> None:
        """Raise if any event type lacks a step between version 1 and its current version."""
        for event_type in FACTS:
            for version in range(1, current_version(event_type)):
                if (event_type, version) not in self._steps:
                    raise UnknownSchemaError(
                        f"no upcaster from version {version} of {event_type!r} to {version + 1}"
                    )

    def upcast(self, event_type: str, version: int, data: dict[str, Json]) -> dict[str, Json]:
        """Return `data` in the current schema version of `event_type`.

        Raises:
            UnknownSchemaError: the type or version is unknown, or a step is missing.
        """
        current = current_version(event_type)
        if not 1 <= version <= current:
            raise UnknownSchemaError(
                f"{event_type!r} has schema version {version}; this code knows 1 to {current}"
            )
        for step in range(version, current):
            if (event_type, step) not in self._steps:
                raise UnknownSchemaError(f"no upcaster from version {step} of {event_type!r}")
            data = self._steps[event_type, step](dict(data))
        return data


UPCASTERS = Upcasters()
"""The registry that decoding uses."""


def decode(event_type: str, schema_version: int, data: dict[str, Json]) -> Fact:
    """Return the fact that recorded `data` stands for, upcast to today's schema.

    Raises:
        UnknownSchemaError: the type or version is unknown to this code.
        IntegrityError: the data does not fit its own schema.
    """
    current = UPCASTERS.upcast(event_type, schema_version, data)
    fields = {**current, "type": event_type, "schema_version": current_version(event_type)}
    try:
        return FACTS[event_type].model_validate(fields)
    except ValidationError as error:
        raise IntegrityError(f"{event_type!r} does not fit its schema: {error}") from error
