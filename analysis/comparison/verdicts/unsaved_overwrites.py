"""Statements of the forward sweep that overwrite what the backward sweep needs, and no PUSH keeps it.

    PUSH(d(k)); d(k) = d(k) + w*d(k-1)       that PUSH keeps what this statement overwrites, and nothing else
    d(nz) = d(nz)/b(nz)                      overwrites what the source's own analysis tapes here, and no PUSH is there

A PUSH right before the statement that overwrites what it saves is *attached* to it: the value is gone once the
statement has run, so it is not what any later statement overwrites. Any other PUSH of the variable (a snapshot of what
is overwritten later) may keep anything of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from snapset.analysis.comparison.part_pairing import plain_name
from snapset.analysis.comparison.stack_calls import saved_place, stack_call
from snapset.analysis.comparison.stack_contents import same_arguments
from snapset.analysis.comparison.verdicts.backward_reads import (
    Passed,
    Path,
    Question,
    Read,
    alike,
    exposed,
    exposed_from,
    path,
)
from snapset.frontend import ir
from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.ir.statement_walk import blocks, statements

Places: TypeAlias = tuple[ir.Ref, ...]


@frozen
class Unsaved:
    """``stmt`` of the adjoint's forward sweep overwrites ``place``, and no PUSH keeps it."""

    stmt: ir.Stmt
    place: ir.Ref


@dataclass(frozen=True)
class SweptAdjoint:
    """An adjoint's body, parted where it turns: the statements of its own block before that, and the others.
    ``written``, ``read``: arguments of calls; ``pushes``: by the id of a POP, those of its PUSHes."""

    forward: ir.Block
    backward: ir.Block
    written: Passed
    read: Passed
    pushes: Mapping[int, frozenset[int]]

    @cached_property
    def _order(self) -> Mapping[int, int]:
        return {stmt.id: at for at, stmt in enumerate(statements(self.forward))}

    @cached_property
    def tops(self) -> Mapping[int, ir.Stmt]:
        """By id, the statement of the procedure's own block around."""
        return {inner.id: top for top in self.forward for inner in statements((top,))}

    @cached_property
    def groups(self) -> Sequence[tuple[ir.Stmt, Places, Places]]:
        return tuple(_groups(self.forward, self.written))

    @cached_property
    def given(self) -> frozenset[Path]:
        """What other PUSHes than attached ones may keep, and what the backward sweep computes again."""
        loose = {path(one) for _, pushes, places in self.groups for one in pushes if not _among(one, places)}
        return frozenset(loose | {path(one.target) for one in statements(self.backward) if isinstance(one, ir.Assign)})

    def read_by(self, one: Unsaved, beside: Path | None = None) -> ir.Stmt | None:
        """Where the backward sweep reads it, from where it undoes the statement on. ``beside``: the adjoint of what an
        assignment gives a value, if it reads itself what it overwrites: there it has to be given back for it, and what
        a later statement's POP gave back is not that."""
        asked = Question(path(one.place), self.read, None if beside is None else self._pops_behind(one.stmt), beside)
        ways = [self._meeting(reads, one) for reads in self._exposed(one.stmt, asked)]
        return ways[0] if all(ways) else None

    def _meeting(self, reads: Sequence[Read], one: Unsaved) -> ir.Stmt | None:
        return next((read.stmt for read in reads if may_meet(read.ref, one.place, isinstance(one.stmt, ir.Call))), None)

    def _exposed(self, stmt: ir.Stmt, asked: Question) -> Sequence[Sequence[Read]]:
        """Of a call from where its adjoint is called, be it one of several: what a POP behind it gives back in the same
        turn of the loops around is no more what the next turn reads. Of anything else from its loop's reversal on."""
        calls = self._undone_by(stmt)
        if calls:
            return [exposed_from(self.backward, one, asked) for one in calls]
        return [exposed(self._from_reversal(self.tops[stmt.id]), asked)]

    def reads_itself(self, one: Unsaved) -> bool:
        """Does the adjoint of what a call runs read what the call overwrites?"""
        return all(any(alike(path(ref), path(one.place)) and may_meet(ref, one.place, True) for ref in self.read(back))
                   for back in self._undone_by(one.stmt))

    def _undone_by(self, stmt: ir.Stmt) -> Sequence[ir.Call]:
        """The calls that may be the adjoint of a call: as many loops stand around."""
        if not isinstance(stmt, ir.Call):
            return ()
        depth = self._depths[stmt.id]
        return [one for one in statements(self.backward) if isinstance(one, ir.Call) and self._depths[one.id] == depth
                and one.name == f"{plain_name(stmt.name)}_b" and same_arguments(stmt, one)]

    @cached_property
    def _depths(self) -> Mapping[int, int]:
        """By id of a statement, how many loops are around."""
        found: dict[int, int] = {}
        pending = [(self.forward, 0), (self.backward, 0)]
        while pending:
            block, depth = pending.pop()
            for stmt in block:
                found[stmt.id] = depth
                inside = depth + isinstance(stmt, ir.Do | ir.While)
                pending += [(inner, inside) for inner in blocks(stmt)]
        return found

    def _pops_behind(self, stmt: ir.Stmt) -> frozenset[int]:
        """The POPs of what is pushed before a statement."""
        at = self._order[stmt.id]
        return frozenset(pop for pop, pushes in self.pushes.items()
                         if any(self._order.get(push, 0) < at for push in pushes))

    def _from_reversal(self, top: ir.Stmt) -> ir.Block:
        """The backward sweep from the loop on that undoes a loop of the forward sweep, where it is known by its header,
        DO i=n,1,-1 of DO i=1,n."""
        if isinstance(top, ir.Do):
            same = [one for one in self.forward if _header(one) == _header(top)]
            back = [at for at, one in enumerate(self.backward) if isinstance(one, ir.Do)
                    and (one.var, one.stop, one.start) == (top.var, top.start, top.stop)]
            if len(same) == len(back) == 1:
                return self.backward[back[0]:]
        return self.backward[1:] if self._turning else self.backward

    @cached_property
    def _turning(self) -> bool:
        """Does the backward sweep begin with a branch that is run and undone in one? What stands before it is undone
        behind it."""
        return any((call := stack_call(inner)) is not None and call.role.startswith("push")
                   for one in self.backward[:1] if isinstance(one, ir.If | ir.Select) for inner in statements((one,)))


def unsaved_overwrites(adjoint: SweptAdjoint) -> Iterator[Unsaved]:
    """What is not overwritten by an assignment or a call (READ, ALLOCATE) is not looked at, nor what the backward sweep
    assigns: that is computed again."""
    for stmt, pushes, places in adjoint.groups:
        for place in places:
            name = path(place)
            if not any(alike(name, one) for one in adjoint.given) and not any(
                    _keeps(push, place, places) for push in pushes):
                yield Unsaved(stmt, place)


def _header(stmt: ir.Stmt) -> object:
    return (stmt.var, stmt.start, stmt.stop) if isinstance(stmt, ir.Do) else stmt


def _keeps(push: ir.Ref, place: ir.Ref, places: Places) -> bool:
    """Does the PUSH save it, not what else the statement overwrites? Where they are called differently, and it is not
    the other's, it may."""
    return alike(path(push), path(place)) and (push.parts == place.parts or not _among(push, places))


def _among(one: ir.Ref, places: Places) -> bool:
    return any(one.parts == other.parts for other in places)


def may_meet(read: ir.Ref, place: ir.Ref, passed: bool) -> bool:
    """Not w(:, 1) and w(:, 2). ``passed``: to a call; of sections that are passed, work(ix) and work(iv), only equal
    ones do, and those of whole arrays."""
    for one, other in zip(read.parts, place.parts, strict=False):
        if one.subscripts is None or other.subscripts is None:
            continue
        for a, b in zip(one.subscripts, other.subscripts, strict=False):
            if isinstance(a, ir.Literal_) and isinstance(b, ir.Literal_) and a.value != b.value:
                return False
        if passed and place.rank and one.subscripts != other.subscripts:
            return False
    return True


def _groups(body: ir.Block, written: Passed) -> Iterator[tuple[ir.Stmt, Places, Places]]:
    """Each assignment and call, the places that are pushed right before it, and those that it overwrites."""
    pending = [body]
    while pending:
        pushes: Places = ()
        for stmt in pending.pop():
            if (more := _pushed(stmt)) is not None:
                pushes += more
                continue
            pending += list(blocks(stmt))
            yield stmt, pushes, _overwritten(stmt, written)
            pushes = ()


def _overwritten(stmt: ir.Stmt, written: Passed) -> Places:
    match stmt:
        case ir.Assign(target=target):
            return (target,)
        case ir.Call():
            return tuple(written(stmt))
        case _:
            return ()


def _pushed(stmt: ir.Stmt) -> Places | None:
    """What a statement pushes that does nothing else, loops of PUSHes among them; None of any other."""
    found: Places = ()
    for one in statements((stmt,)):
        call = stack_call(one)
        if call is None and not blocks(one):
            return None
        if call is not None and not call.role.startswith("push"):
            return None
        place = saved_place(one) if isinstance(one, ir.Call) and call is not None and call.role == "push" else None
        found += () if place is None else (place,)
    return found if any(stack_call(one) is not None for one in statements((stmt,))) else None
