"""The spine: every position, signed root and anchor, and the place where one does not fit."""

import json
import shutil

import pytest

from envwright.events.catalog import RunResumed
from envwright.store.sealing.records import leaf_rows
from support.audited_log import Writer
from support.sealed_home import SealedHome
from support.store_tampering import tampering


@pytest.fixture
def home(tmp_path):
    """Three sealed runs of one package each, and one that is not sealed."""
    home = SealedHome(tmp_path)
    for run in ("run-1", "run-2", "run-3"):
        home.write(run, packages=1)
        home.seal()
    home.write("run-4", packages=1)
    yield home
    home.close()


def seals(home: SealedHome) -> list[int]:
    """Return up to where the checkpoints reach."""
    return [found.record["to"] for found in home.evidence.anchors().read() if found.record]


def set_hash(home: SealedHome, position: int) -> None:
    """Give an event another hash, as whoever makes its chain anew does."""
    with tampering(home.home) as raw:
        raw.execute("UPDATE events SET hash = ? WHERE position = ?", ("ab" * 32, position))


def test_a_sound_log_fits_and_says_how_far_it_is_anchored(home):
    found = home.gather()
    assert not home.failed()
    assert found.spine.anchored_to == seals(home)[-1] < found.spine.head
    assert [each["number"] for each in found.spine.anchors] == [1, 2, 3]
    assert found.checks["positions"].checked == found.spine.head == home.store.log.head()


def test_an_empty_log_has_nothing_wrong(tmp_path):
    home = SealedHome(tmp_path)
    assert home.failed() == {} and home.gather().spine.home == ""
    home.close()


@pytest.mark.parametrize("number", [0, 1, 2])
def test_another_event_is_placed_between_two_checkpoints(home, number):
    bounds = [0, *seals(home)]
    position = (bounds[number] + bounds[number + 1]) // 2
    set_hash(home, position)
    failed = home.failed()
    for check in ("checkpoints", "anchors"):
        event, at, expected, found = failed[check][0]
        first, last = event.removeprefix("positions ").split(" to ")
        assert bounds[number] < int(first) == at <= position <= int(last) <= bounds[number + 1]
        assert f"checkpoint {number + 1}" in expected and "not the one that was sealed" in found
    # What was sealed later is judged by itself.
    assert [failure[2] for failure in failed["checkpoints"]] == [failed["checkpoints"][0][2]]
    assert home.gather().spine.anchored_to == bounds[number]


def test_a_single_event_under_a_checkpoint_of_its_own_is_named(home):
    recorded = next(home.store.log.read_all(after=home.store.log.head() - 1))
    home.seal()
    writer = Writer(home.store.log, home.store.artifacts, "run-5")
    writer.say("operator", RunResumed(run="run-5"))
    writer.commit()
    home.seal()
    set_hash(home, recorded.position + 1)
    place = f"position {recorded.position + 1}"
    assert {failures[0][0] for failures in home.failed().values()} >= {place}


def test_another_recorded_time_is_found(home):
    with tampering(home.home) as raw:
        raw.execute("UPDATE events SET recorded_at = '2001-01-01T00:00:00.000Z' WHERE position = 3")
    assert {"checkpoints", "anchors"} <= home.failed().keys()


def test_what_no_anchor_covers_is_not_found(home):
    """This is what `unanchored` means: only the chains protect it, which anyone can make anew."""
    set_hash(home, home.store.log.head())
    assert "anchors" not in home.failed() and "checkpoints" not in home.failed()


def test_a_hole_is_named_and_later_seals_are_judged_by_themselves(home):
    with tampering(home.home) as raw:
        raw.execute("DELETE FROM events WHERE position = 5")
    failed = home.failed()
    (failure,) = failed["positions"]
    assert failure[1:] == (6, "position 5", "position 6")
    assert len(failed["checkpoints"]) == 1 and "checkpoint 1" in failed["checkpoints"][0][2]


def test_a_position_far_away_is_a_hole_and_not_an_endless_walk(home):
    with tampering(home.home) as raw:
        raw.execute("UPDATE events SET position = 10000000000 WHERE position = 20")
    failed = home.failed()
    assert {failure[2] for failure in failed["positions"]} >= {"position 20"}


@pytest.mark.parametrize("column", ["hash", "recorded_at"])
@pytest.mark.parametrize("value", ["nonsense", b"\xff"])
def test_an_unreadable_leaf_is_found(home, column, value):
    with tampering(home.home) as raw:
        raw.execute(f"UPDATE events SET {column} = ? WHERE position = 4", (value,))
    failed = home.failed()
    assert "checkpoints" in failed
    if (column, value) != ("recorded_at", "nonsense"):
        assert failed["positions"][0][1] == 4


def test_a_log_that_was_cut_shows_what_was_signed_beyond_its_end(home):
    last = seals(home)[-1]
    with tampering(home.home) as raw:
        raw.execute("DELETE FROM events WHERE position >= ?", (last,))
        raw.execute("UPDATE log_head SET position = ?", (last - 1,))
    failed = home.failed()
    assert "positions" not in failed
    for check in ("checkpoints", "anchors"):
        assert failed[check] == [
            (
                f"{check[:-1]} 3",
                last,
                f"events up to position {last}, as signed",
                f"the log ends at position {last - 1}",
            )
        ]


def test_a_head_row_that_says_otherwise_is_found(home):
    with tampering(home.home) as raw:
        raw.execute("UPDATE log_head SET position = position + 1")
    assert home.failed()["positions"][0][2].startswith("a log up to position")


def test_an_older_copy_of_the_home_is_behind_its_anchors(tmp_path):
    home = SealedHome(tmp_path)
    home.write("run-1", packages=1)
    home.seal()
    home.close()
    shutil.copytree(home.home, tmp_path / "copy")
    home = SealedHome(tmp_path)
    home.write("run-2", packages=1)
    home.seal()
    home.close()
    shutil.rmtree(home.home)
    shutil.move(tmp_path / "copy", home.home)
    home = SealedHome(tmp_path)
    failed = home.failed()
    assert set(failed) == {"anchors"}
    assert "rolled back" in failed["anchors"][0][3]
    # Nor does it help to go another way from there.
    home.write("run-3", packages=2)
    home.seal()
    assert "anchors" in home.failed()
    home.close()


def test_deleted_checkpoints_are_missed_by_their_anchors(home):
    with tampering(home.home) as raw:
        raw.execute("DELETE FROM merkle_checkpoints WHERE number > 1")
    failed = home.failed()
    assert {failure[0] for failure in failed["anchors"]} == {"checkpoint 2", "checkpoint 3"}


@pytest.mark.parametrize(
    ("column", "value", "word"),
    [
        ("signature", "00" * 64, "signature"),
        ("root", "00" * 32, "signature"),
        ("key_id", "0" * 16, "signed by key"),
        ("home", "0" * 32, "home"),
        ("from_position", 1, "from"),
        ("previous", "1" * 64, "previous"),
        ("frontier", "[]", "frontier"),
    ],
)
def test_a_forged_checkpoint_is_named(home, column, value, word):
    with tampering(home.home) as raw:
        raw.execute(f"UPDATE merkle_checkpoints SET {column} = ? WHERE number = 2", (value,))
    failures = home.failed()["checkpoints"]
    assert any(failure[0].startswith("checkpoint 2") for failure in failures)
    assert any(word in " ".join(map(str, failure)) for failure in failures)


def test_a_checkpoint_signed_by_another_key_is_not_believed(home, tmp_path):
    set_hash(home, 2)
    forger = SealedHome(tmp_path / "forger")
    kept = home.evidence.prover.consistency(3, 3)["first"]
    forged = forger.key.sign({name: kept[name] for name in kept if name != "signature"})
    with tampering(home.home) as raw:
        raw.execute(
            "UPDATE merkle_checkpoints SET signature = ?, key_id = ? WHERE number = 3",
            (forged["signature"], forged["key"]),
        )
    failed = home.failed()
    assert any("signed by key" in str(failure[3]) for failure in failed["checkpoints"])
    forger.close()


@pytest.mark.parametrize("change", ["signature", "root", "line"])
def test_a_forged_anchor_is_named_by_its_line(home, change):
    lines = home.anchors.read_text().splitlines()
    record = json.loads(lines[1])
    record[change] = "00" * 64
    lines[1] = "nonsense" if change == "line" else json.dumps(record)
    home.anchors.write_text("\n".join(lines) + "\n")
    failures = home.failed()["anchors"]
    assert failures[0][0] == "anchor in line 2"


def test_two_anchors_with_one_number_show_that_the_log_was_signed_twice(home):
    lines = home.anchors.read_text().splitlines()
    record = json.loads(lines[1])
    body = {name: record[name] for name in record if name != "signature"}
    home.anchors.write_text(
        "\n".join([*lines, json.dumps(home.key.sign({**body, "root": "0" * 64}))])
    )
    assert any(failure[0] == "anchor 2" for failure in home.failed()["anchors"])


def test_anchors_of_another_log_alone_are_no_anchors(home, tmp_path):
    other = SealedHome(tmp_path / "other")
    other.write(packages=1)
    other.seal()
    shutil.copy(other.anchors, home.anchors)
    assert "anchors of log" in home.failed()["anchors"][0][2]
    other.close()


def test_a_log_with_another_first_event_is_another_log(home):
    set_hash(home, 1)
    failed = home.failed()
    assert any("home" in failure[2] for failure in failed["checkpoints"])
    assert list(leaf_rows(home.store.database, 0, 1))[0].hash == "ab" * 32


@pytest.mark.parametrize("value", ["text", b"bytes", 2.5])
@pytest.mark.parametrize(
    "column", ["home", "from_position", "to_position", "root", "previous", "key_id", "signature"]
)
def test_a_checkpoint_with_values_of_other_types_is_named(home, column, value):
    with tampering(home.home) as raw:
        raw.execute(f"UPDATE merkle_checkpoints SET {column} = ? WHERE number = 2", (value,))
    failures = home.failed()["checkpoints"]
    assert any(failure[0].startswith("checkpoint 2") for failure in failures)
    assert json.dumps(failures)
