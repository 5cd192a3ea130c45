"""Spending: time by stage counted once for each piece of work, and the tokens of models."""

from envwright.agents.audit import spending as module
from envwright.agents.audit.spending import Spending
from envwright.events.catalog import EffectCompleted, PackageAbandoned, RunStarted
from envwright.events.values import ArtifactRef


def seen(scroll) -> dict:
    spending = Spending()
    scroll.show(spending)
    return spending.report()


def test_attempts_turns_and_claims_are_counted(scroll):
    scroll.write(packages=2)
    report = seen(scroll)
    assert (report["attempts"], report["turns"], report["claims"]) == (2, 20, 2)
    assert [row["stage"] for row in report["stages"]] == [
        "plan", "build", "test", "review", "attempt", "judge",
    ]  # fmt: skip


def test_the_events_of_one_piece_of_work_count_its_longest_time_once(scroll):
    writer = scroll.writer()
    fact = PackageAbandoned(package="p", round=1, ordinal=1, reason="r")
    for seconds, cause in ((1.0, "a"), (3.0, "a"), (2.0, "a"), (0.5, "b")):
        writer.say("builder", fact, causation_id=cause, metrics={"seconds": seconds})
    writer.say("builder", fact, causation_id="c", metrics={"seconds": "long"})
    writer.commit()
    assert seen(scroll)["stages"] == [{"stage": "build", "seconds": 3.5}]


def test_work_of_long_ago_is_forgotten(scroll, monkeypatch):
    monkeypatch.setattr(module, "_REMEMBERED", 1)
    scroll.write()
    spending = Spending()
    scroll.show(spending)
    assert len(spending._works) == 1


def test_mining_is_a_stage_of_its_own(scroll):
    writer = scroll.writer()
    ref = ArtifactRef(digest="0" * 64, size=0)
    started = RunStarted(run="run-1", recipe="r", recipe_version="1", sources=(), profile=ref)
    writer.say("planner", started, metrics={"seconds": 2})
    writer.commit()
    assert seen(scroll)["stages"] == [{"stage": "read and mine", "seconds": 2.0}]


def test_tokens_are_those_of_recorded_answers(scroll):
    writer = scroll.writer()
    usage = {"input_tokens": 10, "output_tokens": 4, "cached_tokens": 2}
    for result in ({"usage": usage}, {"usage": usage}, {"usage": 7}, [1], None):
        writer.say("system", EffectCompleted(work="w", key="k", ok=True, result=result))
    writer.commit()
    report = seen(scroll)
    assert (report["model_calls"], report["input_tokens"], report["output_tokens"]) == (2, 20, 8)
    assert report["effect_seconds"] == 0.05
