"""The trials of a run: opened, scored attempt by attempt, closed with pass^k."""

from envwright.events.catalog import TrialClosed, TrialOpened, VerdictReached
from envwright.events.values import PolicySpec, Verdict
from envwright.store.readmodels import Trials
from support.folded import folded

ON = {"package": "p", "revision": "a", "trial": "t"}
OPENED = TrialOpened(
    **ON, index=1, of=1, policy=PolicySpec(name="random"), k=2, seeds=(1, 2), gating=False
)
CLOSED = TrialClosed(**ON, policy="random", n=2, c=1, pass_hat={"1": 0.5, "2": 0.0})


def reached(outcome: str, trial: str = "t") -> VerdictReached:
    on = {**ON, "trial": trial}
    return VerdictReached(**on, attempt="a", index=1, verdict=Verdict(outcome=outcome))


def test_a_trial_tells_its_outcomes_and_pass_hat():
    open_row = folded(Trials(), [OPENED, reached("pass")])["r/t"]
    assert (open_row["closed"], open_row["outcomes"], open_row["n"]) == (False, {"pass": 1}, None)
    row = folded(Trials(), [OPENED, reached("pass"), reached("fail"), CLOSED])["r/t"]
    assert row["outcomes"] == {"pass": 1, "fail": 1}
    assert (row["n"], row["c"], row["closed"]) == (2, 1, True)
    assert row["pass_hat"] == {"1": 0.5, "2": 0.0}
    assert (row["policy"], row["k"], row["gating"], row["package"]) == ("random", 2, False, "p")


def test_what_belongs_to_no_trial_that_was_opened_makes_no_row():
    assert folded(Trials(), [reached("pass", "stray")]) == {}
