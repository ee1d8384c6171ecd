"""FORALL: everything is computed before anything is assigned, forwards and backwards.

The flow graph has it as loops, and so have the analyses. The machine goes through these loops too, but assignments
wait until the outermost one is left. The adjoint of all assignments at once: every overwritten value comes back,
then every target's adjoint is taken, then the operands get theirs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Protocol, TypeVar

from snapset.analysis.replay.memory.frames import Frame
from snapset.analysis.replay.memory.runtime_support import Slot
from snapset.analysis.replay.memory.variable_slots import refuse
from snapset.frontend import ir
from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.cfg.graph import FlowGraph
from snapset.frontend.ir.expression_queries import names_in
from snapset.frontend.ir.statement_walk import statements


@frozen
class Forall:
    """An outermost FORALL: where it begins, the test it is left by, all its nodes, the slots of its index
    variables."""

    init: int
    test: int
    nodes: frozenset[int]
    indices: tuple[int, ...]


class NodeRecord(Protocol):
    """What a recorded node has."""

    node: int
    derivative: Callable[..., Any] | None


E = TypeVar("E", bound=NodeRecord)


def foralls(flow: FlowGraph, procedure: ir.Procedure, number: Callable[[ir.Ref], int]) -> Mapping[int, Forall]:
    """Every node of a FORALL and the outermost FORALL it belongs to. ``number``: a variable's slot.

    Raises:
        InputError: statements whose order matters more than that.
    """
    found: dict[int, Forall] = {}
    for loop in flow.loops:
        stmt = loop.stmt
        if not isinstance(stmt, ir.Do) or stmt.kind != "forall" or loop.init in found:
            continue
        _check(stmt, procedure)
        inner = [one.stmt for one in flow.loops if one.init in loop.body]
        nodes = frozenset((loop.init, loop.test, *loop.body))
        indices = tuple(number(one.var) for one in (stmt, *inner) if isinstance(one, ir.Do))
        forall = Forall(loop.init, loop.test, nodes, indices)
        found.update(dict.fromkeys(nodes, forall))
    return MappingProxyType(found)


def _check(outer: ir.Do, procedure: ir.Procedure) -> None:
    """One assignment may do anything. Several must not touch each other: each runs for all indices in turn."""
    assigned: list[ir.Assign] = []
    for stmt in statements(outer.body):
        if isinstance(stmt, ir.Assign) and stmt.target.type.kind != "derived":
            assigned.append(stmt)
        elif not isinstance(stmt, ir.If | ir.Continue) and not (isinstance(stmt, ir.Do) and stmt.kind == "forall"):
            raise refuse("this statement in a FORALL", stmt.span)
    for one in assigned:
        area = procedure.variables[one.target.name].area
        for other in assigned:
            used = names_in(other.value) | names_in(other.target)
            if other.id != one.id and any(name in procedure.variables and procedure.variables[name].area == area
                                        for name in used):
                raise refuse(f"a FORALL with several statements that use `{one.target.name}`", other.span)


def settle(frame: Frame) -> None:
    """The assignments that waited."""
    for slot, index, value in frame.pending:
        slot.values[index] = value
    frame.pending.clear()


def gathered(entry: E, trace: list[E], forall: Forall) -> list[E]:
    """All that one run of a FORALL recorded, last first. ``entry``: the last, taken from the trace already."""
    found = [entry]
    while found[-1].node != forall.init and trace and trace[-1].node in forall.nodes:
        found.append(trace.pop())
    return found


def at_once(frame: Frame, entries: list[E], forall: Forall, restore: Callable[[E], None]) -> int:
    """The adjoint of one run. ``restore`` takes back what an entry overwrote. The statement adjoints run.

    A statement adjoint is a generator here: first it takes its target's adjoint, then it gives it to the operands.
    """
    indices = tuple(frame.s[n] for n in forall.indices)
    waiting: list[tuple[list[Any], Any]] = []
    for entry in entries:
        restore(entry)
        if entry.derivative is not None:
            waiting.append(([slot.values[()] for slot in indices], entry.derivative(frame.s, frame, None)))
    first = [slot.values[()] for slot in indices]
    for _ in ("take", "give"):
        for now, derivative in waiting:
            _set(indices, now)
            next(derivative, None)
    _set(indices, first)
    return len(waiting)


def _set(slots: tuple[Slot, ...], values: list[Any]) -> None:
    for slot, value in zip(slots, values, strict=True):
        slot.values[()] = value
