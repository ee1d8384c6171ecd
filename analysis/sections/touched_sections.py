"""The elements that a marked part reads or writes of an array that it writes: its adjoint needs no others.

Of ``b(i) = b(i)*b(i)`` in a loop that goes on to write ``b(i+1)``, b is lost behind the part, all of it; of what was
there the part's adjoint reads ``b(i)`` alone. A snapshot of that is enough, where nothing before the part needs the
rest (:mod:`snapset.analysis.sections.snapshot_sections`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from snapset.analysis.dataflow.bitsets import May, members
from snapset.analysis.memory.references import Piece
from snapset.analysis.procedures.procedure_model import ProcedureModel
from snapset.analysis.sections.subscript_limits import WrittenBox
from snapset.analysis.sections.written_sections import Calls, SectionSearch
from snapset.frontend import ir
from snapset.frontend.ir.expression_queries import walk

NEVER: Final = -1  # a test that no loop has


def touched_pieces(model: ProcedureModel, nodes: Collection[int], deciding: Mapping[int, frozenset[int]],
                   calls: Calls) -> Mapping[int, Piece]:
    """By location that the nodes write, the elements that contain all they touch of it; not those of which that may be
    all of the array, nor those that a call touches: what it reads by an element that it is passed is not told."""
    search = _TouchedSearch(model, nodes, deciding, calls)
    found = {index: search.piece(index) for index in members(search.changed)}
    return {index: piece for index, piece in found.items() if piece is not None}


class _TouchedSearch(SectionSearch):
    """For reading as for writing."""

    def touching(self, node: int) -> May:
        effect = self.model.effects[node]
        return May((effect.out | effect.use) & self.changed)

    def targets(self, node: int, index: int) -> Sequence[ir.Ref] | None:
        """Through what a node touches a location: references that select elements of it, and touch no other."""
        at = self.model.flow.nodes[node]
        if at.kind not in ("test", "init", "loop-test", "step") and not isinstance(at.stmt, ir.Assign):
            return None
        found = [ref for ref in self.named(node) if self.model.refs.touch(ref).bits >> index & 1]
        return found if found and all(self.plain(ref, index) for ref in found) else None

    def written(self, node: int, target: ir.Ref) -> WrittenBox:
        """What a reference selects. What is named and perhaps not looked at, ``k > 0 .and. b(k) > 0``, need not exist.
        """
        found, stmt = super().written(node, target), self.model.flow.nodes[node].stmt
        sure = (isinstance(stmt, ir.Assign) and target == stmt.target) or target in self.present.elements(node)
        return found if sure else replace(found, deciders=found.deciders | {NEVER})

    def named(self, node: int) -> Iterator[ir.Ref]:
        """All references that stand in a node."""
        at = self.model.flow.nodes[node]
        every: list[ir.Expr] = [*at.test, *(mask.expr for mask in at.masks)]
        if isinstance(at.stmt, ir.Assign):
            every += [at.stmt.target, at.stmt.value]
        elif isinstance(at.stmt, ir.Do):
            every += [at.stmt.var, at.stmt.start, at.stmt.stop, *(() if at.stmt.step is None else (at.stmt.step,))]
        for expr in every:
            yield from (one for one in walk(expr) if isinstance(one, ir.Ref))
