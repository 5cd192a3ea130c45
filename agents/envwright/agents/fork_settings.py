"""Settings of a fork: what `--set NAME=VALUE` may say, checked, over the settings of the origin."""

import json
from collections.abc import Sequence
from typing import Any

from pydantic import ValidationError

from envwright.agents.gate_sets import GATE_SETTINGS, check_gate_setting
from envwright.events.canonical import Json
from envwright.events.errors import BadInputError
from envwright.events.values import RunSettings

_ALIASES = {"k": "attempts"}
_GROUPS = ("gates", "options")
_KEPT = ("pseudonymise", "pseudonym_key")
"""Options that act on sources before anything is kept: too late for them in a fork."""

SETTABLE = tuple(name for name in RunSettings.model_fields if name not in _GROUPS)
"""Settings of a run that are set by their own name."""


def changed(settings: RunSettings, pairs: Sequence[str]) -> tuple[RunSettings, dict[str, Json]]:
    """Return settings with what pairs of NAME=VALUE say, and what that was, by name.

    A name is that of a field of the settings, `gates.GATE.SETTING`, `options.NAME` for an option
    of the recipe, or that of an option which the origin has. A value is JSON, or else text.

    Raises:
        BadInputError: a name is unknown or given twice, or a value is of the wrong kind.
    """
    fields = settings.model_dump(mode="json")
    said: dict[str, Json] = {}
    for pair in pairs:
        name, equals, text = pair.partition("=")
        if not equals or not name:
            raise BadInputError(f"--set {pair!r} is no setting; expected NAME=VALUE")
        name = _full_name(name, settings)
        if name in said:
            raise BadInputError(f"--set names {name} twice; say it once")
        said[name] = _value(name, text)
        _place(fields, name, said[name])
    try:
        return RunSettings.model_validate_json(json.dumps(fields), strict=True), said
    except ValidationError as error:
        problems = (
            f"--set {'.'.join(map(str, problem['loc']))}: {problem['msg']}, "
            f"got {problem['input']!r:.80}"
            for problem in error.errors(include_url=False)
        )
        raise BadInputError(f"{'; '.join(problems)}. {_may_be_set(settings)}") from error


def _full_name(name: str, settings: RunSettings) -> str:
    name = _ALIASES.get(name, name)
    if name in SETTABLE:
        return name
    if name in settings.options:
        name = f"options.{name}"
    group, _, rest = name.partition(".")
    if not rest or group not in _GROUPS:
        raise BadInputError(f"--set {name}: there is no such setting. {_may_be_set(settings)}")
    if group == "options" and rest in _KEPT:
        raise BadInputError(
            f"--set {name}: the sources are kept as they were read, so a fork cannot disguise "
            "them; make another run with `envwright synth`"
        )
    if group == "gates" and rest.count(".") != 1:
        raise BadInputError(f"--set {name}: expected gates.GATE.SETTING. {_may_be_set(settings)}")
    return name


def _may_be_set(settings: RunSettings) -> str:
    gates = ", ".join(f"gates.GATE.{name}" for name in GATE_SETTINGS)
    known = ", ".join(name for name in sorted(settings.options) if name not in _KEPT)
    named = f" (the origin has {known})" if known else ""
    return (
        f"What may be set: {', '.join(SETTABLE)}, {gates}, and options.NAME for an option of the "
        f"recipe{named}"
    )


def _value(name: str, text: str) -> Json:
    try:
        value = json.loads(text)
    except ValueError:
        value = text
    if name == "panel":
        return _panel(value)
    if name.startswith("gates."):
        _, gate, setting = name.split(".")
        check_gate_setting(gate, setting, value)
    return value


def _panel(value: Json) -> Json:
    """Return policies by name, as `synth --panel` takes them, or as JSON."""
    if not isinstance(value, str):
        return value
    names = [name.strip() for name in value.split(",") if name.strip()]
    if len(set(names)) < len(names):
        raise BadInputError(f"--set panel={value} names a policy twice; name each once")
    return [{"name": name} for name in names]


def _place(fields: dict[str, Any], name: str, value: Json) -> None:
    group, *rest = name.split(".", 2) if name.startswith("gates.") else name.split(".", 1)
    if not rest:
        fields[group] = value
    elif group == "gates":
        fields["gates"].setdefault(rest[0], {})[rest[1]] = value
    else:
        fields["options"][rest[0]] = value
