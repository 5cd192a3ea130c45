"""The audit's files: a page, the same as JSON, and its signature."""

import json
from hashlib import sha256

import pytest

from envwright.agents.bootstrap import check_proof, trusted_keys
from envwright.console.report.audit_file import check_place, write_audit
from envwright.events.errors import BadInputError, IntegrityError
from support.audit_views import audit_view


def test_three_files_belong_together(tmp_path):
    page, data, signature = write_audit(tmp_path / "audit.html", audit_view())
    assert [each.name for each in (page, data, signature)] == [
        "audit.html", "audit.json", "audit.json.sig",
    ]  # fmt: skip
    assert json.loads(data.read_text()) == audit_view()
    assert sha256(data.read_bytes()).hexdigest() in page.read_text()
    proof = json.loads(signature.read_text())
    keys = trusted_keys([])
    assert "audit.json" in check_proof(proof, keys, lambda name: (tmp_path / name).read_bytes())
    data.write_text(data.read_text().replace("true", "false", 1))
    with pytest.raises(IntegrityError, match="the proof is false: audit.json hashes to"):
        check_proof(proof, keys, lambda name: (tmp_path / name).read_bytes())


@pytest.mark.parametrize("name", [".", "nowhere/audit.html", "audit.json"])
def test_a_place_that_is_no_good_is_refused_before_anything_is_done(tmp_path, name):
    with pytest.raises(BadInputError):
        check_place(tmp_path / name)


def test_a_file_that_cannot_be_written_is_bad_input(tmp_path):
    (tmp_path / "audit.json").mkdir()
    with pytest.raises(BadInputError, match="cannot write"):
        write_audit(tmp_path / "audit.html", audit_view())
