"""A trial as JSON: its attempts, how they came out, and pass^k."""

from envwright.agents import Runtime
from envwright.console.views.package import trials_of
from envwright.events.canonical import Json
from envwright.events.catalog import TrialOpened
from envwright.events.errors import BadInputError


def trial_view(runtime: Runtime, trial: str) -> dict[str, Json]:
    """Return what the log says about a trial; n and c are null until it is closed.

    Raises:
        BadInputError: no event opened it.
    """
    for envelope in runtime.log.read_all(types=("trial.opened",)):
        opened = envelope.fact
        assert isinstance(opened, TrialOpened)
        if opened.trial == trial:
            break
    else:
        raise BadInputError(f"no trial {trial!r} in {runtime.config.place}")
    found = trials_of(list(runtime.log.read(f"package/{opened.package}")))
    return {
        "package": opened.package,
        "digest": opened.revision,
        "kept": True,
        **next(one for one in found if one["trial"] == trial),
    }
