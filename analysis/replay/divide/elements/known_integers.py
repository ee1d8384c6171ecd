"""Integer expressions where a run has stopped: numbers, and forms in the DO variables of what is still to run.

Where the run stands n is 100 and i is 37; of ``do i = 1, n; b(i) = f(a(i + 1))`` iterations 38 to 100 are left, so
a(38:101) is still read.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from snapset.frontend import ir
from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.ir.expression_queries import rank_of


@frozen
class LoopValues:
    """The values of a DO variable: ``first``, ``first + step`` ..., so many; not ``exact``: some of those at most."""

    first: int
    count: int
    step: int = 1
    exact: bool = True

    @property
    def least(self) -> int:
        return min(self.first, self.first + (self.count - 1)*self.step)

    @property
    def greatest(self) -> int:
        return max(self.first, self.first + (self.count - 1)*self.step)


Known: TypeAlias = Mapping[str, LoopValues]
"""The DO variables of loops that are still to run, by name."""


@frozen
class Form:
    """``constant`` + the sum of ``factors`` times DO variables."""

    constant: int
    factors: tuple[tuple[str, int], ...] = ()

    def factor(self, name: str) -> int:
        return dict(self.factors).get(name, 0)

    def scaled(self, by: int) -> Form:
        return Form(self.constant*by, tuple((name, one*by) for name, one in self.factors) if by else ())

    def plus(self, other: Form) -> Form:
        if not self.factors or not other.factors:
            return Form(self.constant + other.constant, self.factors + other.factors)
        sums = dict(self.factors)
        for name, one in other.factors:
            sums[name] = sums.get(name, 0) + one
        return Form(self.constant + other.constant, tuple((name, one) for name, one in sums.items() if one))

    def limits(self, known: Known) -> tuple[int, int]:
        """The least and the greatest it may be."""
        low = high = self.constant
        for name, factor in self.factors:
            ends = factor*known[name].least, factor*known[name].greatest
            low, high = low + min(ends), high + max(ends)
        return low, high


Value: TypeAlias = Callable[[ir.Ref], Form | None]


def form_of(expr: ir.Expr | None, value: Value) -> Form | None:
    """An integer expression as a form; None where it is not known. ``value``: of a scalar."""
    match expr:
        case ir.Literal_(value=int() as number) if not isinstance(number, bool):
            return Form(number)
        case ir.Ref() if expr.rank == 0:
            return value(expr)
        case ir.Unary(op="-" | "+" as op, operand=operand):
            inner = form_of(operand, value)
            return inner if inner is None or op == "+" else inner.scaled(-1)
        case ir.Binary(op="+" | "-" | "*" | "/" as op) if expr.type.kind == "integer" and rank_of(expr) == 0:
            left, right = form_of(expr.left, value), form_of(expr.right, value)
            return None if left is None or right is None else _combined(op, left, right)
        case _:
            return None


def _combined(op: str, left: Form, right: Form) -> Form | None:
    if op == "+":
        return left.plus(right)
    if op == "-":
        return left.plus(right.scaled(-1))
    if op == "*":
        if left.factors and right.factors:
            return None
        return right.scaled(left.constant) if not left.factors else left.scaled(right.constant)
    if left.factors or right.factors or not right.constant:
        return None
    quotient = abs(left.constant)//abs(right.constant)  # Fortran's is cut towards zero
    return Form(quotient if (left.constant < 0) == (right.constant < 0) else -quotient)


@frozen
class Subscripts:
    """What is selected in one dimension, as places in memory from 0 on. ``form``: of one subscript, as Fortran counts;
    ``exact``: all of ``places`` is selected while the DO variables run."""

    places: slice
    form: Form | None = None
    exact: bool = False


def selected(subscript: ir.Subscript, lower: int, extent: int, known: Known, value: Value) -> Subscripts:
    """What a subscript, or a range of them, selects of a dimension at most, while the DO variables run."""
    every = Subscripts(slice(0, extent, 1))
    if isinstance(subscript, ir.Range):
        if subscript == ir.Range():
            return Subscripts(slice(0, extent, 1), None, True)
        ends = (Form(lower) if subscript.lower is None else form_of(subscript.lower, value),
                Form(lower + extent - 1) if subscript.upper is None else form_of(subscript.upper, value),
                Form(1) if subscript.step is None else form_of(subscript.step, value))
        first, last, step = ends
        if first is None or last is None or step is None or step.factors or not step.constant:
            return every
        if first.factors or last.factors:
            lows, highs = first.limits(known), last.limits(known)
            return Subscripts(_between(min(*lows, *highs) - lower, max(*lows, *highs) - lower, extent))
        return Subscripts(_stepping(first.constant - lower, last.constant - lower, step.constant, extent), None, True)
    form = None if rank_of(subscript) else form_of(subscript, value)
    if form is None:
        return every
    if not form.factors:
        return Subscripts(_between(form.constant - lower, form.constant - lower, extent), form, True)
    if len(form.factors) == 1:
        (name, factor), = form.factors
        trips = known[name]
        if trips.exact and trips.count:
            first_, step_ = form.constant + factor*trips.first - lower, factor*trips.step
            return Subscripts(_stepping(first_, first_ + (trips.count - 1)*step_, step_, extent), form, True)
    low, high = form.limits(known)
    return Subscripts(_between(low - lower, high - lower, extent), form)


def _between(low: int, high: int, extent: int) -> slice:
    """What lies from one place to another, both included, of those there are."""
    low, high = max(low, 0), min(high, extent - 1)
    return slice(low, max(low, high + 1), 1)


def _stepping(first: int, last: int, step: int, extent: int) -> slice:
    """What lies from the first to the last place by steps of either direction, of those there are."""
    count = (last - first + step)//step
    if count <= 0:
        return slice(0, 0, 1)
    if step < 0:
        first, step = first + (count - 1)*step, -step
    end = first + (count - 1)*step
    if first < 0:
        first += (-first + step - 1)//step*step
    if end >= extent:
        end -= (end - extent + step)//step*step
    return slice(first, end + 1, step) if first <= end else slice(0, 0, 1)


def is_box(chosen: Sequence[Subscripts]) -> bool:
    """Is every combination of the places selected? Not of ``a(i, i)``."""
    names = [name for one in chosen if one.form is not None for name, _ in one.form.factors]
    return all(one.exact for one in chosen) and len(names) == len(set(names))


def written_earlier(loop: ir.Do, read: Sequence[Subscripts], written: Sequence[Subscripts]) -> bool:
    """Has an earlier iteration of a loop written each element that is read and lies in what all iterations write?

    One dimension of both is a form in the DO variable with the same factor f, a read f v + r, a write f v + w, and the
    variable stands nowhere else in what is written. Element e of that dimension is read by iteration v = (e - r)/f
    alone, and written by v' = (e - w)/f = v + (r - w)/f, which is before v if (r - w)/f has not the sign of the step.
    That each iteration writes all the rest of ``written``, in the other dimensions, is for the caller to know.
    """
    name = loop.var.name
    moving = [(mine.form, theirs.form) for mine, theirs in zip(read, written, strict=True)
              if theirs.form is not None and theirs.form.factor(name)]
    step = Form(1) if loop.step is None else form_of(loop.step, lambda ref: None)
    if len(moving) != 1 or step is None:
        return False
    mine, theirs = moving[0]
    if mine is None or mine.factors != theirs.factors or len(theirs.factors) != 1:
        return False
    return (mine.constant - theirs.constant)*theirs.factor(name)*step.constant < 0
