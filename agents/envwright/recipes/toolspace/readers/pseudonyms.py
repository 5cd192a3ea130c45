"""Pseudonyms: each value gets another one of its shape, keyed, and the same wherever it stands."""

import hmac
import math
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator
from string import ascii_lowercase, ascii_uppercase, digits
from typing import Final

from envwright.events.canonical import Json, normalise
from envwright.events.errors import BadInputError

_ATTEMPTS: Final = 2000
_CAREFUL: Final = 200
"""Attempts in which a pseudonym may not be a value that was really there either."""

_SHORTEST: Final = 3
_SHORTEST_NUMBER: Final = 4
"""Fewest characters of what is replaced outside its own field: less is there by chance (ours)."""

_EMAIL: Final = re.compile(r"([^@\s]+)@([^@\s]+)\.[^@\s.]+")
_WORD: Final = re.compile(r"\w+")
# No address under this ending belongs to anybody (RFC 2606).
_NOBODY: Final = "example"


class Pseudonyms:
    """The pseudonyms of a set of values: no two values share one."""

    def __init__(self, key: bytes, values: Iterable[str]) -> None:
        self._key = key
        originals = {value for value in map(_normal, values) if any(map(str.isalnum, value))}
        self._taken: set[str] = set()
        self._of = {value: self._new(value, originals) for value in sorted(originals)}
        self._index = _index(value for value in self._of if is_specific(value))

    def whole(self, value: Json, *, own: bool) -> Json:
        """Return what stands for a whole value; `own` says that it is in a field of its kind."""
        text = text_of(value)
        found = self._of.get(text) if own or is_specific(text) else None
        if found is None:
            return self.within(value) if isinstance(value, str) else value
        return found if isinstance(value, str) else _number(found)

    def key(self, name: str) -> str:
        """Return what stands for the key of an object; a word alone is the name of a field."""
        is_field = name.replace("_", "").isalpha()
        found = None if is_field or not is_specific(name) else self._of.get(_normal(name))
        return name if found is None else found

    def within(self, text: str) -> str:
        """Return a text with the values that stand in it as whole words replaced."""
        if not self._index:
            return text
        text = _normal(text)
        pieces: list[str] = []
        done = 0
        for start, value in sorted(self._found(text), key=lambda found: (found[0], -len(found[1]))):
            if start >= done:
                pieces += [text[done:start], self._of[value]]
                done = start + len(value)
        return "".join([*pieces, text[done:]]) if pieces else text

    def _found(self, text: str) -> Iterator[tuple[int, str]]:
        for word in _WORD.finditer(text):
            for value, offset in self._index.get(word.group(), ()):
                start = word.start() - offset
                if start >= 0 and text.startswith(value, start) and _is_whole(text, start, value):
                    yield start, value

    def _new(self, value: str, originals: set[str]) -> str:
        for attempt in range(_ATTEMPTS):
            found = self._shaped(value, attempt)
            careful = attempt < _CAREFUL
            if found not in self._taken and not (careful and found in originals):
                self._taken.add(found)
                return found
        raise BadInputError(
            f"there are too few pseudonyms of {len(value)} characters for all values of the "
            "fields; leave out the field whose values are so short"
        )

    def _shaped(self, value: str, attempt: int) -> str:
        stream = self._stream(value, attempt)
        if email := _EMAIL.fullmatch(value):
            local, domain = (self._letters(part, stream) for part in email.groups())
            return f"{local}@{domain}.{_NOBODY}"
        return self._letters(value, stream)

    def _letters(self, value: str, stream: Iterator[int]) -> str:
        shaped = (_like(c, next(stream), first=n == 0) for n, c in enumerate(value))
        return "".join(shaped)

    def _stream(self, value: str, attempt: int) -> Iterator[int]:
        block = 0
        while True:
            message = f"{attempt}/{block}/{value}".encode(errors="surrogatepass")
            digest = hmac.digest(self._key, message, "sha256")
            # Two bytes a character: one alone would prefer some letters.
            yield from (int.from_bytes(digest[n : n + 2]) for n in range(0, len(digest), 2))
            block += 1


def text_of(value: Json) -> str:
    """Return the text by which a value is known, whether it is text or a number; else nothing."""
    if isinstance(value, str):
        return _normal(value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return ""
    text = repr(normalise(value)) if math.isfinite(value) else ""
    return text if _is_number(text) else ""


def is_specific(text: str) -> bool:
    """Say whether a text is long enough to be no chance where nobody expects it."""
    if _is_number(text):
        return len(text) >= _SHORTEST_NUMBER
    # "Li" is a name, "no" is a word.
    return len(text) >= (_SHORTEST - 1 if text[:1].isupper() else _SHORTEST)


def _is_number(text: str) -> bool:
    return text.strip("-").replace(".", "").isdigit()


def _normal(text: str) -> str:
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def _number(text: str) -> int | float:
    return float(text) if "." in text else int(text)


def _like(character: str, number: int, *, first: bool) -> str:
    """Return a character of the same kind: letters stay letters, digits digits."""
    if character.isdigit():
        # A number keeps its length, so it does not begin with a zero unless it did.
        leads = first and character != "0"
        return digits[1 + number % 9] if leads else digits[number % 10]
    if character.isalpha():
        return (ascii_uppercase if character.isupper() else ascii_lowercase)[number % 26]
    return character


def _index(values: Iterable[str]) -> dict[str, list[tuple[str, int]]]:
    """Return the values by their rarest word, longest first, each with where the word is in it."""
    words = {value: list(_WORD.finditer(value)) for value in values}
    counts = Counter(word.group() for found in words.values() for word in found)
    index: dict[str, list[tuple[str, int]]] = {}
    for value in sorted(words, key=lambda value: (-len(value), value)):
        rarest = min(words[value], key=lambda word: counts[word.group()])
        index.setdefault(rarest.group(), []).append((value, rarest.start()))
    return index


def _is_whole(text: str, start: int, value: str) -> bool:
    end = start + len(value)
    before, after = text[max(start - 1, 0) : start], text[end : end + 1]
    return not (
        (_WORD.match(before) and _WORD.match(value[0]))
        or (_WORD.match(after) and _WORD.match(value[-1]))
    )
