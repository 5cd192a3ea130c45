"""The desk recipe for whole runs in this process, and drivers that never outlive their test."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from support.desk_recipe import install
from support.runs import Driven, Spec

Start = Callable[[Path, Spec], Driven]


@pytest.fixture(scope="session", autouse=True)
def desk() -> Iterator[None]:
    """Let runs ask for the desk recipe."""
    with pytest.MonkeyPatch.context() as patch:
        install(patch)
        yield


@pytest.fixture
def start() -> Iterator[Start]:
    """Start drivers, and kill those that are left at the end."""
    started: list[Driven] = []

    def begin(home: Path, spec: Spec) -> Driven:
        started.append(Driven(home, spec))
        return started[-1]

    yield begin
    for driven in started:
        if driven.process.returncode is None:
            driven.kill()
