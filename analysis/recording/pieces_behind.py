"""What D overwrites of the arrays of which a part saves a piece: others of its elements, or the piece alone.

``call advance(u(2:n))`` in a loop saves ``u(2:n)``, for all that D̄ overwrites of u is what the calls of later
iterations do: the same elements. Behind ``call bend(a(1:n:2, k))`` the next call changes ``a(2:n:2, k)``: that is for D
to preserve, piece by piece. Where D writes all of a, to preserve some of it would take a copy of a each time. And so it
would where the part leaves out little of a, ``a(1:n-1)``, and a statement of D writes that, too: see :meth:`_dearer`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from snapset.analysis.adjoint.level_adjoint import LevelAdjoint
from snapset.analysis.dataflow.bitsets import EMPTY, Exact, May, Must, exactly, members, set_of, singleton, union
from snapset.analysis.equations import PartSets
from snapset.analysis.memory.locations import EVERY
from snapset.analysis.procedures.procedure_model import ProcedureModel
from snapset.analysis.sections.snapshot_sections import others_of
from snapset.frontend import ir


@dataclass(frozen=True, slots=True)
class Behind:
    """``coarse``: the arrays that D overwrites otherwise than in pieces, or behind the level. ``inside``: those of
    which D̄ overwrites nothing but the part's own piece."""

    coarse: May
    inside: Exact


class PiecesBehind:
    """For the parts of one level, each found when it is asked for."""

    def __init__(self, model: ProcedureModel, level: LevelAdjoint) -> None:
        self.model = model
        self.level = level
        self._found: dict[int, Behind] = {}

    def at(self, node: int) -> Behind:
        """D is what may run after the node."""
        if node not in self._found:
            behind = self.behind(node)
            coarse = May(union(self.coarsely(node, at) for at in behind) | self.level.lost_behind)
            self._found[node] = Behind(coarse, exactly(self.inside(node, behind) & ~self.level.lost_behind))
        return self._found[node]

    def others(self, node: int, sets: PartSets, freely: Must) -> Exact:
        """The arrays of which D may preserve the elements that a call does not write. ``freely``: those of which
        elements may be lost."""
        if node in self.level.graph.parts:
            return EMPTY
        behind, facts = self.at(node), self.level.parts[node]
        coarse = behind.coarse
        if self.model.flow.nodes[node].loops:  # what is required anyway, the loop's other calls save piece by piece
            coarse = May(coarse & ~(sets.req & union(singleton(index) for index in facts.given)))
        return others_of(facts.pieces, sets, coarse, exactly(freely | behind.inside))

    def behind(self, node: int) -> frozenset[int]:
        succs = self.level.graph.forward.succs
        seen, work = set[int](), list(succs[node])
        while work:
            at = work.pop()
            if at not in seen:
                seen.add(at)
                work.extend(succs[at])
        return frozenset(seen)

    def coarsely(self, part: int, node: int) -> May:
        """What one node behind a part overwrites otherwise than in pieces, or so that it is dearer to preserve that."""
        if node in self.level.parts:
            facts = self.level.parts[node]
            bare = {index: ref for index, ref in facts.pieces.items() if not facts.use_cbar >> index & 1}
            saved = union(singleton(index) for index in facts.pieces if index not in bare)  # in any case
            return May((facts.out_c | facts.out_cbar) & ~saved & ~self._cheaper(part, node, bare))
        if node not in self.level.running:
            return EMPTY
        stmt, out = self.model.flow.nodes[node].stmt, self.model.effects[node].out
        if not isinstance(stmt, ir.Assign):
            return out
        return May(out & ~self._cheaper(part, node, dict.fromkeys(members(out), stmt.target)))

    def _cheaper(self, part: int, node: int, written: Mapping[int, ir.Ref]) -> Exact:
        """Of the arrays that a node writes those of which it is cheaper to tape what it writes than to save all.

        Let every loop run, and every dimension extend, n times. A snapshot of all of an array of r dimensions in l
        loops takes n^(r + l); on the tape what a statement in m loops writes, s of whose subscripts are scalars, takes
        n^(r - s + m). The part's own piece counts as little only if it, too, has a scalar subscript.
        """
        nodes, pieces = self.model.flow.nodes, self.level.parts[part].pieces
        more = len(nodes[node].loops) - len(nodes[part].loops)
        return set_of(index for index, ref in written.items() if index in pieces
                      and self._scalars(index, pieces[index]) and more < self._scalars(index, ref))

    def _scalars(self, index: int, ref: ir.Ref) -> int:
        """How many of a reference's subscripts are scalars, where the array is more than one element wide."""
        band = self.model.space.infos[index].band
        given = [one for one in ref.parts if one.subscripts]
        if band is not None and len(given) == 1 and len(band) == len(given[0].subscripts or ()):
            return sum(not isinstance(one, ir.Range) for one, ends in
                       zip(given[0].subscripts or (), band, strict=True) if ends == EVERY)
        return sum(not isinstance(one, ir.Range) for part in given for one in part.subscripts or ())

    def inside(self, node: int, behind: Iterable[int]) -> Exact:
        """The arrays of which these nodes overwrite nothing but the elements that the part at a node writes."""
        pieces, refs = self.level.parts[node].pieces, self.model.refs
        return set_of(index for index, ref in pieces.items() if not refs.subscripts(ref) & self.model.written
                      and all(self.within(at, index, ref) for at in behind))

    def within(self, node: int, index: int, ref: ir.Ref) -> bool:
        """Does a node overwrite of a location nothing but these elements?"""
        if node in self.level.parts:
            facts = self.level.parts[node]
            return not (facts.out_c | facts.out_cbar) >> index & 1 or facts.pieces.get(index) == ref
        return node not in self.level.running or not self.model.effects[node].out >> index & 1
