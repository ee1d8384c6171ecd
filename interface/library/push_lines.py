"""What a hand-written adjoint pushes and pops, found from an analysis."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING

from snapset.frontend import ir
from snapset.render.records.push_list import (
    AssignedAgain,
    CodePushes,
    DoCount,
    HeadPushes,
    Kept,
    PushedSweeps,
    SavedPart,
    TapedStatement,
)

if TYPE_CHECKING:
    from snapset.analysis.adjoint.reruns import Rerun
    from snapset.analysis.costs.tape_pushes import Pushes
    from snapset.analysis.dataflow.solver import DirectedGraph
    from snapset.analysis.memory.locations import Info
    from snapset.analysis.memory.references import Piece
    from snapset.analysis.pipeline import HeadAnalysis
    from snapset.analysis.recording.to_be_recorded import PartRecord
    from snapset.frontend.cfg.graph import FlowGraph


PLACES: Mapping[str, str] = {
    "step": "at the beginning of each iteration of the loop of {} that is taken back",
    "loop-test": "before the loop of {} is taken back, and behind each of its iterations",
    "init": "when all iterations of the loop of {} have been taken back",
    "test": "when all that {} decides on has been taken back",
    "join": "before what ends here is taken back, behind {}",
}
"""When the backward sweep comes by a node of the flow graph that is no statement of its own."""
NO_PIECES: Mapping[int, Piece] = MappingProxyType({})


def head_pushes(found: HeadAnalysis) -> HeadPushes:
    """Of a head under its first strategy."""
    from snapset.analysis.part_places import part_ids

    strategy, order = found.names[0], found.planning.order()
    ids, models = part_ids(found.adjoints, order), found.cost_models[strategy]
    codes = []
    for key in order:
        pushes = models.pushes_of(key)
        procedure = pushes.model.procedure
        names = {node: id_ for (code, node), id_ in ids.items() if code == key}
        codes.append(CodePushes(procedure.name, key, procedure.span.file, procedure.span.line,
                                _Listing(pushes, names).sweeps(0)))
    return found.arguments()[0], strategy, tuple(codes)


@dataclass(frozen=True)
class _Listing:
    pushes: Pushes
    ids: Mapping[int, str]

    def sweeps(self, index: int) -> PushedSweeps:
        """One level, and the marked parts in it."""
        level, record = self.pushes.adjoint.levels[index], self.pushes.record.levels[index]
        taping, model = self.pushes.taping, self.pushes.model
        found: dict[tuple[int, int, int], TapedStatement | SavedPart] = {}
        places = source_places(model.flow, level.graph.forward)
        tests = taping.recorded_tests[index]
        for node in level.graph.forward.order:
            line = model.flow.nodes[node].span.line
            first, again = (self._again(reruns.get(node)) for reruns in (record.again.behind, record.again.at))
            if node in level.parts:
                part = self._part(index, node, record.solved[node], again)
                found[part.first_line, 0, node] = part
                continue
            kept = list(self._taped(node, record.taped.get(node, 0))) if node in level.running else []
            if node in tests:
                kept += self._control(node)
            if node in self.pushes.adjoint.masks:
                kept.append(Kept(None, "the mask of WHERE"))
            if node in self.pushes.adjoint.sides:
                kept.append(Kept(None, "which side of MAX, MIN, ABS ... was taken"))
            if kept or first or again:
                place = PLACES.get(model.flow.nodes[node].kind, "") if first or again else ""
                found[*places[node], node] = TapedStatement(line, tuple(kept), first, again, place)
        own = frozenset(level.graph.forward.order) - level.parts.keys()
        return PushedSweeps(self._lines(own - level.running), tuple(_merged(found[at] for at in sorted(found))))

    def _again(self, rerun: Rerun | None) -> tuple[AssignedAgain, ...]:
        """The assignments and calls at some nodes, as statements; what gives a function's temporary, as a comment."""
        from snapset.analysis.recording.again_entries import assignments_of, text_again

        found, model = list[AssignedAgain](), self.pushes.model
        for node, prefix in assignments_of(model, () if rerun is None else rerun.steps):
            stmt = model.flow.nodes[node].stmt
            assert stmt is not None
            text = text_again(stmt, model.space.names(model.effects[node].out)[0])
            temporary = isinstance(stmt, ir.Call) and stmt.result is not None
            shown = None if "..." in text or prefix.startswith("else") else f"{prefix}{text}"
            found.append(AssignedAgain(stmt.span.line, f"! {shown}" if shown and temporary else shown))
        return tuple(found)

    def _lines(self, nodes: Iterable[int]) -> tuple[int, ...]:
        """Those of the statements that do something at some nodes."""
        flow, effects = self.pushes.model.flow, self.pushes.model.effects
        return tuple(sorted({flow.nodes[node].span.line for node in nodes
                             if flow.nodes[node].kind in ("simple", "call") and effects[node].out}))

    def _idle(self, index: int, node: int) -> tuple[int, ...] | None:
        """What the first run of a part leaves out."""
        inner = self.pushes.adjoint.levels[index].graph.parts.get(node)
        runs = self.pushes.adjoint.levels[index].parts[node].first_run_nodes
        if inner is None:
            return () if runs else None
        nodes = frozenset(self.pushes.model.flow.levels[inner].nodes)
        doing = self._lines(nodes & runs)
        return self._lines(nodes - runs) if doing else None

    def _part(self, index: int, node: int, record: PartRecord, behind: tuple[AssignedAgain, ...]) -> SavedPart:
        from snapset.analysis.part_places import extent

        inner = self.pushes.adjoint.levels[index].graph.parts.get(node)
        span, last = extent(self.pushes.adjoint, node, inner)
        stmt = self.pushes.model.flow.nodes[node].stmt if inner is None else None
        choice = record.choice
        loops = tuple(_count(loop.stmt) for loop in self.pushes.taping.loops_around(node, index))
        return SavedPart(
            self.ids[node], span.line, last, stmt.name if isinstance(stmt, ir.Call) else None,
            tuple(self._saved(choice.sbk & ~choice.snp, record)), tuple(self._saved(choice.sbk & choice.snp, record)),
            tuple(self._saved(choice.snp, record)), None if inner is None else self.sweeps(inner), loops,
            self._again(record.again), self._idle(index, node), behind)

    def _saved(self, bits: int, record: PartRecord) -> Iterator[Kept]:
        """Locations of a snapshot, each as far as it is saved: of ``v(k)`` and k first v(k), to be popped last."""
        from snapset.analysis.symbolic.fortran_text import source

        space = self.pushes.model.space
        for index in self._found_last(bits & ~space.unchanged, record.pieces):
            piece, info = record.pieces.get(index), space.infos[index]
            texts = [] if piece is None else [source(ref) for ref in piece]
            if texts and None not in texts:
                yield from map(Kept, texts)
            else:
                yield self._named(info)

    def _found_last(self, bits: int, pieces: Mapping[int, Piece] = NO_PIECES) -> Iterator[int]:
        """Locations, before each those that are found by it: elements by their subscripts, values by where their memory
        is."""
        from snapset.analysis.dataflow.bitsets import May, members, singleton

        refs, space, left = self.pushes.model.refs, self.pushes.model.space, list(members(May(bits)))
        finding = {one: space.with_aliases(refs.all_subscripts(pieces.get(one, ()))) | space.descriptors_of(
            May(singleton(one))) for one in left}
        while left:
            last = [one for one in left if not any(finding[other] >> one & 1 for other in left if other != one)]
            yield from last or left
            left = [one for one in left if one not in last] if last else []

    def _named(self, info: Info) -> Kept:
        """A whole location by its name; a band by its bounds."""
        from snapset.analysis.sections.written_sections import all_of
        from snapset.analysis.symbolic.fortran_text import source

        name = info.name
        if info.band is not None:
            text = source(ir.Ref((ir.PartRef(name, tuple(all_of(dim) for dim in info.dims())),), info.type))
            return Kept(text or name)
        if info.type.kind == "unknown" and info.type.derived is not None:
            return Kept(None, f"all that {name} leads to, link by link, values and associations")
        if name.endswith("[]"):
            return Kept(None, f"whether, and with which bounds, {name[:-2]} is allocated")
        if name.endswith("=>"):
            return Kept(None, f"what {name[:-2]} is associated with")
        if "@" in name:
            return Kept(None, f"the temporary {name}")
        if "::" in name:
            owner, _, plain = name.rpartition("::")
            return Kept(plain, f"{plain} of {owner}")
        if name.startswith("/"):
            block, _, plain = name[1:].rpartition("/")
            return Kept(plain, f"{plain} of COMMON /{block}/")
        return Kept(name)

    def _taped(self, node: int, taped: int) -> Iterator[Kept]:
        yield from dict.fromkeys(self._each_taped(node, taped))

    def _each_taped(self, node: int, taped: int) -> Iterator[Kept]:
        """What a statement overwrites, as far as it is taped; of an element also what finds it, where that may be
        another one when it is popped: ``iv(k) = 0; k = k + 1``, if no derivative reads that k. What may be overwritten
        itself on the way to it, ``iv(iv(k)) = 0``, is no way back: then all of iv."""
        from snapset.analysis.dataflow.bitsets import May, members
        from snapset.analysis.symbolic.fortran_text import source

        if not taped:
            return
        model, stmt = self.pushes.model, self.pushes.model.flow.nodes[node].stmt
        left = May(taped)
        for target in self.pushes.pieces(stmt) if isinstance(stmt, ir.Assign) else ():
            bits = model.refs.touch(target).bits & taped
            text = source(target) if bits else None
            if bits and text is not None and "@" not in text:
                yield from map(self._named, map(model.space.infos.__getitem__, members(May(bits)))) if self._moves(
                    node, target) else (Kept(text),)
                left = May(left & ~model.space.with_aliases(May(bits)))
        for pointer in _associated_anew(stmt):
            bits = model.space.with_aliases(model.refs.descriptor(pointer).bits) & taped
            text = source(pointer) if bits else None
            if bits and text is not None:
                owner = f", by way of a pointer to {text.rpartition('%')[0]}" if self._moves(node, pointer) else ""
                yield Kept(None, f"what {text} is associated with{owner}")
                left = May(left & ~bits)
        for index in self._found_last(left & ~model.space.unchanged):
            yield self._named(model.space.infos[index])
        for index in members(May(self._finding(node, stmt) & ~taped)) if left != taped else ():
            yield replace(self._named(model.space.infos[index]), what="to find the element")

    def _moves(self, node: int, ref: ir.Ref) -> bool:
        """May a statement that overwrites what a reference finds overwrite what finds it? ``iv(iv(1)) = 2`` does where
        iv(1) is 1, ``p%next%next => q`` where p%next leads to itself. A number overwrites no association."""
        model = self.pushes.model
        stmt = model.flow.nodes[node].stmt
        if not isinstance(stmt, ir.Assign):
            finding = model.refs.descriptor(ref).subscripts
        elif stmt.target.type.kind == "derived":
            finding = model.refs.subscripts(ref)
        else:
            finding = model.refs.subscripts(ref) & ~model.space.descriptors
        return bool(finding & model.effects[node].out)

    def _finding(self, node: int, stmt: ir.Stmt | None) -> int:
        """What an assignment's target is found by, or a pointer that is associated anew, that may change until the turn
        and that its derivative does not read."""
        from snapset.analysis.dataflow.bitsets import union

        adjoint, refs = self.pushes.adjoint, self.pushes.model.refs
        targets = [stmt.target] if isinstance(stmt, ir.Assign) else _associated_anew(stmt)
        there = adjoint.derivative.get(node, 0) | adjoint.reversal.regenerated(node) | adjoint.model.space.descriptors
        found = union(refs.subscripts(one) for one in targets if not self._moves(node, one))
        return found & self._later.get(node, 0) & ~there

    @cached_property
    def _later(self) -> Mapping[int, int]:
        """By node, what may be overwritten from there on until the turn of its level."""
        from snapset.analysis.adjoint.recomputation import overwritten_later

        adjoint = self.pushes.adjoint
        return {node: bits for level in adjoint.levels for node, bits in overwritten_later(adjoint, level).items()
                if node in level.running}

    def _control(self, node: int) -> Iterator[Kept]:
        found = self.pushes.taping.recorded_at(node)
        if found is not None:
            yield Kept(None, found[0])


def _associated_anew(stmt: ir.Stmt | None) -> tuple[ir.Ref, ...]:
    """The data pointers that a statement associates anew, without the bounds that it gives them."""
    match stmt:
        case ir.PointerAssign():
            objects: tuple[ir.Ref, ...] = (stmt.target,)
        case ir.Nullify():
            objects = stmt.objects
        case _:
            return ()
    return tuple(replace(one, parts=(*one.parts[:-1], ir.PartRef(one.parts[-1].name))) for one in objects
                 if one.type.kind != "procedure")


def _count(stmt: ir.Do | ir.While) -> DoCount:
    from snapset.analysis.symbolic.fortran_text import bare

    if isinstance(stmt, ir.Do) and stmt.step is None:
        return DoCount(stmt.var.name, bare(stmt.start) or "", bare(stmt.stop) or "")
    return DoCount("", "", "")


def source_places(flow: FlowGraph, graph: DirectedGraph) -> dict[int, tuple[int, int]]:
    """Where in the source each node of a level stands: its line; what follows a branch or the iterations of a loop
    behind the last line of these."""
    found: dict[int, tuple[int, int]] = {}
    for node in graph.order:
        one = flow.nodes[node]
        last = max((found[other][0] for other in graph.preds.get(node, ()) if other in found), default=one.span.line)
        found[node] = (max(last, one.span.line), 1) if one.kind in ("join", "step") else (one.span.line, 0)
    return found


def _alike(one: TapedStatement, other: TapedStatement) -> bool:
    return one.line == other.line and not (one.first or one.again or other.first or other.again)


def _merged(entries: Iterable[TapedStatement | SavedPart]) -> Iterator[TapedStatement | SavedPart]:
    """What several nodes of one line push, once."""
    before: TapedStatement | None = None
    for one in entries:
        if isinstance(one, TapedStatement) and before is not None and _alike(before, one):
            before = replace(before, kept=tuple(dict.fromkeys((*before.kept, *one.kept))))
            continue
        if before is not None:
            yield before
        before = one if isinstance(one, TapedStatement) else None
        if before is None:
            yield one
    if before is not None:
        yield before
