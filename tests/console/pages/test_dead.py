"""The pages of dead letters."""

from rich.console import Console

from envwright.console.pages.dead import dead_page, letter_page, parked_part

ROW = {
    "work": "wrk-1",
    "role": "tester",
    "type": "package.drafted",
    "stream": "package/pkg-1",
    "failures": 4,
    "error": "boom\x1b[31m",
}


def drawn(parts) -> str:
    console = Console(width=200)
    with console.capture() as capture:
        for part in parts:
            console.print(part)
    return capture.get()


def test_parked_deliveries_and_strays_are_drawn_without_steering_the_terminal() -> None:
    stray = {"place": "t.dead/0/1", "bytes": 3, "error": "no event"}
    text = drawn(dead_page({"parked": [ROW], "strays": [stray]}))
    assert "wrk-1" in text and "t.dead/0/1" in text and "no event" in text
    assert "\x1b" not in text


def test_nothing_parked_is_said_or_left_out() -> None:
    assert "nothing is parked" in drawn(dead_page({"parked": [], "strays": []}))
    assert drawn(parked_part([])) == ""


def test_one_of_them_comes_with_its_event_or_its_message() -> None:
    text = drawn(letter_page({**ROW, "event": {"id": "e-1"}}))
    assert '"id": "e-1"' in text and "tester" in text
    assert "rubbish" in drawn(letter_page({"place": "t/0/1", "value": "rubbish"}))
