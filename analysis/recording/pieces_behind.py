"""A part saves only a piece of an array: which other elements does the code behind it overwrite?

    do i = 1, n
      call advance(u(2:n))        ! saves u(2:n); later iterations overwrite the same elements, and no others
    end do
    do k = 1, n
      call bend(a(1:n:2, k))      ! saves a(1:n:2, k) ...
      call bend(a(2:n:2, k))      ! ... and this call overwrites other elements of a
    end do

The piece alone brings the array back only if D, all that runs behind the part, leaves its other elements alone or
preserves them. In the first loop nothing is left to do. In the second each call preserves what it overwrites, one piece
each: cheap. But where one statement of D writes the whole array, ``a = 0.5*a``, D would tape a copy of it each time it
runs; then the part saves the whole array instead. It does so, too, where its piece is nearly all of the array,
``a(1:n-1)``, and a statement of D writes the whole: see :meth:`_answers`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import count
from operator import or_
from typing import NamedTuple

from snapset.analysis.adjoint.level_adjoint import LevelAdjoint
from snapset.analysis.dataflow.bitsets import EMPTY, Exact, May, Must, exactly, members, set_of, singleton, union
from snapset.analysis.dataflow.solver import fixpoint
from snapset.analysis.equations import PartSets
from snapset.analysis.memory.locations import EVERY
from snapset.analysis.memory.references import Piece
from snapset.analysis.procedures.procedure_model import ProcedureModel
from snapset.analysis.sections.snapshot_sections import others_of
from snapset.frontend import ir
from snapset.frontend.base.frozen_records import frozen


@frozen
class Behind:
    """Of the arrays of which a part writes pieces. ``coarse``: those that D overwrites otherwise than in pieces, or
    behind the level. ``inside``: those of which D̄ overwrites nothing but the part's own piece."""

    coarse: May
    inside: Exact


class Weighed(NamedTuple):
    """A piece of an array, as far as it decides whether D preserves what else it overwrites: in how many loops the
    part is, and whether the piece has a scalar subscript."""

    loops: int
    thin: bool


@dataclass(frozen=True)
class Questions:
    """What the parts ask, of one array, of the nodes behind them, each question with its bit. ``more``: does it
    overwrite others than these elements? ``dearer``: is it dearer to tape that than to save the array?"""

    more: dict[Piece, int]
    dearer: dict[Weighed, int]

    @cached_property
    def whether_more(self) -> int:
        return union(self.more.values())


class PiecesBehind:
    """For the parts of one level.

    What all parts ask of the nodes behind them is asked of each node once, one bit for a question; what is behind comes
    by a data-flow problem against control.
    """

    def __init__(self, model: ProcedureModel, level: LevelAdjoint) -> None:
        self.model = model
        self.level = level

    def at(self, node: int) -> Behind:
        """D is what may run after the node."""
        pieces, lost = self.level.parts[node].pieces, self.level.lost_behind
        refs, yes = self.model.refs, self._behind.get(node, 0)
        inside = set_of(index for index, piece in pieces.items()
                        if not refs.all_subscripts(piece) & self.model.written
                        and not yes & self._asked[index].more[piece])
        coarse = set_of(index for index in pieces if yes & self._asked[index].dearer[self._weighed(node, index)])
        return Behind(May(coarse | lost), exactly(inside & ~lost))

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

    # ------------------------------------------------------------ what is asked

    @cached_property
    def _asked(self) -> Mapping[int, Questions]:
        """By array what all parts ask."""
        found: dict[int, Questions] = {}
        bits = (1 << at for at in count())
        for node, facts in self.level.parts.items():
            for index, piece in facts.pieces.items():
                here, weighed = found.setdefault(index, Questions({}, {})), self._weighed(node, index)
                here.more[piece] = here.more.get(piece) or next(bits)
                here.dearer[weighed] = here.dearer.get(weighed) or next(bits)
        return found

    def _weighed(self, part: int, index: int) -> Weighed:
        return Weighed(len(self.model.flow.nodes[part].loops),
                       self._scalars(index, self.level.parts[part].pieces[index]) > 0)

    @cached_property
    def _behind(self) -> Mapping[int, int]:
        """By node the questions to which a node behind it says yes."""
        if not self._asked:
            return {}
        arrays = set_of(self._asked)
        own = {node: self._said(node, arrays) for node in self.level.graph.forward.order}
        return fixpoint(self.level.graph.backward, 0, 0, or_, lambda node, behind: behind | own[node])[0]

    def _said(self, node: int, arrays: Exact) -> int:
        """The questions to which one node says yes."""
        if node in self.level.parts:
            facts = self.level.parts[node]
            saved = {index for index in facts.pieces if facts.use_cbar >> index & 1}  # in any case
            out = members(arrays & (facts.out_c | facts.out_cbar))
            return union(self._answers(node, index, facts.pieces.get(index), facts.pieces.get(index), index in saved)
                         for index in out)
        if node not in self.level.running:
            return 0
        stmt = self.model.flow.nodes[node].stmt
        taped = (stmt.target,) if isinstance(stmt, ir.Assign) else None
        return union(self._answers(node, index, None, taped, False)
                     for index in members(arrays & self.model.effects[node].out))

    def _answers(self, node: int, index: int, alone: Piece | None, taped: Piece | None, saved: bool) -> int:
        """``alone``: all that the node overwrites of an array; ``taped``: what it would tape, if it is not ``saved``.

        Let every loop run, and every dimension extend, n times. A snapshot of all of an array of r dimensions in l
        loops takes n^(r + l); on the tape what a statement in m loops writes, s of whose subscripts are scalars, takes
        n^(r - s + m). The part's own piece counts as little only if it, too, has a scalar subscript.
        """
        asked = self._asked[index]
        found = asked.whether_more & ~(EMPTY if alone is None else asked.more[alone])
        if saved:
            return found
        loops, scalars = len(self.model.flow.nodes[node].loops), 0 if taped is None else self._scalars(index, taped)
        return found | union(bit for one, bit in asked.dearer.items() if not (one.thin and loops - one.loops < scalars))

    def _scalars(self, index: int, piece: Piece) -> int:
        """How many subscripts of each of a piece's references are scalars, where the array is more than one element
        wide."""
        return min(self._scalars_of(index, ref) for ref in piece)

    def _scalars_of(self, index: int, ref: ir.Ref) -> int:
        given = [one for part in ref.parts for one in part.subscripts or ()]
        band = self.model.space.infos[index].band or (EVERY,)*len(given)
        return sum(not isinstance(one, ir.Range) for one, ends in zip(given, band, strict=False) if ends == EVERY)
