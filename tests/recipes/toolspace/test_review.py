"""The review finds by reading what is wrong with a package, and nothing in a good one."""

import json

import pytest

from envwright.recipes.toolspace.review import review
from envwright.sandbox.packages import Bundle
from support.clinic import clinic_draft

NONE = ()


def changed(ordinal, path, change):
    files = dict(clinic_draft(ordinal).bundle.files)
    if path.endswith(".json"):
        document = json.loads(files[path])
        change(document)
        files[path] = json.dumps(document).encode()
    else:
        files[path] = change(files[path].decode()).encode()
    return Bundle(files)


def reasons(bundle):
    return [(finding.reason, finding.artifact) for finding in review(bundle)]


@pytest.mark.parametrize("ordinal", range(1, 13))
def test_a_good_package_has_no_findings(ordinal):
    assert review(clinic_draft(ordinal).bundle) == ()


def test_a_call_of_an_unknown_tool_breaks_the_contract():
    bundle = changed(1, "solution/calls.json", lambda d: d["calls"][0].update(name="nonesuch"))
    assert ("CONTRACT_BROKEN", "solution") in reasons(bundle)


def test_an_unknown_argument_breaks_the_contract():
    bundle = changed(1, "solution/calls.json", lambda d: d["calls"][0]["arguments"].update(zz=1))
    assert ("CONTRACT_BROKEN", "solution") in reasons(bundle)


def test_a_task_that_nothing_pins_is_found():
    bundle = changed(1, "tests/assertions.json", lambda d: d.update(state=[], answer=[]))
    assert ("UNPINNED_TASK", "verifier") in reasons(bundle)


def test_a_table_without_a_frame_is_found():
    bundle = changed(1, "tests/assertions.json", lambda d: d["frames"].pop())
    assert ("UNFRAMED_TABLE", "verifier") in reasons(bundle)


def test_a_canary_in_the_instruction_is_found():
    canary = clinic_draft(1).bundle.package.canary
    bundle = changed(1, "instruction.md", lambda text: text + canary)
    assert ("CANARY_LEAK", "instruction") in reasons(bundle)


def test_a_criterion_without_its_words_is_found():
    bundle = changed(1, "instruction.md", lambda text: text.split("\n\n")[0])
    assert ("UNMAPPED_METRIC", "instruction") in reasons(bundle)


def test_a_reference_that_fits_two_rows_is_found():
    bundle = next(b for n in range(1, 13) if told(b := clinic_draft(n).bundle))
    fact = told(bundle)[0]
    steps = fact.location.split("#/")[1].split("/")

    def make_twins(document):
        table = document[steps[0]]["rows"]
        for row in table.values():
            if steps[3] in row:
                row[steps[3]] = fact.value

    files = dict(bundle.files)
    document = json.loads(files["environment/tables.json"])
    make_twins(document)
    files["environment/tables.json"] = json.dumps(document).encode()
    assert ("AMBIGUOUS_REFERENCE", "instruction") in reasons(Bundle(files))


def told(bundle):
    return [
        fact
        for fact in bundle.blueprint.facts
        if ".trait-" in fact.id
        and fact.location.count("/") == 5
        and fact.id.replace("trait-1", "trait-2") not in {f.id for f in bundle.blueprint.facts}
    ]
