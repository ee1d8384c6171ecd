"""Values of a program that is followed without inputs: known on this rank or not, and the same on all ranks or not.

``rank + 1`` is known when the rank is, but not uniform; ``n`` is unknown and uniform; what is read from a field is
neither. An expression is known, or uniform, where all its operands are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from math import inf
from typing import Any, Final, TypeAlias

from snapset.frontend import ir
from snapset.frontend.base.frozen_records import frozen


@frozen
class SkeletonValue:
    """``known``: the integer or logical, None where it is not known. ``uniform``: the same on all ranks. ``sample``:
    one of the values there may be (of the counter of a loop of unknown length): good for a tag; where it is not below
    ``least`` or above ``most`` these decide comparisons, else it decides nothing."""

    known: int | bool | None
    uniform: bool
    sample: bool = False
    least: float = -inf
    most: float = inf

    @property
    def decided(self) -> int | bool | None:
        """What it is, where that may decide which way the program goes."""
        return None if self.sample else self.known

    @property
    def range(self) -> tuple[float, float]:
        """Between what it must be."""
        return (self.least, self.most) if self.decided is None else (self.decided, self.decided)

    def varying(self) -> SkeletonValue:
        """The same, perhaps another one elsewhere."""
        return replace(self, uniform=False)


UNIFORM: Final = SkeletonValue(None, True)
VARIES: Final = SkeletonValue(None, False)
CellIndex: TypeAlias = "tuple[int, ...] | None"


def constant(value: int) -> SkeletonValue:
    """A known one that all ranks have."""
    return SkeletonValue(value, True)


@dataclass(slots=True, eq=False)
class SkeletonCell:
    """A variable's memory. ``rest``: what elements hold that are not in ``items``. ``made``: requests by element;
    ``prepared``: persistent ones, which may be started again and again. ``others``: what shares memory with it under
    another name (EQUIVALENCE, COMMON laid out otherwise): what is written here is there too. ``begin``, ``end``: its
    bytes in their area; ``first``, ``width``: the lowest subscript, and the bytes of an element. ``bounds``: of what is
    allocated, by the object in which it lies: lowest and highest subscript of each dimension."""

    rest: SkeletonValue = VARIES
    items: dict[CellIndex, SkeletonValue] = field(default_factory=dict)
    made: dict[CellIndex, Any] = field(default_factory=dict)
    prepared: dict[CellIndex, Any] = field(default_factory=dict)
    others: list[SkeletonCell] = field(default_factory=list)
    begin: float = 0
    end: float = inf
    first: int | None = None
    width: float = inf
    bounds: dict[CellIndex, tuple[tuple[SkeletonValue, SkeletonValue], ...]] = field(default_factory=dict)

    def overlay(self, at: CellIndex, value: SkeletonValue) -> None:
        """Under other names too: what has bytes in common with the elements that are written."""
        low, high = self.begin, self.end
        if at is not None and len(at) == 1 and self.first is not None:
            low += (at[0] - self.first) * self.width
            high = low + self.width
        for one in self.others:
            if low < one.end and one.begin < high:
                one.blur(value)

    def share(self, other: SkeletonCell) -> None:
        """Both have memory in common."""
        self.others.append(other)
        other.others.append(self)
        self.blur(other.read(None))

    def blur(self, value: SkeletonValue) -> None:
        """Some of it may hold this now."""
        self.rest = unknown([self.rest, value, *self.items.values()])
        self.items.clear()
        self.bounds.clear()

    def read(self, at: CellIndex) -> SkeletonValue:
        """The value of an element; of any."""
        if at in self.items:
            return self.items[at]
        return unknown([self.rest, *self.items.values()]) if (at is None or at == ()) and self.items else self.rest

    def write(self, at: CellIndex, value: SkeletonValue) -> None:
        """Assign an element; of an unknown one, any."""
        if at is None:
            self.blur(value)
        else:
            self.items[at] = value
        self.overlay(at, value)

    def fill(self, value: SkeletonValue) -> None:
        """Assign all elements."""
        self.items.clear()
        self.bounds.clear()
        self.rest = value
        self.overlay(None, value)

    def vary(self) -> None:
        """Other ranks may hold something else."""
        self.rest = self.rest.varying()
        self.items = {at: one.varying() for at, one in self.items.items()}
        self.bounds.clear()
        self.overlay(None, VARIES)


class CellMemory:
    """What memory held at some places of a loop: before a step, behind each of them. ``first``: of which cells it is
    known what they held before."""

    def __init__(self, cells: Iterable[SkeletonCell]) -> None:
        self.held: dict[SkeletonCell, list[tuple[SkeletonValue, dict[CellIndex, SkeletonValue]]]] = {}
        self.add(cells)
        self.first = frozenset(self.held)

    def add(self, cells: Iterable[SkeletonCell]) -> None:
        """What it holds now, too."""
        for cell in cells:
            self.held.setdefault(cell, []).append((cell.rest, dict(cell.items)))

    def values(self, cell: SkeletonCell, at: CellIndex) -> list[SkeletonValue]:
        """What an element held."""
        return [items.get(at, rest) for rest, items in self.held.get(cell, ())]

    def rests(self, cell: SkeletonCell) -> list[SkeletonValue]:
        """What all elements held of which nothing else is known."""
        return [rest for rest, _ in self.held.get(cell, ())]

    def widen(self, cells: Iterable[SkeletonCell]) -> bool:
        """What a step has changed is only a sample from now on; is there any that was none before?"""
        changed = False
        for cell in cells:
            for at, now in list(cell.items.items()):
                for old in self.values(cell, at):
                    changed |= _differ(old, now)
                    cell.items[at] = now = _sampled(old, now)
            for old in self.rests(cell):
                changed |= _differ(old, cell.rest)
                cell.rest = _sampled(old, cell.rest)
        return changed

    def settle(self, cells: Iterable[SkeletonCell]) -> None:
        """Behind the loop: what was not the same behind each step is not known; what was known before counts, too."""
        for cell in cells:
            first = cell in self.first
            for at in list(cell.items):
                cell.items[at] = _merged(self.values(cell, at), cell.items[at], first)
            cell.rest = _merged(self.rests(cell), cell.rest, first)


def _differ(old: SkeletonValue, now: SkeletonValue) -> bool:
    return ((old.decided is not None or now.decided is not None) and old != now) or old.uniform != now.uniform


def _sampled(old: SkeletonValue, now: SkeletonValue) -> SkeletonValue:
    if old == now:
        return now
    return SkeletonValue(now.known, old.uniform and now.uniform, now.known is not None)


def _merged(held: list[SkeletonValue], now: SkeletonValue, first: bool) -> SkeletonValue:
    """``held``: behind each step; ``first``: and before, where it counts only if it was known."""
    counts = [one for k, one in enumerate(held) if k or not first or one.known is not None]
    if all(one == now for one in counts) and not now.sample:
        return now
    return unknown([*counts, now])


def unknown(values: Iterable[SkeletonValue]) -> SkeletonValue:
    """Something made of these, nobody knows what."""
    return UNIFORM if all(one.uniform for one in values) else VARIES


def _divided(left: int, right: int) -> int:
    quotient = abs(left) // abs(right)
    return quotient if (left < 0) == (right < 0) else -quotient


_BINARY: Final[dict[str, Callable[[int, int], int | bool | None]]] = {
    "+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b,
    "==": lambda a, b: a == b, "/=": lambda a, b: a != b, "<": lambda a, b: a < b, "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b, ">=": lambda a, b: a >= b, ".and.": lambda a, b: bool(a and b),
    ".or.": lambda a, b: bool(a or b), ".eqv.": lambda a, b: bool(a) == bool(b),
    ".neqv.": lambda a, b: bool(a) != bool(b), "/": lambda a, b: _divided(a, b) if b else None,
    "**": lambda a, b: a**b if 0 <= b <= 8 and abs(a) < 1000 else None,
}  # fmt: skip


_BITS: Final[dict[str, Callable[[int, int], int]]] = {"ieor": lambda a, b: a ^ b, "iand": lambda a, b: a & b,
                                                       "ior": lambda a, b: a | b}


def binary(op: str, left: SkeletonValue, right: SkeletonValue) -> SkeletonValue:
    """An operation on two values; a known FALSE or TRUE may settle it alone."""
    uniform = left.uniform and right.uniform
    for one in (left.known, right.known):
        if (op == ".and." and one is False) or (op == ".or." and one is True):
            return SkeletonValue(one, uniform, left.sample or right.sample)
    work = _BINARY.get(op)
    if left.known is None or right.known is None or work is None:
        return SkeletonValue(None, uniform)
    found, sample = work(left.known, right.known), left.sample or right.sample
    if not sample:
        return SkeletonValue(found, uniform)
    (low, high), (lowest, highest) = left.range, right.range
    if op in ("+", "-"):
        ends = (low + lowest, high + highest) if op == "+" else (low - highest, high - lowest)
        return SkeletonValue(found, uniform, True, *ends)
    settled = _settled(op, low, high, lowest, highest)
    return SkeletonValue(found, uniform, True) if settled is None else SkeletonValue(settled, uniform)


def _settled(op: str, low: float, high: float, lowest: float, highest: float) -> bool | None:
    """A comparison of something in [low, high] with something in [lowest, highest]."""
    match op:
        case "==" | "/=":
            apart = high < lowest or highest < low
            return (op == "/=") if apart else None
        case "<" | ">=":
            less = True if high < lowest else False if low >= highest else None
            return less if op == "<" or less is None else not less
        case "<=" | ">":
            no_more = True if high <= lowest else False if low > highest else None
            return no_more if op == "<=" or no_more is None else not no_more
        case _:
            return None


def unary(op: str, operand: SkeletonValue) -> SkeletonValue:
    """A sign, or .NOT."""
    if operand.known is None or op not in ("-", ".not."):
        return operand
    return replace(operand, known=-operand.known if op == "-" else not operand.known)


def intrinsic(name: str, values: list[SkeletonValue]) -> SkeletonValue:
    """A function of values."""
    uniform = all(one.uniform for one in values)
    known = [one.known for one in values if one.known is not None]
    if len(known) < len(values):
        return SkeletonValue(None, uniform)
    found: int | None = None
    match name, len(known):
        case "mod", 2 if known[1]:
            found = known[0] - _divided(known[0], known[1]) * known[1]
        case "modulo", 2 if known[1]:
            found = known[0] % known[1]
        case "max" | "min", n if n:
            found = (max if name == "max" else min)(known)
        case "ieor" | "iand" | "ior", 2:
            found = _BITS[name](known[0], known[1])
        case "ishft", 2 if known[0] >= 0 and abs(known[1]) < 16 and known[0] < 1 << 15:
            found = known[0] << known[1] if known[1] >= 0 else known[0] >> -known[1]
        case "abs", 1:
            found = abs(known[0])
        case "merge", 3:
            found = known[0] if known[2] else known[1]
    return SkeletonValue(found, uniform, any(one.sample for one in values))


def literal_of(one: ir.Expr | None) -> SkeletonValue | None:
    """A bound that is a number."""
    return literal(one) if isinstance(one, ir.Literal_) else None


def literal(one: ir.Literal_) -> SkeletonValue:
    """An integer or logical constant; another is equal everywhere."""
    return SkeletonValue(one.value if isinstance(one.value, int) else None, True)
