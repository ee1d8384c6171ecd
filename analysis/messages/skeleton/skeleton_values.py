"""Values of a program that is followed without inputs: known on this rank or not, and the same on all ranks or not.

``rank + 1`` is known when the rank is, but not uniform; ``n`` is unknown and uniform; what is read from a field is
neither. An expression is known, or uniform, where all its operands are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Any, Final, TypeAlias

from snapset.frontend import ir


@dataclass(frozen=True, slots=True)
class SkeletonValue:
    """``known``: the integer or logical, None where it is not known. ``uniform``: the same on all ranks. ``sample``:
    one of the values there may be (of the counter of a loop of unknown length): good for a tag, decides nothing."""

    known: int | bool | None
    uniform: bool
    sample: bool = False

    @property
    def decided(self) -> int | bool | None:
        """What it is, where that may decide which way the program goes."""
        return None if self.sample else self.known

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
    ``prepared``: persistent ones, which may be started again and again."""

    rest: SkeletonValue = VARIES
    items: dict[CellIndex, SkeletonValue] = field(default_factory=dict)
    made: dict[CellIndex, Any] = field(default_factory=dict)
    prepared: dict[CellIndex, Any] = field(default_factory=dict)

    def read(self, at: CellIndex) -> SkeletonValue:
        """The value of an element; of any."""
        if at in self.items:
            return self.items[at]
        return unknown([self.rest, *self.items.values()]) if (at is None or at == ()) and self.items else self.rest

    def write(self, at: CellIndex, value: SkeletonValue) -> None:
        """Assign an element; of an unknown one, any."""
        if at is None:
            self.rest = unknown([self.rest, value, *self.items.values()])
            self.items.clear()
        else:
            self.items[at] = value

    def fill(self, value: SkeletonValue) -> None:
        """Assign all elements."""
        self.items.clear()
        self.rest = value

    def vary(self) -> None:
        """Other ranks may hold something else."""
        self.rest = self.rest.varying()
        self.items = {at: one.varying() for at, one in self.items.items()}


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


def binary(op: str, left: SkeletonValue, right: SkeletonValue) -> SkeletonValue:
    """An operation on two values; a known FALSE or TRUE may settle it alone."""
    uniform = left.uniform and right.uniform
    for one in (left.known, right.known):
        if (op == ".and." and one is False) or (op == ".or." and one is True):
            return SkeletonValue(one, uniform, left.sample or right.sample)
    work = _BINARY.get(op)
    if left.known is None or right.known is None or work is None:
        return SkeletonValue(None, uniform)
    return SkeletonValue(work(left.known, right.known), uniform, left.sample or right.sample)


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
        case "abs", 1:
            found = abs(known[0])
        case "merge", 3:
            found = known[0] if known[2] else known[1]
    return SkeletonValue(found, uniform, any(one.sample for one in values))


def literal(one: ir.Literal_) -> SkeletonValue:
    """An integer or logical constant; another is equal everywhere."""
    return SkeletonValue(one.value if isinstance(one.value, int) else None, True)
