"""The serialiser of checkpoints: msgpack of allowed types only, never pickle."""

from collections.abc import Iterable
from typing import Any

import ormsgpack
from langgraph.checkpoint.serde._msgpack import SAFE_MSGPACK_TYPES
from langgraph.checkpoint.serde.jsonplus import EXT_PYDANTIC_V2, JsonPlusSerializer

from envwright.events.errors import UnknownSchemaError

_FORMS = frozenset({"null", "bytes", "bytearray", "msgpack"})


def _types_in(packed: bytes) -> set[tuple[str, str]]:
    """Return (module, name) of every type that unpacking would import, without importing any."""
    found: set[tuple[str, str]] = set()

    def note(code: int, data: bytes) -> None:
        content = ormsgpack.unpackb(data, ext_hook=note, option=ormsgpack.OPT_NON_STR_KEYS)
        # Every extension up to this code is (module, name, …); those above carry plain data.
        if code <= EXT_PYDANTIC_V2:
            found.add((content[0], content[1]))

    ormsgpack.unpackb(packed, ext_hook=note, option=ormsgpack.OPT_NON_STR_KEYS)
    return found


class StrictSerializer(JsonPlusSerializer):
    """Msgpack without pickle whose types are on an allow-list, checked on the way in and out.

    LangGraph's own strict mode replaces an unknown type by its raw fields and logs it; here it is
    an error, and first of all at the writer.
    """

    def __init__(self, allowed: Iterable[tuple[str, ...] | type] = ()) -> None:
        """Allow LangGraph's safe types and `allowed`: classes, or (module, name) pairs."""
        self._names = {
            (item.__module__, item.__name__) if isinstance(item, type) else tuple(item)
            for item in allowed
        }
        # None is LangGraph's word for "safe types only"; an empty list would mean the same.
        super().__init__(allowed_msgpack_modules=sorted(self._names) or None)

    def with_msgpack_allowlist(
        self, extra_allowlist: Iterable[tuple[str, ...] | type]
    ) -> JsonPlusSerializer:
        """Return a serializer that allows these types too; graphs ask for their state's types."""
        wider = StrictSerializer([*self._names, *extra_allowlist])
        return self if wider._names == self._names else wider

    def dumps_typed(self, obj: Any) -> tuple[str, bytes]:
        """Pack a value.

        Raises:
            UnknownSchemaError: it holds a type that is not on the allow-list.
        """
        try:
            form, packed = super().dumps_typed(obj)
        except ormsgpack.MsgpackEncodeError as error:
            raise UnknownSchemaError(
                f"a {type(obj).__name__} cannot be kept in a checkpoint ({error}); "
                "keep plain data and allowed types in graph state"
            ) from error
        self._check(form, packed)
        return form, packed

    def loads_typed(self, data: tuple[str, bytes]) -> Any:
        """Unpack a value.

        Raises:
            UnknownSchemaError: it names a type that is not on the allow-list; nothing is imported.
        """
        self._check(*data)
        return super().loads_typed(data)

    def _check(self, form: str, packed: bytes) -> None:
        if form not in _FORMS:
            raise UnknownSchemaError(
                f"a checkpoint value has the form {form!r}; expected one of {sorted(_FORMS)}"
            )
        if form != "msgpack":
            return
        for name in sorted(_types_in(packed)):
            if name not in SAFE_MSGPACK_TYPES and name not in self._names:
                raise UnknownSchemaError(
                    f"type {'.'.join(name)!r} is not on the checkpointer's allow-list; "
                    "keep plain data in graph state, or pass the class in `allowed`"
                )
