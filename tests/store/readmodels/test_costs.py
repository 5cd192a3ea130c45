"""What work cost: claims, the longest time said, effects by kind, tokens of models."""

from envwright.events import Envelope, Fact
from envwright.events.catalog import (
    EffectCompleted,
    EffectRequested,
    RunStarted,
    TestingCompleted,
    WorkClaimed,
)
from envwright.events.values import ArtifactRef
from envwright.store.readmodels import Costs
from support.facts import recorded
from support.folded import folded

USAGE = {"input_tokens": 12, "cached_tokens": 4, "output_tokens": 3}


def said(fact: Fact, *, role: str = "system", seconds: float | None = None) -> Envelope:
    [envelope] = recorded([fact])
    actor = envelope.actor.model_copy(update={"role": role})
    metrics = {} if seconds is None else {"seconds": seconds}
    changes = {"causation_id": "cause", "actor": actor, "metrics": metrics}
    return envelope.model_copy(update=changes)


def claimed(reason: str = "new") -> Envelope:
    return said(
        WorkClaimed(
            work="w", group="envwright.tester", cause="cause", token=1, try_number=1, reason=reason
        )
    )


def requested(kind: str) -> Envelope:
    return said(
        EffectRequested(
            work="w",
            key=kind,
            kind=kind,
            effect_class="pure",
            node="n",
            task=0,
            ordinal=0,
            try_number=1,
            request="",
            token=1,
        )
    )


def completed(result: object, seconds: float) -> Envelope:
    return said(EffectCompleted(work="w", key="k", ok=True, result=result), seconds=seconds)


DONE = TestingCompleted(package="p", revision="a", outcome="pass")


def test_work_has_claims_effects_and_tokens():
    row = folded(
        Costs(),
        [
            claimed(),
            claimed("takeover"),
            requested("gate"),
            completed({"verdict": "pass"}, 0.5),
            requested("model"),
            completed({"text": "", "usage": USAGE}, 0.25),
            completed(["no", "usage"], 0.0),
        ],
    )["r/cause"]
    assert (row["role"], row["claims"]) == ("tester", 2)
    assert row["effects"] == {"gate": 1, "model": 1} and row["effect_seconds"] == 0.75
    assert {name: row[name] for name in USAGE} == USAGE


def test_the_time_of_a_handler_is_the_longest_that_its_events_tell():
    events = [said(DONE, role="tester", seconds=seconds) for seconds in (1.0, 3.0, 2.0)]
    row = folded(Costs(), events)["r/cause"]
    assert (row["seconds"], row["role"], row["mining"]) == (3.0, "tester", False)


def test_reading_and_mining_is_told_apart_from_planning():
    profile = ArtifactRef(digest="0" * 64, size=1)
    started = RunStarted(run="r", recipe="x", recipe_version="1", sources=(), profile=profile)
    assert folded(Costs(), [said(started, role="planner", seconds=1.0)])["r/cause"]["mining"]


def test_what_answers_nothing_costs_nothing():
    assert folded(Costs(), recorded([DONE])) == {}
