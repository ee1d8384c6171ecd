"""MID: where an interval of a run is split, given the snapshots and the reruns that may still be spent on it.

A run of 10 steps with 3 snapshots and 2 reruns left is split at step 4: the 6 steps behind it go on with 2 snapshots,
the 4 before it are run again with 1 rerun less.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from math import comb
from types import MappingProxyType
from typing import TypeAlias

Mid: TypeAlias = Callable[[int, int, int, int, int], int]  # delta, tau, alpha, sigma, phi to kappa


def eta(d: int, t: int) -> int:
    """η(d, t) = C(d + t, t): the leaves that d snapshots and t reruns reach (eq. 23)."""
    return comb(d + t, t)


def within(kappa: int, sigma: int, phi: int) -> int:
    """A split point brought into σ + 1 .. φ - 1. As printed, (16) can give φ (n = 2, d = 1, t = 3), and the part behind
    it would be empty."""
    return min(max(kappa, sigma + 1), phi - 1)


def bisection(delta: int, tau: int, alpha: int, sigma: int, phi: int) -> int:
    """⌈(σ + φ) / 2⌉ (Griewank 1992, eq. 12)."""
    return within(-(-(sigma + phi) // 2), sigma, phi)


def binomial(delta: int, tau: int, alpha: int, sigma: int, phi: int) -> int:
    """⌈(δσ + τφ) / (δ + τ)⌉ (Griewank 1992, eq. 16), brought into the interval."""
    return within(-(-(delta * sigma + tau * phi) // (delta + tau)), sigma, phi)


def optimal(delta: int, tau: int, alpha: int, sigma: int, phi: int) -> int:
    """The split of the least recomputation that δ snapshots allow: the one that revolve's recurrence takes.

    An interval of l leaves costs t(l, δ) = min over κ of κ + t(l - κ, δ - 1) + t(κ, δ) steps that are run again. With
    β(δ, r) = C(δ + r, r) and the least r for which l <= β(δ, r), the minimum is at every κ with

        β(δ, r - 2) <= κ <= β(δ, r - 1)  and  β(δ - 1, r - 1) <= l - κ <= β(δ - 1, r)

    (Griewank & Walther 2000). The least of them is taken. Leaves of α steps are units; what the steps lack to whole
    leaves is in the leftmost one, which is run again most often. Where δ and τ do not reach so many (a program that
    stopped a little later than it was to), all leaves are a little longer, instead of one twice as long.
    """
    unit = max(alpha, -(-(phi - sigma) // eta(delta, tau)))
    leaves = -(-(phi - sigma) // unit)
    r = reruns(delta, leaves)
    left = max(eta(delta, r - 2) if r > 1 else 1, leaves - eta(delta - 1, r), 1)
    return within(phi - (leaves - left) * unit, sigma, phi)


@lru_cache(1 << 16)
def reruns(d: int, leaves: int) -> int:
    """The least t for which η(d, t) reaches so many leaves, of d snapshots (d >= 1)."""
    high = 1
    while eta(d, high) < leaves:
        high *= 2
    low = 0 if high == 1 else high // 2
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if eta(d, middle) >= leaves else (middle + 1, high)
    return low


MIDS: Mapping[str, Mid] = MappingProxyType({"bisection": bisection, "binomial": binomial, "optimal": optimal})
