"""The picture of the graph: every tool and every edge once, the same for the same graph."""

from xml.etree import ElementTree

from envwright.console.report.graph import graph_picture
from support.run_views import graph


def test_every_tool_has_a_dot_and_a_name_and_every_edge_a_line():
    picture = ElementTree.fromstring(graph_picture(graph()))
    names = [text.text for text in picture.iter("text")]
    assert "cancel_order  ↻ 3" in names and "get_order" in names
    assert len(list(picture.iter("circle"))) == 2
    assert sum("edge" in (path.get("class") or "") for path in picture.iter("path")) == 2


def test_what_an_edge_is_can_be_read():
    titles = [title.text for title in ElementTree.fromstring(graph_picture(graph())).iter("title")]
    assert "data: tools-1.cancel_order → tools-1.get_order, weight 1.5, 4 traces" in titles
    assert any("retried in 3 traces" in title for title in titles)


def test_the_names_of_thirty_tools_do_not_touch():
    tools = tuple(f"{'get' if n % 2 else 'set'}_thing_{n:02d}" for n in range(30))
    picture = ElementTree.fromstring(graph_picture(graph(tools)))
    texts = [text for text in picture.iter("text") if "tool" in (text.get("class") or "")]
    for anchor in ("start", "end"):
        heights = sorted(float(t.get("y")) for t in texts if t.get("text-anchor") == anchor)
        assert min(b - a for a, b in zip(heights, heights[1:], strict=False)) >= 20
    assert len(texts) == 30


def test_the_picture_does_not_depend_on_the_order_of_tools_and_edges():
    found = graph(("set_a", "get_b", "get_c", "set_d"))
    turned = {**found, "nodes": found["nodes"][::-1], "links": found["links"][::-1]}
    assert graph_picture(found) == graph_picture(turned)


def test_a_hostile_name_is_text():
    assert "<script" not in graph_picture(graph(("<script>alert(1)</script>", "get_b")))
