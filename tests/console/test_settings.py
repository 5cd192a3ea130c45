"""What the environment says."""

from pathlib import Path

import pytest
from pydantic import SecretStr

from envwright.console.settings import load_settings
from envwright.events.errors import BadInputError


def test_without_the_environment_all_is_local(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ENVWRIGHT_HOME")
    monkeypatch.delenv("DOCKER_HOST", raising=False)
    settings = load_settings()
    assert settings.home == Path(".envwright")
    assert (settings.bus, settings.store, settings.debug) == ("", SecretStr(""), False)
    assert settings.docker_host.startswith("unix://")


def test_variables_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ENVWRIGHT_HOME", "elsewhere")
    monkeypatch.setenv("ENVWRIGHT_LEASE_SECONDS", "2.5")
    monkeypatch.setenv("ENVWRIGHT_FAULTS__MAX_DELAY", "0.05")
    monkeypatch.setenv("DOCKER_HOST", "tcp://engine:2375")
    settings = load_settings()
    assert settings.home == Path("elsewhere")
    assert settings.lease_seconds == 2.5
    assert settings.faults.max_delay == 0.05
    assert settings.docker_host == "tcp://engine:2375"


def test_an_empty_variable_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ENVWRIGHT_HOME", "")
    assert load_settings().home == Path(".envwright")


def test_a_wrong_value_names_its_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ENVWRIGHT_LEASE_SECONDS", "soon")
    monkeypatch.setenv("ENVWRIGHT_FAULTS__MAX_DELAY", "-1")
    with pytest.raises(BadInputError) as caught:
        load_settings()
    assert "ENVWRIGHT_LEASE_SECONDS" in str(caught.value)
    assert "ENVWRIGHT_FAULTS__MAX_DELAY" in str(caught.value)
    assert "'soon'" in str(caught.value)
