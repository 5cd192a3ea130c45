"""The page of an attempt."""

from support.command_line import Finished, envwright


def test_the_page_has_each_call_and_the_reward(finished: Finished) -> None:
    with finished.runtime() as runtime:
        turn = next(
            event
            for event in runtime.log.read_all(types=("turn.taken",))
            if event.data["turn"]["calls"]
        )
    page = envwright("show", turn.data["attempt"], "--home", finished.home).stdout
    assert turn.data["turn"]["calls"][0]["name"] in page
    assert "\nturns\n" in page and "\nreward\n" in page
    assert "closed" in page and "verdict" in page
