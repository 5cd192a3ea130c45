"""Dead letters as JSON: what is parked still, now and in the past."""

from pathlib import Path

from envwright.agents import as_of
from envwright.agents.bootstrap import DeadMessage
from envwright.console.views.dead import message_view, parked_view, stray_view
from support.office import Office


def test_what_was_parked_is_parked_until_it_is_reissued_and_stays_so_in_the_past(
    tmp_path: Path,
) -> None:
    office = Office(tmp_path / "home")
    run = office.request()
    runtime = office.runtime
    assert parked_view(runtime) == []
    cause = office.events("run.requested")[-1]
    _, claim = office.claim(cause)
    runtime.leases.park(claim, error="no")
    then = runtime.log.head()
    [row] = parked_view(runtime, run)
    assert (row["cause"], row["failures"], row["position"]) == (cause.id, 1, then)
    runtime.leases.reissue(run, work=claim.work.work)
    office.claim(cause)
    assert parked_view(runtime, run) == []
    assert parked_view(as_of(runtime, then), run) == [row]
    assert parked_view(as_of(runtime, then - 1), run) == []
    office.close()


def test_a_message_about_parked_work_is_no_stray() -> None:
    parked = DeadMessage("t.dead/0/0", {"work": "wrk-1", "error": "no"}, b"{}")
    stray = DeadMessage("t.dead/0/1", {"error": "no event"}, b"\xff")
    assert stray_view([parked, stray]) == [{"place": "t.dead/0/1", "error": "no event", "bytes": 1}]
    assert message_view(stray)["value"] == "\\xff"
