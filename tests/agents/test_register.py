"""The set-level rules of admission."""

from envwright.agents.register import DUPLICATE, NOT_NOVEL, Register, known_keys
from envwright.agents.slots import fold_run
from envwright.events.catalog import PackageAdmitted, RunRequested
from envwright.events.values import RunSettings
from support.facts import recorded


def admitted(run: str, number: int, *keys: str) -> PackageAdmitted:
    return PackageAdmitted(
        run=run,
        package=f"{run}-{number}",
        revision="d",
        round=1,
        ordinal=number,
        number=number,
        fingerprint=keys,
    )


def test_slots_are_settled_one_after_the_other_until_there_are_enough() -> None:
    register = Register(count=2, known=frozenset({"old"}), keys={"a"}, total=1)
    assert register.settle(False, ("BAD", "WORSE"), ()) == "BAD"
    assert register.settle(True, (), ("b", "a")) == DUPLICATE
    assert register.settle(True, (), ("b", "old")) == NOT_NOVEL
    assert register.settle(True, (), ("a", "old")) == DUPLICATE
    assert not register.full and register.keys == {"a"}
    assert register.settle(True, (), ("b",)) == ""
    assert register.full and register.total == 2 and register.keys == {"a", "b"}


def test_a_register_begins_where_the_stream_of_its_run_is() -> None:
    asked = RunRequested(run="r", settings=RunSettings(recipe="desk", count=3), sources=())
    state = fold_run(recorded([asked, admitted("r", 1, "x"), admitted("r", 2, "y")]))
    register = Register.of(state, frozenset())
    assert (register.total, register.keys, register.full) == (2, {"x", "y"}, False)


def test_known_keys_are_those_of_other_runs_up_to_a_position() -> None:
    class Streams:
        def read(self, stream: str) -> list[object]:
            assert stream == "run/old"
            return list(recorded([admitted("old", 1, "early"), admitted("old", 2, "late")]))

    asked = RunRequested(
        run="r",
        settings=RunSettings(recipe="desk", count=1),
        sources=(),
        novel_against=("old",),
        novel_position=1,
    )
    assert known_keys(Streams(), asked) == {"early"}  # type: ignore[arg-type]
