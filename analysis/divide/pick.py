"""PICK: the stopping rule. Of the snapshots d, the reruns t and the leaf's steps α some are given, eq. (23) the rest.

    η(d, t) α >= n

A run of 1000 steps with leaves of 10 has 100 leaves: 5 snapshots then need 4 reruns, for C(9, 4) = 126 >= 100.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from snapset.analysis.divide.split_points import eta, reruns
from snapset.frontend.base.frozen_records import frozen

Stop: TypeAlias = Literal["log", "space", "time", "leaf", "all", "none"]
HALVES = "bisection"  # the split points whose leaves are 2^d, see pick
NO_LIMIT = 60  # splits within each other, more than any run has steps for


@frozen
class StoppingRule:
    """``d``: snapshots held at once beside the running state, at most; ``t``: how often a step is run again, at most;
    ``alpha``: the steps of a leaf. ``stop``: which of them were given."""

    d: int
    t: int
    alpha: int
    stop: Stop

    @property
    def eta(self) -> int:
        return eta(self.d, self.t)

    def holds(self, n: int) -> bool:
        """Does no leaf of a run of ``n`` steps get longer than α?"""
        return self.eta * self.alpha >= n


def pick(n: int, alpha: int | None = None, d: int | None = None, t: int | None = None,
         log: bool = False, halved: bool = False) -> StoppingRule:
    """The stopping rule for a run of ``n`` steps. ``halved``: for bisection, whose leaves of d = t splits within each
    other are 2^d, and not C(2d, d) of one length: by ``log`` that many reach α. (With eq. (23) its longest leaf would
    have n / 2^d steps, which grows with n, and its tape with it.)

    d and α: fixed space, the least t. t and α: fixed time, the least d. α and ``log``: the least d = t. d and t: the
    least α. All three: as they are, so that leaves may be longer than α. α alone: only it stops. No α: 1, but with d
    and t.

    Raises:
        ValueError: nothing is given, or a figure is negative, or α is 0, or ``log`` stands beside d or t.
    """
    if any(one is not None and one < 0 for one in (d, t)) or (alpha is not None and alpha < 1) or n < 0:
        raise ValueError("snapshots and reruns are 0 or more, a leaf has at least 1 step")
    if log and (d is not None or t is not None):
        raise ValueError("log chooses snapshots and reruns itself: give neither")
    if d is not None and t is not None:
        return StoppingRule(d, t, max(1, -(-n // eta(d, t))) if alpha is None else alpha,
                            "leaf" if alpha is None else "all")
    if alpha is None and d is None and t is None and not log:
        raise ValueError("give snapshots, reruns, the steps of a leaf, or log")
    alpha = 1 if alpha is None else alpha
    leaves = max(1, -(-n // alpha))
    if d is not None:
        return StoppingRule(d, _other(d, leaves), alpha, "space")
    if t is not None:
        return StoppingRule(_other(t, leaves), t, alpha, "time")
    if not log:
        return StoppingRule(NO_LIMIT, NO_LIMIT, alpha, "none")
    both = 1
    while (1 << both if halved else eta(both, both)) < leaves:
        both += 1
    return StoppingRule(both, both, alpha, "log")


def _other(one: int, leaves: int) -> int:
    """The least t for d, or the least d for t: η is the same both ways. With none of the one nothing is split."""
    return 0 if one == 0 else reruns(one, leaves)
