"""The distribution: its folders, extras, pins and wheel agree with the code."""

import ast
import re
import subprocess
import sys
import tomllib
import zipfile
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from support.rooms import ROOT, SOURCE_ROOTS, modules

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
EXTRAS = PROJECT["project"]["optional-dependencies"]

DISTRIBUTIONS = {
    "kafka": "kafka-python",
    "opentelemetry": "opentelemetry-sdk",
}
"""Where the name that is imported is not the name that is installed."""

PACKAGE_EXTRAS = {
    "events": [],
    "store": ["store"],
    "sandbox": ["sandbox"],
    "learning": ["sandbox"],
    "recipes": ["sandbox"],
    "agents": ["agents"],
    "console": ["console"],
}
"""The extras that each package may rely on, besides the base."""

OWN_EXTRA = {
    "envwright.events.kafka": ["kafka"],
    "envwright.store.postgres": ["postgres"],
    "envwright.console.service.metrics": ["metrics"],
}
"""Modules and packages that need an extra of their own."""

OPTIONAL = {"envwright.events.canonical": {"orjson"}}
"""What a module uses where it is installed, and does without where it is not."""


def pins() -> dict[str, str]:
    """Return the pinned version of each distribution in constraints.txt."""
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pinned = [line.split("==") for line in lines if line and not line.startswith("#")]
    return {canonicalize_name(name): version for name, version in pinned}


def installed_by(extra: str) -> set[str]:
    """Return the distributions that an extra brings, those of the extras that it names included."""
    brought = set()
    for line in EXTRAS[extra]:
        requirement = Requirement(line)
        if requirement.name == "envwright":
            brought |= set().union(*map(installed_by, requirement.extras))
        else:
            brought.add(canonicalize_name(requirement.name))
    return brought


def third_parties(tree: ast.Module) -> set[str]:
    """Return the top-level names that a module imports from outside Python and Envwright."""
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        if isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module.split(".")[0])
    return names - sys.stdlib_module_names - {"envwright"}


def test_a_module_imports_only_what_its_package_installs():
    undeclared = {}
    for module in modules():
        extras = list(PACKAGE_EXTRAS[module.module.split(".")[1]])
        for owner, own in OWN_EXTRA.items():
            extras += own if f"{module.module}.".startswith(f"{owner}.") else []
        installed = {"pydantic"}.union(*map(installed_by, extras))
        imported = {DISTRIBUTIONS.get(name, name) for name in third_parties(module.tree)}
        missing = {canonicalize_name(name) for name in imported} - installed
        missing -= OPTIONAL.get(module.module, set())
        undeclared |= {module.module: missing} if missing else {}
    assert not undeclared, "declare it in the package's extra in pyproject.toml"


def test_the_extra_all_is_all_extras():
    assert installed_by("all") == set().union(*map(installed_by, EXTRAS))


def test_every_requirement_has_a_pin_that_it_allows():
    lines = [*PROJECT["project"]["dependencies"], *PROJECT["dependency-groups"]["dev"]]
    lines += [line for extra in EXTRAS.values() for line in extra]
    for requirement in map(Requirement, lines):
        if requirement.name != "envwright":
            version = pins()[canonicalize_name(requirement.name)]
            assert requirement.specifier.contains(version), f"{requirement} is pinned to {version}"


def test_pins_are_exact_and_come_from_no_one_place():
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    loose = [line for line in lines if not re.fullmatch(r"#.*|[\w.-]+==[\w.!+]+", line)]
    assert not loose


def test_the_environment_and_the_wheel_have_the_same_roots():
    build = PROJECT["tool"]["hatch"]["build"]
    assert build["dev-mode-dirs"] == list(SOURCE_ROOTS)
    assert build["targets"]["wheel"]["packages"] == [f"{root}/envwright" for root in SOURCE_ROOTS]
    assert PROJECT["tool"]["mypy"]["mypy_path"] == list(SOURCE_ROOTS)
    assert PROJECT["tool"]["ruff"]["src"] == [*SOURCE_ROOTS, "tests"]


def test_the_installed_version_is_the_projects():
    assert metadata.version("envwright") == PROJECT["project"]["version"]


def test_the_console_script_is_there():
    scripts = metadata.entry_points(group="console_scripts", name="envwright")
    assert [callable(script.load()) for script in scripts] == [True]


def test_the_wheel_holds_every_module_and_nothing_outside_envwright(tmp_path: Path):
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True, timeout=60)
    (wheel,) = tmp_path.glob("*.whl")
    names = set(zipfile.ZipFile(wheel).namelist())
    tops = {name.split("/")[0] for name in names}
    assert tops == {"envwright", f"envwright-{PROJECT['project']['version']}.dist-info"}
    assert {source.name.partition("/")[2] for source in modules()} <= names
    for package in PACKAGE_EXTRAS:
        assert f"envwright/{package}/py.typed" in names
    assert any(name.endswith("licenses/LICENSE") for name in names)
