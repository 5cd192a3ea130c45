"""Labels: how well the words around a value, or the field that holds it, name a slot."""

import re
from collections.abc import Iterable, Iterator

from envwright.agents.solver.policies.knowledge import Finding
from envwright.agents.solver.policies.mentions import Mention
from envwright.agents.solver.policies.parameters import Slot
from envwright.agents.solver.policies.vocabulary import GENERIC, raw_words, stems

EXACT = 1.1
"""The label of a field that has the slot's own name; sharing all telling words is 1."""

_AFTER, _HINT, _OTHER_KIND = 0.7, 0.3, 0.3
_CONNECTOR = r"(?:\s+\w+){0,2}?\s*(?::|=|\bis\b|\bto\b|\bas\b|\bare\b|\bbe\b)\s+"
_VALUE = r"([^;,.\n“”\"]+(?:\.\d+)?)"


def label_of_mention(slot: Slot, mention: Mention) -> float:
    """Say how well the words around a mention name the slot."""
    wanted = slot.telling_stems
    named = max(_share(mention.before, wanted), _AFTER * _share(mention.after, wanted))
    return named + _HINT * min(1.0, len(slot.hints & mention.before) / 2)


def label_of_finding(slot: Slot, finding: Finding) -> float:
    """Say how well a finding's field names the slot, or whether it is known to feed it."""
    if slot.origins and finding.place is not None:
        return EXACT if finding.place in slot.origins else 0.0
    own = frozenset(stems(finding.name))
    if own == slot.stems:
        return EXACT
    share = _share(finding.labels, slot.telling_stems)
    kinds, mine = (slot.stems & GENERIC), (finding.labels & GENERIC)
    return share * _OTHER_KIND if kinds and mine and not kinds & mine else share


def labelled_values(slot: Slot, text: str) -> Iterator[Mention]:
    """Yield the words that a text gives for a slot by name: `reason: no longer needed`."""
    for word in sorted(set(raw_words(slot.name)), key=lambda word: (-len(word), word)):
        if slot.telling_stems.intersection(stems(word)):
            pattern = rf"(?<!\w){re.escape(word)}(?!\w){_CONNECTOR}{_VALUE}"
            for match in re.finditer(pattern, text, re.IGNORECASE):
                value = match.group(1).strip().strip("'‘’")
                if value:
                    yield Mention(value, match.start(1), match.end(1), True, slot.stems)


def _share(part: Iterable[str], whole: frozenset[str]) -> float:
    return len(whole.intersection(part)) / len(whole) if whole else 0.0
