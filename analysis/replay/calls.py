"""Actual arguments: what a call passes, and as which memory."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from snapset.analysis.replay.code import only
from snapset.analysis.replay.expressions import Values, cast
from snapset.analysis.replay.layout import Layout, SlotPlace, dtype_of, refuse
from snapset.analysis.replay.runtime import Index, Slot
from snapset.frontend import ir
from snapset.frontend.exprs import rank_of, type_of
from snapset.frontend.program import BindError, bind


@dataclass(frozen=True, slots=True)
class Calls:
    """Generates the argument lists of one procedure's calls. ``program``: for the callees' dummy arguments."""

    program: ir.Program
    layout: Layout
    values: Values

    def bound_args(self, stmt: ir.Call) -> list[tuple[str, ir.Expr | None]]:
        """The callee's dummy arguments (its result last) with what is passed."""
        callee = self.program.procedures[only(stmt)]
        if callee.elemental and any(rank_of(a.value) > 0 for a in stmt.args):
            raise refuse(f"the elemental call of {stmt.name} with arrays", stmt.span)
        if callee.host is not None and stmt.via != "name":
            raise refuse(f"the call of {stmt.name}, an internal procedure called from outside its host", stmt.span)
        try:
            actuals = bind(stmt, callee)
        except BindError as error:
            raise refuse(f"the call of {stmt.name}: {error}", stmt.span) from error
        pairs = list(zip(callee.formals, actuals, strict=True))
        if callee.result is not None:
            pairs.append((callee.result, stmt.result))
        return pairs

    def is_memory(self, expr: ir.Expr) -> bool:
        if not isinstance(expr, ir.Ref):
            return False
        return self.layout.variable(expr.name, self.values.span).value is None

    def is_pointer(self, expr: ir.Expr) -> bool:
        """A pointer by itself, without subscripts."""
        return isinstance(expr, ir.Ref) and len(expr.parts) == 1 and expr.parts[0].subscripts is None \
            and self.layout.variable(expr.name, self.values.span).pointer

    def binding(self, stmt: ir.Call) -> str:
        """Code that gives the actual arguments of a call."""
        callee = self.program.procedures[only(stmt)]
        inner = Layout(callee, self.program.types)
        items = []
        for name, actual in self.bound_args(stmt):
            if actual is None or name not in callee.variables:  # never mentioned
                items.append("None")
            elif callee.variables[name].pointer and not self.is_pointer(actual):
                raise refuse(f"the argument `{name}` of {stmt.name}, which is a pointer", stmt.span)
            elif isinstance(actual, ir.Ref) and self.is_memory(actual):
                items.append(self.passed(actual, inner.places(name, stmt.span), stmt))
            else:
                dtype = dtype_of(type_of(actual))
                if dtype is None or (rank_of(actual) > 0 and callee.variables[name].shape.kind == "scalar"):
                    raise refuse(f"the argument `{name}` of {stmt.name}", stmt.span)
                value = cast(self.values.value(actual), type_of(actual))
                items.append(f"[(temporary({value}), ())]")
        return f"return [{', '.join(items)}]"

    def made(self, stmt: ir.Call) -> tuple[int, ...]:
        """The slots of a function result that has its shape from the call: an array, or allocatable."""
        if stmt.result is None:
            return ()
        return tuple(p.number for p in self.layout.below(stmt.result, stmt.span) if p.leaf.dims or p.leaf.allocatable)

    def passed(self, actual: ir.Ref, formal: tuple[SlotPlace, ...], stmt: ir.Call) -> str:
        """The memory of an actual argument, one slot and index for each leaf of the dummy argument."""
        have = tuple(p.name for p in actual.parts[1:])
        own = {p.leaf.path: p for p in self.layout.below(actual, stmt.span)}
        found = []
        for leaf in formal:
            place = own.get(have + leaf.leaf.path)
            if place is None or actual.substring is not None:
                raise refuse(f"the argument `{actual.name}` of {stmt.name}", stmt.span)
            self.values.touched.add(place.number)
            outer = sum(place.leaf.ranks[:len(actual.parts) - 1])
            element = actual.rank == 0 and actual.parts[-1].subscripts is not None
            code = f"s[{place.number}], {self.values.index(actual, place)}"
            found.append(f"component({code}, {outer})" if outer and element else f"({code})")
        return f"[{', '.join(found)}]"


def component(slot: Slot, index: Index, outer: int) -> tuple[Slot, Index]:
    """An element of an array that is a component of one element of another array (of ``outer`` dimensions): what
    follows it in memory lies in the same component."""
    a, b = slot.values[index[:outer]], None if slot.b is None else slot.b[index[:outer]]
    return Slot(a, b, slot.lo[outer:]), index[outer:]


def temporary(value: Any) -> Slot:
    """Memory for an expression that is passed."""
    a = np.array(value, order="F")
    if a.dtype == np.bool_:
        a = a.astype(np.int32)
    return Slot(a, np.zeros(a.shape, a.dtype, order="F") if a.dtype.kind in "fc" else None, (1,) * a.ndim)
