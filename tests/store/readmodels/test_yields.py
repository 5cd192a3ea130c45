"""The yield of rounds: slots, admissions, and rejections by reason."""

from envwright.events.catalog import (
    BriefPlanned,
    PackageAdmitted,
    PackageInherited,
    PackageRejected,
    RoundOpened,
    RoundSettled,
)
from envwright.events.values import Brief
from envwright.store.readmodels import Yields
from support.folded import folded


def brief(number: int, ordinal: int) -> Brief:
    return Brief(
        package=f"p{ordinal}",
        recipe="desk",
        recipe_version="1",
        round=number,
        ordinal=ordinal,
        content_seed="s",
    )


def test_a_round_tells_what_became_of_its_slots():
    slot = {"run": "r", "round": 1}
    facts = [
        RoundOpened(run="r", round=1, slots=4),
        *(BriefPlanned(run="r", brief=brief(1, ordinal)) for ordinal in (1, 2, 3)),
        PackageInherited(
            **slot,
            package="p4",
            ordinal=4,
            brief=brief(1, 4),
            ok=True,
            outcome="admitted",
            origin_run="before",
            event="e",
        ),
        PackageAdmitted(**slot, package="p1", revision="x", ordinal=1, number=1),
        PackageRejected(**slot, package="p2", ordinal=2, reason="LEAK"),
        PackageRejected(**slot, package="p3", ordinal=3, reason="LEAK"),
        PackageRejected(**slot, package="p4", ordinal=4, reason="surplus"),
    ]
    row = folded(Yields(), facts)["r/000001"]
    assert row == {
        "run": "r",
        "round": 1,
        "slots": 4,
        "planned": 3,
        "inherited": 1,
        "admitted": 1,
        "rejected": {"LEAK": 2, "surplus": 1},
        "settled": False,
    }
    settled = RoundSettled(run="r", round=1, admitted=1, rejected=3, total_admitted=1)
    assert folded(Yields(), [*facts, settled])["r/000001"]["settled"]


def test_rounds_come_in_their_order():
    facts = [RoundOpened(run="r", round=number, slots=1) for number in (10, 9, 1)]
    assert [row["round"] for row in folded(Yields(), facts).values()] == [1, 9, 10]
