"""Keys: made once and for their owner alone, and never trusted from inside the home."""

import threading

import pytest

from envwright.events.errors import BadInputError, InfrastructureError
from envwright.store.sealing.keys import key_folder, load_public_keys, open_signing_key


def test_a_key_is_made_at_first_need_for_its_owner_alone(tmp_path):
    assert open_signing_key(tmp_path / "keys", make=False) is None
    key = open_signing_key(tmp_path / "keys")
    again = open_signing_key(tmp_path / "keys", make=False)
    assert key is not None and again is not None and key.id == again.id
    assert [path.name for path in (tmp_path / "keys").iterdir()] == ["signing.key"]
    assert (tmp_path / "keys" / "signing.key").stat().st_mode & 0o777 == 0o600


def test_threads_that_need_a_key_at_once_get_the_same(tmp_path):
    ids = []
    start = threading.Barrier(4)

    def need() -> None:
        start.wait()
        key = open_signing_key(tmp_path)
        ids.append(key.id if key else None)

    threads = [threading.Thread(target=need) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(ids) == 4 and len(set(ids)) == 1


def test_it_lies_in_the_users_configuration(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert key_folder() == tmp_path / "envwright"
    monkeypatch.setenv("XDG_CONFIG_HOME", "")
    monkeypatch.setenv("HOME", str(tmp_path / "user"))
    assert key_folder() == tmp_path / "user" / ".config" / "envwright"


def test_a_key_that_others_may_read_is_refused(tmp_path):
    open_signing_key(tmp_path)
    (tmp_path / "signing.key").chmod(0o644)
    with pytest.raises(BadInputError, match="chmod 600"):
        open_signing_key(tmp_path)


def test_what_is_no_key_is_refused(tmp_path):
    path = tmp_path / "signing.key"
    path.write_text("nonsense")
    path.chmod(0o600)
    with pytest.raises(BadInputError, match="no private key"):
        open_signing_key(tmp_path)


def test_a_folder_that_cannot_be_made_is_an_infrastructure_error(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(InfrastructureError, match="signing key"):
        open_signing_key(tmp_path / "file" / "keys")


def test_public_keys_are_taken_as_file_pem_or_hex(tmp_path):
    key = open_signing_key(tmp_path / "keys")
    assert key is not None
    file = tmp_path / "auditor.pub"
    file.write_text(key.public_pem())
    digits = tmp_path / "auditor.hex"
    digits.write_text(key.public_hex() + "\n")
    for given in (str(file), str(digits), key.public_pem(), key.public_hex()):
        assert list(load_public_keys([given], tmp_path / "home")) == [key.id]
    assert load_public_keys([]) == {}


@pytest.mark.parametrize("link", [False, True])
def test_a_public_key_in_the_home_is_refused(tmp_path, link):
    key = open_signing_key(tmp_path / "keys")
    assert key is not None
    home = tmp_path / "home"
    home.mkdir()
    inside = home / "auditor.pub"
    inside.write_text(key.public_pem())
    given = inside
    if link:
        given = tmp_path / "outside.pub"
        given.symlink_to(inside)
    with pytest.raises(BadInputError, match="lies in the home"):
        load_public_keys([str(given)], home)


@pytest.mark.parametrize("text", ["", "abc", "no/such/file.pub", "ab" * 31])
def test_what_is_no_public_key_is_refused(text):
    with pytest.raises(BadInputError, match="is no public key"):
        load_public_keys([text])
