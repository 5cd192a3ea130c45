"""Evidence: the seals and the bytes of one log, gathered together."""

from functools import partial

import pytest

from envwright.store import open_store
from envwright.store.sealing import Evidence, default_anchors, open_signing_key, verify_proof
from envwright.store.transaction import Transaction
from support.audited_log import Writer, write_run
from support.sealed_home import SealedHome
from support.store_tampering import rechain


def test_it_gathers_five_checks(tmp_path):
    home = SealedHome(tmp_path)
    home.write()
    assert not home.evidence.has_seals()
    home.seal()
    assert home.evidence.has_seals()
    found = home.gather()
    assert set(found.checks) == {"positions", "checkpoints", "anchors", "chains", "artifacts"}
    assert all(check.failed == 0 and check.checked for check in found.checks.values())
    assert found.anchors == str(home.anchors)
    home.close()


def test_what_the_chains_cannot_find_the_seals_do(tmp_path):
    home = SealedHome(tmp_path)
    home.write()
    home.seal()
    stream = next(e.stream for e in home.store.log.read_all() if e.type == "gate.evaluated")
    position = rechain(home.home, stream)
    failed = home.failed()
    assert set(failed) == {"checkpoints", "anchors"} and position
    home.close()


def test_anchors_are_where_the_user_keeps_them_and_the_key_is_the_users(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    home = SealedHome(tmp_path)
    home.write(packages=1)
    evidence = Evidence(home.store.database, partial(open_store, home.home))
    record = evidence.sealer.seal()
    evidence.sealer.publish()
    assert record is not None
    assert evidence.anchors().location == str(default_anchors(record["home"]))
    assert (tmp_path / "config" / "envwright" / "signing.key").is_file()
    assert len(evidence.anchors().read()) == 1
    home.close()


@pytest.mark.postgres
def test_a_log_on_a_server_is_sealed_proved_and_checked_alike(postgres_url, tmp_path):
    artifacts, key = tmp_path / "artifacts", open_signing_key(tmp_path / "keys")
    assert key is not None
    reopen = partial(open_store, postgres_url, artifacts=artifacts)
    store = reopen()
    write_run(Writer(store.log, store.artifacts), 2)
    evidence = Evidence(store.database, reopen, str(tmp_path / "anchors"))
    evidence.sealer._key = lambda: key
    evidence.sealer.seal()
    evidence.sealer.publish()
    found = evidence.gather(key.public_keys, workers=2)
    assert all(check.failed == 0 and check.checked for check in found.checks.values())
    assert "at position 5" in verify_proof(evidence.prover.inclusion("5"), key.public_keys)

    def tamper(tx: Transaction) -> None:
        for table in ("events", "payloads"):
            tx.raw.execute(f"ALTER TABLE {table} DISABLE TRIGGER ALL")
        tx.raw.execute("UPDATE payloads SET body = '{}' WHERE position = 9")
        tx.raw.execute("UPDATE events SET recorded_at = 'never' WHERE position = 11")

    store.database.write(tamper)
    checks = evidence.gather(key.public_keys).checks
    assert [failure.position for failure in checks["chains"].failures] == [9]
    assert checks["anchors"].failed == checks["checkpoints"].failed == 1
    store.close()
