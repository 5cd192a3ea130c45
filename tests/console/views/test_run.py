"""A run as JSON."""

from envwright.console.views.run import mean_pass_hat, run_view
from envwright.events.catalog import TrialClosed, TrialOpened
from envwright.events.values import PolicySpec
from support.command_line import Finished
from support.facts import recorded


def test_the_view_adds_settings_slots_and_a_timeline_to_the_report(finished: Finished) -> None:
    with finished.runtime() as runtime:
        view = run_view(runtime, finished.run)
    assert view["settings"]["count"] == 2
    assert [slot["ordinal"] for slot in view["slots"]] == [1, 2, 3]
    assert sum(slot["outcome"] == "admitted" for slot in view["slots"]) == 2
    told = [row["what"] for row in view["timeline"]]
    assert told[0].startswith("requested") and told[-1].startswith("completed (enough)")
    assert sum(what.startswith("admitted") for what in told) == 2
    seconds = [row["seconds"] for row in view["timeline"]]
    assert seconds == sorted(seconds)


def test_pass_hat_is_the_mean_over_packages_and_spares_later_trials() -> None:
    facts: list[TrialOpened | TrialClosed] = []
    for package, passed, gating in (("a", 1.0, True), ("b", 0.0, True), ("a", 0.0, False)):
        trial = f"{package}-{gating}"
        facts.append(
            TrialOpened(
                package=package,
                revision="d",
                trial=trial,
                index=1,
                of=1,
                policy=PolicySpec(name="random"),
                k=2,
                seeds=(1, 2),
                gating=gating,
            )
        )
        facts.append(
            TrialClosed(
                package=package,
                revision="d",
                trial=trial,
                policy="random",
                n=2,
                c=2 if passed else 0,
                pass_hat={"1": passed, "2": passed},
            )
        )
    assert mean_pass_hat(recorded(facts)) == {"random": {"1": 0.5, "2": 0.5}}
