"""What a forked run has from those before it."""

from envwright.agents.ancestry import ancestors, fork_part, inherited_events, source_events
from support.forking import fork
from support.office import Office


def test_a_family_of_forks_is_told_from_the_youngest(office: Office) -> None:
    origin = office.request("fan rattles", "ink is low", count=2, slots=2, max_rounds=1)
    office.finish(origin)
    child = fork(office, origin, "round:1")
    grandchild = fork(office, child.run, "round:1", "seed=5", "allow_short=true")
    runtime = office.runtime
    assert ancestors(runtime, grandchild.run) == (grandchild.run, child.run, origin)
    assert ancestors(runtime, origin) == (origin,)
    for run in (origin, child.run, grandchild.run):
        [read] = source_events(runtime, run)
        assert read.run_id == origin
    assert fork_part(runtime, runtime.run_state(origin)) is None
    assert list(inherited_events(runtime, runtime.run_state(origin))) == []
    part = fork_part(runtime, child.state)
    assert part is not None
    assert (part["inherited"], part["inherited_admitted"]) == (2, 2)
    assert (part["rerun"], part["fresh"], part["ancestors"]) == (0, 0, [origin])
    younger = fork_part(runtime, grandchild.state)
    assert younger is not None
    assert (younger["inherited"], younger["rerun"]) == (0, 2)
    assert younger["ancestors"] == [child.run, origin]


def test_events_after_the_point_of_the_fork_are_not_inherited(office: Office) -> None:
    origin = office.request("fan rattles")
    office.finish(origin)
    child = fork(office, origin, "round:1")
    [admitted] = child.state.admitted
    before = list(inherited_events(office.runtime, child.state))
    made = office.events("package.drafted")[0].fact
    office.runtime.record(made.model_copy(update={"revision": "later"}), run_id=origin)
    assert list(inherited_events(office.runtime, child.state)) == before
    assert {event.stream for event in before} == {f"package/{admitted.package}"}
