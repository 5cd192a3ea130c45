"""pass^k: the chance that k attempts drawn from the scored ones all pass."""

from math import comb


def pass_hat(n: int, c: int) -> dict[str, float]:
    """Return the unbiased estimate C(c, j) / C(n, j) for j = 1 … n, by j as text.

    Source: tau-bench (arXiv 2406.12045), pass^k. `n` counts scored attempts; an infrastructure
    error is in neither `n` nor `c`.
    """
    return {str(j): comb(c, j) / comb(n, j) for j in range(1, n + 1)}
