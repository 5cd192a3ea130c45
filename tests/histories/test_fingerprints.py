"""No schema of an event changes without a new version and an upcaster."""

from typing import Literal

import pytest

from envwright.events import FACTS
from envwright.events.catalog import RoundOpened
from histories.fingerprints import differences, fingerprints, kept, updated


def test_every_schema_is_as_it_was_recorded() -> None:
    found = differences(kept(), fingerprints())
    if found:
        pytest.fail("\n".join(found.values()), pytrace=False)


class Changed(RoundOpened):
    """A round that says more, without a new version."""

    mood: str = "good"


class Raised(Changed):
    """The same, with a new version."""

    schema_version: Literal[2] = 2  # type: ignore[assignment]


def test_a_changed_schema_is_found_and_the_message_says_what_to_do() -> None:
    found = differences(kept(), fingerprints({**FACTS, "round.opened": Changed}))
    assert list(found) == ["round.opened.v1"]
    assert "Raise schema_version of 'round.opened' to 2" in found["round.opened.v1"]
    assert "('round.opened', 1)" in found["round.opened.v1"]


def test_a_new_version_asks_for_its_fingerprint_and_keeps_the_old_one() -> None:
    current = fingerprints({**FACTS, "round.opened": Raised})
    found = differences(kept(), current)
    assert list(found) == ["round.opened.v2"] and "--update" in found["round.opened.v2"]
    after = updated(kept(), current)
    assert differences(after, current) == {}
    assert after["round.opened.v1"] == kept()["round.opened.v1"]


def test_a_type_that_was_recorded_cannot_go() -> None:
    rest = {name: fact for name, fact in FACTS.items() if name != "round.opened"}
    assert list(differences(kept(), fingerprints(rest))) == ["round.opened.v1"]


def test_an_update_replaces_nothing_that_it_was_not_told_to() -> None:
    current = fingerprints({**FACTS, "round.opened": Changed})
    assert updated(kept(), current) == kept()
    replaced = updated(kept(), current, frozenset({"round.opened.v1"}))
    assert differences(replaced, current) == {}
