"""Gate `deterministic`."""

import json

import pytest

from envwright.sandbox.gates import gate_spec, run_gate
from envwright.sandbox.isolation import Capabilities, Completed
from support.packages import desk_bundle

SPEC = gate_spec("deterministic")


class Scripted:
    """An isolation that answers with what it was told to, after a real replay's first line."""

    name = "scripted"

    def __init__(self, *answers):
        self.answers = list(answers)
        self.jobs = []

    def capabilities(self):
        return Capabilities(
            trusted_only=True,
            no_network=False,
            private_files=False,
            kills_detached=False,
            limits_memory=False,
        )

    def run(self, job, limits):
        self.jobs.append(job)
        return self.answers.pop(0)

    def reap(self, key):
        return 0


def printed(value):
    text = value if isinstance(value, str) else json.dumps(value)
    return Completed(exit_code=0, stdout=text, stderr="")


@pytest.fixture(scope="module")
def sound():
    return run_gate(SPEC, desk_bundle())


def summary(sound, **changes):
    replay = {**sound.evidence["replays"][0], **changes}
    del replay["hash_seed"]
    return replay


def test_two_real_processes_with_different_hash_seeds_agree(sound):
    assert sound.result.verdict == "pass"
    first, second = sound.evidence["replays"]
    assert first["hash_seed"] != second["hash_seed"]
    assert {**first, "hash_seed": ""} == {**second, "hash_seed": ""}
    assert first["revision"] == desk_bundle().revision
    assert first["digests"] == sound.evidence["runs"][0]["digests"]


def test_each_process_has_the_package_and_a_hash_seed_of_its_own(sound):
    isolation = Scripted(printed(summary(sound)), printed(summary(sound)))
    assert run_gate(SPEC, desk_bundle(), isolation).evidence == sound.evidence
    assert len({job.environment["PYTHONHASHSEED"] for job in isolation.jobs}) == 2
    assert all(set(job.files) == set(desk_bundle().files) for job in isolation.jobs)


DIFFERENCES = [
    ({"revision": "0"}, "the revision differs"),
    ({"start": "0"}, "the start differs"),
    ({"observations": ["0", "0", "0"]}, "the observation of call 0 differs"),
    ({"digests": []}, "the state after call 0 differs"),
]


@pytest.mark.parametrize(("changes", "told"), DIFFERENCES)
def test_a_replay_that_differs_fails_and_names_the_first_difference(sound, changes, told):
    isolation = Scripted(printed(summary(sound)), printed(summary(sound, **changes)))
    result = run_gate(SPEC, desk_bundle(), isolation).result
    assert (result.verdict, result.reason) == ("fail", "NONDETERMINISTIC")
    assert result.detail.endswith(told)


def test_a_package_that_the_process_refuses_fails(sound):
    refused = Completed(exit_code=2, stdout="", stderr="BadInputError: tables.json is missing\n")
    result = run_gate(SPEC, desk_bundle(), Scripted(printed(summary(sound)), refused)).result
    assert result.verdict == "fail"
    assert result.detail.endswith("tables.json is missing")


BROKEN = {
    "a crash": Completed(exit_code=-11, stdout="", stderr="Segmentation fault"),
    "out of time": Completed(exit_code=-9, stdout="", stderr="", timed_out=True),
    "output cut": Completed(exit_code=0, stdout="{", stderr="", stdout_cut=True),
    "no JSON": printed("hello"),
}


@pytest.mark.parametrize("broken", BROKEN.values(), ids=BROKEN)
def test_a_process_that_breaks_is_an_error_and_never_a_failure(sound, broken):
    result = run_gate(SPEC, desk_bundle(), Scripted(printed(summary(sound)), broken)).result
    assert (result.verdict, result.reason) == ("error", "INFRASTRUCTURE")
    assert result.blames == ""
