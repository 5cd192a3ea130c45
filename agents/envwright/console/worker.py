"""The command `worker`: serves some roles of every run, on this machine or any other."""

import time
from typing import Annotated, get_args

import typer

from envwright.agents import ALL_ROLES, RoleName, Runtime, Stop, WorkCounts, WorkerThread
from envwright.console.bus import bus_url
from envwright.console.conduct import stoppable
from envwright.console.home import new_or_known_home
from envwright.console.options import HomeOption, JsonOption
from envwright.console.service.endpoint import HostOption, Pages, PortOption, serving
from envwright.console.service.metrics import worker_metrics
from envwright.console.settings import load_settings
from envwright.console.terminal import notice, print_json
from envwright.events.errors import BadInputError, InfrastructureError

_TICK_SECONDS = 0.2

RoleOption = Annotated[
    list[str] | None,
    typer.Option(
        "--role",
        help=f"Role to serve: {', '.join(get_args(RoleName))}. May be repeated.",
        show_default="all",
    ),
]
ConcurrencyOption = Annotated[
    int,
    typer.Option(
        "--concurrency",
        min=1,
        help="Deliveries handled at a time, in threads: for roles that wait for a model. For more "
        "of the processor start more workers.",
    ),
]


def worker(
    role: RoleOption = None,
    concurrency: ConcurrencyOption = 1,
    port: PortOption = None,
    host: HostOption = "127.0.0.1",
    home: HomeOption = None,
    as_json: JsonOption = False,
) -> None:
    """Serve runs that others have asked for, until it is stopped.

    Any number of workers may serve a log, on any machine that reaches it and its artifacts; the
    leases in the log decide who does what, and a worker that dies loses nothing. On SIGTERM or
    Ctrl-C it claims nothing more, gives what runs 10 s and gives the rest back; a second signal
    ends it at once. `envwright synth --workers 0` asks for a run and leaves it to workers.

    Exit codes: 0 stopped, 2 bad input, 3 infrastructure.

    Examples:
      envwright worker --role solver --role judge --store postgresql://db/envwright
      envwright worker --role builder --bus kafka://broker:9092 --port 9100
    """
    roles = _roles(role or [])
    counts = WorkCounts()
    with new_or_known_home(home, roles=roles, bus=bus_url()) as runtime:
        _serve(runtime, counts, concurrency, host, port)
    found = counts.tallied()
    handled = {
        name: sum(n for (at, end), n in found.outcomes.items() if (at, end) == (name, "handled"))
        for name in roles
    }
    if as_json:
        print_json({"roles": list(roles), "claims": found.claims, "handled": handled})
    else:
        notice("stopped; handled " + ", ".join(f"{n} as {name}" for name, n in handled.items()))


def _roles(given: list[str]) -> tuple[RoleName, ...]:
    known = get_args(RoleName)
    for name in given:
        if name not in known:
            raise BadInputError(f"no role {name!r}; there are {', '.join(known)}")
    # In the order of ALL_ROLES: packages are finished before others are begun.
    return tuple(name for name in ALL_ROLES if not given or name in given)


def _serve(
    runtime: Runtime, counts: WorkCounts, concurrency: int, host: str, port: int | None
) -> None:
    stop = Stop()
    metrics = worker_metrics(runtime, counts) if port is not None else _nothing
    crew: list[WorkerThread] = []
    pages = Pages(lambda: _health(crew), lambda: _readiness(runtime, crew), metrics)
    with stoppable(stop), serving(host, port, pages, load_settings().token) as url:
        crew += [WorkerThread(runtime, None, counts=counts) for _ in range(concurrency)]
        notice(
            f"serving {', '.join(runtime.config.roles)} of every run in {runtime.config.place}"
            + (f"; metrics at {url}/metrics" if url else "")
        )
        try:
            while not stop.asked.wait(_TICK_SECONDS) and not _health(crew):
                pass
        finally:
            wrong = _health(crew)
            _stop_all(crew, runtime.config.drain_seconds)
    if wrong and not stop.asked.is_set():
        raise InfrastructureError(f"{wrong}; when the cause is gone, start the worker again")


def _stop_all(crew: list[WorkerThread], seconds: float) -> None:
    """Let all finish what they hold, side by side, and take away what takes too long."""
    deadline = time.monotonic() + seconds
    for each in crew:
        each.ask_to_stop()
    for each in crew:
        each.stop(max(0.0, deadline - time.monotonic()))


def _health(crew: list[WorkerThread]) -> str:
    ended = [each.ending() or "it was stopped" for each in crew if not each.alive()]
    return f"a worker has ended ({ended[0]})" if ended else ""


def _readiness(runtime: Runtime, crew: list[WorkerThread]) -> str:
    runtime.log.head()  # Raises where the log cannot be read.
    return _health(crew) if crew else "the worker is starting"


def _nothing() -> tuple[bytes, str]:
    return b"", "text/plain"
