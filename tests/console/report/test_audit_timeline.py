"""The timeline of an audit, drawn."""

import re

from envwright.console.report.audit_timeline import timeline
from support.audit_views import audit_view


def drawn(**more) -> str:
    return "".join(timeline({**audit_view()["timeline"], **more}))


def test_each_role_has_a_lane_and_each_busy_stretch_a_bar():
    picture = drawn(roles={"tester": [0, 2, 0, 1, 0], "judge": [0, 0, 0, 0, 3]})
    assert picture.count("<rect") == 3
    assert picture.index(">tester<") < picture.index(">judge<")
    assert "judge: 3 events" in picture


def test_turning_points_stand_at_their_times():
    point = audit_view()["timeline"]["points"][0]
    later = {**point, "seconds": 2.0, "type": "run.completed"}
    picture = drawn(points=[point, later])
    across = [float(x) for x in re.findall(r'<circle cx="([\d.]+)" cy="23', picture)]
    assert len(across) == 2 and across[0] < across[1] < 960
    assert "admitted at 1.5 s: package pkg-1" in picture


def test_a_moment_has_a_timeline_too():
    assert "<rect" in drawn(roles={"tester": [4]}, seconds=0.0, points=[])


def test_what_is_not_listed_is_counted():
    point = audit_view()["timeline"]["points"][0]
    picture = drawn(points=[point] * 70, points_not_listed=5)
    assert "the first 60; 15 more" in picture
