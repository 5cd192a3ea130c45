"""pass^k against counting every draw by hand."""

from itertools import combinations

import pytest

from envwright.agents.judge.passes import pass_hat


@pytest.mark.parametrize(("n", "c"), [(4, 0), (4, 1), (4, 3), (4, 4), (5, 2), (1, 1)])
def test_pass_hat_is_the_share_of_draws_that_all_pass(n: int, c: int) -> None:
    attempts = [True] * c + [False] * (n - c)
    for j, value in pass_hat(n, c).items():
        draws = list(combinations(attempts, int(j)))
        assert value == pytest.approx(sum(all(draw) for draw in draws) / len(draws))


def test_no_scored_attempt_gives_no_rate() -> None:
    assert pass_hat(0, 0) == {}
