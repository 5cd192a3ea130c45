"""Documents: how a JSON file of a package is decoded, checked and refused with file and place."""

import json
from typing import Any, ClassVar, NoReturn, Self

from pydantic import ConfigDict, ValidationError

from envwright.events import Json, encode
from envwright.events.errors import BadInputError, CanonicalError
from envwright.events.values import Value


class Document(Value):
    """A JSON file of a package, with the path that it stands at."""

    model_config = ConfigDict(populate_by_name=True, serialize_by_alias=True)

    PATH: ClassVar[str]
    """Where the file stands in the package folder."""

    @classmethod
    def parse(cls, value: Json) -> Self:
        """Check parsed JSON against the format.

        Raises:
            BadInputError: naming the file, the place in it and what was expected there.
        """
        known = cls.model_fields["schema_version"].default
        version = value.get("schema_version") if isinstance(value, dict) else known
        if version != known:
            raise BadInputError(
                f"{cls.PATH}: schema_version is {version!r}; this version of envwright reads "
                f"{known}, and a newer one may have written it"
            )
        try:
            return cls.model_validate(value)
        except ValidationError as error:
            raise BadInputError(f"{cls.PATH}: {first_problem(error)}") from error

    def to_bytes(self) -> bytes:
        """Return the file's canonical bytes."""
        return encode(self.model_dump(mode="json"), nfc=True)


def first_problem(error: ValidationError) -> str:
    """Return the first problem of a validation error with its place, and how many there are."""
    problem = error.errors(include_url=False, include_context=False)[0]
    place = ".".join(str(part) for part in problem["loc"]) or "the whole file"
    more = f" (and {error.error_count() - 1} more)" if error.error_count() > 1 else ""
    return f"{place}: {problem['msg']}, got {problem['input']!r:.80}{more}"


def decode_text(path: str, data: bytes) -> str:
    """Return UTF-8 text without a byte order mark.

    Raises:
        BadInputError: the bytes are not UTF-8; the message names the file and the offset.
    """
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadInputError(
            f"{path}: not UTF-8 at byte {error.start}; save the file as UTF-8"
        ) from error


def decode_json(path: str, data: bytes) -> Json:
    """Return the JSON value of a file; a key that stands twice and NaN are refused.

    Raises:
        BadInputError: naming the file and, where there is one, the line and column.
    """
    text = decode_text(path, data)
    try:
        return json.loads(text, object_pairs_hook=_unique, parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise BadInputError(f"{path}: {place}: {error.msg}; expected JSON") from error
    except ValueError as error:
        raise BadInputError(f"{path}: {error}") from error
    except RecursionError as error:
        raise BadInputError(f"{path}: nested too deeply; flatten it") from error


def canonical_json(path: str, data: bytes) -> bytes:
    """Return the canonical form of a JSON file.

    Raises:
        BadInputError: it is not JSON, or has no canonical form.
    """
    try:
        return encode(decode_json(path, data), nfc=True)
    except CanonicalError as error:
        raise BadInputError(f"{path}: {error}") from error


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) < len(pairs):
        names = [name for name, _ in pairs]
        double = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"the key {double!r} stands twice in one object; keep one")
    return result


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON; write null or text")
