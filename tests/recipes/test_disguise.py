"""What a user wants to be disguised, as a run's options say it."""

import pytest

from envwright.events.errors import BadInputError
from envwright.recipes import Disguise


def test_the_options_of_a_run_name_the_fields():
    found = Disguise.of({"pseudonymise": ["email", "address.zip"], "other": 1}, "secret")
    assert found == Disguise(("email", "address.zip"), b"secret")
    assert Disguise.of({"pseudonymise": "email"}) == Disguise(("email",))


@pytest.mark.parametrize("options", [{}, {"pseudonymise": []}, {"other": 1}])
def test_without_fields_there_is_no_disguise(options):
    assert Disguise.of(options, "secret") is None


@pytest.mark.parametrize("fields", [5, [5], [""], {"email": True}])
def test_other_fields_are_refused(fields):
    with pytest.raises(BadInputError, match="option pseudonymise is .* expected names of fields"):
        Disguise.of({"pseudonymise": fields})


def test_a_key_among_the_options_is_refused_because_they_are_kept():
    with pytest.raises(BadInputError, match="kept in the log.*ENVWRIGHT_PSEUDONYM_KEY"):
        Disguise.of({"pseudonymise": ["email"], "pseudonym_key": "secret"})


def test_the_key_is_not_shown():
    assert "secret" not in repr(Disguise(("email",), b"secret"))
