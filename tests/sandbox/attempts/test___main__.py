"""The replay entry for processes of their own."""

import json

from envwright.sandbox.attempts import replay_calls
from envwright.sandbox.attempts.__main__ import main
from support.packages import desk_bundle


def test_it_prints_one_line_of_digests(tmp_path, capsys):
    bundle = desk_bundle()
    bundle.write(tmp_path / "p")
    assert main(str(tmp_path / "p"), "0") == 0
    (line,) = capsys.readouterr().out.splitlines()
    rerun = replay_calls(bundle, 0, bundle.solution.calls)
    assert json.loads(line) == {"revision": bundle.revision, **rerun.summary()}


def test_a_bad_package_is_a_message_and_exit_code_2(tmp_path, capsys):
    desk_bundle().write(tmp_path / "p")
    (tmp_path / "p" / "solution" / "calls.json").write_text("[")
    assert main(str(tmp_path / "p"), "0") == 2
    captured = capsys.readouterr()
    assert not captured.out
    assert captured.err.startswith("BadInputError: solution/calls.json: line 1")
