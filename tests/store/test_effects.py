"""Effects: keys, pins and the decisions of a person, from the stream of a piece of work."""

from envwright.events.catalog import EffectCompleted, EffectRequested, EffectResolved, WorkClaimed
from envwright.store.effects import WorkHistory, effect_key


class Recorded:
    """As much of an envelope as a fold looks at."""

    def __init__(self, fact: object) -> None:
        self.fact = fact


def claimed(token: int) -> WorkClaimed:
    return WorkClaimed(work="w", group="g", cause="c", token=token, try_number=1)


def requested(key: str, try_number: int = 1, **reads: int) -> EffectRequested:
    return EffectRequested(
        work="w",
        key=key,
        kind="k",
        effect_class="once",
        node="n",
        task=0,
        ordinal=0,
        try_number=try_number,
        request="r",
        token=1,
        reads=reads,
    )


def history(*facts: object) -> WorkHistory:
    return WorkHistory.of([Recorded(fact) for fact in facts])


def test_a_key_is_short_and_names_one_place():
    keys = {effect_key("w", *place) for place in ((1, "n", 0, 0), (1, "n", 0, 1), (1, "n", 1, 0))}
    keys |= {effect_key("w", 2, "n", 0, 0), effect_key("v", 1, "n", 0, 0)}
    assert len(keys) == 5 and all(len(key) < 63 for key in keys)


def test_the_first_read_of_a_try_holds():
    found = history(requested("1", a=1), requested("2", a=5, b=2), requested("3", 2, c=9))
    assert found.reads(1) == {"a": 1, "b": 2}
    assert found.reads(2) == {"c": 9}


def test_a_retry_is_allowed_to_one_claim():
    decided = EffectResolved(work="w", key="1", decision="retry")
    facts = [claimed(1), requested("1"), decided]
    for claims, expected in ((1, "retry"), (2, "retry"), (3, None)):
        assert history(*facts).effects["1"].decision(claims) == expected


def test_an_abandonment_stands():
    decided = EffectResolved(work="w", key="1", decision="abandon")
    assert history(claimed(1), requested("1"), decided).effects["1"].decision(9) == "abandon"


def test_a_once_effect_is_found_in_an_earlier_try():
    done = EffectCompleted(work="w", key="1", ok=True)
    found = history(requested("1"), done).find(requested("2", 2))
    assert found is not None and found.completed == done
    other = requested("2", 2).model_copy(update={"request": "other"})
    assert history(requested("1"), done).find(other) is None
    unknown = history(requested("1")).find(other)
    assert unknown is not None and unknown.requested.key == "1"


def test_other_effects_belong_to_their_try():
    pure = requested("1").model_copy(update={"effect_class": "pure"})
    assert history(pure).find(pure.model_copy(update={"key": "2"})) is None
