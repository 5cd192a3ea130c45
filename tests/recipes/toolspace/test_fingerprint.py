"""The fingerprint: packages that are alike share a key."""

import json

from envwright.recipes.toolspace.fingerprint import fingerprint
from envwright.sandbox.packages import Bundle
from support.clinic import clinic_draft


def renamed(bundle, old, new):
    files = {path: data.replace(old.encode(), new.encode()) for path, data in bundle.files.items()}
    return Bundle(files)


def with_hidden_key():
    for ordinal in range(1, 13):
        bundle = clinic_draft(ordinal).bundle
        for fact in bundle.blueprint.facts:
            if fact.id.endswith(".key") and str(fact.value).startswith("pat-"):
                used = [c for c in bundle.solution.calls if fact.value in c.arguments.values()]
                if used:
                    return bundle, fact.value
    raise AssertionError("no package with a found key")


def test_a_package_is_alike_itself_and_no_other_of_the_round():
    keys = [set(fingerprint(clinic_draft(n).bundle)) for n in range(1, 9)]
    assert keys[0] == set(fingerprint(clinic_draft(1).bundle))
    for number, one in enumerate(keys):
        assert not any(one & other for other in keys[number + 1 :])


def test_renaming_a_found_id_leaves_packages_alike():
    bundle, key = with_hidden_key()
    other = renamed(bundle, key, "pat-zzz")
    assert set(fingerprint(bundle)) & set(fingerprint(other))
    assert set(fingerprint(bundle)) != set(fingerprint(other))


def test_the_same_errand_for_another_id_is_alike():
    bundle = next(b for n in range(1, 40) if visit_ids(b := clinic_draft(n).bundle))
    key = visit_ids(bundle)[0]
    other = renamed(bundle, f'"visit_id":{key}', '"visit_id":9999')
    assert set(fingerprint(bundle)) & set(fingerprint(other))


def visit_ids(bundle):
    return [c.arguments["visit_id"] for c in bundle.solution.calls if "visit_id" in c.arguments]


def test_another_value_is_another_task():
    bundle = clinic_draft(1).bundle
    document = json.loads(bundle.files["solution/calls.json"])
    document["calls"][-1]["arguments"]["extra"] = "value"
    files = {**bundle.files, "solution/calls.json": json.dumps(document).encode()}
    assert not set(fingerprint(bundle)) & set(fingerprint(Bundle(files)))
