"""What an import loads: the published language is light, and each room only what it works with."""

import subprocess
import sys

import pytest

HEAVY = {
    "alembic",
    "docker",
    "filelock",
    "httpx",
    "jsonschema",
    "kafka",
    "langchain_core",
    "langgraph",
    "opentelemetry",
    "psycopg",
    "pydantic_settings",
    "rich",
    "sqlalchemy",
    "tenacity",
    "typer",
}

LOADS: dict[str, set[str]] = {
    "envwright.events": set(),
    "envwright.events.catalog": set(),
    "envwright.events.extras": set(),
    "envwright.events.ports": set(),
    "envwright.events.schemas": set(),
    "envwright.sandbox.packages": {"jsonschema"},
    "envwright.sandbox.worlds": {"jsonschema"},
    "envwright.recipes": {"jsonschema"},
    "envwright.store": {"filelock", "sqlalchemy", "tenacity"},
}
"""The most that importing a module may load of what is heavy."""

GUARDED = {
    "envwright.store": ("store", "sqlalchemy"),
    "envwright.sandbox": ("sandbox", "jsonschema"),
    "envwright.agents": ("agents", "langgraph"),
    "envwright.console": ("console", "typer"),
}
"""Packages that need an extra: the extra, and something of it whose absence must be explained."""


def python(code: str) -> subprocess.CompletedProcess[str]:
    """Run code in a Python that has imported nothing of ours."""
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False
    )


@pytest.mark.parametrize("module", LOADS)
def test_an_import_loads_no_more_than_it_may(module):
    done = python(f"import sys, {module}; print(*sorted({{m.split('.')[0] for m in sys.modules}}))")
    assert done.returncode == 0, done.stderr
    assert HEAVY.intersection(done.stdout.split()) <= LOADS[module]


@pytest.mark.parametrize("package", GUARDED)
def test_a_missing_extra_says_which_install_brings_it(package):
    extra, missing = GUARDED[package]
    done = python(f"import sys; sys.modules['{missing}'] = None; import {package}")
    assert done.returncode == 1
    last = done.stderr.strip().splitlines()[-1]
    assert "MissingExtraError" in last
    assert missing in last
    assert f"pip install 'envwright[{extra}]'" in last


def test_the_published_language_needs_pydantic_alone():
    hide = "; ".join(f"sys.modules['{name}'] = None" for name in sorted(HEAVY))
    done = python(f"import sys; {hide}; import envwright.events.ports, envwright.events.schemas")
    assert done.returncode == 0, done.stderr
