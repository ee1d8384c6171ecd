"""What D overwrites of the arrays of which a part saves a piece: others of its elements, or the piece alone.

``call advance(u(2:n))`` in a loop saves ``u(2:n)``, for all that D̄ overwrites of u is what the calls of later
iterations do: the same elements. Behind ``call bend(a(1:n:2, k))`` the next call changes ``a(2:n:2, k)``: that is for D
to preserve, piece by piece. Where D writes all of a, to preserve some of it would take a copy of a each time.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from snapset.analysis.adjoint.level_adjoint import LevelAdjoint
from snapset.analysis.dataflow.bitsets import EMPTY, Exact, May, exactly, set_of, singleton, union
from snapset.analysis.procedures.procedure_model import ProcedureModel
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
            coarse = May(union(self.coarsely(at) for at in behind) | self.level.lost_behind)
            self._found[node] = Behind(coarse, exactly(self.inside(node, behind) & ~self.level.lost_behind))
        return self._found[node]

    def behind(self, node: int) -> frozenset[int]:
        succs = self.level.graph.forward.succs
        seen, work = set[int](), list(succs[node])
        while work:
            at = work.pop()
            if at not in seen:
                seen.add(at)
                work.extend(succs[at])
        return frozenset(seen)

    def coarsely(self, node: int) -> May:
        """What one node overwrites otherwise than in pieces."""
        if node in self.level.parts:
            facts = self.level.parts[node]
            return May((facts.out_c | facts.out_cbar) & ~union(singleton(index) for index in facts.pieces))
        if node not in self.level.running:
            return EMPTY
        stmt = self.model.flow.nodes[node].stmt
        selecting = isinstance(stmt, ir.Assign) and any(
            one != ir.Range() for part in stmt.target.parts for one in part.subscripts or ())
        return EMPTY if selecting else self.model.effects[node].out

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
