"""Missing values, seen from the statements that overwrite them: no PUSH keeps what the source's analysis needs there.

What :mod:`snapset.analysis.comparison.verdicts.missing_values` follows are whole arrays, and an array of which any POP
gives back something may be all right. Here each overwriting statement is looked at by itself: whether a PUSH is
attached to it, or stands elsewhere for that variable, and whether the backward sweep reads what is lost.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from snapset.analysis.comparison.balanced_items import Findings
from snapset.analysis.comparison.judged_adjoint import Judged
from snapset.analysis.comparison.part_pairing import PairedPart, original_of
from snapset.analysis.comparison.saved_bytes import is_short
from snapset.analysis.comparison.stack_calls import moves_addresses
from snapset.analysis.comparison.verdicts.backward_reads import path
from snapset.analysis.comparison.verdicts.control.turning_ways import PartedSweeps, sweeps_of
from snapset.analysis.comparison.verdicts.overwrite_needs import Need, Occurrence, OverwriteNeeds, location_path
from snapset.analysis.comparison.verdicts.source_needs import SourceNeeds
from snapset.analysis.comparison.verdicts.unkept_operands import MADE
from snapset.analysis.comparison.verdicts.unsaved_overwrites import SweptAdjoint, Unsaved, unsaved_overwrites
from snapset.analysis.dataflow.bitsets import May, members, singleton
from snapset.analysis.memory.byte_sizes import location_bytes
from snapset.analysis.procedures.model_builder import Models
from snapset.analysis.procedures.procedure_model import ProcedureModel
from snapset.analysis.results import Bytes, Part
from snapset.frontend import ir
from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.ir.statement_walk import statements


@frozen
class UnsavedValue:
    """``location`` of the source, overwritten as ``place`` of the adjoint, whose statement ``read`` reads it. ``part``:
    what overwrites it, where that is a part; else the source's line ``before`` does, and the derivative of ``reader``
    reads it; None, too: of a variable the tool has made."""

    part: Part | None
    location: str
    read: ir.Stmt
    bytes: Bytes | None
    reader: int | None = None
    before: tuple[int, ...] = ()


@dataclass(frozen=True)
class UnsavedFinder:
    """``found``: of the adjoint; ``parts``: of the source's head; ``needs``: of a procedure of the source;
    ``steady``: by procedure of the adjoint, what has one value only; ``kept``: is it, in a procedure of the source, an
    allocation that is left alone? Then it does not stand for the value."""

    found: Judged
    source: ir.Program
    parts: Sequence[Part]
    needs: Callable[[str], SourceNeeds]
    paired: Mapping[str, Mapping[str, PairedPart]]
    steady: Mapping[str, May]
    kept: Callable[[UnsavedValue, ir.Procedure], bool]

    def values(self) -> Iterator[UnsavedValue]:
        """Once by location and what overwrites it."""
        for key, model in self.found.models.by_key.items():
            name = original_of(model.procedure.name)
            sources = [one for one in self.source.procedures.values() if one.name == name]
            if name is not None and len(sources) == 1 and not moves_addresses(model.procedure.body):
                known = set[object]()
                for one in self._of(key, model, sources[0]):
                    place = None if one.part is None else one.part.id, location_path(one.location), one.before
                    if place not in known and not self.kept(one, sources[0]):
                        known.add(place)
                        yield one

    def _of(self, key: str, model: ProcedureModel, source: ir.Procedure) -> Iterator[UnsavedValue]:
        needs = OverwriteNeeds(source, self.needs(source.name),
                               [one for one in self.parts if one.procedure == source.name])
        parts = {one.before.id: one.part for one in self.paired.get(key, {}).values() if one.part.kind == "call"}
        for sweeps in sweeps_of(source, model.procedure.body):
            yield from self._overwritten(key, model, sweeps, needs, parts)

    def _overwritten(self, key: str, model: ProcedureModel, sweeps: PartedSweeps, needs: OverwriteNeeds,
                     parts: Mapping[int, Part]) -> Iterator[UnsavedValue]:
        adjoint = self._adjoint(key, sweeps)
        assignments = [one for one in statements(adjoint.forward) if isinstance(one, ir.Assign)]
        counts = Counter(key for one in assignments for key in _texts(one))
        seen = Counter[object]()
        places: dict[int, list[Unsaved]] = {}
        own = {one.id for one in statements(sweeps.own)}
        for unsaved in unsaved_overwrites(adjoint):
            if unsaved.stmt.id in own:
                places.setdefault(unsaved.stmt.id, []).append(unsaved)
        for stmt in statements(adjoint.forward):
            for one in places.get(stmt.id, ()):
                if not _known_by_one_name(model, one.place) or model.refs.touch(one.place).bits & self.steady[key]:
                    continue
                if isinstance(stmt, ir.Assign):
                    same, to_same = (Occurrence(seen[key], counts[key]) for key in _texts(stmt))
                    yield from _assigned(model, adjoint, one, [*needs.of_assignment(stmt, same, to_same)])
                    if not needs.knows(one.place.name):
                        yield from _made(model, adjoint, one)
                elif stmt.id in parts:
                    yield from _called(model, adjoint, one, needs, parts[stmt.id])
            if isinstance(stmt, ir.Assign):
                seen.update(_texts(stmt))

    def _adjoint(self, key: str, sweeps: PartedSweeps) -> SweptAdjoint:
        models = self.found.models
        pushes: dict[int, set[int]] = {}
        for push, pop in self.found.findings.get(key, Findings()).pairs:
            pushes.setdefault(pop, set()).add(push)
        return SweptAdjoint(sweeps.forward, sweeps.backward,
                       lambda call: tuple(_touched(models, models.by_key[key], call, written=True)),
                       lambda call: tuple(_touched(models, models.by_key[key], call, written=False)),
                       {pop: frozenset(every) for pop, every in pushes.items()},
                       lambda push: is_short(push, models.by_key[key]))


def _texts(stmt: ir.Assign) -> tuple[object, object]:
    """What an assignment says, and what it gives a value."""
    return (stmt.target, stmt.value), stmt.target.parts


def _called(model: ProcedureModel, adjoint: SweptAdjoint, one: Unsaved, needs: OverwriteNeeds,
            part: Part) -> Iterator[UnsavedValue]:
    """Of a part that is called, by the part."""
    for need in needs.of_part(part, one.place, adjoint.reads_itself(one)):
        read = adjoint.read_by(one)
        if read is not None:
            yield UnsavedValue(part, need.location, read, _bytes(model, one.place))


def _assigned(model: ProcedureModel, adjoint: SweptAdjoint, one: Unsaved,
              needs: Sequence[Need]) -> Iterator[UnsavedValue]:
    """Of an assignment, by the line of the source whose derivative reads it."""
    beside = (f"{one.place.name}b", *path(one.place)[1:])
    for need in needs:
        read = adjoint.read_by(one) or (adjoint.read_by(one, beside) if need.own else None)
        if read is not None:
            yield UnsavedValue(None, need.location, read, _bytes(model, one.place), need.reader, (need.line,))


def _made(model: ProcedureModel, adjoint: SweptAdjoint, one: Unsaved) -> Iterator[UnsavedValue]:
    """Of a variable that the tool has made, ``max1`` for the argument that MAX gave, and gives other values in turns of
    a loop."""
    top, name = adjoint.tops[one.stmt.id], one.place.name
    read = adjoint.read_by(one) if isinstance(top, ir.Do | ir.While) and MADE.fullmatch(name) else None
    if read is not None:
        yield UnsavedValue(None, name, read, _bytes(model, one.place))


def _touched(models: Models, model: ProcedureModel, call: ir.Call, *, written: bool) -> Iterator[ir.Ref]:
    """What procedures of the program write, or read, when ``model``'s procedure calls them, as it names it."""
    yield from _passed(models, call, written=written)
    shared = [name for name, one in model.procedure.variables.items() if one.area.kind in ("common", "module")]
    node = model.flow.first_node.get(call.id)
    site = None if node is None or not shared else model.calls.get(node)
    for target in () if site is None else site.targets:
        callee = models.seen[target.key]
        every = callee.summary.out if written else callee.summary.use
        own = May(sum(singleton(one) for one in members(every)
                      if location_path(callee.space.infos[one].name)[0] not in callee.procedure.formals))
        bits = target.outs(own) if written else target.uses(own)
        for name in shared:
            variable = model.procedure.variables[name]
            ref = ir.Ref((ir.PartRef(name, None),), variable.type, variable.shape.rank)
            touched = members(model.refs.touch(ref).bits & bits)
            for path_ in dict.fromkeys(location_path(model.space.infos[one].name) for one in touched):
                if path_[0] == name:
                    yield replace(ref, parts=(*ref.parts, *(ir.PartRef(one, None) for one in path_[1:])))


def _passed(models: Models, call: ir.Call, *, written: bool) -> Iterator[ir.Ref]:
    """The arguments of a call through which a procedure of the program reads, or writes, something, with the component;
    ``x(k)`` that is passed to an array is taken for a section, the memory that begins there."""
    for key in call.targets:
        callee = models.seen.get(key)
        if callee is None:
            continue
        touched = callee.summary.out if written else callee.summary.use
        names = dict.fromkeys(location_path(callee.space.infos[one].name) for one in members(touched))
        for formal, actual in zip(callee.procedure.formals, call.args, strict=False):
            if isinstance(ref := actual.value, ir.Ref):
                variable = callee.procedure.variables.get(formal)
                rank = ref.rank or (0 if variable is None else variable.shape.rank)
                for name in names:
                    if name[0] == formal:
                        yield replace(ref, rank=rank, parts=(*ref.parts, *(ir.PartRef(one, None) for one in name[1:])))


def _known_by_one_name(model: ProcedureModel, place: ir.Ref) -> bool:
    """No pointer, EQUIVALENCE or other view of a COMMON block leads there: a PUSH may go by another name."""
    bits = model.refs.touch(place).bits
    return model.space.with_aliases(bits) == bits


def _bytes(model: ProcedureModel, place: ir.Ref) -> Bytes | None:
    """Of an element where one is overwritten; of an array the location's."""
    infos = [model.space.infos[one] for one in members(model.refs.touch(place).bits)]
    return location_bytes(infos[0]) if len(infos) == 1 else None
