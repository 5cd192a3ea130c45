"""The pages of events and of pieces of work."""

from support.command_line import Finished, envwright


def test_an_event_has_its_header_data_and_answers(finished: Finished) -> None:
    with finished.runtime() as runtime:
        planned = next(runtime.log.read_all(types=("brief.planned",)))
    page = envwright("show", planned.id, "--home", finished.home).stdout
    assert planned.hash in page and '"content_seed"' in page
    assert "\nanswered by\n" in page and "package.drafted" in page


def test_work_has_its_state_and_events(finished: Finished) -> None:
    with finished.runtime() as runtime:
        claim = next(runtime.log.read_all(types=("work.claimed",)))
    page = envwright("show", claim.data["work"], "--home", finished.home).stdout
    assert "done" in page and "work.claimed" in page
