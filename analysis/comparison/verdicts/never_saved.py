"""What an adjoint reads of its source's variables, and neither saves nor computes again, although it is overwritten.

    pap = 1 ...; alpha = rz/pap      in each turn, and on the way back      papb = -(rz*alphab/pap**2)

Where no PUSH of ``pap`` stands in the procedure, nor an assignment to it among what runs backwards, each turn back
reads the ``pap`` of the last turn. So no derivative statement has to be paired with its statement to see it. Said only
of what the source's own analysis tapes.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping, Sequence

from snapset.analysis.comparison.stack_calls import saved_place, stack_call
from snapset.analysis.comparison.verdicts.source_needs import SourceNeeds
from snapset.frontend import ir
from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.ir.expression_queries import walk
from snapset.frontend.ir.statement_walk import statements


@frozen
class NeverSaved:
    """``location`` of the source; ``read``: the first derivative statement that reads it, as ``reference``; ``line``:
    of the source, where its derivative reads it."""

    location: str
    reference: ir.Ref
    read: ir.Assign
    line: int


def never_saved(source: ir.Procedure, adjoint: ir.Procedure, needs: SourceNeeds) -> Iterator[NeverSaved]:
    """Of the procedure's own variables that nothing but assignments gives a value, and no call is passed."""
    own = _own(source)
    forward, backward = _sweeps(source, adjoint)
    others = _handed_on(source) | _saved(adjoint) | _assigned(backward) | {
        stmt.var.name for stmt in statements(source.body) if isinstance(stmt, ir.Do)}
    reads = _derivative_reads(source, backward)
    kept = {(stmt.target, stmt.value) for stmt in forward if isinstance(stmt, ir.Assign)}
    overwriting = {stmt.span.line for stmt in statements(source.body)
                   if isinstance(stmt, ir.Assign) and (stmt.target, stmt.value) in kept}
    for location, taped in sorted(needs.taped.items()):
        name = _name(location)
        lines = sorted(line for line, read in needs.read.items() if location in read)
        if name in own and name in reads and name not in others and any(
                _may_follow(source, line, reader) for line in overwriting & set(taped) for reader in lines):
            yield NeverSaved(location, *reads[name], lines[0])


def _may_follow(source: ir.Procedure, line: int, reader: int) -> bool:
    """May a line run behind another, of the same run of the procedure: dy(3) = ... above what reads dy(2) does not."""
    if line >= reader or any(isinstance(stmt, ir.Goto) for stmt in statements(source.body)):
        return True
    return any(isinstance(stmt, ir.Do | ir.While) and stmt.span.line <= line and reader <= stmt.end.line
               for stmt in statements(source.body))


def _own(source: ir.Procedure) -> set[str]:
    """The variables that no other procedure, and no other name, leads to."""
    areas = [one.area for one in source.variables.values()]
    return {name for name, one in source.variables.items()
            if one.area.kind in ("local", "saved", "formal") and areas.count(one.area) == 1}


def _sweeps(source: ir.Procedure, adjoint: ir.Procedure) -> tuple[Sequence[ir.Stmt], Sequence[ir.Stmt]]:
    """The statements of the adjoint's text before it turns, and the others."""
    place = turn_of(source, adjoint)
    return list(statements(adjoint.body[:place])), list(statements(adjoint.body[place:]))


def turn_of(source: ir.Procedure, adjoint: ir.Procedure) -> int:
    """Where the adjoint's own block turns."""
    return turn_in(source, adjoint.body)


def turn_in(source: ir.Procedure, body: ir.Block) -> int:
    """The place of the loop, or whatever else of a block, in which an adjoint is given a value, or something is popped,
    for the first time."""
    own = set(source.variables)

    def turns(stmt: ir.Stmt) -> bool:
        call = stack_call(stmt)
        if call is not None:
            return call.role.startswith("pop")
        return isinstance(stmt, ir.Assign) and _is_adjoint(stmt.target.name, own)

    return next((at for at, stmt in enumerate(body) if any(map(turns, statements((stmt,))))), len(body))


def _is_adjoint(name: str, own: Container[str]) -> bool:
    """``xb`` of x, or ``x_b`` under Tapenade's -adjvarname."""
    return name not in own and name.endswith("b") and (name[:-1] in own or name.removesuffix("_b") in own)


def _derivative_reads(source: ir.Procedure, backward: Sequence[ir.Stmt]) -> Mapping[str, tuple[ir.Ref, ir.Assign]]:
    """By the source's name, the first derivative statement that reads it, beside an adjoint: pb = pb + q*rb."""
    found: dict[str, tuple[ir.Ref, ir.Assign]] = {}
    for stmt in backward:
        if isinstance(stmt, ir.Assign):
            refs = [one for one in walk(stmt.value) if isinstance(one, ir.Ref)]
            if any(_is_adjoint(one.name, source.variables) or re.fullmatch(r"temp\d*b\d*", one.name) for one in refs):
                for one in refs:
                    if one.name in source.variables:
                        found.setdefault(one.name, (one, stmt))
    return found


def _assigned(every: Sequence[ir.Stmt]) -> set[str]:
    return {stmt.target.name for stmt in every if isinstance(stmt, ir.Assign)}


def _saved(adjoint: ir.Procedure) -> set[str]:
    """What any PUSH or POP names."""
    found = set[str]()
    for stmt in statements(adjoint.body):
        call = stack_call(stmt)
        if isinstance(stmt, ir.Call) and call is not None and call.saves:
            place = saved_place(stmt)
            found.update(() if place is None else (place.name,))
    return found


def _handed_on(source: ir.Procedure) -> set[str]:
    """What other statements than assignments name: calls, READ, ALLOCATE ..."""
    found = set[str]()
    for stmt in statements(source.body):
        if isinstance(stmt, ir.Call):
            for one in stmt.args:
                found |= _names(one.value)
    return found


def _names(value: ir.Expr) -> set[str]:
    return {one.name for one in walk(value) if isinstance(one, ir.Ref)}


def _name(location: str) -> str:
    """``u`` of ``u(:, 2)``, and of ``u[]``."""
    return location.split("(")[0].split("[")[0].split("%")[0].rstrip("=>")
