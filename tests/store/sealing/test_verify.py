"""Verify: true proofs hold, false ones say what is wrong, and it needs nothing else of ours."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from envwright.store.sealing import verify
from envwright.store.sealing.verify import (
    FalseProofError,
    key_id,
    leaf_hash,
    parse_public_key,
    verify_proof,
)
from support.sealed_home import SealedHome


@pytest.fixture(scope="module")
def sealed(tmp_path_factory):
    home = SealedHome(tmp_path_factory.mktemp("sealed"))
    home.write("run-1")
    home.seal()
    home.write("run-2")
    home.seal()
    yield home
    home.close()


@pytest.fixture
def inclusion(sealed):
    return json.loads(json.dumps(sealed.evidence.prover.inclusion("7")))


@pytest.fixture
def growth(sealed):
    return json.loads(json.dumps(sealed.evidence.prover.consistency(1, 2)))


def test_a_leaf_has_one_encoding():
    leaf = leaf_hash(1, "2026-01-01T00:00:00.000Z", "ab" * 32)
    assert leaf.hex() == "0335b86320b158fb2b5d4f60a59e7685b40a6100552da4ac4038885b8a11933b"
    others = {
        leaf_hash(2, "2026-01-01T00:00:00.000Z", "ab" * 32),
        leaf_hash(1, "2026-01-01T00:00:00.001Z", "ab" * 32),
        leaf_hash(1, "2026-01-01T00:00:00.000Z", "ac" * 32),
        leaf_hash(1, "2026-01-01T00:00:00.000", "ab" * 32),
    }
    assert leaf not in others and len(others) == 4


@pytest.mark.parametrize(
    ("position", "when", "hashed"), [(-1, "x", "ab" * 32), (1, "x", "ab"), (1, "x", "zz" * 32)]
)
def test_a_malformed_leaf_is_refused(position, when, hashed):
    with pytest.raises((ValueError, OverflowError)):
        leaf_hash(position, when, hashed)


def test_true_proofs_say_what_they_prove(sealed, inclusion, growth):
    keys = sealed.key.public_keys
    event = json.loads(inclusion["event"]["header"])["id"]
    assert f"event {event}" in verify_proof(inclusion, keys)
    assert "at position 7" in verify_proof(inclusion, keys)
    assert "begins with all that it held" in verify_proof(growth, keys)


def change(record, path, value):
    *folders, name = path
    for folder in folders:
        record = record[folder]
    record[name] = value(record[name]) if callable(value) else value


@pytest.mark.parametrize(
    ("path", "value", "wrong"),
    [
        (("event", "payload"), lambda old: old.replace('"', "'", 1), "header and payload hash to"),
        (("event", "header"), lambda old: old.replace("0", "1", 1), "header and payload hash to"),
        (("event", "hash"), "0" * 64, "header and payload hash to"),
        (("event", "position"), 8, "the path leads to root"),
        (("event", "position"), 10_000, "does not fit position"),
        (("event", "recorded_at"), "2020-01-01T00:00:00.000Z", "the path leads to root"),
        (("path",), lambda old: old[:-1], "does not fit position"),
        (("path",), lambda old: ["00" * 32, *old[1:]], "the path leads to root"),
        (("path",), ["00"], "malformed"),
        (("checkpoint", "to"), lambda old: old + 1, "signature is not one"),
        (("checkpoint", "root"), "0" * 64, "signature is not one"),
        (("checkpoint", "signature"), "00" * 64, "signature is not one"),
        (("checkpoint", "signature"), "nonsense", "malformed"),
        (("checkpoint", "key"), "0" * 16, "signed by key 0000000000000000"),
        (("checkpoint", "format"), "envwright audit report 1", "its format is"),
        (("kind",), "magic", "no kind of proof"),
        (("event",), None, "malformed"),
    ],
)
def test_a_false_inclusion_proof_says_what_is_wrong(sealed, inclusion, path, value, wrong):
    change(inclusion, path, value)
    with pytest.raises(FalseProofError, match=wrong):
        verify_proof(inclusion, sealed.key.public_keys)


@pytest.mark.parametrize(
    ("path", "value", "wrong"),
    [
        (("path",), lambda old: ["00" * 32, *old[1:]], "does not lead from the root"),
        (("path",), [], "does not lead from the root"),
        (("first", "root"), "0" * 64, "signature is not one"),
        (("first", "home"), "0" * 32, "signature is not one"),
    ],
)
def test_a_false_consistency_proof_says_what_is_wrong(sealed, growth, path, value, wrong):
    change(growth, path, value)
    with pytest.raises(FalseProofError, match=wrong):
        verify_proof(growth, sealed.key.public_keys)


def test_checkpoints_of_two_logs_prove_nothing_about_each_other(sealed, growth):
    body = {name: growth["first"][name] for name in verify.FIELDS}
    growth["first"] = sealed.key.sign({**body, "home": "0" * 32})
    with pytest.raises(FalseProofError, match="two logs"):
        verify_proof(growth, sealed.key.public_keys)


def test_a_report_is_held_to_its_bytes(sealed):
    data = b"{}\n"
    record = {"format": verify.REPORT, "file": "r.json", "sha256": verify.sha256(data).hexdigest()}
    proof = {"kind": "report", **sealed.key.sign(record, verify.REPORT_FIELDS)}
    keys = sealed.key.public_keys
    assert "r.json" in verify_proof(proof, keys, lambda name: data)
    with pytest.raises(FalseProofError, match="hashes to"):
        verify_proof(proof, keys, lambda name: data + b" ")
    with pytest.raises(FalseProofError, match="not here"):
        verify_proof(proof, keys)
    with pytest.raises(FalseProofError, match="signature is not one"):
        verify_proof({**proof, "file": "other.json"}, keys, lambda name: data)


def test_a_key_is_read_in_pem_and_in_hex(sealed):
    pem, digits = sealed.key.public_pem(), sealed.key.public_hex()
    assert (
        key_id(parse_public_key(pem)) == key_id(parse_public_key(f" {digits}\n")) == sealed.key.id
    )


def test_another_kind_of_key_is_refused():
    pem = generate_private_key(SECP256R1()).public_key()
    text = pem.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo).decode()
    with pytest.raises(ValueError, match="expected Ed25519"):
        parse_public_key(text)
    with pytest.raises(ValueError):
        parse_public_key("abc")


def test_another_key_proves_nothing(inclusion):
    other = Ed25519PrivateKey.generate().public_key()
    with pytest.raises(FalseProofError, match="the keys given are"):
        verify_proof(inclusion, {key_id(other): other})
    signed = inclusion["checkpoint"]["key"]
    with pytest.raises(FalseProofError, match="signature is not one"):
        verify_proof(inclusion, {signed: other})


def test_an_auditor_needs_this_one_file_and_cryptography(sealed, inclusion, tmp_path):
    """The file is loaded by itself, where nothing else of ours can be imported."""
    proof, key = tmp_path / "proof.json", tmp_path / "key.hex"
    proof.write_text(json.dumps(inclusion))
    key.write_text(sealed.key.public_hex())
    code = f"""
import importlib.util, json, sys
for name in ("envwright", "sqlalchemy", "pydantic"): sys.modules[name] = None
spec = importlib.util.spec_from_file_location("verify", {str(Path(verify.__file__))!r})
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
key = module.parse_public_key(open({str(key)!r}).read())
print(module.verify_proof(json.load(open({str(proof)!r})), {{module.key_id(key): key}}))
"""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "at position 7" in done.stdout
