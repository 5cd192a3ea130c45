"""The configuration: it travels to children as JSON, and a password in it does not."""

from pathlib import Path

import pytest
from pydantic import SecretStr, ValidationError

from envwright.agents.config import BUS_VARIABLE, STORE_VARIABLE, RuntimeConfig, without_password

URL = "postgresql://me:secret@host:6543/log?password=other"


def test_a_child_reads_the_urls_of_store_and_bus_from_its_environment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bus = "kafka://host:9092/p?sasl_plain_password=secret"
    config = RuntimeConfig(home=Path("h"), store=SecretStr(URL), bus=SecretStr(bus))
    told = config.model_dump_json()
    assert "secret" not in told + repr(config)
    assert config.environment == {STORE_VARIABLE: URL, BUS_VARIABLE: bus}
    monkeypatch.setenv(STORE_VARIABLE, URL)
    monkeypatch.setenv(BUS_VARIABLE, bus)
    assert RuntimeConfig.model_validate_json(told) == config


def test_a_child_without_the_url_does_not_fall_back_to_the_embedded_log(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told = RuntimeConfig(home=Path("h"), store=SecretStr(URL)).model_dump_json()
    monkeypatch.delenv(STORE_VARIABLE, raising=False)
    with pytest.raises(ValidationError, match=f"{STORE_VARIABLE} is empty"):
        RuntimeConfig.model_validate_json(told)


def test_an_embedded_log_stays_one_whatever_the_environment_says(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv(STORE_VARIABLE, URL)
    config = RuntimeConfig(home=Path("h"))
    again = RuntimeConfig.model_validate_json(config.model_dump_json())
    assert again == config and again.environment == {STORE_VARIABLE: "", BUS_VARIABLE: ""}


def test_the_place_is_said_without_password_and_parameters() -> None:
    assert RuntimeConfig(home=Path("h")).place == "h"
    config = RuntimeConfig(home=Path("h"), store=SecretStr(URL))
    assert config.place == "postgresql://me@host:6543/log"


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("postgresql:///log", "postgresql:///log"),
        ("postgresql://host/log", "postgresql://host/log"),
        ("postgresql://me:a@b@host/log", "postgresql://me@host/log"),
    ],
)
def test_what_has_no_password_stays(url: str, expected: str) -> None:
    assert without_password(url) == expected
