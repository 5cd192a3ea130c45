"""Charts: every figure can be seen, and read by those who cannot see."""

from xml.etree import ElementTree

from envwright.console.report.charts import bars, columns, lines


def drawn(picture):
    """Parse a picture: it has to be well-formed."""
    return ElementTree.fromstring(picture)


def test_bars_are_as_long_as_their_values_and_zero_has_none():
    widths = [
        float(bar.get("width"))
        for bar in drawn(bars("T", [("a", 4), ("b", 2), ("c", 0)])).iter("rect")
    ]
    assert widths[0] == 2 * widths[1] and widths[2] == 0


def test_a_histogram_has_a_place_for_every_number_between():
    picture = drawn(columns("Length", {6: 2, 9: 4}, "calls"))
    assert len(list(picture.iter("rect"))) == 2
    assert {"6", "7", "8", "9"} <= {text.text for text in picture.iter("text")}


def test_lines_name_each_series_and_keep_the_names_apart():
    picture = drawn(lines("pass^k", {"one": {"1": 0.5, "2": 0.5}, "two": {"1": 0.5, "2": 0.5}}))
    ends = {t.text: float(t.get("y")) for t in picture.iter("text") if t.text in ("one", "two")}
    assert abs(ends["one"] - ends["two"]) >= 15
    assert len(list(picture.iter("polyline"))) == 2 and len(list(picture.iter("circle"))) == 4


def test_pictures_have_a_title_and_their_figures_in_words():
    for picture in (
        bars("T", [("a", 1)]),
        columns("T", {1: 2}, "calls"),
        lines("T", {"p": {"1": 1.0}}),
    ):
        found = drawn(picture)
        assert found.get("role") == "img" and found.find("title").text == "T"
        assert found.find("desc").text and found.find("desc").text in found.get("aria-label")


def test_names_from_a_log_are_escaped():
    assert "<script>" not in bars("T", [("<script>", 1)])
