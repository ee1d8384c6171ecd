"""Array kills: statements that together certainly write every element of an array.

A loop nest ``do i = 1, n; a(i) = ..`` or a union of sections ``f(1) = ..; do i = 2, n-1; f(i) = ..; f(n) = ..``
kills the array although no single statement does, and so does a loop of calls, ``do i = 1, n; call step(a(i))``,
whose callee certainly writes what it is passed. Such statements form a :class:`ArrayKill`. Between its
opening and its closing node the analyses hold the array's older life apart, as a *shadow* location:
backward, what is demanded behind the cover is demanded of the cover's writers, not of what lies before
it, while a read inside the cover still demands the array itself; forward likewise.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

from snapset.analysis.memory.affine_forms import Named, affine, of_fixed_extents, upper_name
from snapset.analysis.memory.array_sections import Section, sections, selected
from snapset.analysis.memory.locations import EVERY, HIGHEST, LOWEST, Band, Info
from snapset.analysis.procedures.array_lives import ArrayKill
from snapset.analysis.procedures.effect_sets import Effect
from snapset.analysis.symbolic.polynomials import ONE, Quantity, named
from snapset.analysis.symbolic.polynomials import number as constant
from snapset.frontend import ir
from snapset.frontend.base.deep_recursion import deep
from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.cfg.graph import FlowGraph


@frozen(quick=True)
class _Box:
    """A product of sections certainly written, by which nodes, first by which statement of the block."""

    sections: tuple[Section, ...]
    first: int
    writers: frozenset[int]


_Boxes = dict[int, list[_Box]]
CallWrites: TypeAlias = Callable[[int], Iterable[tuple[int, Info, Sequence[ir.Subscript]]]]


def find_array_kills(procedure: ir.Procedure, flow: FlowGraph, places: Callable[[ir.Ref], Mapping[int, Info]],
                     steady: Named, calls: CallWrites) -> tuple[ArrayKill, ...]:
    """All array kills of a procedure.

    Args:
        places: the locations a reference writes, with what is known of each (none that is reached
            through a pointer).
        steady: whether a scalar has its entry value throughout the procedure.
        calls: by the node of a call, what of the arrays that it is passed it certainly writes.
    """
    search = _Search(flow, places, steady, of_fixed_extents(procedure.variables), calls)
    search.block(procedure.body, frozenset())
    return tuple(search.array_kills)


def with_calls_alone(found: Iterable[ArrayKill], flow: FlowGraph, effects: Sequence[Effect],
                     calls: Collection[int]) -> tuple[ArrayKill, ...]:
    """Those whose writers are statements, or one call in a loop that nothing else in the loop meets.

    In ``do i = 1, n; call mend(b(i)); end do`` each call may save its element, and behind the loop b is nobody's
    concern: to who comes before the loop the calls give all of it back. Where another call writes some of it, that one
    may save nothing; what another statement overwrites before its turn comes is saved too late; and who reads b inside
    the loop reads elements that a call before has saved, and puts back only later.
    """
    loops = {(loop.init, loop.end): loop for loop in flow.loops}
    kept: list[ArrayKill] = []
    for kill in found:
        loop = loops.get((kill.opens, kill.closes))
        if kill.writers.isdisjoint(calls):
            kept.append(kill)
        elif loop is not None and len(kill.writers) == 1 and not any(
                (effects[n].use | effects[n].out) >> kill.index & 1 for n in loop.body - kill.writers):
            kept.append(replace(kill, by_calls=True))
    return tuple(kept)


class _Search:
    def __init__(self, flow: FlowGraph, places: Callable[[ir.Ref], Mapping[int, Info]],
                 steady: Named, measured: Named, calls: CallWrites) -> None:
        self.flow = flow
        self.places = places
        self.steady, self.measured = steady, measured
        self.calls = calls
        self.array_kills: list[ArrayKill] = []
        self.infos: dict[int, Info] = {}

    @deep
    def block(self, block: ir.Block, loop_vars: frozenset[str]) -> _Boxes:
        """The boxes a block certainly writes when it runs to its end, array kills found on the way taken out."""
        found: _Boxes = {}
        missing: dict[int, int | None] = {}
        for stmt in block:
            if stmt.label is not None and stmt.label in self.flow.jumps_into:
                found, missing = {}, {}
            first, last = self.flow.first_node.get(stmt.id), self.flow.last_node.get(stmt.id)
            for index, (info, boxes) in self.statement(stmt, loop_vars).items():
                if first is None or last is None:
                    continue
                pile = found.setdefault(index, [])
                pile += [_Box(b.sections, first, b.writers) for b in boxes]
                extents = self.extents(info)
                if extents is None:
                    continue
                here = extents if info.band is None else self.extents(info, info.band)
                assert here is not None
                missing[index] = _missing(missing.get(index, _volume((None,) * len(here), here)), boxes, here)
                wanted = (extents,) if info.band is None else (extents, here)
                if (missing[index] or 0) <= 0 and any(_covered([b.sections for b in pile], every) for every in wanted):
                    writers = frozenset().union(*(b.writers for b in pile))
                    self.array_kills.append(ArrayKill(index, pile[0].first, last, writers))
                    del found[index], missing[index]
        return found

    def statement(self, stmt: ir.Stmt, loop_vars: frozenset[str]) -> dict[int, tuple[Info, list[_Box]]]:
        match stmt:
            case ir.Assign():
                return self.assign(stmt, loop_vars)
            case ir.Call():
                return self.call(stmt, loop_vars)
            case ir.Do():
                return self.loop(stmt, loop_vars)
            case ir.Marked() | ir.ScopeBlock(name=None):
                return self.with_infos(self.block(stmt.body, loop_vars))
            case ir.If(name=name):
                then, orelse = self.block(stmt.then, loop_vars), self.block(stmt.orelse, loop_vars)
                if name is not None and leaves_early((stmt,)):
                    return {}  # EXIT leads to its end from anywhere in it
                return self.with_infos({i: _common(boxes, orelse[i]) for i, boxes in then.items() if i in orelse})
            case ir.While():
                self.block(stmt.body, loop_vars)
            case ir.Select():
                for case in stmt.cases:
                    self.block(case.body, loop_vars)
            case _:
                pass
        return {}

    def with_infos(self, boxes: _Boxes) -> dict[int, tuple[Info, list[_Box]]]:
        return {i: (self.infos[i], b) for i, b in boxes.items()}

    def assign(self, stmt: ir.Assign, loop_vars: frozenset[str]) -> dict[int, tuple[Info, list[_Box]]]:
        node = self.flow.last_node.get(stmt.id)
        result: dict[int, tuple[Info, list[_Box]]] = {}
        if node is None or stmt.target.substring is not None:
            return result
        for index, info in self.places(stmt.target).items():
            self.infos[index] = info
            selected = sections(stmt.target, info, lambda e: self.form(e, loop_vars))
            if selected is not None:
                result[index] = (info, [_Box(selected, node, frozenset((node,)))])
        return result

    def call(self, stmt: ir.Call, loop_vars: frozenset[str]) -> dict[int, tuple[Info, list[_Box]]]:
        node = self.flow.last_node.get(stmt.id)
        result: dict[int, tuple[Info, list[_Box]]] = {}
        called = None if node is None or self.flow.nodes[node].kind != "call" else self.flow.nodes[node].stmt
        if node is None or called is None or called.id != stmt.id:
            return result
        for index, info, given in self.calls(node):
            self.infos[index] = info
            chosen = [selected(one, lambda e: self.form(e, loop_vars)) for one in given]
            if all(understood for understood, _ in chosen):
                box = _Box(tuple(section for _, section in chosen), node, frozenset((node,)))
                result.setdefault(index, (info, []))[1].append(box)
        return result

    def form(self, expr: ir.Expr | None, loop_vars: frozenset[str]) -> Quantity | None:
        return affine(expr, lambda ref: ref.name in loop_vars or self.steady(ref), self.measured)

    def loop(self, stmt: ir.Do, loop_vars: frozenset[str]) -> dict[int, tuple[Info, list[_Box]]]:
        """What the whole loop writes: boxes whose one section moves with the DO variable, stretched over its range."""
        var = stmt.var.name
        inner = self.block(stmt.body, loop_vars | {var})
        start, stop = self.form(stmt.start, loop_vars), self.form(stmt.stop, loop_vars)
        step = 1 if stmt.step is None else self.constant(stmt.step)
        if start is None or stop is None or step not in (1, -1) or leaves_early(stmt.body):
            return {}
        low, high = (start, stop) if step == 1 else (stop, start)
        runs = low.is_at_most(high)
        return self.with_infos({i: kept for i, boxes in inner.items()
                                if (kept := [_Box(s, b.first, b.writers) for b in boxes
                                             if (s := stretched(b.sections, var, low, high, runs))])})

    def constant(self, expr: ir.Expr) -> int | None:
        form = affine(expr, lambda _: False)
        return form.offset if form is not None else None

    def extents(self, info: Info, band: Band | None = None) -> list[tuple[Quantity, Quantity | None]] | None:
        """The declared bounds of every dimension; None where no section can cover.

        An upper bound None is not known: only ``:`` covers that dimension. ``band``: of it alone.
        """
        result: list[tuple[Quantity, Quantity | None]] = []
        cut = iter(band or ())
        for shape in info.shapes:
            if shape.kind == "assumed-size":
                return None
            for number, dim in enumerate(shape.dims, 1):
                lower = ONE if dim.lower is None else affine(dim.lower, self.steady, self.measured)
                upper = affine(dim.upper, self.steady, self.measured)
                if shape.kind == "assumed-shape" and dim.lower is None and "%" not in info.name:
                    upper = named(upper_name(info.name, number))
                known = lower is not None and shape.kind != "deferred"
                low, high = next(cut, EVERY)
                result.append((lower or ONE if low == LOWEST else constant(low),
                               (upper if known else None) if high == HIGHEST else constant(high)))
        return result


def _common(a: list[_Box], b: list[_Box]) -> list[_Box]:
    """The boxes both branches write."""
    return [_Box(x.sections, x.first, x.writers | y.writers) for x in a for y in b if x.sections == y.sections]


def stretched(sections: tuple[Section, ...], var: str, low: Quantity, high: Quantity,
              runs: bool) -> tuple[Section, ...] | None:
    """What is written while a DO variable runs, of which each turn writes some sections. ``runs``: certainly once."""
    moving = [d for d, s in enumerate(sections) if s and (s[0].factor(var) or s[1].factor(var))]
    if not moving:
        return sections if runs else None
    (place, *others) = moving
    section = sections[place]
    assert section is not None
    element, last = section
    factor = element.factor(var)
    if others or element != last or factor not in (1, -1):
        return None
    begin, end = (low, high) if factor == 1 else (high, low)
    moved = element.replaced(var, begin), element.replaced(var, end)
    return *sections[:place], moved, *sections[place + 1:]


def _missing(before: int | None, boxes: list[_Box], extents: list[tuple[Quantity, Quantity | None]]) -> int | None:
    """How many elements are still missing at least, ``before`` and after some boxes; None where that is not known."""
    for box in boxes:
        volume = _volume(box.sections, extents)
        before = None if before is None or volume is None else before - volume
    return before


def _volume(sections: tuple[Section, ...], extents: list[tuple[Quantity, Quantity | None]]) -> int | None:
    """How many elements a box has, where that is a number."""
    volume = 1
    for section, extent in zip(sections, extents, strict=False):
        low, high = extent if section is None else section
        if high is None or low.factors or high.factors:
            return None
        volume *= max(0, high.offset - low.offset + 1)
    return volume


def _covered(boxes: list[tuple[Section, ...]], extents: list[tuple[Quantity, Quantity | None]]) -> bool:
    """Do the boxes together cover the extents? Boxes that differ in one dimension only are merged there first."""
    full = tuple(None for _ in extents)
    pending = {tuple(None if _is_full([s], e) else s for s, e in zip(box, extents, strict=True)) for box in boxes
               if len(box) == len(extents)}
    changed = True
    while changed and full not in pending:
        changed = False
        for dim, extent in enumerate(extents):
            groups: dict[tuple[Section, ...], list[Section]] = {}
            for box in pending:
                groups.setdefault((*box[:dim], *box[dim + 1:]), []).append(box[dim])
            for rest, along in groups.items():
                merged = (*rest[:dim], None, *rest[dim:])
                if merged not in pending and _is_full(along, extent):
                    pending.add(merged)
                    changed = True
    return full in pending


def _is_full(along: list[Section], extent: tuple[Quantity, Quantity | None]) -> bool:
    """Do the sections, one after another, reach from the lower to the upper bound?

    A section may be empty (a loop that does not run): then what the one before it covers reaches at
    least as far, so the chain ``next.low <= high + 1`` still holds.
    """
    if None in along:
        return True
    low, high = extent
    if high is None:
        return False
    left = sorted((s for s in along if s is not None), key=lambda s: (s[0].factors, -s[0].offset), reverse=True)
    reached = low - ONE
    while not high.is_at_most(reached):
        following = reached + ONE
        at = next((n for n in range(len(left) - 1, -1, -1) if left[n][0].is_at_most(following)), None)
        if at is None:
            return False
        end = left.pop(at)[1]
        reached = reached if end.is_at_most(reached) else end
    return True


@deep
def leaves_early(block: ir.Block, inner: bool = False) -> bool:
    """May control leave the block before its end, or skip some of it? (STOP ends the program and does not count.)"""
    for stmt in block:
        match stmt:
            case (ir.Goto() | ir.ComputedGoto() | ir.ArithmeticIf() | ir.Return() | ir.Opaque()):
                return True
            case ir.Cycle(name=name) | ir.Exit(name=name):
                if not inner or name is not None:
                    return True
            case ir.Call(alternates=labels) | ir.IO(labels=labels):
                if labels:
                    return True
            case ir.Do(body=body) | ir.While(body=body):
                if leaves_early(body, True):
                    return True
            case ir.If():
                if leaves_early(stmt.then, inner) or leaves_early(stmt.orelse, inner):
                    return True
            case ir.Select():
                if any(leaves_early(case.body, inner) for case in stmt.cases):
                    return True
            case ir.ScopeBlock(body=body) | ir.Marked(body=body):
                if leaves_early(body, inner):
                    return True
            case _:
                pass
    return False
