"""Effects: one outcome for each request, and open ones are told."""

from envwright.agents.audit.effects import Effects
from envwright.events.catalog import EffectCompleted, EffectRequested, EffectResolved
from support.audited_events import places


def seen(scroll) -> Effects:
    effects = Effects()
    scroll.show(effects)
    return effects


def request(key: str) -> EffectRequested:
    return EffectRequested(
        work="w", key=key, kind="model", effect_class="once", node="n", task=0, ordinal=0,
        try_number=1, request="r", token=1,
    )  # fmt: skip


def test_closed_effects_have_no_failure(scroll):
    scroll.write()
    effects = seen(scroll)
    assert (effects.check.checked, effects.check.failed, effects.open) == (3, 0, 0)
    assert effects.kinds == {"gate": 3}


def test_an_open_effect_is_of_unknown_outcome_and_no_failure(scroll):
    writer = scroll.writer()
    writer.say("system", request("a"))
    writer.say("operator", EffectResolved(work="w", key="a", decision="retry"))
    writer.commit()
    effects = seen(scroll)
    assert (effects.check.failed, effects.open) == (0, 1)
    (unknown,) = effects.unknown()
    assert (unknown["position"], unknown["kind"], unknown["class"]) == (1, "model", "once")


def test_an_outcome_without_a_request_and_a_second_one_are_named(scroll):
    writer = scroll.writer()
    done = EffectCompleted(work="w", key="a", ok=True)
    writer.say("system", done)
    writer.say("system", request("a"))
    writer.say("system", request("a"))
    writer.say("system", done)
    writer.say("system", done)
    writer.say("operator", EffectResolved(work="w", key="a", decision="retry"))
    writer.commit()
    assert places(seen(scroll).check.failures) == [1, 3, 5, 6]
