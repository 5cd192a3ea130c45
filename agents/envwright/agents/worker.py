"""The worker: claims deliveries, runs the role's graph under a lease, commits or gives back."""

import logging
import random
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Literal

from tenacity import (
    Retrying,
    before_sleep_log,
    retry_if_exception_type,
    sleep_using_event,
    stop_after_attempt,
    stop_when_event_set,
    wait_exponential,
)

from envwright.agents.config import RuntimeConfig
from envwright.agents.context import Context
from envwright.agents.handlers import Handler
from envwright.agents.runtime import Runtime
from envwright.agents.slots import RunState
from envwright.agents.withdrawal import is_gating, is_withdrawn
from envwright.agents.work_counts import Outcome, WorkCounts
from envwright.events.catalog import RunPaused
from envwright.events.errors import (
    ConcurrencyError,
    FencedError,
    InfrastructureError,
    OutcomeUnknownError,
)
from envwright.events.ports import Claim, Delivery, Fence
from envwright.events.values import Actor

logger = logging.getLogger(__name__)

_SWEEP_SECONDS = 1.0
_IDLE_SECONDS = 0.2
_PUT_OFF_SECONDS = 0.5
_POISON_RETRIES = 3
_TROUBLES = 4
_LONGEST_BACKOFF = 30.0
_DETAIL = 2000

Accept = Callable[[Delivery], bool]


class Worker:
    """Serves the deliveries of its roles until it is told to stop.

    Args:
        runtime: the process's ports.
        run_id: serve this run only; None serves every run.
        accept: a further filter on deliveries, such as the attempts of one trial.
        counts: where claims and their ends are counted.
    """

    def __init__(
        self,
        runtime: Runtime,
        *,
        run_id: str | None = None,
        accept: Accept | None = None,
        counts: WorkCounts | None = None,
    ) -> None:
        self._runtime = runtime
        self._config: RuntimeConfig = runtime.config
        self._accept = accept
        self._counts = counts or WorkCounts()
        self._handler = Handler(runtime)
        self._faults = random.Random(f"{self._config.faults.seed}/{runtime.instance}")
        self._claim: Claim | None = None
        self._swept = 0.0
        self._subscriptions = {
            role: runtime.bus.subscribe(self._config.group, [role], run_id=run_id)
            for role in self._config.roles
        }
        self._doorbell = runtime.bus.subscribe(
            self._config.group, self._config.roles, run_id=run_id
        )

    def serve(self, stop: threading.Event, *, alive: Callable[[], bool] = lambda: True) -> None:
        """Serve until `stop` is set or `alive` turns false; a running handler is finished first.

        Raises:
            InfrastructureError: the log or the leases failed several times in a row.
        """
        patience = self._patience(stop)
        try:
            with self._heartbeat():
                while not stop.is_set() and alive():
                    if not patience(self._turn, stop):
                        self._wait(stop)
        finally:
            for subscription in (*self._subscriptions.values(), self._doorbell):
                subscription.close()

    def abandon(self) -> None:
        """Give back what a handler still holds: what it commits from now on is refused."""
        claim = self._claim
        if claim is not None:
            self._runtime.leases.release(claim)

    def _patience(self, stop: threading.Event) -> Retrying:
        """Return what repeats a turn while the log or the leases cannot be reached."""
        return Retrying(
            retry=retry_if_exception_type(InfrastructureError),
            wait=wait_exponential(multiplier=self._config.backoff_seconds, max=_LONGEST_BACKOFF),
            stop=stop_after_attempt(_TROUBLES) | stop_when_event_set(stop),
            sleep=sleep_using_event(stop),
            before_sleep=before_sleep_log(logger, logging.WARNING),
            reraise=True,
        )

    def _turn(self, stop: threading.Event) -> bool:
        self._sweep()
        return self._round(stop)

    def _wait(self, stop: threading.Event) -> None:
        """Wait for a doorbell that is not put off, or a moment."""
        if not stop.is_set():
            self._doorbell.poll(limit=1, timeout=_IDLE_SECONDS)

    def _round(self, stop: threading.Event) -> bool:
        """Serve the first delivery that can be claimed, latest stage first; False if none can."""
        for subscription in self._subscriptions.values():
            for delivery in subscription.poll(limit=self._config.batch, timeout=0):
                if stop.is_set():
                    return False
                ears = (subscription, self._doorbell)
                if not self._is_wanted(delivery):
                    # It would hide what comes after it, and wake this worker for nothing.
                    for ear in ears:
                        ear.retry(delivery, delay=_PUT_OFF_SECONDS)
                elif self._serve(delivery):
                    for ear in ears:
                        ear.ack(delivery)
                    return True
        return False

    def _is_wanted(self, delivery: Delivery) -> bool:
        """Say whether this worker may serve a delivery now."""
        if self._accept is not None and not self._accept(delivery):
            return False
        paused = self._runtime.run_state(delivery.work.run_id).status == "paused"
        return not (paused and is_gating(delivery.envelope))

    def _serve(self, delivery: Delivery) -> bool:
        """Claim a delivery and handle it; False where it cannot be claimed."""
        claim = self._runtime.leases.claim(
            delivery.work, holder=self._runtime.instance, ttl=self._config.lease_seconds
        )
        if claim is None:
            return False
        self._claim = claim
        try:
            with self._counts.working(delivery.role) as ending:
                state = self._runtime.run_state(delivery.work.run_id)
                ending.outcome = self._handle(delivery, claim, state)
        finally:
            self._claim = None
        self._runtime.bus.notify()
        return True

    def _handle(self, delivery: Delivery, claim: Claim, state: RunState) -> Outcome:
        leases = self._runtime.leases
        try:
            self._answer(delivery, claim, state)
            return "handled"
        except FencedError:
            logger.info("lost the claim on %s; its work is dropped", delivery.work.work)
            return "lost"
        except ConcurrencyError:
            leases.retry(claim, delay=0.0, conflict=True)
            return "conflict"
        except OutcomeUnknownError as error:
            return self._give_up(delivery, claim, "outcome_unknown", str(error))
        except InfrastructureError as error:
            if claim.failures < state.max_retries:
                return self._retry(claim)
            return self._give_up(delivery, claim, "infrastructure", str(error))
        except Exception as error:
            what = f"{type(error).__name__}: {error}"
            logger.error(
                "handler of %s failed: %s",
                delivery.envelope.type,
                what,
                exc_info=self._config.debug,
            )
            if claim.failures < _POISON_RETRIES:
                return self._retry(claim)
            leases.park(claim, error=what)
            return "parked"

    def _retry(self, claim: Claim) -> Outcome:
        self._runtime.leases.retry(claim, delay=self._backoff(claim.failures))
        return "retried"

    def _answer(self, delivery: Delivery, claim: Claim, state: RunState) -> None:
        """Run the role's graph and commit what it says, in one span."""
        tracing = self._runtime.tracing
        with tracing.process(delivery, claim), tracing.invoke_agent(delivery.role, claim):
            self._delay()
            ctx = self._context(delivery, claim)
            if is_withdrawn(delivery.envelope, state):
                ctx.read(f"run/{delivery.work.run_id}")
            else:
                self._handler.handle(ctx)
            self._delay()
            ctx.commit()

    def _context(self, delivery: Delivery, claim: Claim) -> Context:
        runtime = self._runtime
        return Context(
            ports=runtime.ports,
            delivery=delivery,
            claim=claim,
            journal=runtime.journal.open(claim),
            actor=Actor(
                role=delivery.role, instance=runtime.instance, code_version=runtime.code_version
            ),
            traceparent=runtime.tracing.traceparent,
        )

    def _give_up(
        self,
        delivery: Delivery,
        claim: Claim,
        cause: Literal["infrastructure", "outcome_unknown"],
        error: str,
    ) -> Outcome:
        """Pause the run and park the delivery, unless somebody else has the work by now."""
        if is_gating(delivery.envelope):
            # Under the fence, and before parking: whoever sees it parked knows of the pause.
            try:
                self._runtime.record(
                    RunPaused(run=delivery.work.run_id, cause=cause, detail=error[:_DETAIL]),
                    key=["pause", claim.work.work, claim.token],
                    causation=delivery.envelope.id,
                    fence=Fence(work=claim.work.work, token=claim.token),
                )
            except FencedError:
                return "lost"
        self._runtime.leases.park(claim, error=error)
        return "parked"

    def _backoff(self, failures: int) -> float:
        return min(_LONGEST_BACKOFF, self._config.backoff_seconds * float(2**failures))

    def _delay(self) -> None:
        if self._config.faults.max_delay:
            time.sleep(self._faults.uniform(0, self._config.faults.max_delay))

    def _sweep(self) -> None:
        now = time.monotonic()
        if now - self._swept >= _SWEEP_SECONDS:
            self._swept = now
            self._runtime.leases.sweep()
            self._runtime.reap()

    @contextmanager
    def _heartbeat(self) -> Iterator[None]:
        """Renew the live claim from a thread of its own."""
        done = threading.Event()

        def beat() -> None:
            while not done.wait(self._config.lease_seconds / 3):
                claim = self._claim
                if claim is not None:
                    self._renew(claim)

        thread = threading.Thread(target=beat, name="heartbeat", daemon=True)
        thread.start()
        try:
            yield
        finally:
            done.set()
            thread.join()

    def _renew(self, claim: Claim) -> None:
        try:
            self._runtime.leases.renew(claim, ttl=self._config.lease_seconds)
        except InfrastructureError as error:
            # The next beat may come in time; if none does, the commit is fenced.
            logger.warning("could not renew the lease on %s: %s", claim.work.work, error)
