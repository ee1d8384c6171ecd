"""What is known of subscripts from the loops around them, so that most need no check of their own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

from snapset.frontend.base.frozen_records import frozen


@frozen
class Linear:
    """``constant`` plus the sum of ``terms``: names (or code) with their factors."""

    constant: int = 0
    terms: Mapping[str, int] = field(default_factory=dict)

    def plus(self, other: Linear, factor: int = 1) -> Linear:
        terms = dict(self.terms)
        for name, count in other.terms.items():
            terms[name] = terms.get(name, 0) + factor * count
        return Linear(self.constant + factor * other.constant, {n: c for n, c in terms.items() if c})

    def code(self) -> str:
        text = ""
        for name, count in sorted(self.terms.items(), key=lambda item: item[1] < 0):
            sign = "-" if count < 0 else "+" if text else ""
            text += f" {sign} " if text else sign
            text += name if abs(count) == 1 else f"{abs(count)}*{name}"
        if not text:
            return str(self.constant)
        return text if not self.constant else f"{text} {'-' if self.constant < 0 else '+'} {abs(self.constant)}"


@dataclass(slots=True)
class CountedLoop:
    """A DO loop being written. ``step``: its step where that is constant. ``changing``: names its body may write.

    ``guards``: what must not be negative for the body to need no checks; constants by all the rest.
    ``doubtful``: what comes next may be skipped by a jump. ``depth``: of conditions around the loop.
    """

    index: int
    var: str
    step: int | None
    changing: frozenset[str]
    depth: int
    guards: dict[tuple[tuple[str, int], ...], int] = field(default_factory=dict)
    doubtful: bool = False

    def require(self, linear: Linear) -> None:
        """Guard against a negative value, at the first or the last iteration as the case may be."""
        step = Linear(self.step) if self.step is not None else Linear(0, {f"s{self.index}": 1})
        first = Linear(0, {f"b{self.index}": 1})
        last = Linear(0, {f"e{self.index}": 1}).plus(step, -1)
        factor = linear.terms[self.var]
        rest = linear.plus(Linear(0, {self.var: 1}), -factor)
        for end in (first, last) if self.step is None else (first,) if factor * self.step > 0 else (last,):
            at = rest.plus(end, factor)
            key = tuple(sorted(at.terms.items()))
            self.guards[key] = min(at.constant, self.guards.get(key, at.constant))


class LoopScopes:
    """The DO loops around what is being written, innermost last."""

    def __init__(self) -> None:
        self.loops: list[CountedLoop] = []
        self.depth = 0

    @contextmanager
    def conditional(self) -> Iterator[None]:
        """What is written now is not certain to run."""
        self.depth += 1
        yield
        self.depth -= 1

    def never_negative(self, linear: Linear) -> bool:
        """Is that certain, or made so by a guard at the head of a loop?

        A guard that fails only costs time, but an access that may not run must not make it fail.
        """
        if not linear.terms:
            return linear.constant >= 0
        loop = next((x for x in reversed(self.loops) if x.var in linear.terms), None)
        if loop is None or loop.doubtful or loop.depth != self.depth:
            return False
        if any(name in loop.changing or not name.isidentifier() for name in linear.terms if name != loop.var):
            return False
        loop.require(linear)
        return True
