"""The policies that there are, by the name that a run's settings call them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from envwright.agents.models import ModelPort
from envwright.agents.solver.policies.graph_searcher import GraphSearcher
from envwright.agents.solver.policies.guidance import Mined
from envwright.agents.solver.policies.policy import Policy
from envwright.agents.solver.policies.random import RandomPolicy, RandomSettings
from envwright.agents.solver.policies.react import ReactPolicy, ReactSettings
from envwright.agents.solver.policies.searcher import Searcher, SearcherSettings
from envwright.events import Json
from envwright.events.errors import BadInputError

Models = Callable[[str], ModelPort]
"""Gives the model of a name, already behind the journal of the attempt at hand."""


@dataclass(frozen=True)
class _Means:
    """What a policy may be given besides its settings."""

    models: Models | None
    knowledge: Json


def _random(settings: Mapping[str, Any], _means: _Means) -> Policy:
    return RandomPolicy(RandomSettings.model_validate(settings))


def _searcher(settings: Mapping[str, Any], _means: _Means) -> Policy:
    return Searcher(SearcherSettings.model_validate(settings))


def _graph_searcher(settings: Mapping[str, Any], means: _Means) -> Policy:
    chosen = SearcherSettings.model_validate(settings)
    return GraphSearcher(chosen, _mined(means.knowledge))


def _mined(knowledge: Json) -> Mined | None:
    if knowledge is None:
        return None
    try:
        return Mined.model_validate(knowledge)
    except ValidationError as error:
        raise BadInputError(
            f"the mined knowledge for policy {GRAPH!r} is malformed: {_problems(error)}; "
            "mine the sources again with this version"
        ) from error


def _react(settings: Mapping[str, Any], means: _Means) -> Policy:
    if means.models is None:
        raise BadInputError(
            "policy 'react' needs a language model, and no model is configured in this version; "
            "choose another policy, such as 'searcher'"
        )
    chosen = ReactSettings.model_validate(settings)
    return ReactPolicy(means.models(chosen.model), chosen)


GRAPH = "searcher+graph"

_POLICIES: dict[str, Callable[[Mapping[str, Any], _Means], Policy]] = {
    "random": _random,
    "react": _react,
    "searcher": _searcher,
    GRAPH: _graph_searcher,
}

_PRIVILEGED = frozenset((GRAPH,))


def policy_names() -> tuple[str, ...]:
    """Return the names of the policies, sorted."""
    return tuple(sorted(_POLICIES))


def is_privileged(name: str) -> bool:
    """Say whether the policy of a name uses knowledge that was mined from the sources."""
    return name in _PRIVILEGED


def policy_label(name: str) -> str:
    """Return the name of a policy as reports show it."""
    return f"{name} (privileged)" if is_privileged(name) else name


def get_policy(
    name: str,
    settings: Mapping[str, Any],
    models: Models | None = None,
    knowledge: Json = None,
) -> Policy:
    """Return a policy by name, set up with its settings.

    Args:
        name: One of `policy_names()`.
        settings: What the policy's own settings class takes.
        models: Gives the models that policies may ask.
        knowledge: What was mined from the sources, for a privileged policy; others never see it.

    Raises:
        BadInputError: there is no such policy, its settings or the knowledge are wrong, or it
            needs a model.
    """
    if name not in _POLICIES:
        raise BadInputError(f"unknown policy {name!r}; there are {', '.join(policy_names())}")
    try:
        return _POLICIES[name](settings, _Means(models, knowledge))
    except ValidationError as error:
        raise BadInputError(f"settings of policy {name!r} are wrong: {_problems(error)}") from error


def _problems(error: ValidationError) -> str:
    return "; ".join(
        f"{'.'.join(str(part) for part in problem['loc'])}: {problem['msg']}"
        for problem in error.errors()
    )
