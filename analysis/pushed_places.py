"""Which places push most in the whole run of an adjoint: statements that tape, and snapshots of parts.

    do day = 1, days
      call radiation(outgoing)      its line 50 tapes down: 48 bytes a call, 48*days in all

What a code pushes in one run of it, and what the codes below it do, is gathered callees first, in the code's own
names; so that of many the dearest alone are carried further. Branches count as taken.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from heapq import nlargest
from typing import Literal

from snapset.analysis.adjoint.level_adjoint import ProcedureAdjoint
from snapset.analysis.costs.callee_names import foreign
from snapset.analysis.costs.stack_model import CostModel, HeadCosts
from snapset.analysis.costs.tape_pushes import Pushes
from snapset.analysis.dataflow.bitsets import Exact, exactly, members, union
from snapset.analysis.incremental.query_engine import QueryOwner, query
from snapset.analysis.part_places import extent, named, places, unique
from snapset.analysis.procedures.call_binding import is_elementwise
from snapset.analysis.recording.to_be_recorded import PartRecord
from snapset.analysis.results import PushedPlace
from snapset.analysis.sections.snapshot_sections import repeated
from snapset.analysis.symbolic.atoms import Atom, Sym
from snapset.analysis.symbolic.fortran_text import source
from snapset.analysis.symbolic.numeric_value import Estimates
from snapset.analysis.symbolic.polynomials import Quantity, folded, of
from snapset.analysis.symbolic.substitution import Substitution
from snapset.frontend import ir
from snapset.frontend.base.diagnostics import Span
from snapset.frontend.base.frozen_records import replace
from snapset.frontend.cfg.graph import Loop

CARRIED = 60
"""So many places of a code and all below it are known to its callers."""
LONG = 32
"""An amount of more terms goes on as one, which callers share: each of many places is carried through each call, and to
write all its terms anew there would take longer than the whole analysis."""
TYPICAL = 100
"""Stands for each name where places are put in order."""


class PushedPlaces(QueryOwner):
    """The places of a head's codes that push most, by strategy."""

    def __init__(self, costs: HeadCosts) -> None:
        super().__init__(costs.engine)
        self.costs = costs
        self.models = costs.models
        self.planning = costs.planning
        self.estimates = Estimates(TYPICAL)

    def of_head(self, name: str) -> tuple[PushedPlace, ...]:
        """Those of the whole run, the dearest first, at the lines where they stand now."""
        found = []
        for one in self.below(name, self.planning.order()[0]):
            file, line = self.models.at(one.procedure)
            stands = one.line + line if one.file == file else one.line
            found.append(replace(one, line=stands, part=one.part.format(stands)))
        return tuple(found)

    @query("file")
    def below(self, name: str, key: str) -> tuple[PushedPlace, ...]:
        """Those of one run of a code and of all that it calls, the dearest first.

        In a recursion: of all runs that one call from outside leads to, which are ``runs(procedure)``.
        """
        group, cost_model = self._group(key), self.costs.under(name)
        found = list(self._own(cost_model, key)) + list(self._called(name, key, group))
        if len(group) > 1 or self.models.recurs(self._procedure(key)):
            for other in sorted(group - {key}):
                here = self.models.program.procedures[self._procedure(other)]
                abroad = Substitution(partial(_abroad, here))
                found += (replace(one, bytes=abroad.lifted(one.bytes))
                          for one in (*self._own(cost_model, other), *self._called(name, other, group)))
            runs = of(Sym(f"runs({self.models.program.procedures[self._procedure(key)].name})", what="trips"))
            found = [replace(one, bytes=one.bytes * runs) for one in found]
        return tuple(nlargest(CARRIED, _together(found), key=lambda one: self.estimates(one.bytes)))

    def _procedure(self, key: str) -> str:
        return self.planning.code(key).procedure

    def _group(self, key: str) -> frozenset[str]:
        """The codes of the recursion that one is in."""
        procedure = self._procedure(key)
        if not self.models.recurs(procedure):
            return frozenset((key,))
        group = self.models.group(procedure)
        return frozenset(one for one in self.planning.order() if self._procedure(one) in group)

    def _called(self, name: str, key: str, group: frozenset[str]) -> Iterator[PushedPlace]:
        """What the codes push that one runs, in its names."""
        adjoint, structures = self.costs.structures.adjoints.by_key[key], self.costs.structures
        pushes = self.costs.under(name).pushes_of(key)
        for (node, procedure), callee in sorted(adjoint.code.callees.items()):
            inside = () if callee in group else self.below(name, callee)
            if not inside:
                continue
            lift, loops = structures.lifter(key, node, procedure), _around(adjoint, node)
            stmt, known = adjoint.model.calls[node].stmt, dict[object, Quantity]()
            elementwise = is_elementwise(stmt, self.models.program.procedures[procedure])
            for one in inside:
                if one.bytes.key not in known:
                    amount = lift(one.bytes if one.bytes.weight <= LONG else folded(one.bytes))
                    known[one.bytes.key] = pushes.times(
                        amount * pushes.runs(stmt, node) if elementwise else amount, loops)
                yield replace(one, bytes=known[one.bytes.key])

    def _own(self, cost_model: CostModel, key: str) -> Iterator[PushedPlace]:
        """What one run of a code pushes itself."""
        pushes, adjoint = cost_model.pushes_of(key), self.costs.structures.adjoints.by_key[key]
        procedure = self._procedure(key)
        home, file = self.models.program.procedures[procedure].span, self.models.file(procedure)

        def below(span: Span) -> int:
            return span.line - home.line if span.file == file else span.line

        ids = {}
        for index, node in places(adjoint):
            span, _ = extent(adjoint, node, adjoint.levels[index].graph.parts.get(node))
            ids[node] = span, named(adjoint, span.line)
        for node, id_ in zip(ids, unique(one for _, one in ids.values()), strict=True):
            span = ids[node][0]
            ids[node] = span, id_.replace(f"@{span.line}", "@{}", 1)
        for index, level in enumerate(adjoint.levels):
            record = pushes.record.levels[index]
            for node, solved in record.solved.items():
                span, id_ = ids[node]
                for what, location, once in _snapshot(pushes, solved, node):
                    yield PushedPlace(procedure, span.file, below(span), what, location,
                                      pushes.times(once, _around(adjoint, node)), id_)
            for node in sorted(record.taped.keys() & level.running - level.parts.keys()):
                span = pushes.model.place(node)
                for location, once in _taped(pushes, record.taped[node], node):
                    yield PushedPlace(procedure, span.file, below(span), "tape", location,
                                      pushes.times(once, _around(adjoint, node)))


def _abroad(procedure: ir.Procedure, atom: Atom) -> Quantity | None:
    """What a procedure's own names are called in others."""
    own = isinstance(atom, Sym) and atom.area is not None and atom.area.owner == procedure.key
    return of(foreign(atom, procedure)) if own and isinstance(atom, Sym) else None


def _around(adjoint: ProcedureAdjoint, node: int) -> list[Loop]:
    flow = adjoint.model.flow
    return [flow.loops[i] for i in flow.nodes[node].loops]


def _taped(pushes: Pushes, taped: int, node: int) -> Iterator[tuple[str, Quantity]]:
    """What one execution of a node tapes: what is assigned under the name it has there, whatever else it is called."""
    stmt = pushes.model.flow.nodes[node].stmt
    match stmt:
        case ir.Assign():
            if stmt.target.type.kind != "derived":
                yield f"{_name(stmt.target)}[]", pushes.descriptors((stmt.target,), taped)
            yield from ((_name(piece), pushes.piece(piece, taped, node)) for piece in pushes.pieces(stmt))
        case ir.PointerAssign():
            yield f"{_name(stmt.target)}=>", pushes.descriptors((stmt.target,), taped)
        case ir.Nullify() | ir.Allocate():
            yield from ((f"{_name(ref)}[]", pushes.descriptors((ref,), taped)) for ref in stmt.objects)
        case _:
            yield from ((pushes.model.space.infos[at].name, pushes.one_location(node, at)) for at in members(taped))


def _name(ref: ir.Ref) -> str:
    return "%".join(part.name for part in ref.parts)


def _snapshot(pushes: Pushes, solved: PartRecord, node: int) -> Iterator[tuple[Literal["Snp", "Sbk"], str, Quantity]]:
    """What a snapshot holds: Snp or Sbk, the location as far as it is saved, its bytes."""
    space, choice = pushes.model.space, solved.choice
    sides: dict[Literal["Snp", "Sbk"], Exact] = {"Snp": choice.snp, "Sbk": exactly(choice.sbk & ~choice.snp)}
    for what, bits in sides.items():
        for index in members(exactly(bits & ~_again(pushes, solved, bits))):
            piece = solved.pieces.get(index)
            text = space.infos[index].name if piece is None else ", ".join(
                source(ref) or space.infos[index].name for ref in piece)
            yield what, text, pushes.size(index) if piece is None else pushes.of_piece(piece, index, node)


def _again(pushes: Pushes, solved: PartRecord, bits: Exact) -> int:
    """Locations whose piece is that of another one."""
    return repeated(pushes.model.space, solved.pieces, bits) & union(1 << one for one in solved.pieces)


def _together(every: Iterable[PushedPlace]) -> list[PushedPlace]:
    """Each place once."""
    found: dict[tuple[str, str, int, str, str, str], PushedPlace] = {}
    for one in every:
        at = one.procedure, one.file, one.line, one.part, one.what, one.location
        found[at] = replace(one, bytes=found[at].bytes + one.bytes) if at in found else one
    return [one for one in found.values() if one.bytes.terms]
