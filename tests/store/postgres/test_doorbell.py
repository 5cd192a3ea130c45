"""The doorbell: another process is woken; without it, or with a broken one, nothing is lost."""

import threading

import psycopg
import pytest

from envwright.store.postgres.doorbell import Doorbell

pytestmark = pytest.mark.postgres


@pytest.fixture
def bells(postgres_url):
    opened: list[Doorbell] = []

    def connect():
        return psycopg.connect(postgres_url, autocommit=True)

    def make(connect=connect) -> Doorbell:
        opened.append(Doorbell(connect))
        return opened[-1]

    yield make
    for bell in opened:
        bell.close()


def heard(event: threading.Event, ring: Doorbell) -> bool:
    """Ring until it is heard: the listener may still be on its way to the server."""
    for _ in range(100):
        ring.ring()
        if event.wait(0.2):
            return True
    return False


def test_another_process_is_woken(bells):
    woken = threading.Event()
    bells().listen(woken.set)
    assert heard(woken, bells())


def test_its_own_ring_is_not_heard(bells):
    woken, other = threading.Event(), threading.Event()
    bell, witness = bells(), bells()
    witness.listen(other.set)
    assert heard(other, bell)
    bell.listen(woken.set)
    other.clear()
    assert heard(other, bell)
    assert not woken.wait(0.5)


def test_a_lost_connection_is_replaced(bells, postgres_url, monkeypatch):
    monkeypatch.setattr("envwright.store.postgres.doorbell._RETRY_SECONDS", 0.05)
    woken, ringer = threading.Event(), bells()
    bells().listen(woken.set)
    assert heard(woken, ringer)
    with psycopg.connect(postgres_url, autocommit=True) as other:
        other.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
    woken.clear()
    assert heard(woken, ringer)


def test_a_server_that_cannot_be_reached_holds_nobody_up(bells):
    def refuse():
        raise psycopg.OperationalError("no")

    bell = bells(refuse)
    bell.ring()
    bell.listen(lambda: None)
    bell.close()
