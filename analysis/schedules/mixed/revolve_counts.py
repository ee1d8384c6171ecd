"""Forward steps of revolve in closed form, and from them a bound that no mixed schedule is below.

For n steps and s checkpoints, revolve takes n + t n - C(s + t, t - 1) forward steps, t being the least number with
n <= C(s + t, t) (Griewank and Walther, algorithm 799, equation (3) and proposition 1). Example: 500 steps and
10 checkpoints, 2136.
"""

from __future__ import annotations

from math import comb


def revolve_steps(n: int, s: int) -> int | None:
    """Least forward steps with s restart checkpoints, the first run included; None where it is impossible."""
    if n <= 1:
        return n
    if s <= 0:
        return None
    t = repetition(n, s)
    return n + t * n - comb(s + t, t - 1)


def repetition(n: int, s: int) -> int:
    """The least t with n <= C(s + t, t)."""
    t = 0
    while comb(s + t, t) < n:
        t += 1
    return t


def mixed_bound(n: int, s: int) -> int:
    """No schedule with room for s checkpoints of either kind takes fewer forward steps.

    Let it store restart data wherever it stores dependencies, and run that step once more after each load: a
    revolve schedule with at most n - 1 more steps.
    """
    alone = revolve_steps(n, s)
    return n if alone is None else max(n, alone - (n - 1))
