"""Admission: in slot order, whatever order the candidates come in."""

from collections.abc import Sequence
from dataclasses import dataclass

from hypothesis import given
from hypothesis import strategies as st

from envwright.agents.judge.admission import admit
from envwright.events import Envelope, Fact
from envwright.events.catalog import (
    BriefPlanned,
    PackageAdmitted,
    PackageCandidate,
    PackageInherited,
    PackageRejected,
    RoundOpened,
    RoundSettled,
    RunRequested,
)
from envwright.events.values import Brief, RunSettings
from support.facts import recorded
from support.office import Office


@dataclass(frozen=True)
class Slot:
    """What becomes of a slot's package before admission."""

    ok: bool
    keys: tuple[str, ...] = ()

    def candidate(self, ordinal: int) -> PackageCandidate:
        return PackageCandidate(
            package=f"p{ordinal}",
            run="r",
            round=1,
            ordinal=ordinal,
            revision=f"d{ordinal}",
            ok=self.ok,
            reasons=() if self.ok else ("BAD", "WORSE"),
            fingerprint=self.keys if self.ok else (),
        )


class Courtroom:
    """The streams that admission reads, in memory, and what it says about them."""

    run_id = "r"

    def __init__(self, count: int, slots: int, known: Sequence[str] = ()) -> None:
        settings = RunSettings(recipe="desk", count=count, slots=slots)
        earlier = [
            PackageAdmitted(
                run="old",
                package=f"old{number}",
                revision="d",
                round=1,
                ordinal=number,
                number=number,
                fingerprint=(key,),
            )
            for number, key in enumerate(known, start=1)
        ]
        asked = RunRequested(
            run="r", settings=settings, sources=(), novel_against=("old",), novel_position=10**6
        )
        self._facts: dict[str, list[Fact]] = {"run/old": [*earlier], "run/r": [asked]}
        self.open(1, slots)

    def open(self, number: int, slots: int) -> None:
        """Open a round."""
        briefs = [
            Brief(
                package=f"p{ordinal}",
                recipe="desk",
                recipe_version="1",
                round=number,
                ordinal=ordinal,
                content_seed="s",
            )
            for ordinal in range(1, slots + 1)
        ]
        self._facts["run/r"] += [
            RoundOpened(run="r", round=number, slots=slots),
            *(BriefPlanned(run="r", brief=brief) for brief in briefs),
        ]

    def inherit(self, ordinal: int, *, ok: bool) -> None:
        """Inherit a slot of the first round instead of ordering it."""
        place = next(
            index
            for index, fact in enumerate(self._facts["run/r"])
            if isinstance(fact, BriefPlanned) and fact.brief.ordinal == ordinal
        )
        planned = self._facts["run/r"][place]
        assert isinstance(planned, BriefPlanned)
        self._facts["run/r"][place] = PackageInherited(
            run="r",
            package=planned.brief.package,
            round=1,
            ordinal=ordinal,
            brief=planned.brief,
            revision=f"old-{ordinal}",
            ok=ok,
            reasons=() if ok else ("OLD",),
            fingerprint=(f"k{ordinal}",) if ok else (),
            outcome="admitted" if ok else "rejected",
            origin_run="old",
            event="e",
        )

    def read(self, stream: str) -> list[Envelope]:
        return recorded(self._facts.get(stream, []))

    def say(self, *facts: Fact) -> None:
        self._facts["run/r"] += facts

    def arrive(self, fact: PackageCandidate) -> None:
        self._facts.setdefault(fact.stream, []).append(fact)

    def admit(self) -> None:
        admit(self)  # type: ignore[arg-type]

    def outcomes(self) -> list[Fact]:
        kinds = (PackageAdmitted, PackageRejected, RoundSettled)
        return [fact for fact in self._facts["run/r"] if isinstance(fact, kinds)]


def expected(slots: Sequence[Slot], count: int, known: Sequence[str]) -> list[str]:
    """Say in the plainest way what each slot should come to."""
    taken: set[str] = set()
    admitted, found = 0, []
    for slot in slots:
        if admitted == count:
            found.append("surplus")
        elif not slot.ok:
            found.append("BAD")
        elif taken & set(slot.keys):
            found.append("duplicate")
        elif set(known) & set(slot.keys):
            found.append("not_novel")
        else:
            admitted += 1
            taken |= set(slot.keys)
            found.append("admitted")
    return found


def told(fact: Fact) -> str:
    return fact.reason if isinstance(fact, PackageRejected) else "admitted"


KEYS = st.lists(st.sampled_from("abcdef"), min_size=1, max_size=3, unique=True).map(tuple)
SLOTS = st.lists(st.builds(Slot, ok=st.booleans(), keys=KEYS), min_size=1, max_size=6)


@given(
    slots=SLOTS,
    count=st.integers(1, 4),
    known=st.lists(st.sampled_from("ef"), unique=True),
    data=st.data(),
)
def test_any_order_of_arrival_gives_the_same_admissions(
    slots: list[Slot], count: int, known: list[str], data: st.DataObject
) -> None:
    ordinals = range(1, len(slots) + 1)
    order = data.draw(st.permutations(ordinals))
    pauses = data.draw(st.lists(st.booleans(), min_size=len(order), max_size=len(order)))
    court = Courtroom(count, len(slots), known)
    for ordinal, late in zip(order, pauses, strict=True):
        court.arrive(slots[ordinal - 1].candidate(ordinal))
        if not late:
            court.admit()
    court.admit()
    *settled, end = court.outcomes()
    assert [told(fact) for fact in settled] == expected(slots, count, known)
    assert [fact.ordinal for fact in settled] == list(ordinals)  # type: ignore[attr-defined]
    admitted = [fact for fact in settled if isinstance(fact, PackageAdmitted)]
    assert [fact.number for fact in admitted] == list(range(1, len(admitted) + 1))
    assert end == RoundSettled(
        run="r",
        round=1,
        admitted=len(admitted),
        rejected=len(settled) - len(admitted),
        total_admitted=len(admitted),
    )


def test_a_slot_waits_for_all_before_it() -> None:
    court = Courtroom(count=2, slots=3)
    for ordinal in (3, 2):
        court.arrive(Slot(ok=True, keys=(str(ordinal),)).candidate(ordinal))
        court.admit()
    assert court.outcomes() == []
    court.arrive(Slot(ok=False).candidate(1))
    court.admit()
    assert [told(fact) for fact in court.outcomes()[:3]] == ["BAD", "admitted", "admitted"]


def test_nobody_waits_for_what_is_surplus() -> None:
    court = Courtroom(count=1, slots=3)
    court.arrive(Slot(ok=True, keys=("a",)).candidate(1))
    court.admit()
    *settled, end = court.outcomes()
    assert [told(fact) for fact in settled] == ["admitted", "surplus", "surplus"]
    assert isinstance(end, RoundSettled) and end.rejected == 2


def test_a_settled_round_is_settled_once() -> None:
    court = Courtroom(count=1, slots=1)
    court.arrive(Slot(ok=True, keys=("a",)).candidate(1))
    court.admit()
    before = court.outcomes()
    court.admit()
    assert court.outcomes() == before


def test_a_later_round_goes_on_counting_and_knows_the_keys_of_earlier_ones() -> None:
    court = Courtroom(count=3, slots=1)
    court.arrive(Slot(ok=True, keys=("a",)).candidate(1))
    court.admit()
    court.open(2, 2)
    first, second = Slot(ok=True, keys=("a",)), Slot(ok=True, keys=("b",))
    for ordinal, slot in ((1, first), (2, second)):
        court.arrive(slot.candidate(ordinal))
    court.admit()
    *settled, end = court.outcomes()[2:]
    assert [told(fact) for fact in settled] == ["duplicate", "admitted"]
    assert isinstance(settled[1], PackageAdmitted) and settled[1].number == 2
    assert isinstance(end, RoundSettled) and (end.admitted, end.total_admitted) == (1, 2)


def test_what_another_run_admits_later_takes_nothing_away() -> None:
    court = Courtroom(count=1, slots=1, known=("a",))
    state = court._facts["run/r"][0]
    assert isinstance(state, RunRequested)
    court._facts["run/r"][0] = state.model_copy(update={"novel_position": 0})
    court.arrive(Slot(ok=True, keys=("a",)).candidate(1))
    court.admit()
    assert told(court.outcomes()[0]) == "admitted"


def test_an_inherited_package_is_settled_by_what_was_inherited_in_its_place() -> None:
    """Its own stream may have gone on since the point of the fork."""
    court = Courtroom(count=3, slots=3)
    for ordinal, ok in ((1, True), (3, False)):
        court.inherit(ordinal, ok=ok)
    court.arrive(Slot(ok=False).candidate(1))
    court.admit()
    assert [told(fact) for fact in court.outcomes()] == ["admitted"]
    court.arrive(Slot(ok=True, keys=("k1",)).candidate(2))
    court.admit()
    *settled, end = court.outcomes()
    assert [told(fact) for fact in settled] == ["admitted", "duplicate", "OLD"]
    assert isinstance(end, RoundSettled) and (end.admitted, end.rejected) == (1, 2)
    assert isinstance(settled[0], PackageAdmitted) and settled[0].revision == "old-1"


def test_two_candidates_that_are_alike_give_one_admission_in_a_real_run(office: Office) -> None:
    office.finish(office.request("a", count=2, slots=2, max_rounds=1))
    assert [fact.ordinal for fact in office.facts(PackageAdmitted)] == [1]
    assert [fact.reason for fact in office.facts(PackageRejected)] == ["duplicate"]
