"""The descriptor `package.json`."""

import pytest

from envwright.events.errors import BadInputError
from envwright.sandbox.packages import PackageFile
from support.packages import desk_documents


def descriptor(**changes):
    return PackageFile.parse({**desk_documents()["package.json"], **changes})


def test_two_tools_with_one_name_are_refused():
    with pytest.raises(BadInputError, match="one name twice: find"):
        descriptor(tools=[{"name": "find"}, {"name": "find"}])


@pytest.mark.parametrize("name", ["tests/assertions.json", "instruction.md", "files/../tests/a"])
def test_a_boundary_file_outside_files_is_refused(name):
    with pytest.raises(BadInputError, match=r"boundary file|unsafe path"):
        descriptor(boundary=[name])


def test_a_canary_of_another_form_is_refused():
    with pytest.raises(BadInputError, match="canary"):
        descriptor(canary="tweet")
