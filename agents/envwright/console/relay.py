"""The command `relay`: carries a log to a broker, for whoever reads it there."""

from envwright.agents import RelayThread, Runtime, Stop, open_relay
from envwright.console.bus import bus_url
from envwright.console.conduct import stoppable
from envwright.console.home import new_or_known_home
from envwright.console.options import HomeOption, JsonOption
from envwright.console.service.endpoint import HostOption, Pages, PortOption, serving
from envwright.console.service.metrics import relay_metrics
from envwright.console.settings import load_settings
from envwright.console.terminal import notice, print_json
from envwright.events.errors import BadInputError

_TICK_SECONDS = 0.2
_DRAIN_SECONDS = 10.0


def relay(
    port: PortOption = None,
    host: HostOption = "127.0.0.1",
    home: HomeOption = None,
    as_json: JsonOption = False,
) -> None:
    """Carry the log to a broker, until it is stopped.

    Every event goes there once and in the log's order, with the doorbells that it rings. Any
    number of relays may run: one leads, and another takes over when it stands still. A broker
    that is away is waited for; runs go on meanwhile. On SIGTERM or Ctrl-C the leader publishes
    what is recorded by then, for 10 s at most.

    Exit codes: 0 stopped, 2 the broker holds another log or is set up wrongly, 3 infrastructure.

    Examples:
      envwright relay --bus kafka://localhost:9092
      envwright relay --store postgresql://db/envwright --bus kafka://broker:9092 --port 9101
    """
    if not bus_url().get_secret_value():
        raise BadInputError("no broker named; say --bus kafka://HOST:9092, or set ENVWRIGHT_BUS")
    with new_or_known_home(home, bus=bus_url()) as runtime:
        found = _carry(runtime, host, port)
    if found.error is not None:
        raise found.error
    if as_json:
        print_json({"published": found.relay.published})
    else:
        notice(f"stopped; published {found.relay.published} events")


def _carry(runtime: Runtime, host: str, port: int | None) -> RelayThread:
    stop, thread = Stop(), open_relay(runtime)
    metrics = relay_metrics(thread) if port is not None else lambda: (b"", "")
    pages = Pages(lambda: _health(thread), lambda: _readiness(thread), metrics)
    with stoppable(stop), serving(host, port, pages, load_settings().token) as url:
        thread.start()
        notice(
            f"carrying {runtime.config.place} to the broker"
            + (f"; metrics at {url}/metrics" if url else "")
        )
        try:
            while not stop.asked.wait(_TICK_SECONDS) and thread.alive():
                pass
            if thread.relay.leads:
                thread.drain(_DRAIN_SECONDS)
        finally:
            thread.stop()
    return thread


def _health(thread: RelayThread) -> str:
    return "" if thread.alive() else f"the relay has ended ({thread.error})"


def _readiness(thread: RelayThread) -> str:
    thread.relay.lag()  # Raises where the log cannot be read.
    return _health(thread) or ("" if thread.prepared else "no broker has answered yet")
