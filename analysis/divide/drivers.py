"""The two drivers, over any program that can be interrupted, resumed and differentiated for an interval.

BINARY takes an interval [σ, φ), runs its left part again, takes a capsule at κ, differentiates [κ, φ), then [σ, κ):

    z = INTERRUPT f x (κ - σ);   (y, z') = BINARY (R z) y' ;   (z, x') = BINARY (I f κ) x z'

TREEVERSE does the same as a loop over the splits of one interval, whose right parts are calls.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Generic, Protocol, TypeAlias, TypeVar

from snapset.analysis.divide.pick import StoppingRule
from snapset.analysis.divide.split_points import Mid
from snapset.frontend.base.frozen_records import frozen

Z = TypeVar("Z")
Y = TypeVar("Y")


class Interruptible(Protocol[Z, Y]):
    """A program as three functions. ``Z``: capsules, the state at an execution point; ``Y``: adjoints of that state."""

    def interrupt(self, capsule: Z, steps: int, most: int) -> tuple[Z, int]:
        """Run from a capsule for ``steps`` steps (INTERRUPT), and give the capsule there with the steps that were run.

        A program that cannot stop there stops at another point of the next ``most`` steps, 0 and ``most`` excluded, and
        gives 0 steps where it has none.
        """
        ...

    def resume(self, capsule: Z) -> object:
        """Run from a capsule to the end (RESUME), and give what the program gives."""
        ...

    def adjoint(self, capsule: Z, steps: int, adjoint: Y) -> Y:
        """The adjoint of the state at a capsule from that of the state ``steps`` later."""
        ...


@frozen
class Interval(Generic[Z]):
    """The steps from ``sigma`` to ``phi``, a capsule of the state at σ, what may be spent on it. ``level``: how many
    right parts it lies in, the snapshots held beside the first one."""

    capsule: Z
    sigma: int
    phi: int
    delta: int
    tau: int
    level: int = 0

    @property
    def steps(self) -> int:
        return self.phi - self.sigma


class Watcher(Protocol[Z]):
    """Hears what a driver does."""

    def split(self, whole: Interval[Z], kappa: int, right: Interval[Z]) -> None:
        """``whole`` was run to κ, where ``right`` begins."""
        ...

    def leaf(self, interval: Interval[Z]) -> None:
        """The interval was differentiated."""
        ...

    def released(self, interval: Interval[Z]) -> None:
        """The capsule at the beginning of a right part is not needed any more."""
        ...


class _Silent(Generic[Z]):
    def split(self, whole: Interval[Z], kappa: int, right: Interval[Z]) -> None:
        pass

    def leaf(self, interval: Interval[Z]) -> None:
        pass

    def released(self, interval: Interval[Z]) -> None:
        pass


def binary(program: Interruptible[Z, Y], start: Z, n: int, rule: StoppingRule, mid: Mid, adjoint: Y,
           watcher: Watcher[Z] | None = None) -> Y:
    """BINARY (Fig. 27): the adjoint at ``start`` of a run of ``n`` steps from that at its end. Its recursion is a stack
    here, so that the left spine may be long."""
    heard = watcher or _Silent()
    waiting = [(Interval(start, 0, n, rule.d, rule.t), False)]
    while waiting:
        now, owns = waiting.pop()
        right = _split(program, now, rule, mid)
        if right is None:
            adjoint = program.adjoint(now.capsule, now.steps, adjoint)
            heard.leaf(now)
            if owns:
                heard.released(now)
            continue
        heard.split(now, right.sigma, right)
        waiting.append((Interval(now.capsule, now.sigma, right.sigma, now.delta, now.tau - 1, now.level), owns))
        waiting.append((right, True))
    return adjoint


def treeverse(program: Interruptible[Z, Y], start: Z, n: int, rule: StoppingRule, mid: Mid, adjoint: Y,
              watcher: Watcher[Z] | None = None) -> Y:
    """TREEVERSE (Fig. 26): as :func:`binary`, the splits of one interval being a loop (REST), of which each run takes
    the right part that is left, and its right parts calls, which begin with a capsule."""
    heard = watcher or _Silent()
    active = [Interval(start, 0, n, rule.d, rule.t)]
    while active:
        now = active[-1]
        right = _split(program, now, rule, mid)
        if right is not None:
            heard.split(now, right.sigma, right)
            active[-1] = Interval(now.capsule, now.sigma, right.sigma, now.delta, now.tau - 1, now.level)
            active.append(right)
            continue
        adjoint = program.adjoint(now.capsule, now.steps, adjoint)
        heard.leaf(now)
        active.pop()
        if active:
            heard.released(now)
    return adjoint


def _split(program: Interruptible[Z, Y], now: Interval[Z], rule: StoppingRule, mid: Mid) -> Interval[Z] | None:
    """The right part of an interval; None for a leaf."""
    if now.steps <= rule.alpha or now.delta <= 0 or now.tau <= 0 or now.steps < 2:
        return None
    kappa = mid(now.delta, now.tau, rule.alpha, now.sigma, now.phi)
    capsule, steps = program.interrupt(now.capsule, kappa - now.sigma, now.steps)
    if not 0 < steps < now.steps:
        return None
    return Interval(capsule, now.sigma + steps, now.phi, now.delta - 1, now.tau, now.level + 1)


Driver: TypeAlias = Callable[..., Y]
DRIVERS: Mapping[str, Driver[object]] = MappingProxyType({"binary": binary, "treeverse": treeverse})
