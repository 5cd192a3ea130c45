"""What a gate may look at."""

import pytest

from envwright.events.errors import BadInputError
from envwright.sandbox.gates import Examination
from envwright.sandbox.gates.gate import shown_failures
from envwright.sandbox.isolation import ProcessIsolation
from envwright.sandbox.packages import Assertions
from envwright.sandbox.verifiers import verify
from support.packages import desk_bundle


def examination(**settings):
    return Examination(desk_bundle(), settings, ProcessIsolation())


def test_the_reference_runs_with_the_first_seed():
    assert examination(seeds=[3, 4]).reference.seed == 3
    assert examination().reference.seed == 0


@pytest.mark.parametrize("seeds", [[], 3, ["a"], [True], [1.5]])
def test_seeds_that_are_no_list_of_whole_numbers_are_refused(seeds):
    with pytest.raises(BadInputError, match="setting `seeds`"):
        _ = examination(seeds=seeds).seeds


def test_a_verifier_without_assertions_says_so():
    assert shown_failures(verify(Assertions(), {}, {}, "")) == "the package has no assertion"
