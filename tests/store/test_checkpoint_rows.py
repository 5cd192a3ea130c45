"""What goes into the columns of the checkpoint file comes out of them unchanged."""

from types import SimpleNamespace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from envwright.store.checkpoint_rows import (
    CHANNELS,
    CHECKPOINTS,
    WRITES,
    CheckpointKey,
    CheckpointRow,
    WriteRow,
    channel_fields,
    checkpoint_fields,
    checkpoint_row,
    write_fields,
    write_row,
)

NAMES = st.text(max_size=5)
PACKED = st.tuples(NAMES, st.binary(max_size=5))
KEYS = st.builds(CheckpointKey, NAMES, NAMES, NAMES)
CHECKPOINT_ROWS = st.builds(
    CheckpointRow,
    key=KEYS,
    parent=st.none() | NAMES,
    run=st.none() | NAMES,
    versions=st.dictionaries(NAMES, NAMES, max_size=3),
    held=st.lists(NAMES, max_size=3).map(tuple),
    replayed=st.lists(NAMES, max_size=3).map(tuple),
    body=PACKED,
    metadata=PACKED,
)
WRITE_ROWS = st.builds(WriteRow, NAMES, st.integers(-4, 9), NAMES, NAMES, PACKED)


def read_back(fields: dict[str, Any]) -> Any:
    """Stand in for a row of the database."""
    return SimpleNamespace(**fields)


@given(CHECKPOINT_ROWS)
def test_a_checkpoint_survives_its_columns(row: CheckpointRow) -> None:
    fields = checkpoint_fields(row)
    assert set(fields) == set(CHECKPOINTS.c.keys())
    assert checkpoint_row(read_back(fields)) == row


@given(KEYS, WRITE_ROWS)
def test_a_write_survives_its_columns(key: CheckpointKey, row: WriteRow) -> None:
    fields = write_fields(key, row)
    assert set(fields) == set(WRITES.c.keys())
    assert write_row(read_back(fields)) == row


@given(CHECKPOINT_ROWS, PACKED)
def test_a_value_is_kept_under_the_version_of_its_channel(
    row: CheckpointRow, packed: tuple[str, bytes]
) -> None:
    for channel, version in row.versions.items():
        fields = channel_fields(row, channel, packed)
        assert set(fields) == set(CHANNELS.c.keys())
        assert (fields["channel"], fields["version"]) == (channel, version)
        assert (fields["form"], fields["value"]) == packed
