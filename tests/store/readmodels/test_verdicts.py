"""The verdicts of a run: one row an attempt, which names the event that holds the evidence."""

from envwright.events.catalog import VerdictReached
from envwright.events.values import RewardComponent, Verdict
from envwright.store.readmodels import Verdicts
from support.facts import recorded
from support.folded import folded


def test_a_verdict_has_outcome_reward_and_components_without_the_evidence():
    component = RewardComponent(name="goal", value=0.5, evidence="long text")
    verdict = Verdict(outcome="pass", reward=0.5, components=(component,))
    fact = VerdictReached(
        package="p", revision="a", trial="t", attempt="x", index=3, verdict=verdict
    )
    [envelope] = recorded([fact])
    rows = folded(Verdicts(), [envelope])
    row = rows["r/p/x"]
    assert (row["outcome"], row["reward"], row["components"]) == ("pass", 0.5, {"goal": 0.5})
    assert (row["event"], row["trial"], row["index"]) == (envelope.id, "t", 3)
    assert "long text" not in str(rows)
