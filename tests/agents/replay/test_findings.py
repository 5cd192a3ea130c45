"""Findings are joined in order, and one that is found twice is told once."""

from envwright.agents.replay import Comparison, Divergence, Replayed
from envwright.agents.replay.findings import gathered


def test_comparisons_add_up_in_their_order() -> None:
    first = Divergence(event="b", expected=1, actual=2)
    second = Divergence(event="a", expected=1, actual=2)
    found = gathered(
        [
            Comparison(compared=2, counts={"turns": 2}),
            Comparison(counts={"turns": 1, "gates": 1}, divergences=(first,)),
            Comparison(compared=1, divergences=(second, first)),
        ]
    )
    assert found == Replayed(
        compared=3, counts={"turns": 3, "gates": 1}, divergences=(first, second)
    )
    assert found.diverged == first


def test_nothing_compared_has_no_divergence() -> None:
    assert gathered([]).diverged is None
