"""POPs that take what is not theirs, and branches on numbers that nobody has pushed: wrong, whatever is needed.

    CALL PUSHREAL8(p); CALL PUSHREAL8(d)       CALL POPREAL8(p); CALL POPREAL8(d)      each gets the other's value

    IF (t .LT. 0) THEN                         CALL POPCONTROL1B(branch)
      CALL PUSHCONTROL1B(1)                    IF (branch .EQ. 0) THEN                 no 0 has been pushed: what
    ELSE                                         tb = ...                              stands here never runs
      CALL PUSHCONTROL1B(1)                    END IF

    DO k=1,n; CALL PUSHREAL8(u(k)); ...        DO k=1,n; CALL POPREAL8(u(k))           the last one pushed is u(n)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from snapset.analysis.comparison.balanced_items import Findings
from snapset.analysis.comparison.control_values import decided
from snapset.analysis.comparison.stack_calls import saved_place, stack_call
from snapset.analysis.comparison.verdicts.backward_reads import path
from snapset.analysis.comparison.verdicts.never_saved import turn_of
from snapset.analysis.procedures.procedure_model import ProcedureModel
from snapset.analysis.symbolic.fortran_text import source as text
from snapset.frontend import ir
from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.base.lazy_patterns import pattern_of
from snapset.frontend.ir.expression_queries import walk
from snapset.frontend.ir.statement_walk import blocks, statements

CONTROL: Final = pattern_of(r"branch\d*")
"""Tapenade's names for the numbers of branches."""


@frozen
class StackFault:
    """``name``, which ``stmt`` gives a value, or asks for; ``why``: for people."""

    name: str
    stmt: ir.Stmt
    why: str


def stack_faults(source: ir.Procedure, model: ProcedureModel, found: Findings | None) -> Iterator[StackFault]:
    """Of one procedure of the adjoint; None: whose stack is not followed."""
    yield from _never_given(source, model)
    if found is None:
        return
    yield from _others(found)
    yield from _unturned(model, found)
    behind = model.procedure.body[turn_of(source, model.procedure):]
    yield from _never_chosen(behind, found)


def _others(found: Findings) -> Iterator[StackFault]:
    """POPs of values of another place."""
    for every in found.met.values():
        for met in every.values():
            call = stack_call(met.pop)
            given, taken = saved_place(met.pop), saved_place(met.push)
            if call is not None and call.saves and given is not None and taken is not None:
                yield StackFault(_name(given), met.pop, f"{text(given)} is given what {met.push.name} in line "
                                                      f"{met.push.span.line} has saved of {text(taken)}")


def _name(place: ir.Ref) -> str:
    return "%".join(path(place))


def _unturned(model: ProcedureModel, found: Findings) -> Iterator[StackFault]:
    """POPs in a loop that runs its turns in the order in which they were pushed."""
    around = _loops(model.procedure.body)
    said = set[int]()
    for push, pop in found.pairs:
        forward, backward = around.get(push), around.get(pop)
        if forward is None or backward is None or forward.id == backward.id or backward.id in said:
            continue
        if _header(forward) == _header(backward) and forward.start != forward.stop:
            said.add(backward.id)
            pair = found.pairs[push, pop]
            place = saved_place(pair.pop)
            yield StackFault("" if place is None else _name(place), pair.pop,
                             f"the loop of line {backward.span.line} pops in the order in which that of line "
                             f"{forward.span.line} has pushed, first what it pushed last")


def _header(loop: ir.Do) -> object:
    return loop.var, loop.start, loop.stop, loop.step


def _loops(body: ir.Block) -> Mapping[int, ir.Do]:
    """By id of a statement, the innermost loop around; none where that counts no turns."""
    found: dict[int, ir.Do] = {}
    pending: list[tuple[ir.Block, ir.Do | None]] = [(body, None)]
    while pending:
        block, loop = pending.pop()
        for stmt in block:
            if loop is not None:
                found[stmt.id] = loop
            own = stmt if isinstance(stmt, ir.Do) else None if isinstance(stmt, ir.While) else loop
            pending += [(inner, own) for inner in blocks(stmt)]
    return found


def _never_given(source: ir.Procedure, model: ProcedureModel) -> Iterator[StackFault]:
    """Branches on a control to which a way leads on which nothing has given it a value; one for each control."""
    every = list(statements(model.procedure.body))
    asked: dict[str, ir.If] = {}
    for stmt in every:
        if isinstance(stmt, ir.If):
            for name in _names(stmt.cond):
                if CONTROL.fullmatch(name) and name not in source.variables:
                    asked.setdefault(name, stmt)
    for name, branch in asked.items():
        given = {one.id for one in every if name in _given((one,))}
        if branch.id in model.flow.first_node and _reached(model, model.flow.first_node[branch.id], given):
            yield StackFault(name, branch, f"{name} is asked for here, and on some way nothing has given it a number")


def _reached(model: ProcedureModel, node: int, but: set[int]) -> bool:
    """Is there a way from the procedure's begin to a node that leads through none of these statements?"""
    seen: set[int] = set()
    pending = [model.flow.entry]
    while pending:
        at = pending.pop()
        stmt = model.flow.nodes[at].stmt
        if at in seen or (stmt is not None and stmt.id in but):
            continue
        seen.add(at)
        pending += model.flow.succs[at]
    return node in seen


def _never_chosen(body: ir.Block, found: Findings) -> Iterator[StackFault]:
    """Alternatives for a number that none of the PUSHes has, of which one is taken off right before. An empty one
    counts where there are several PUSHes, all of one number: they were made to tell ways apart."""
    pending: list[tuple[ir.Block, Mapping[str, frozenset[int]]]] = [(body, {})]
    while pending:
        block, before = pending.pop()
        known = dict(before)
        alike = set[str]()
        for stmt in block:
            if stmt.label is not None:
                known = {}
            call = stack_call(stmt)
            if isinstance(stmt, ir.Call) and call is not None and call.role == "pop control":
                target, numbers = saved_place(stmt), _numbers(stmt, found)
                if target is not None:
                    known.pop(target.name, None)
                    alike.discard(target.name)
                    if numbers:
                        known[target.name] = numbers
                    if len(numbers) == 1 < len(found.met[stmt.id]):
                        alike.add(target.name)
            elif isinstance(stmt, ir.If):
                asked = next((name for name in known if name in _names(stmt.cond)), None)
                ways = (stmt.then, stmt.orelse)
                if asked is None:
                    pending += [(way, known) for way in ways]
                else:
                    chosen = [_chosen(stmt.cond, asked, known[asked], way) for way in (True, False)]
                    if asked in alike and not all(ways) and not all(chosen):
                        yield StackFault(asked, stmt, f"all PUSHCONTROLs have one number for {asked}, "
                                                      f"{_spoken(known[asked])}, which tells no two ways apart")
                    for way, numbers in zip(ways, chosen, strict=True):
                        if way and not numbers:
                            yield StackFault(asked, way[0], f"it runs for a number of {asked} that no PUSHCONTROL has "
                                                            f"(there is {_spoken(known[asked])})")
                        pending.append((way, {**known, asked: numbers}))
                known = _kept(known, stmt)
            else:
                pending += [(inner, {}) for inner in blocks(stmt)]
                known = _kept(known, stmt)


def _chosen(cond: ir.Expr, name: str, numbers: frozenset[int], way: bool) -> frozenset[int]:
    """The numbers for which a condition may have that value."""
    return frozenset(one for one in numbers if decided(cond, {name: one}) in (way, None))


def _kept(known: Mapping[str, frozenset[int]], stmt: ir.Stmt) -> dict[str, frozenset[int]]:
    """Without what a statement pops or assigns inside."""
    gone = _given(statements((stmt,)))
    return {name: numbers for name, numbers in known.items() if name not in gone}


def _given(every: Iterable[ir.Stmt]) -> set[str]:
    """What statements pop, or assign."""
    found = set[str]()
    for one in every:
        call = stack_call(one)
        if isinstance(one, ir.Call) and call is not None and call.role.startswith("pop"):
            target = saved_place(one)
            found |= set() if target is None else {target.name}
        elif isinstance(one, ir.Assign):
            found.add(one.target.name)
    return found


def _numbers(pop: ir.Call, found: Findings) -> frozenset[int]:
    values = [None if (call := stack_call(met.push)) is None else call.value
              for met in found.met.get(pop.id, {}).values()]
    return frozenset() if None in values else frozenset(one for one in values if one is not None)


def _names(cond: ir.Expr) -> set[str]:
    return {one.name for one in walk(cond) if isinstance(one, ir.Ref)}


def _spoken(numbers: frozenset[int]) -> str:
    return " or ".join(map(str, sorted(numbers))) or "none left"
