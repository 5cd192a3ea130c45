"""The command `synth`: what it prints, and what it refuses before a run begins."""

import json
from pathlib import Path

import pytest

from envwright.events.canonical import Json
from support.command_line import Finished, answer, envwright


def test_the_object_has_the_promised_shape(finished: Finished) -> None:
    report = finished.report
    promised = {"run", "recipe", "seed", "planned", "admitted", "rejected", "packages"}
    assert promised | {"attempts", "pass", "seconds"} <= report.keys()
    assert report["admitted"] == 2
    assert report["attempts"] >= sum(found["n"] for found in report["pass"].values()) > 0
    for package in report["packages"]:
        assert {"id", "revision", "digest", "services", "calls"} <= package.keys()
        assert len(package["digest"]) == 64
    assert report["sources"][0]["skipped"] == 1
    assert "error" not in report


def test_the_run_id_is_said_before_anything_else(finished: Finished) -> None:
    assert finished.stderr.startswith(f"run {finished.run} ")
    assert f"envwright resume {finished.run} --home {finished.home}" in finished.stderr


def test_the_page_ends_with_what_to_type_next(subjects: Path, tmp_path: Path) -> None:
    home, out = tmp_path / "home", tmp_path / "out"
    options = ["--count", 1, "--panel", "random", "-k", 1, "--workers", 1, "--home", home]
    result = envwright("synth", subjects, "--recipe", "desk", *options, "--out", out)
    assert result.exit_code == 0, result.stderr
    folder = next(out.iterdir())
    assert folder.name.startswith("1-pkg-")
    assert f"envwright show {folder.name[2:]} --home {home}" in result.stdout
    assert f"package folders in {out}/: 1" in result.stdout


def test_a_shortfall_is_exit_1_unless_it_is_allowed(tmp_path: Path) -> None:
    source = tmp_path / "subjects.json"
    source.write_text('["none"]')
    options = ["--count", 1, "--workers", 1, "--home", tmp_path / "home", "--json"]
    short = envwright("synth", source, "--recipe", "desk", *options)
    assert short.exit_code == 1
    report = json.loads(short.stdout)
    assert report["rejected"] == {"NO_TASK": 2}
    assert "shortfall: 0 of 1" in report["error"]
    assert "shortfall" in short.stderr
    allowed = envwright("synth", source, "--recipe", "desk", *options, "--allow-short")
    assert allowed.exit_code == 0
    assert "error" not in json.loads(allowed.stdout)


def test_packages_of_an_earlier_run_are_not_new(finished: Finished, tmp_path: Path) -> None:
    source = tmp_path / "subjects.json"
    source.write_text('["fan rattles"]')
    options = ["--count", 1, "--panel", "", "--workers", 1, "--home", tmp_path / "home"]
    first = answer("synth", source, "--recipe", "desk", *options)
    options += ["--novel-against", first["run"][:-2], "--json"]
    second = envwright("synth", source, "--recipe", "desk", *options)
    assert second.exit_code == 1
    assert json.loads(second.stdout)["rejected"] == {"not_novel": 2}


def test_settings_and_options_go_into_the_request(finished: Finished, tmp_path: Path) -> None:
    source = tmp_path / "subjects.json"
    source.write_text('["none"]')
    sets = ["max_turns=5", "depth=3", "name=plain text", 'steps=["a"]']
    flags = [part for pair in sets for part in ("--set", pair)]
    options = ["--count", 1, "--workers", 1, "--home", tmp_path, "--panel", "random"]
    report = answer("synth", source, "--recipe", "desk", *options, *flags, "--allow-short")
    settings = answer("show", report["run"], "--home", tmp_path)["settings"]
    assert settings["max_turns"] == 5
    assert settings["options"] == {"depth": 3, "name": "plain text", "steps": ["a"]}
    assert settings["panel"] == [{"name": "random", "settings": {}}]


WRONG: dict[str, tuple[list[Json], str]] = {
    "no source": ([], "SOURCE"),
    "a source that does not exist": (["{tmp}/none.json"], "No such file"),
    "a folder": (["{tmp}"], "is a folder"),
    "an empty source": (["{tmp}/empty.json"], "empty.json"),
    "a truncated source": (["{tmp}/truncated.json"], "truncated.json"),
    "a bad source among good ones": (["{good}", "{tmp}/bytes.json"], "bytes.json"),
    "count 0": (["{good}", "--count", "0"], "--count"),
    "a count that is no number": (["{good}", "--count", "many"], "--count"),
    "fewer workers than none": (["{good}", "--workers", "-1"], "--workers"),
    "no attempts": (["{good}", "-k", "0"], "-k"),
    "an unknown policy": (["{good}", "--panel", "oracle"], "searcher"),
    "a policy that is named twice": (["{good}", "--panel", "random,random"], "twice"),
    "a setting without a value": (["{good}", "--set", "depth"], "NAME=VALUE"),
    "a setting that is no number": (["{good}", "--set", "max_turns=0"], "whole number"),
    "an unknown run": (["{good}", "--novel-against", "run-x"], "run-x"),
    "packages into a file": (["{good}", "--out", "{tmp}/empty.json"], "--out"),
    "a home that is a file": (["{good}", "--home", "{tmp}/empty.json"], "is a file"),
    "a home below a file": (["{good}", "--home", "{tmp}/empty.json/home"], "--home"),
    "an unknown option": (["{good}", "--colour"], "--colour"),
}


@pytest.mark.parametrize("case", WRONG)
def test_bad_input_is_exit_2_with_a_message(case: str, subjects: Path, tmp_path: Path) -> None:
    (tmp_path / "empty.json").write_bytes(b"")
    (tmp_path / "truncated.json").write_bytes(b'["a", ')
    (tmp_path / "bytes.json").write_bytes(b"\xff\xfe\x00")
    arguments, message = WRONG[case]
    words = [str(word).format(tmp=tmp_path, good=subjects) for word in arguments]
    home = [] if "--home" in words else ["--home", str(tmp_path / "home")]
    result = envwright("synth", *words, "--recipe", "desk", *home)
    assert result.exit_code == 2, result.stderr
    assert message in result.stderr
    assert "Traceback" not in result.stderr
    assert result.stdout == ""


def test_an_unknown_recipe_names_what_there_is(subjects: Path) -> None:
    result = envwright("synth", subjects, "--recipe", "alchemy")
    assert result.exit_code == 2
    assert "alchemy" in result.stderr and "toolspace" in result.stderr


def test_a_negative_seed_is_a_seed(tmp_path: Path) -> None:
    source = tmp_path / "subjects.json"
    source.write_text('["none"]')
    options = ["--count", 1, "--seed", "-3", "--workers", 1, "--home", tmp_path, "--allow-short"]
    assert answer("synth", source, "--recipe", "desk", *options)["seed"] == -3


def test_the_report_is_written_at_the_end(subjects: Path, tmp_path: Path) -> None:
    file = tmp_path / "report.html"
    options = ["--count", 1, "--slots", 1, "-k", 1, "--workers", 1, "--home", tmp_path / "home"]
    made = envwright("synth", subjects, "--recipe", "desk", *options, "--report", file, "--json")
    assert made.exit_code == 0, made.stderr
    assert json.loads(made.stdout)["run"] in file.read_text(encoding="utf-8")


def test_a_place_for_no_report_is_refused_before_the_run(subjects: Path, tmp_path: Path) -> None:
    options = ["--recipe", "desk", "--home", tmp_path / "home", "--report", tmp_path]
    refused = envwright("synth", subjects, *options)
    assert refused.exit_code == 2 and "is a folder" in refused.stderr
    assert not (tmp_path / "home").exists()
