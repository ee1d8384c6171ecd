"""MPI_START of a message that another procedure has prepared, in memory that is not seen where it is started.

    call mpi_recv_init(u(0), ..., req, ierr)      in model, whose argument u is
    call begin(req)                               which starts it: nothing in begin shows that u(0) is overwritten

Where the same procedure prepares a request and nobody else can, its buffers count as written and read
(``started_effect``). Else a start does so with all that its procedure can reach, which covers global buffers. A
buffer that is an argument or a local variable may be out of its reach, but not of all its callers': to these a call
that leads to such a start is one of a procedure without source, which reads and writes all there is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from snapset.analysis.messages.mpi_calls import (
    known_call,
    prepared_buffers,
    prepares_messages,
    prepares_unknown,
    starts_messages,
)
from snapset.frontend import ir
from snapset.frontend.base.diagnostics import Span
from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.interprocedural.call_graph import callees, reachable
from snapset.frontend.interprocedural.lazy_procedures import body_facts_of
from snapset.frontend.ir.expression_queries import walk
from snapset.frontend.ir.statement_walk import statements

_EVERYWHERE = ("module", "common", "saved")
_JUMPS = (ir.Goto, ir.ComputedGoto, ir.ArithmeticIf, ir.IO)


@frozen
class ForeignStarts:
    """Where a program starts what others may have prepared.

    ``places``: of each procedure the calls of MPI_START that do. ``hidden``: the prepared buffers that are no globals,
    as text with their places; ``buffers``: these, and what calls of which nothing is known may have prepared.
    ``leading``: where there are any, the procedures a call of which may lead to one of these starts, or to a call of
    which nothing is known, which may be one of what is prepared here.
    """

    places: tuple[tuple[str, tuple[Span, ...]], ...] = ()
    hidden: tuple[str, ...] = ()
    buffers: tuple[str, ...] = ()
    leading: frozenset[str] = frozenset()

    def within(self, key: str) -> bool:
        """Does a procedure itself start what another may have prepared?"""
        return any(key == one for one, _ in self.places)


def foreign_starts(program: ir.Program, keys: Iterable[str], unknown: Callable[[ir.Call], bool]) -> ForeignStarts:
    """Those of the procedures ``keys``, all that may run. ``unknown``: is nothing known of a call without source? It
    may start what is prepared here, and prepare what is started here."""
    component, procedures = tuple(keys), program.procedures
    outside = {key: body_facts_of(procedures[key]).outside for key in component}
    starting = [key for key in component if any(map(starts_messages, outside[key]))]
    preparing = frozenset(key for key in component if any(map(prepares_messages, outside[key])))
    if not starting and not preparing:
        return ForeignStarts()
    asking = {key: calls for key in component if (calls := tuple(filter(unknown, outside[key])))}
    hosts = frozenset(host for key in preparing | asking.keys() if (host := procedures[key].host) is not None)
    prepare = frozenset(key for key in component
                        if not (preparing | asking.keys()).isdisjoint(reachable(program, key)))
    found = {key: spans for key in starting if (
        spans := _foreign(procedures[key], prepare, key in hosts, asking.get(key, ())))}
    hidden = tuple(one for key in component if key in preparing for one in _hidden(procedures[key]))
    lost = tuple(f"{name} ({stmt.span.file}:{stmt.span.line})" for key, every in asking.items() for stmt in every
                 for name in _not_global(procedures[key], stmt)) if found else ()
    ends = (found.keys() if hidden or lost else set[str]()) | (asking.keys() if hidden else set[str]())
    called = {callee for key in component for callee in callees(procedures[key])}
    leading = frozenset(key for key in called if not ends.isdisjoint(reachable(program, key)))
    return ForeignStarts(tuple(found.items()), hidden, (*hidden, *lost), leading)


def _foreign(procedure: ir.Procedure, prepare: frozenset[str], hosts: bool,
             unknown: tuple[ir.Call, ...]) -> tuple[Span, ...]:
    """The calls of MPI_START whose requests another procedure may have prepared. ``hosts``: one inside it does;
    ``unknown``: its calls of which nothing is known."""
    outside = body_facts_of(procedure).outside
    starts = tuple(stmt for stmt in outside if starts_messages(stmt))
    own = {_request(stmt) for stmt in outside if prepares_messages(stmt)}
    if hosts or any(map(prepares_unknown, outside)):
        own = set()
    lent = _lent(procedure, prepare, unknown) if own else frozenset[str]()
    private = {name for name in own - lent if name and _is_private(procedure, name)}
    anew = (own - lent) & _prepared_anew(procedure)
    return tuple(stmt.span for stmt in starts if _request(stmt) not in private | anew)


def _request(stmt: ir.Call) -> str:
    """The variable of the request that a call of MPI prepares or starts; '' where it is no variable."""
    call = known_call(stmt)
    given = (call.bind(stmt) if call is not None else None) or {}
    request = given.get("request", given.get("array_of_requests"))
    return request.name if isinstance(request, ir.Ref) else ""


def _prepared_anew(procedure: ir.Procedure) -> frozenset[str]:
    """The single requests that every run of a procedure prepares before it starts any."""
    found: set[str] = set()
    for stmt in procedure.body:
        name = _request(stmt) if isinstance(stmt, ir.Call) and prepares_messages(stmt) else ""
        if name and not procedure.variables[name].shape.dims and not procedure.variables[name].target:
            found.add(name)
        elif any(starts_messages(one) or _may_jump(one) for one in statements((stmt,))):
            break
    return frozenset(found)


def _may_jump(stmt: ir.Stmt) -> bool:
    return isinstance(stmt, _JUMPS) or (isinstance(stmt, ir.Call) and bool(stmt.alternates))


def _is_private(procedure: ir.Procedure, name: str) -> bool:
    """Does a variable belong to one run of the procedure, and can no pointer lead to it?"""
    variable = procedure.variables[name]
    return (variable.area.kind, variable.area.owner) == ("local", procedure.key) \
        and not variable.pointer and not variable.target


def _lent(procedure: ir.Procedure, prepare: frozenset[str], unknown: tuple[ir.Call, ...]) -> frozenset[str]:
    """The variables that are passed to a procedure which may prepare requests."""
    known = () if prepare.isdisjoint(callees(procedure)) else (
        stmt for stmt in statements(procedure.body)
        if isinstance(stmt, ir.Call) and not prepare.isdisjoint(stmt.targets))
    return frozenset(name for stmt in (*known, *unknown) for name in _passed(stmt))


def _passed(stmt: ir.Call) -> Iterator[str]:
    """The names of variables in a call's arguments."""
    return (ref.name for argument in stmt.args for ref in walk(argument.value) if isinstance(ref, ir.Ref))


def _not_global(procedure: ir.Procedure, stmt: ir.Call) -> Iterator[str]:
    """What of a call's arguments is an argument of the procedure, or its own."""
    return (name for name in _passed(stmt) if procedure.variables[name].area.kind not in _EVERYWHERE)


def _hidden(procedure: ir.Procedure) -> tuple[str, ...]:
    """The prepared buffers that are a procedure's arguments or its own, with their places."""
    known = (f"{buffer.name} ({span.file}:{span.line})" for buffer, _, span in prepared_buffers(procedure)
             if procedure.variables[buffer.name].area.kind not in _EVERYWHERE)
    unknown = (f"a buffer of {stmt.name} ({stmt.span.file}:{stmt.span.line})"
               for stmt in body_facts_of(procedure).outside if prepares_unknown(stmt))
    return (*known, *unknown)
