"""Reads of elements that the procedure has just written itself, as in a recurrence: they read nothing of before.

    cp(1) = c(1)/b(1)
    do k = 2, n
      cp(k) = c(k)/(b(k) - a(k)*cp(k - 1))     ! what the turn before has written, or the first statement
    end do
    do k = n - 1, 1, -1
      x(k) = x(k) - cp(k)*x(k + 1)             ! of cp all of 1 to n is written
    end do

Perhaps no statement writes all of cp, nor all of them together. But where the last line begins, cp(1:n) has been
written since ``cp(1) = ...`` began, and 1 <= k <= n: it reads no element that is older. So such a read has an
*opening*: the statement before which nothing is demanded for it.

What is certainly written is a list of boxes, in the order of time. A loop of step 1 or -1 that is not left early has
written, where the turn k begins, the boxes of the turns before: of ``cp(k)`` from 2 on ``cp(2:k - 1)``. A box is
forgotten where a name in its limits changes. Boxes that follow each other are one: ``[a, b]`` and ``[c, d]`` with
c <= b + 1 hold all of ``[a, d]``, also where one of them is empty. ``call put(n, c(1:n))`` that writes all of its
``a(n)`` has written c(1:n): where extents are the same, dimension by dimension, each element passed is one of a's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from snapset.analysis.dataflow.bitsets import EMPTY, May, exactly, members, set_of, singleton, union
from snapset.analysis.memory.affine_forms import Named, affine, of_fixed_extents, upper_name
from snapset.analysis.memory.array_sections import Section, selected
from snapset.analysis.memory.element_accesses import ElementAccess, given_subscripts, references
from snapset.analysis.memory.locations import Info
from snapset.analysis.memory.references import References
from snapset.analysis.procedures.array_kills import leaves_early, stretched
from snapset.analysis.procedures.array_lives import EarlierWrites, IterationPrivate
from snapset.analysis.procedures.effect_sets import Effect
from snapset.analysis.symbolic.polynomials import ONE, Quantity, named
from snapset.frontend import ir
from snapset.frontend.base.deep_recursion import deep
from snapset.frontend.base.frozen_records import frozen, replace
from snapset.frontend.cfg.graph import FlowGraph
from snapset.frontend.ir.statement_walk import blocks

CallAccesses = Callable[[int], Iterable[ElementAccess]]
MOST_BOXES = 24  # of one array that are looked at, the latest
MOST_TOGETHER = 240  # of all arrays that are kept, the latest


@frozen
class _Written:
    """A box that is certainly written. ``first``: the node before which none of that has been done; ``names``: what its
    limits read."""

    index: int
    box: tuple[Section, ...]
    first: int
    names: May


@frozen
class _Turns:
    """Between which limits a DO variable is in the body of its loop."""

    name: str
    low: Quantity | None
    high: Quantity | None


_Boxes = tuple[_Written, ...]
_Scope = tuple[_Turns, ...]  # of the loops around, outer ones first
_Form = tuple[Quantity, May]  # and what it reads


def find_earlier_writes(procedure: ir.Procedure, flow: FlowGraph, effects: Sequence[Effect], refs: References,
                        calls: CallAccesses, steady: Named) -> tuple[EarlierWrites, ...]:
    """All reads of a procedure that are of elements written since some node. ``calls``: what a call (node) accesses;
    ``steady``: has a scalar its entry value throughout?"""
    infos, both = refs.space.infos, union(e.use for e in effects) & union(e.out for e in effects)
    arrays = set_of(i for i in members(both & refs.space.arrays) if _is_plain(infos[i]))
    if not arrays:
        return ()
    search = _Search(flow, effects, refs, calls, arrays, steady, of_fixed_extents(procedure.variables))
    search.block(procedure.body, (), ())
    return tuple(EarlierWrites(index, opens, frozenset(nodes))
                 for (index, opens), nodes in sorted(search.found.items()))


def with_openings(private: Iterable[IterationPrivate], earlier: Iterable[EarlierWrites], flow: FlowGraph,
                  effects: Sequence[Effect]) -> tuple[IterationPrivate, ...]:
    """Loops whose iterations own elements, with the node since which all has been written that they read of before."""
    opens = {(one.index, node): one.opens for one in earlier for node in one.readers}

    def opening(one: IterationPrivate) -> int | None:
        bit = singleton(one.index)
        readers = [n for n in one.loop.body if effects[n].use & bit or (
            effects[n].out & bit and flow.nodes[n].kind != "simple")]
        found = [opens.get((one.index, node)) for node in readers]
        known = [at for at in found if at is not None and at not in one.loop.body]
        return min(known) if known and None not in found else None

    return tuple(replace(one, opens=opening(one)) for one in private)


def _is_plain(info: Info) -> bool:
    """Is an array one whose elements no other name and no pointer reaches?"""
    return info.bytes is None and not info.other_names and not info.may_move


class _Search:
    def __init__(self, flow: FlowGraph, effects: Sequence[Effect], refs: References, calls: CallAccesses,
                 arrays: May, steady: Named, measured: Named) -> None:
        self.flow, self.effects, self.refs, self.calls = flow, effects, refs, calls
        self.arrays, self.steady, self.measured = arrays, steady, measured
        self.found: dict[tuple[int, int], set[int]] = {}
        self.nodes: dict[int, list[int]] = {}
        for node in flow.nodes:
            if node.stmt is not None:
                self.nodes.setdefault(node.stmt.id, []).append(node.index)
        self.loops = {loop.stmt.id: loop for loop in flow.loops}
        self._changed: dict[int, May] = {}
        self._written: dict[int, _Boxes] = {}

    # ------------------------------------------------------------ going through the procedure

    @deep
    def block(self, body: ir.Block, before: _Boxes, scope: _Scope) -> None:
        """Look at the reads of a block, ``before`` having been written where it begins."""
        for stmt in body:
            if stmt.label is not None and stmt.label in self.flow.jumps_into:
                before = ()
            self.reads(stmt, before, scope)
            self.inside(stmt, before, scope)
            before = (*_left(before, self.changed(stmt)), *self.written(stmt))[-MOST_TOGETHER:]

    def inside(self, stmt: ir.Stmt, before: _Boxes, scope: _Scope) -> None:
        match stmt:
            case ir.Do(kind="forall"):
                pass
            case ir.Do():
                self.block(stmt.body, (*_left(before, self.changed(stmt)), *self.turns_before(stmt)),
                           (*scope, self.turns(stmt)))
            case ir.While():
                for body in blocks(stmt):
                    self.block(body, _left(before, self.changed(stmt)), scope)
            case _:
                for body in blocks(stmt):
                    self.block(body, before, scope)

    def reads(self, stmt: ir.Stmt, before: _Boxes, scope: _Scope) -> None:
        """Which of the arrays that a statement itself reads does it read as written since some node?"""
        loop = self.loops.get(stmt.id)
        if not before or isinstance(stmt, ir.While):
            return
        for node in self.nodes.get(stmt.id, ()):
            if loop is not None and node != loop.init:
                continue
            for index in members(self.effects[node].use & self.arrays):
                if (opens := self.opening(node, index, before, scope)) is not None:
                    self.found.setdefault((index, opens), set()).add(node)

    def opening(self, node: int, index: int, before: _Boxes, scope: _Scope) -> int | None:
        """The node since which all that a node reads of an array has been written; None where that is not known."""
        boxes = [one for one in before if one.index == index][-MOST_BOXES:]
        if not boxes:
            return None
        earliest, seen = len(boxes), False
        cover = _Cover(boxes, scope, self.limits(index))
        for given in self.read(node, index):
            box = None if given is None else self.box(given)
            place = None if box is None else cover.since(box[0])
            if place is None:
                return None
            earliest, seen = min(earliest, place), True
        return boxes[earliest].first if seen else None

    def read(self, node: int, index: int) -> Iterator[Sequence[ir.Subscript] | None]:
        """What a node reads of an array, by its subscripts."""
        at, info = self.flow.nodes[node], self.refs.space.infos[index]
        if at.kind == "call":
            yield from (one.given for one in self.calls(node) if one.index == index)
        elif at.kind in ("test", "init") or (at.kind == "simple" and isinstance(at.stmt, ir.Assign)):
            yield from (given_subscripts(ref, info) for ref, written in references(at, self.refs)
                        if not written and self.refs.touch(ref).bits >> index & 1)
        else:
            yield None

    # ------------------------------------------------------------ what statements change and write

    def changed(self, stmt: ir.Stmt) -> May:
        """Whatever a statement may overwrite, its DO variable too."""
        return found if (found := self._changed.get(stmt.id)) is not None else self._find_changed(stmt)

    @deep
    def _find_changed(self, stmt: ir.Stmt) -> May:
        found = union(self.effects[node].out for node in self.nodes.get(stmt.id, ()))
        found |= union(self.changed(one) for body in blocks(stmt) for one in body)
        self._changed[stmt.id] = found | (self.refs.touch(stmt.var).bits if isinstance(stmt, ir.Do) else EMPTY)
        return self._changed[stmt.id]

    def written(self, stmt: ir.Stmt) -> _Boxes:
        """What a statement has certainly written when it ends."""
        return found if (found := self._written.get(stmt.id)) is not None else self._find_written(stmt)

    @deep
    def _find_written(self, stmt: ir.Stmt) -> _Boxes:
        self._written[stmt.id] = _left(tuple(self.boxes(stmt)), self.changed(stmt))
        return self._written[stmt.id]

    def in_block(self, body: ir.Block) -> _Boxes:
        found: _Boxes = ()
        for stmt in body:
            if stmt.label is not None and stmt.label in self.flow.jumps_into:
                found = ()
            found = (*_left(found, self.changed(stmt)), *self.written(stmt))[-MOST_TOGETHER:]
        return found

    def boxes(self, stmt: ir.Stmt) -> Iterator[_Written]:
        first = self.flow.first_node.get(stmt.id)
        match stmt:
            case ir.Assign() | ir.Call():
                for node in self.nodes.get(stmt.id, ()):
                    yield from self.of_node(node)
            case ir.Marked() | ir.ScopeBlock(name=None):
                yield from self.in_block(stmt.body)
            case ir.If(name=name) if first is not None and (name is None or not leaves_early((stmt,))):
                then, orelse = self.in_block(stmt.then), self.in_block(stmt.orelse)
                yield from (_Written(a.index, a.box, first, a.names | b.names) for a in then for b in orelse
                            if a.index == b.index and a.box == b.box)
            case ir.Do() if first is not None:
                yield from self.of_turns(stmt, first, None)
            case _:
                pass

    def of_node(self, node: int) -> Iterator[_Written]:
        at = self.flow.nodes[node]
        if at.masks or at.kind not in ("call", "simple"):
            return
        if at.kind == "call":
            places = [(one.index, list(one.given)) for one in self.calls(node)
                      if one.given is not None and one.full is not None and self.arrays >> one.index & 1]
        else:
            assert isinstance(at.stmt, ir.Assign)
            target, infos = at.stmt.target, self.refs.space.infos
            touched = self.refs.touch(target).bits & self.arrays
            places = [(i, given) for i in members(touched) if (given := given_subscripts(target, infos[i])) is not None]
        for index, given in places:
            box = self.box(given)
            if box is not None:
                yield _Written(index, box[0], node, box[1])

    def box(self, given: Iterable[ir.Subscript]) -> tuple[tuple[Section, ...], May] | None:
        found, names = list[Section](), May(EMPTY)
        for one in given:
            understood, section = selected(one, lambda expr: None if (form := self.form(expr)) is None else form[0])
            if not understood:
                return None
            ends = () if section is None else (one.lower, one.upper) if isinstance(one, ir.Range) else (one,)
            names |= union(form[1] for end in ends if (form := self.form(end)) is not None)
            found.append(section)
        return tuple(found), names

    def form(self, expr: ir.Expr | None) -> _Form | None:
        """An affine form in whatever scalars there are, and the locations that it reads."""
        names = list[May]()

        def usable(ref: ir.Ref) -> bool:
            names.append(self.refs.values(ref))
            return True

        found = affine(expr, usable, self.measured)
        return None if found is None else (found, union(names))

    def limits(self, index: int) -> list[tuple[Quantity | None, Quantity | None]]:
        """The declared limits of each dimension, as far as they are the same all the time."""
        found = list[tuple[Quantity | None, Quantity | None]]()
        info = self.refs.space.infos[index]
        for shape in info.shapes:
            known = shape.kind != "deferred"
            for number, dim in enumerate(shape.dims, 1):
                lower = ONE if dim.lower is None else affine(dim.lower, lambda _: False)
                upper = affine(dim.upper, self.steady, self.measured)
                if shape.kind == "assumed-shape" and dim.lower is None and "%" not in info.name:
                    upper = named(upper_name(info.name, number))
                found.append((lower if known else None, upper if known and shape.kind != "assumed-size" else None))
        return found

    # ------------------------------------------------------------ loops

    def turns(self, stmt: ir.Do) -> _Turns:
        """Where the DO variable is in the body, as far as that stays known in it."""
        step, name = self.step(stmt), stmt.var.name
        if not step or not self.is_counted(stmt):
            return _Turns(name, None, None)
        ends = [None if form is None or form[1] & self.changed(stmt) else form[0]
                for form in (self.form(stmt.start), self.form(stmt.stop))]
        return _Turns(name, *(ends if step > 0 else reversed(ends)))

    def step(self, stmt: ir.Do) -> int | None:
        if stmt.step is None:
            return 1
        form = affine(stmt.step, lambda _: False)
        return None if form is None else form.offset

    def is_counted(self, stmt: ir.Do) -> bool:
        """Is it entered at its top only, and does nothing else change its variable?"""
        loop = self.loops.get(stmt.id)
        changed = union(self.changed(one) for one in stmt.body)
        return (loop is not None and loop.structured and len(stmt.var.parts) == 1
                and not changed & self.refs.touch(stmt.var).bits)

    def turns_before(self, stmt: ir.Do) -> _Boxes:
        """What the turns before have written, where a turn begins."""
        loop = self.loops.get(stmt.id)
        if stmt.kind != "do" or loop is None:
            return ()
        own = self.refs.touch(stmt.var).bits
        return _left(tuple(self.of_turns(stmt, loop.init, named(stmt.var.name))), May(self.changed(stmt) & ~own))

    def of_turns(self, stmt: ir.Do, first: int, until: Quantity | None) -> Iterator[_Written]:
        """What all turns of a loop write, or those before the one in which its variable is ``until``."""
        step, start, stop = self.step(stmt), self.form(stmt.start), self.form(stmt.stop)
        if step not in (1, -1) or start is None or stop is None or stmt.kind == "forall":
            return
        name, own = stmt.var.name, self.refs.touch(stmt.var).bits
        if leaves_early(stmt.body) or not self.is_counted(stmt) or (start[1] | stop[1]) & own:
            return
        last = stop[0] if until is None else until - ONE if step == 1 else until + ONE
        low, high = (start[0], last) if step == 1 else (last, start[0])
        runs = until is None and low.is_at_most(high)
        for one in self.in_block(stmt.body):
            if (box := stretched(one.box, name, low, high, runs)) is not None:
                names = May(one.names & ~exactly(own)) | start[1] | (stop[1] if until is None else own)
                yield _Written(one.index, box, first, names)


def _left(boxes: _Boxes, changed: May) -> _Boxes:
    """The boxes whose limits are what they were."""
    return tuple(one for one in boxes if not one.names & changed)


class _Cover:
    """The boxes of one array, and whether what is read lies in those from some place on. ``scope``: where the DO
    variables around are; ``limits``: the declared limits of each dimension, as far as they are known."""

    def __init__(self, boxes: Sequence[_Written], scope: _Scope,
                 limits: Sequence[tuple[Quantity | None, Quantity | None]]) -> None:
        self.boxes, self.scope, self.limits = boxes, scope, limits

    def since(self, wanted: Sequence[Section]) -> int | None:
        """The latest place from which on the boxes hold all of a section; None: they do not."""
        along: list[dict[tuple[Quantity, Quantity], tuple[bool, bool]]] = [{} for _ in wanted]
        latest = {one.box: place for place, one in enumerate(self.boxes)}
        for place, box in sorted(((place, box) for box, place in latest.items()), reverse=True):
            lacking = [d for d, piece in enumerate(box) if piece and not all(self.ends(piece, wanted[d], d))]
            if not lacking:
                return place
            if len(lacking) == 1:
                at, = lacking
                if (piece := box[at]) is not None and piece not in along[at]:
                    along[at][piece] = self.ends(piece, wanted[at], at)
                    if self.is_joined(along[at]):
                        return place
        return None

    def ends(self, piece: tuple[Quantity, Quantity], wanted: Section, dim: int) -> tuple[bool, bool]:
        """Does a section begin where what is read begins, or before, and end where it ends, or behind? Nothing is read
        outside of the declared limits."""
        low, high = self.limits[dim] if wanted is None else wanted
        if low is None or high is None:
            return False, False
        least = self.limits[dim][0]
        begins = self.at_most(piece[0], low) or (least is not None and self.at_most(piece[0], least))
        return begins, self.at_most(high, piece[1])

    def is_joined(self, pieces: Mapping[tuple[Quantity, Quantity], tuple[bool, bool]]) -> bool:
        """Do sections, one following another, hold what is read? By section: does it begin, end, where that does?"""
        ends = [one[1] for one, (begins, _) in pieces.items() if begins]
        left = [one for one, (begins, _) in pieces.items() if not begins]
        last = {one[1] for one, (_, is_last) in pieces.items() if is_last}
        while ends and last:
            end = ends.pop()
            if end in last:
                return True
            following = [one for one in left if self.at_most(one[0], end + ONE)]
            left = [one for one in left if one not in following]
            ends += [one[1] for one in following]
        return False

    def at_most(self, one: Quantity, other: Quantity) -> bool:
        """Is one number certainly no greater than another, wherever the DO variables are?"""
        plain = other.apart(one)
        if plain is not None:
            return plain >= 0
        apart = other - one
        for turns in reversed(self.scope):
            if apart.constant is not None:
                break
            factor = apart.factor(turns.name)
            limit = turns.low if factor > 0 else turns.high
            if factor and limit is not None:
                apart = apart.replaced(turns.name, limit)
        return apart.constant is not None and apart.constant >= 0
