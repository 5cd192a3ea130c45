"""Events as CloudEvents 1.0."""

import json
import re

from envwright.console.cloudevents import cloud_event
from envwright.events.catalog import RunPaused, RunResumed
from support.facts import recorded


def test_the_required_attributes_are_there_and_names_are_legal() -> None:
    first, second = recorded([RunPaused(run="r", cause="user"), RunResumed(run="r")])
    event = cloud_event(second)
    assert event["specversion"] == "1.0"
    assert event["type"] == "run.resumed"
    assert event["subject"] == "run/r"
    assert event["data"] == {"run": "r"}
    assert event["datacontenttype"] == "application/json"
    assert event["previoushash"] == first.hash
    assert (event["sequence"], event["position"]) == (2, 2)
    assert all(re.fullmatch("[a-z0-9]+", name) for name in event)
    assert json.loads(json.dumps(event)) == event


def test_extension_attributes_are_text_or_numbers_and_never_empty() -> None:
    event = cloud_event(recorded([RunPaused(run="r", cause="user")])[0])
    assert "causationid" not in event and "traceparent" not in event
    values = [value for name, value in event.items() if name != "data"]
    assert all(isinstance(value, str | int) and value != "" for value in values)
