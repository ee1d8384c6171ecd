"""Statements of the forward sweep that overwrite what the backward sweep needs, and no PUSH keeps it.

    PUSH(d(k)); d(k) = d(k) + w*d(k-1)       that PUSH keeps what this statement overwrites, and nothing else
    d(nz) = d(nz)/b(nz)                      overwrites what the source's own analysis tapes here, and no PUSH is there

A PUSH right before the statement that overwrites what it saves is *attached* to it: the value is gone once the
statement has run, so it is not what any later statement overwrites. Any other PUSH of the variable (a snapshot of what
is overwritten later) may keep anything of it, but PUSH(d(1)) not what d(k) = ... overwrites for each k.

    IF (k .GT. 2) CALL PUSHREAL8(t); t = ...          keeps t in some turns only, so it does not keep it
    CALL PUSHREAL8ARRAY(b, n - 1); CALL STEP(b)       nor does this keep b, which has n elements
    v(k) = ...; CALL PUSHREAL8(v(k)) in DO k=1,n      nor this the v(k) that was there: it comes too late
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, TypeAlias

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
    plain_subscripts,
)
from snapset.frontend import ir
from snapset.frontend.base.deep_recursion import deep
from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.ir.expression_queries import walk
from snapset.frontend.ir.statement_walk import blocks, statements

Places: TypeAlias = tuple[ir.Ref, ...]


@frozen
class Unsaved:
    """``stmt`` of the adjoint's forward sweep overwrites ``place``, and no PUSH keeps it. ``others``: the ids of those
    that keep something else of it: less than there is, or what has been written there."""

    stmt: ir.Stmt
    place: ir.Ref
    others: frozenset[int] = frozenset()


@dataclass(frozen=True)
class SweptAdjoint:
    """An adjoint's body, parted where it turns: the statements of its own block before that, and the others.
    ``written``, ``read``: arguments of calls; ``pushes``: by the id of a POP, those of its PUSHes; ``short``: does a
    PUSH save fewer elements than its variable has?"""

    forward: ir.Block
    backward: ir.Block
    written: Passed
    read: Passed
    pushes: Mapping[int, frozenset[int]]
    short: Callable[[ir.Call], bool]

    @cached_property
    def _order(self) -> Mapping[int, int]:
        return {stmt.id: at for at, stmt in enumerate(statements(self.forward))}

    @cached_property
    def tops(self) -> Mapping[int, ir.Stmt]:
        """By id, the statement of the procedure's own block around."""
        return {inner.id: top for top in self.forward for inner in statements((top,))}

    @cached_property
    def groups(self) -> Sequence[_Group]:
        return tuple(_groups(self.forward, self.written, self.short))

    @cached_property
    def loose(self) -> Sequence[_Push]:
        """Other PUSHes than attached ones."""
        return [one for group in self.groups for one in group.pushes if not _among(one.place, group.places)]

    @cached_property
    def given(self) -> frozenset[Path]:
        """What the backward sweep computes again."""
        return frozenset(path(one.target) for one in statements(self.backward) if isinstance(one, ir.Assign))

    @cached_property
    def counting(self) -> frozenset[str]:
        """The variables of the forward sweep's loops, and what these compute: m in m = min(n, k + 2)."""
        loops = [one for one in statements(self.forward) if isinstance(one, ir.Do | ir.While)]
        return frozenset(one.var.name for one in loops if isinstance(one, ir.Do)) | frozenset(
            inner.target.name for one in loops for inner in statements(one.body)
            if isinstance(inner, ir.Assign) and not isinstance(inner.value, ir.Literal_)
            and len(inner.target.parts) == 1 and inner.target.parts[0].subscripts is None)

    def late(self, push: _Push, stmt: ir.Stmt, place: ir.Ref) -> bool:
        """Does a PUSH of a place stand behind what overwrites it, and is it of another element in each turn of the
        loops around? So it never saves what was there before the statement."""
        return push.place.parts == place.parts and self._order[push.id] > self._order[stmt.id] and all(
            isinstance(loop, ir.Do) and loop.var.name in plain_subscripts(place) for loop in self._around[push.id])

    @cached_property
    def _around(self) -> Mapping[int, Sequence[ir.Do | ir.While]]:
        """By id of a statement, the loops around, in both sweeps."""
        found: dict[int, Sequence[ir.Do | ir.While]] = {}
        pending: list[tuple[ir.Block, Sequence[ir.Do | ir.While]]] = [(self.forward, ()), (self.backward, ())]
        while pending:
            block, loops = pending.pop()
            for stmt in block:
                found[stmt.id] = loops
                inside = (*loops, stmt) if isinstance(stmt, ir.Do | ir.While) else loops
                pending += [(inner, inside) for inner in blocks(stmt)]
        return found

    def read_by(self, one: Unsaved, beside: Path | None = None) -> ir.Stmt | None:
        """Where the backward sweep reads it, from where it undoes the statement on. ``beside``: the adjoint of what an
        assignment gives a value, if it reads itself what it overwrites: there it has to be given back for it, and what
        a later statement's POP gave back is not that."""
        pops = self._pops_but(one.others) if beside is None else self._pops_behind(one.stmt)
        asked = Question(path(one.place), self.read, pops, beside)
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
        depth = len(self._around[stmt.id])
        return [one for one in statements(self.backward) if isinstance(one, ir.Call)
                and len(self._around[one.id]) == depth
                and one.name == f"{plain_name(stmt.name)}_b" and same_arguments(stmt, one)]

    def _pops_but(self, others: frozenset[int]) -> frozenset[int] | None:
        """The POPs, without those that take off nothing but these PUSHes' values; None: all."""
        gone = {pop for pop, pushes in self.pushes.items() if pushes <= others}
        return frozenset(one.id for one in statements(self.backward)) - gone if gone else None

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
    for group in adjoint.groups:
        for place in group.places:
            name = path(place)
            loose = [one for one in adjoint.loose if alike(name, path(one.place))
                     and not _elsewhere(one.place, place, adjoint.counting)]
            late = {one.id for one in loose if adjoint.late(one, group.stmt, place)}
            given = any(alike(name, one) for one in adjoint.given) or any(one.id not in late for one in loose)
            if not given and not any(_keeps(one.place, place, group.places, adjoint.counting) for one in group.pushes):
                yield Unsaved(group.stmt, place, frozenset(late | group.less))


def _header(stmt: ir.Stmt) -> object:
    return (stmt.var, stmt.start, stmt.stop) if isinstance(stmt, ir.Do) else stmt


def _keeps(push: ir.Ref, place: ir.Ref, places: Places, counting: Collection[str]) -> bool:
    """Does the PUSH save it, not what else the statement overwrites? Where they are called differently, and it is not
    the other's, it may."""
    return alike(path(push), path(place)) and (push.parts == place.parts or not (
        _among(push, places) or _elsewhere(push, place, counting)))


def _elsewhere(push: ir.Ref, place: ir.Ref, counting: Collection[str]) -> bool:
    """Is the one an element for good, d(1), and the other one of each turn, d(k)?"""
    return any(isinstance(a, ir.Literal_) and isinstance(b, ir.Ref) and b.name in counting
               for one, other in zip(push.parts, place.parts, strict=False)
               for a, b in zip(one.subscripts or (), other.subscripts or (), strict=False))


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


class _Push(NamedTuple):
    """``whole``: does it save all of the place, whichever way is taken?"""

    id: int
    place: ir.Ref
    whole: bool


class _Group(NamedTuple):
    """An assignment or a call, the PUSHes right before it, and the places that it overwrites. ``less``: the ids of
    other PUSHes there, which save less of one of these places than it overwrites."""

    stmt: ir.Stmt
    pushes: tuple[_Push, ...]
    places: Places
    less: frozenset[int]


def _groups(body: ir.Block, written: Passed, short: Callable[[ir.Call], bool]) -> Iterator[_Group]:
    pending = [body]
    while pending:
        pushes: tuple[_Push, ...] = ()
        for stmt in pending.pop():
            if (more := _pushed(stmt, short)) is not None:
                pushes += more
                continue
            pending += list(blocks(stmt))
            places = _overwritten(stmt, written)
            less = frozenset(one.id for one in pushes if not one.whole and _among(one.place, places))
            yield _Group(stmt, tuple(one for one in pushes if one.id not in less), places, less)
            pushes = ()


def _overwritten(stmt: ir.Stmt, written: Passed) -> Places:
    match stmt:
        case ir.Assign(target=target):
            return (target,)
        case ir.Call():
            return tuple(written(stmt))
        case _:
            return ()


@deep
def _pushed(stmt: ir.Stmt, short: Callable[[ir.Call], bool]) -> tuple[_Push, ...] | None:
    """What a statement pushes that does nothing else, loops and branches of PUSHes among them; None of any other."""
    call = stack_call(stmt)
    if call is not None:
        place = saved_place(stmt) if isinstance(stmt, ir.Call) and call.role == "push" else None
        return None if not call.role.startswith("push") else () if place is None or not isinstance(stmt, ir.Call) \
            else (_Push(stmt.id, place, not short(stmt)),)
    ways = [[_pushed(one, short) for one in block] for block in blocks(stmt)]
    if not any(ways) or any(one is None for way in ways for one in way):
        return None
    found = [[push for one in way for push in one or ()] for way in ways]
    every = [{push.place for push in way if push.whole} for way in found]
    branching = isinstance(stmt, ir.If) and not _asks_allocation(stmt.cond)
    sure = set.intersection(*every) if branching else set.union(*every)
    return tuple(push._replace(whole=push.place in sure) for way in found for push in way)


def _asks_allocation(cond: ir.Expr) -> bool:
    asking = ("allocated", "associated", "present")
    return any(isinstance(one, ir.Intrinsic) and one.name in asking for one in walk(cond))
