"""The straight-line stretches of a level: chains of assignments that can be flattened."""

from __future__ import annotations

from snapset.analysis.adjoint.level_adjoint import LevelAdjoint
from snapset.analysis.dag.fortran.flattening import FLAT_KINDS, references, scalar, subscript_references
from snapset.analysis.procedures.procedure_model import ProcedureModel
from snapset.frontend import ir


class Chains:
    """The assignments of a level that can be flattened, and their maximal chains."""

    def __init__(self, model: ProcedureModel, level: LevelAdjoint) -> None:
        self.model = model
        self.level = level
        self.graph = level.graph.forward
        self.flat = frozenset(n for n in self.graph.order if self._flat(n))

    def all(self) -> list[list[int]]:
        """Chains of flat assignments in the flow graph; joins that only lead on are passed through."""
        following = {n: self._next(n) for n in sorted(self.flat)}
        inner = {n for n in following.values() if n is not None}
        found = []
        for start in self.graph.order:
            if start in following and start not in inner:
                chain = [start]
                while (at := following[chain[-1]]) is not None:
                    chain.append(at)
                found.append(chain)
        left = self.flat - {n for chain in found for n in chain}
        return [*found, *([n] for n in sorted(left))]  # loops of assignments alone: each for itself

    def _next(self, node: int) -> int | None:
        graph = self.graph
        seen = {node}
        while len(graph.succs[node]) == 1:
            node = graph.succs[node][0]
            if len(graph.preds[node]) != 1 or node in seen:
                return None
            if node in self.flat:
                return node
            if self.model.flow.nodes[node].kind != "join" or node in self.level.parts:
                return None
            seen.add(node)
        return None

    def _flat(self, node: int) -> bool:
        """A scalar assignment of known operations, to one location that no pointer leads to and no other overlays."""
        at = self.model.flow.nodes[node]
        if at.kind != "simple" or at.masks or not isinstance(at.stmt, ir.Assign) or node in self.level.parts:
            return False
        if any(isinstance(do := self.model.flow.loops[n].stmt, ir.Do) and do.kind == "forall" for n in at.loops):
            return False  # all iterations read before any writes
        stmt = at.stmt
        if not (scalar(stmt.target) and scalar(stmt.value)):
            return False
        every = [stmt.target, *references(stmt.value)]
        every += [inner for ref in every for inner in subscript_references(ref)]
        return all(self._plain(ref) for ref in every)

    def _plain(self, ref: ir.Ref) -> bool:
        bits = self.model.refs.touch(ref).bits
        if not bits:  # a constant, by its name alone
            return all(part.subscripts is None for part in ref.parts)
        if ref.type.kind not in FLAT_KINDS or bits & (bits - 1) or self.model.space.with_aliases(bits) != bits:
            return False
        return self.model.space.locations[bits.bit_length() - 1].segment is None  # no other name, of another type
