"""Mentions: the values that an instruction names, and the words that say what they are."""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from envwright.agents.solver.policies.shape import value_key
from envwright.agents.solver.policies.vocabulary import FUNCTION_WORDS, raw_words, stem, stems
from envwright.events import Json

_QUOTED = re.compile(
    r"“([^”]+)”|‘([^’]+)’|(?<!\w)\"([^\"\n]+)\"(?!\w)|(?<!\w)'([^'\n]+)'(?!\w)|`([^`\n]+)`"
)
_EMAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_CODED = re.compile(r"(?<!\w)[#+$€£]?\w+(?:[-_:/.#@+,]\w+)*")
_NAMED = re.compile(r"(?<!\w)(?:\d+ )?[A-Z][\w'’&-]*(?:[ \t]+(?:[A-Z][\w'’&-]*|\d+\b))*")
_WORD = re.compile(r"[^\W_]+(?:['’][a-z]+)?")
_SENTENCE_START = re.compile(r"(?:^|[.!?\n]\s*)(?:[-*•\d.)]*\s*)$")
_SENTENCE_END = re.compile(r"[.!?;\n](?:\s|$)")
_AFTER_END = re.compile(r"[,.;:!?\n]")
_RELATIVE = re.compile(
    r"\b(?:whose|where|that has|that have|having|called|named|titled|created|"
    r"(?:the|my) (?:\w+ ){1,3}with)\b"
)
_AMONG = re.compile(r"[\"'”’]?\s+(?:among|as the [\w ]+ of one)\b")
_BEFORE, _AFTER = 4, 2
_FIRST, _LAST = frozenset(stems("first name given")), frozenset(stems("last name family surname"))


@dataclass(frozen=True)
class Mention:
    """A value in the instruction, with the stems of the words that label it."""

    value: Json
    start: int
    end: int
    sure: bool
    """Whether its own form (quotes, digits, an @) marks it as a value, not mere capitals."""
    before: frozenset[str] = frozenset()
    """Stems of the words right before it, back to the value before."""
    after: frozenset[str] = frozenset()
    """Stems of the words right after it."""
    describes: bool = False
    """Whether it tells a thing from others (`whose name is …`) and is no new value itself."""


def json_values(text: str) -> Iterator[tuple[int, int, Json]]:
    """Yield the lists and objects that stand in the text as JSON, with their places."""
    decoder, position = json.JSONDecoder(), 0
    while found := re.compile(r"[\[{]").search(text, position):
        try:
            value, position = decoder.raw_decode(text, found.start())
        except (ValueError, RecursionError):
            position = found.end()
        else:
            yield found.start(), position, value


def _marked(text: str) -> Iterator[Mention]:
    for start, end, value in json_values(text):
        yield Mention(value, start, end, sure=True)
    for match in _QUOTED.finditer(text):
        group = next(index for index, part in enumerate(match.groups(), 1) if part is not None)
        yield Mention(match.group(group), match.start(), match.end(), sure=True)
    for match in _EMAIL.finditer(text):
        yield Mention(match.group(), match.start(), match.end(), sure=True)
    for match in _CODED.finditer(text):
        # In `address 2 "Suite 5"` the number is part of the label.
        labels = match.group().isdigit() and text[match.end() :].lstrip()[:1] in tuple("\"“'")
        if not labels and any(character.isdigit() for character in match.group()):
            yield Mention(match.group(), match.start(), match.end(), sure=True)


def _named(text: str, verbs: frozenset[str]) -> Iterator[Mention]:
    for match in _NAMED.finditer(text):
        start, name = match.start(), match.group().rstrip("'’&-")
        head, _, rest = name.partition(" ")
        first = _SENTENCE_START.search(text[:start])
        common = head.lower() in FUNCTION_WORDS or stem(head) in verbs
        if not common and (rest or not first):
            yield Mention(name, start, start + len(name), sure=False)
        if rest and first:
            # A sentence's first word is capital anyway; the name may begin after it.
            start += len(head) + 1
            yield Mention(rest, start, start + len(rest), sure=False)


def _parts(mention: Mention) -> Iterator[Mention]:
    """Yield a person's first and last name out of a full one."""
    names = str(mention.value).split(" ")
    if not mention.sure and 2 <= len(names) <= 3 and all(name[:1].isupper() for name in names):
        first, last = names[0], names[-1]
        end = mention.start + len(first)
        yield replace(mention, value=first, end=end, before=mention.before | _FIRST)
        start = mention.end - len(last)
        yield replace(mention, value=last, start=start, before=mention.before | _LAST)


def _without_overlaps(mentions: Iterator[Mention]) -> list[Mention]:
    kept: list[Mention] = []
    for mention in mentions:
        if all(mention.end <= other.start or mention.start >= other.end for other in kept):
            kept.append(mention)
    return sorted(kept, key=lambda mention: mention.start)


def _labelled(text: str, mentions: list[Mention]) -> Iterator[Mention]:
    """Give each mention the words around it; one of a series shares the label of the first."""
    inherited: frozenset[str] = frozenset()
    outer, previous = 0, 0
    for index, mention in enumerate(mentions):
        nested = mention.start < previous
        gap = _SENTENCE_END.split(text[outer if nested else previous : mention.start])
        said = [word for word in raw_words(gap[-1]) if word not in FUNCTION_WORDS][-_BEFORE:]
        before = frozenset(stem(word) for word in said)
        if nested:
            before |= inherited
        elif said or len(gap) > 1:
            inherited = before
        else:
            before = inherited
        end = mentions[index + 1].start if index + 1 < len(mentions) else len(text)
        following = _AFTER_END.split(text[mention.end : end])[0]
        after = frozenset(stems(" ".join(_WORD.findall(following)[:_AFTER])))
        describes = bool(_RELATIVE.search(gap[-1]) or _AMONG.match(text[mention.end :]))
        yield replace(mention, before=before, after=after, describes=describes)
        outer, previous = mention.start, max(previous, mention.end)


def mentions_of(text: str, verbs: frozenset[str] = frozenset()) -> tuple[Mention, ...]:
    """Return the values that a text names, in their order, names of people also in parts.

    `verbs` are stems that a sentence may begin with and that are no part of a name.
    """
    marked = _without_overlaps(_marked(text))
    named = [
        mention
        for mention in _named(text, verbs)
        if all(
            mention.end <= other.start
            or mention.start >= other.end
            or (str(other.value).isdigit() and mention.value != other.value)
            for other in marked
        )
    ]
    ordered = sorted((*marked, *named), key=lambda mention: (mention.start, -mention.end))
    labelled = list(_labelled(text, ordered))
    return tuple(part for mention in labelled for part in (mention, *_parts(mention)))


def by_value(mentions: Iterable[Mention]) -> dict[str, tuple[Mention, ...]]:
    """Return the mentions of each value, under the value's key."""
    found: dict[str, tuple[Mention, ...]] = {}
    for mention in mentions:
        key = value_key(mention.value)
        found[key] = (*found.get(key, ()), mention)
    return found


def mention_at(text: str, start: int, end: int) -> Mention:
    """Return the words at a place of a text as a mention, labelled by the words around them."""
    before, after = stems(text[:start])[-_BEFORE:], stems(_AFTER_END.split(text[end:])[0])[:_AFTER]
    return Mention(text[start:end], start, end, True, frozenset(before), frozenset(after))
