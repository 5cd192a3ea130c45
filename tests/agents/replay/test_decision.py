"""Decision replay lets every handler decide again, names what differs, and writes nothing."""

import json
import random
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from envwright.agents import Replayed, RuntimeConfig, replay_run
from envwright.agents.builder.desk import BuilderDesk
from envwright.agents.config import RoleName
from envwright.agents.critic.desk import CriticDesk
from envwright.agents.judge import admission
from envwright.agents.solver import SolverDesk
from envwright.agents.tester import desk as tester
from envwright.events import WRITERS, digest_bytes, encode
from envwright.events.catalog import PackageAbandoned, RoundOpened, RoundSettled
from envwright.events.envelope import Envelope
from envwright.events.errors import IntegrityError
from support.office import Office
from support.store_tampering import tampering
from support.untouched import holdings


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Office]:
    """A finished run with a repair, an admission and surplus; not to be changed."""
    opened = Office(tmp_path_factory.mktemp("finished") / "home")
    run = opened.request("broken", "good", recipe="mending", count=1, slots=2)
    assert opened.finish(run) == "completed"
    yield opened
    opened.close()


@pytest.fixture
def copy(finished: Office, tmp_path: Path) -> Iterator[Office]:
    """A copy of the finished run's home that may be altered."""
    shutil.copytree(finished.home, tmp_path / "home")
    opened = Office(tmp_path / "home")
    yield opened
    opened.close()


def replay(office: Office, **options: Any) -> Replayed:
    run = office.events("run.requested")[0].run_id
    return replay_run(office.runtime.config, "decision", run, **options)


def outputs(office: Office) -> list[Envelope]:
    return [event for event in office.events() if event.type in WRITERS]


def rewrite(office: Office, event: Envelope, change: Callable[[dict[str, Any]], object]) -> None:
    """Alter a recorded event and give it a matching hash, as a clever hand would."""
    data = json.loads(event.payload)
    change(data)
    payload = encode(data)
    with tampering(office.home) as raw:
        raw.execute("UPDATE payloads SET body = ? WHERE position = ?", (payload, event.position))
        where = (digest_bytes(payload), event.position)
        raw.execute("UPDATE events SET payload_hash = ? WHERE position = ?", where)


def test_every_delivery_decides_as_it_did_and_nothing_is_written(
    varied: Office, tmp_path: Path
) -> None:
    home = tmp_path / "home"
    shutil.copytree(varied.home, home)
    before = holdings(home)
    found = replay_run(
        RuntimeConfig(home=home), "decision", varied.events("run.requested")[0].run_id
    )
    assert found.divergences == ()
    assert found.compared == found.counts["deliveries"] == len(before["inbox"])
    assert found.counts["outputs"] == len(outputs(varied))
    assert found.counts["effects"] == len(varied.events("effect.completed"))
    assert "unanswered" not in found.counts
    assert holdings(home) == before


def test_deliveries_that_nobody_has_handled_are_counted_and_not_compared(office: Office) -> None:
    run = office.request()
    office.advance(run, "package.drafted")
    found = replay(office)
    assert found.divergences == ()
    assert found.counts["unanswered"] == 1
    assert found.compared == found.counts["deliveries"] == 2


def test_a_rule_that_was_changed_by_one_line_names_the_delivery(
    finished: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(admission, "SURPLUS", "left over")
    first = replay(finished).diverged
    assert first is not None and first.delivery is not None
    rejected = finished.events("package.rejected")
    [named] = [event for event in rejected if event.id == first.event]
    assert first.delivery.role == "judge" and first.delivery.cause == named.causation_id
    assert first.delivery.cause_type == "package.candidate"
    work = [e for e in finished.events("work.claimed") if e.data["cause"] == named.causation_id][-1]
    assert first.delivery.work == work.data["work"]
    assert first.expected == {"$.data.reason": named.data["reason"]}
    assert first.actual == {"$.data.reason": "left over"}


def test_a_handler_that_says_more_or_less_or_fails_is_named(
    finished: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    drafted = finished.events("package.drafted")[0]
    keep = BuilderDesk.keep

    def more(desk: BuilderDesk) -> None:
        keep(desk)
        fact = PackageAbandoned(package="p", round=1, ordinal=1, reason="x")
        desk.ctx.say(fact)

    def fails(desk: BuilderDesk) -> None:
        raise KeyError("no such thing")

    for changed, expected, actual in (
        (more, "nothing more is said", "package.abandoned"),
        (lambda desk: None, "package.drafted", "nothing is said"),
        (fails, "1 events, as recorded", "KeyError: 'no such thing'"),
    ):
        monkeypatch.setattr(BuilderDesk, "keep", changed)
        found = replay(finished).diverged
        assert found is not None and found.delivery is not None
        assert found.delivery.role == "builder"
        assert found.delivery.cause == drafted.causation_id
        assert expected in str(found.expected) and actual in str(found.actual)


def test_all_that_differs_is_told_where_it_is_to_keep_going(
    finished: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(CriticDesk, "route", lambda desk: None)
    found = replay(finished, keep_going=True)
    reviewed = finished.events("review.completed", "repair.requested")
    assert [each.event for each in found.divergences] == [
        event.id for event in sorted(reviewed, key=lambda event: _cause(finished, event))
    ]
    assert found.compared == replay(finished, keep_going=True).counts["deliveries"] > 0


def _cause(office: Office, event: Envelope) -> int:
    cause = office.runtime.log.get(event.causation_id or "")
    assert cause is not None
    return cause.position


ALTERATIONS: dict[str, Callable[[dict[str, Any]], object]] = {
    "gate.evaluated": lambda d: d["result"].update(reason="OTHER"),
    "testing.completed": lambda d: d.update(first_fail="another"),
    "package.revised": lambda d: d.update(repair_round=7),
    "attempt.started": lambda d: d.update(task_digest="0" * 64),
    "turn.taken": lambda d: d["turn"].update(thought="never thought"),
    "verdict.reached": lambda d: d["verdict"].update(reward=0.5),
    "package.admitted": lambda d: d.update(number=99),
    "run.completed": lambda d: d.update(shortfall=99),
}


@pytest.mark.parametrize("event_type", ALTERATIONS)
def test_a_recorded_output_that_was_altered_is_named(copy: Office, event_type: str) -> None:
    event = copy.events(event_type)[-1]
    rewrite(copy, event, ALTERATIONS[event_type])
    found = replay(copy, keep_going=True)
    [named] = [each for each in found.divergences if each.event == event.id]
    assert named.delivery is not None and named.delivery.cause == event.causation_id
    assert named.expected != named.actual


def test_an_effect_result_that_was_altered_shows_in_what_the_handler_says(copy: Office) -> None:
    event = copy.events("effect.completed")[0]
    rewrite(copy, event, lambda d: d["result"].update(reason="FORGED"))
    found = replay(copy).diverged
    assert found is not None and found.actual == {"$.data.result.reason": "FORGED"}


def test_an_event_that_no_handler_was_asked_for_is_named(copy: Office) -> None:
    run = copy.events("run.requested")[0].run_id
    forged = RoundOpened(run=run, round=9, slots=1)
    copy.runtime.record(forged, role="planner")
    about = copy.events("package.candidate")[0].id
    copy.runtime.record(forged, role="judge", causation=about, key="forged")
    without, unsaid = (event.id for event in copy.events("round.opened")[-2:])
    found = {each.event: each for each in replay(copy, keep_going=True).divergences}
    assert found.keys() == {without, unsaid}
    assert "a cause that the planner answers" in str(found[without].expected)
    assert "the key of one of" in str(found[unsaid].expected)


def test_a_delivery_whose_claim_is_gone_is_named(copy: Office) -> None:
    drafted = copy.events("package.drafted")[0]
    [claimed] = [e for e in copy.events("work.claimed") if e.data["cause"] == drafted.id]
    with tampering(copy.home) as raw:
        raw.execute("UPDATE events SET stream = 'x' WHERE position = ?", (claimed.position,))
    found = replay(copy).diverged
    assert found is not None and found.delivery is not None and found.delivery.role == "tester"
    assert "nobody claimed" in str(found.actual)


def test_an_effect_that_was_not_recorded_or_not_so_is_named(
    finished: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    evaluate = tester.TesterDesk.evaluate
    effect: dict[str, Any] = {}

    def changed(desk: tester.TesterDesk, index: int) -> bool:
        ctx = desk.ctx
        perform = ctx.effect

        def other(call: Any, action: Any, **options: Any) -> Any:
            return perform(call.model_copy(update=effect), action, **options)

        monkeypatch.setattr(ctx, "effect", other)
        return evaluate(desk, index)

    monkeypatch.setattr(tester.TesterDesk, "evaluate", changed)
    effect = {"node": "elsewhere"}
    found = replay(finished).diverged
    assert found is not None and found.delivery is not None and found.delivery.role == "tester"
    assert "no outcome of effect" in str(found.actual) and "'elsewhere'" in str(found.actual)
    effect = {"request": {"gate": "another"}}
    found = replay(finished).diverged
    assert found is not None and "was recorded with request" in str(found.actual)


def test_an_effect_and_a_read_that_do_not_happen_again_are_named(
    finished: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tester.TesterDesk, "evaluate", lambda desk, index: False)
    monkeypatch.setattr(tester.TesterDesk, "load", lambda desk: desk.ctx.read("run/another"))
    monkeypatch.setattr(tester.TesterDesk, "conclude", lambda desk: None)
    found = [e for e in replay(finished).divergences if e.delivery and e.delivery.role == "tester"]
    said = [str(each.actual) for each in found]
    assert "it is not asked for" in said
    assert "{'$.basis.run/another': 0}" in said


def test_a_handler_sees_nothing_that_came_after_what_it_had_read(
    varied: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[tuple[int, int]] = []
    admit = admission.fold_run

    def counting(events: Any) -> Any:
        kept = list(events)
        seen.append((len(kept), len(varied.runtime.streams.read(kept[0].stream))))
        return admit(kept)

    monkeypatch.setattr(admission, "fold_run", counting)
    assert replay(varied).diverged is None
    assert seen == sorted(seen) and seen[0][0] < seen[-1][0] < seen[-1][1]


def test_a_first_fact_that_came_later_is_not_there_yet(
    varied: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep = BuilderDesk.keep
    told: list[tuple[int, bool]] = []

    def asking(desk: BuilderDesk) -> None:
        keep(desk)
        try:
            desk.ctx.first(f"run/{desk.ctx.run_id}", RoundSettled)
        except IntegrityError:
            told.append((desk.ctx.cause.position, False))
        else:
            told.append((desk.ctx.cause.position, True))

    monkeypatch.setattr(BuilderDesk, "keep", asking)
    assert replay(varied).diverged is None
    settled = varied.events("round.settled")[0].position
    assert {there for _, there in told} == {False, True}
    assert all(there == (position > settled) for position, there in told)


def test_work_that_was_retried_and_then_withdrawn_is_replayed_with_what_it_had_said(
    office: Office,
) -> None:
    run = office.request("scanner jams", "lid is loose", count=1, slots=2)
    roles: tuple[RoleName, ...] = ("planner", "builder", "tester", "critic", "judge")
    office.work(run, lambda: len(office.events("attempt.requested")) == 2, roles)
    _, given_up = office.events("attempt.requested")
    ctx = office.context(given_up)
    SolverDesk(ctx).open()
    office.runtime.leases.retry(ctx.claim, delay=600.0)
    office.work(run, lambda: office.events("run.completed"))
    office.runtime.leases.reissue(run)
    assert office.finish(run) == "completed"
    started = office.events("attempt.started")
    assert given_up.id in [event.causation_id for event in started]
    assert given_up.id not in [event.causation_id for event in office.events("turn.taken")]
    found = replay(office)
    assert found.divergences == () and found.counts["withdrawn"] == 1
    early = next(event for event in started if event.causation_id == given_up.id)
    rewrite(office, early, lambda d: d.update(seed=1))
    diverged = replay(office).diverged
    assert diverged is not None and diverged.event == early.id


def test_chance_that_is_not_seeded_is_named_even_where_the_outcome_agrees(
    finished: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep = BuilderDesk.keep

    def gambling(desk: BuilderDesk) -> None:
        random.random()
        keep(desk)

    monkeypatch.setattr(BuilderDesk, "keep", gambling)
    found = replay(finished)
    assert found.diverged is not None and found.diverged.kind == "nondeterminism"
    delivery = found.diverged.delivery
    assert delivery is not None and delivery.role == "builder"
    assert found.diverged.event == delivery.cause
    assert str(found.diverged.actual).startswith(f"random.random at {__file__}:")
    assert "gambling" in str(found.diverged.actual)


def test_a_handler_that_reads_a_projection_is_named(
    finished: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep = BuilderDesk.keep

    def peeking(desk: BuilderDesk) -> None:
        list(desk.ctx.ports.log.projection("run-list"))
        keep(desk)

    monkeypatch.setattr(BuilderDesk, "keep", peeking)
    found = replay(finished).diverged
    assert found is not None and found.kind == "nondeterminism"
    assert str(found.actual).startswith(f"log.projection at {__file__}:")
