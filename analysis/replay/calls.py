"""Actual arguments: what a call passes, and as which memory."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from snapset.analysis.replay import pointers
from snapset.analysis.replay.associations import Association, Procedure
from snapset.analysis.replay.code import only
from snapset.analysis.replay.expressions import Values, cast
from snapset.analysis.replay.layout import POINTER, Layout, SlotPlace, dtype_of, refuse
from snapset.analysis.replay.memory import fresh
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

    def bound_args(self, stmt: ir.Call, key: str) -> list[tuple[str, ir.Expr | None]]:
        """The dummy arguments of a callee (its result last) with what is passed."""
        callee = self.program.procedures[key]
        if callee.elemental and any(rank_of(a.value) > 0 for a in stmt.args):
            raise refuse(f"the elemental call of {stmt.name} with arrays", stmt.span)
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

    def binding(self, stmt: ir.Call) -> list[str]:
        """The statements that give a call's procedure and its actual arguments."""
        if stmt.via == "name":
            return [f"return Bound(procedure(f, {self.values.text(only(stmt))}), {self.actuals(stmt, only(stmt))})"]
        if not stmt.targets:
            only(stmt)
        if stmt.pointer is not None:
            place = self.values.slot(stmt.pointer)
            called = f"held({pointers.at(place, stmt.pointer, self.values)})"
        else:
            called = f"f.procedure({self.values.text(stmt.name)})"
        ways = (f"{self.values.text(key)}: lambda: Bound(to_run, {self.actuals(stmt, key)})" for key in stmt.targets)
        return [f"to_run = {called}", f"return chosen(to_run, {{{', '.join(ways)}}})"]

    def actuals(self, stmt: ir.Call, key: str) -> str:
        """Code of the actual arguments as one procedure takes them."""
        callee = self.program.procedures[key]
        inner = Layout(callee, self.program.types)
        items = []
        for name, actual in self.bound_args(stmt, key):
            if actual is None:
                items.append("None")
            elif name not in callee.variables:  # a procedure, or never mentioned
                items.append(self.procedure(actual) or "None")
            elif callee.variables[name].pointer:
                items.append(self.pointer(actual, callee.variables[name], stmt))
            elif isinstance(actual, ir.Ref) and self.is_memory(actual):
                items.append(self.passed(actual, inner.places(name, stmt.span), stmt))
            else:
                dtype = dtype_of(type_of(actual))
                if dtype is None or (rank_of(actual) > 0 and callee.variables[name].shape.kind == "scalar"):
                    raise refuse(f"the argument `{name}` of {stmt.name}", stmt.span)
                value = cast(self.values.value(actual), type_of(actual))
                items.append(f"[(temporary({value}), ())]")
        return f"[{', '.join(items)}]"

    def procedure(self, actual: ir.Expr) -> str | None:
        """Code of a procedure that is passed; None for what is none."""
        if isinstance(actual, ir.ProcedureRef) or (isinstance(actual, ir.Ref) and actual.type.kind == "procedure"):
            return pointers.pointed(actual, self.values)
        return None

    def pointer(self, actual: ir.Expr, formal: ir.Variable, stmt: ir.Call) -> str:
        """What is passed for a dummy argument that is a pointer: a pointer's own memory, or one to a target."""
        place = self.values.pointer(actual) if isinstance(actual, ir.Ref) else None
        if isinstance(actual, ir.Ref) and place is not None and actual.parts[-1].subscripts is None:
            return f"[({pointers.at(place, actual, self.values)})]"
        if formal.intent != "in":
            raise refuse(f"the argument `{formal.name}` of {stmt.name}, which is a pointer", stmt.span)
        return f"[(pointing({pointers.pointed(actual, self.values)}), ())]"

    def made(self, stmt: ir.Call) -> tuple[int, ...]:
        """The slots of a function result that has its shape from the call: an array, or allocatable."""
        if stmt.result is None:
            return ()
        places = self.layout.places(stmt.result.name, stmt.span)
        return tuple(p.number for p in places if not p.leaf.is_pointer and (p.leaf.dims or p.leaf.allocatable))

    def passed(self, actual: ir.Ref, formal: tuple[SlotPlace, ...], stmt: ir.Call) -> str:
        """The memory of an actual argument, one slot and index for each leaf of the dummy argument."""
        own = {p.leaf.path[len(p.rest):]: p for p in self.values.below(actual)}
        found = []
        for leaf in formal:
            place = own.get(leaf.leaf.path)
            if place is None or actual.substring is not None:
                raise refuse(f"the argument `{actual.name}` of {stmt.name}", stmt.span)
            outer = sum(place.leaf.ranks[:len(place.parts) - 1])
            element = actual.rank == 0 and actual.parts[-1].subscripts is not None
            code = f"{place.code}, {self.values.index(actual, place)}"
            found.append(f"component({code}, {outer})" if outer and element else f"({code})")
        return f"[{', '.join(found)}]"


def component(slot: Slot, index: Index, outer: int) -> tuple[Slot, Index]:
    """An element of an array that is a component of one element of another array (of ``outer`` dimensions): what
    follows it in memory lies in the same component."""
    a, b = slot.values[index[:outer]], None if slot.b is None else slot.b[index[:outer]]
    return slot.like(a, b, slot.lo[outer:]), index[outer:]


def pointing(value: Association | Procedure | None) -> Slot:
    """Memory for what is passed to a pointer and is none."""
    slot = fresh("O" if isinstance(value, Procedure) else POINTER, [])
    slot.values[()] = value
    return slot


def temporary(value: Any) -> Slot:
    """Memory for an expression that is passed."""
    a = np.array(value, order="F")
    if a.dtype == np.bool_:
        a = a.astype(np.int32)
    return Slot(a, np.zeros(a.shape, a.dtype, order="F") if a.dtype.kind in "fc" else None, (1,) * a.ndim)
