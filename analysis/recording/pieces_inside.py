"""Of which arrays may the parts inside a part save pieces?

    !$AD CHECKPOINT-START
    call rates(w(lf:lf+5))        ! saves w(lf:lf+5) if what runs behind it puts back the rest of w, else all of w
    w(ld) = w(ld)*w(lf)
    !$AD CHECKPOINT-END

Whether it does may depend on Req (:meth:`snapset.analysis.recording.pieces_behind.PiecesBehind.others`): to ask less of
the outer part's adjoint is then not to push less.
"""

from __future__ import annotations

from collections.abc import Mapping

from snapset.analysis.adjoint.level_adjoint import LevelAdjoint, ProcedureAdjoint
from snapset.analysis.dataflow.bitsets import EMPTY, May, members, set_of, union


class PiecesInside:
    """Asked of the codes of a head."""

    def __init__(self, codes: Mapping[str, ProcedureAdjoint]) -> None:
        self.codes = codes
        self._known: dict[str, bool] = {}

    def of(self, adjoint: ProcedureAdjoint, level: LevelAdjoint, node: int) -> May:
        """The arrays of which that is possible at a part of a level."""
        space = adjoint.model.space
        arrays = set_of(i for i in members(space.all()) if space.infos[i].dims())
        found, work = May(EMPTY), [(level, node)]
        while work:
            here, part = work.pop()
            if part in here.graph.parts:
                inner = adjoint.levels[here.graph.parts[part]]
                found |= May(union(set_of(facts.pieces) for facts in inner.parts.values()))
                work += [(inner, one) for one in inner.parts]
                if adjoint.split_calls:
                    return May(arrays)
            elif any(self.in_code(key) for (call, _), key in adjoint.code.callees.items() if call == part):
                found |= here.parts[part].out_c | here.parts[part].out_cbar
        return May(found & arrays)

    def in_code(self, key: str) -> bool:
        """Does any part of a code, or of those it calls, write a piece of an array?"""
        if key not in self._known:
            seen, work = {key}, [key]
            while work:
                callees = {*self.codes[work.pop()].code.callees.values()} - seen
                seen |= callees
                work += callees
            self._known[key] = any(self.codes[one].split_calls or any(facts.pieces for level in self.codes[one].levels
                                                                      for facts in level.parts.values())
                                   for one in seen)
        return self._known[key]
