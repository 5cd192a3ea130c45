"""The policies that there are, by the name that a run's settings call them."""

from collections.abc import Callable, Mapping
from typing import Any

from pydantic import ValidationError

from envwright.agents.models import ModelPort
from envwright.agents.solver.policies.policy import Policy
from envwright.agents.solver.policies.random import RandomPolicy, RandomSettings
from envwright.agents.solver.policies.react import ReactPolicy, ReactSettings
from envwright.agents.solver.policies.searcher import Searcher, SearcherSettings
from envwright.events.errors import BadInputError

Models = Callable[[str], ModelPort]
"""Gives the model of a name, already behind the journal of the attempt at hand."""


def _random(settings: Mapping[str, Any], _models: Models | None) -> Policy:
    return RandomPolicy(RandomSettings.model_validate(settings))


def _searcher(settings: Mapping[str, Any], _models: Models | None) -> Policy:
    return Searcher(SearcherSettings.model_validate(settings))


def _react(settings: Mapping[str, Any], models: Models | None) -> Policy:
    if models is None:
        raise BadInputError(
            "policy 'react' needs a model, and none is at hand; name one with --model"
        )
    chosen = ReactSettings.model_validate(settings)
    return ReactPolicy(models(chosen.model), chosen)


_POLICIES: dict[str, Callable[[Mapping[str, Any], Models | None], Policy]] = {
    "random": _random,
    "react": _react,
    "searcher": _searcher,
}


def policy_names() -> tuple[str, ...]:
    """Return the names of the policies, sorted."""
    return tuple(sorted(_POLICIES))


def get_policy(name: str, settings: Mapping[str, Any], models: Models | None = None) -> Policy:
    """Return a policy by name, set up with its settings.

    Raises:
        BadInputError: there is no such policy, its settings are wrong, or it needs a model.
    """
    if name not in _POLICIES:
        raise BadInputError(f"unknown policy {name!r}; there are {', '.join(policy_names())}")
    try:
        return _POLICIES[name](settings, models)
    except ValidationError as error:
        problems = "; ".join(
            f"{'.'.join(str(part) for part in problem['loc'])}: {problem['msg']}"
            for problem in error.errors()
        )
        raise BadInputError(f"settings of policy {name!r} are wrong: {problems}") from error
