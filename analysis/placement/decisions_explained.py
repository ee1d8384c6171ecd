"""Why ``optimal`` saves what it saves: each location that it moves away from lazy's side, what that gains, and on which
sizes the gain depends.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from snapset.analysis.adjoint.interprocedural import Adjoints
from snapset.analysis.costs.evaluation import valued
from snapset.analysis.costs.stack_model import CostModel, HeadStructure
from snapset.analysis.placement.optimal_partition import EXHAUSTIVE, OptimalPartition, PartitionSearch, Prover, optimise
from snapset.analysis.placement.partition_decisions import Decision, chosen
from snapset.analysis.recording.program_recording import record_program
from snapset.analysis.recording.strategies import Place, Strategy
from snapset.analysis.results import Move
from snapset.analysis.symbolic.polynomials import Quantity
from snapset.analysis.symbolic.thresholds import Condition, condition
from snapset.frontend.base.frozen_records import frozen

SHOWN = 12
TRIED = 20


class Moves:
    """Explains one optimum. ``moves``: by part."""

    def __init__(self, search: PartitionSearch, optimum: OptimalPartition, assume: Mapping[str, int]) -> None:
        self.search = search
        self.optimum = optimum
        self.eager = search.eager(optimum.decisions)
        self.structures = HeadStructure(search.adjoints, search.order, valued(assume))
        self.best = self._cost_model(optimum.best.plus, None)

    def _cost_model(self, plus: frozenset[Decision], before: CostModel | None) -> CostModel:
        records = record_program(self.search.adjoints, self.search.order, chosen(plus),
                                 known=self.search.known)
        return CostModel(self.structures, records, before=before, followed=before is None)

    def by_part(self) -> dict[Place, tuple[Move, ...]]:
        """Every decision that lazy or eager takes differently and that costs something when turned round."""
        found: dict[Place, list[Move]] = {}
        for decision in self.candidates():
            move = self._move(decision)
            if move is not None:
                found.setdefault(decision.place, []).append(move)
        return {place: tuple(sorted(moves, key=lambda m: (m.location, m.side))) for place, moves in found.items()}

    def candidates(self) -> list[Decision]:
        """The decisions to explain: all, or the ``SHOWN`` with the largest effects of the ``TRIED`` that
        are taken otherwise than by lazy, or else by eager."""
        if len(self.optimum.decisions) <= EXHAUSTIVE:
            return list(self.optimum.decisions)
        best = self.optimum.best
        tried = sorted(self.optimum.decisions, key=lambda d: (d not in best.plus, d not in self.eager, d))[:TRIED]
        gained = {d: self.search.measure(best.plus ^ {d}).figures for d in tried}
        return sorted(tried, key=lambda d: (-max(gained[d].peak - best.figures.peak,
                                                 abs(gained[d].traffic - best.figures.traffic)), d))[:SHOWN]

    def _move(self, decision: Decision) -> Move | None:
        best = self.optimum.best
        plus, eager = decision in best.plus, decision in self.eager
        turned = best.plus ^ {decision}
        other = self.search.measure(turned).figures
        cost_models = self.best, self._cost_model(turned, self.best)
        here, there = (self._figures(one, decision.place) for one in cost_models)
        peak, traffic = condition(here[0], there[0]), condition(here[1], there[1])
        depends = peak if isinstance(peak, Condition) else traffic if peak == "same" else peak
        gained = (other.peak - best.figures.peak, other.traffic - best.figures.traffic)
        over = tuple(name for name, side in (("lazy", False), ("eager", eager)) if side != plus)
        if gained == (0, 0) or (not over and not isinstance(depends, Condition)):
            return None
        sides = ("Sbk", "Req_C") if decision.in_sbk else ("Snp", "Req_D")
        space = self.search.adjoints.by_key[decision.place[0]].model.space
        return Move(space.infos[decision.location].name, sides[0] if plus else sides[1], sides[1] if plus else sides[0],
                    over, gained[0], gained[1], *((depends.low, depends.high) if isinstance(depends, Condition)
                                                  else (None, None)))

    def _figures(self, cost_model: CostModel, place: Place) -> tuple[Quantity, Quantity]:
        whole = cost_model.part(*place).whole
        return whole.peak, whole.traffic


@frozen
class ResolvedStrategies:
    """Strategies ready to be recorded. ``optimum`` and ``moves``: of the strategy optimal, if asked for.

    ``search``: where the optimum came from.
    """

    strategies: tuple[Strategy, ...]
    optimum: OptimalPartition | None
    moves: Mapping[Place, tuple[Move, ...]]
    search: PartitionSearch | None = None


def resolve(adjoints: Adjoints, order: tuple[str, ...], strategies: Sequence[Strategy], assume: Mapping[str, int],
            prove: Prover, explain: bool = False, always: bool = False) -> ResolvedStrategies:
    """``optimal`` among the strategies replaced by the choice it makes for these numbers.

    ``prove``: the integer program. ``explain``: with its moves. ``always``: look for the optimum even if that strategy
    is not among them.
    """
    if not always and not any(s.kind == "optimal" for s in strategies):
        return ResolvedStrategies(tuple(strategies), None, {})
    search = PartitionSearch(adjoints, order, assume)
    if adjoints.rules.recompute or adjoints.rules.dag:  # the best without is among what is compared
        plain = optimise(PartitionSearch(adjoints, order, assume, plain=True), prove)
        search.measure(plain.best.plus & set(search.decisions()))
    optimum = optimise(search, prove, every=always)
    moves = Moves(search, optimum, assume).by_part() if explain else {}
    return ResolvedStrategies(tuple(optimum.strategy if s.kind == "optimal" else s for s in strategies), optimum, moves,
                              search)
