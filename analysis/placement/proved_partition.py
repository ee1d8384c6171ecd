"""The best partition of all parts by integer programming, and a bound that no partition is below.

Up to a few decisions every combination can be compared; of a hundred parts it cannot. But the record of a location
depends on that location's decisions alone, and costs are sums and maxima of what locations push. So all combinations
are the solutions of one integer program (:mod:`~snapset.analysis.placement.requirement_rows`,
:mod:`~snapset.analysis.placement.stack_rows`): the least peak, of these the least traffic, of these the smallest
snapshots, of these the fewest decisions that differ from lazy. What it finds is measured by the cost model itself, and
so is what else is known; where program and model disagree, there is no bound.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from snapset.analysis.placement.decision_rows import NotSeparableError
from snapset.analysis.placement.linear_program import ROUNDING, LinearProgram, LinearSum, Minimised, rounded_up, total
from snapset.analysis.placement.optimal_partition import PartitionSearch, ProvedBound
from snapset.analysis.placement.partition_decisions import Decision, Point
from snapset.analysis.placement.requirement_rows import requirement_rows
from snapset.analysis.placement.stack_rows import StackRows
from snapset.analysis.placement.two_sided_allocation import Objective
from snapset.frontend.base.frozen_records import frozen

NODES = 100  # of branch and bound, for one figure of a head: no time, so that the same input has the same answer


@frozen
class DecisionProgram:
    """All decisions of a head as an integer program."""

    program: LinearProgram
    columns: Mapping[Decision, LinearSum]
    peak: LinearSum
    traffic: LinearSum
    snapshot: LinearSum

    @property
    def figures(self) -> tuple[LinearSum, ...]:
        return self.peak, self.traffic, self.snapshot


def decision_program(search: PartitionSearch, decisions: Sequence[Decision]) -> DecisionProgram:
    """Raises NotSeparableError where a head is none."""
    program = LinearProgram()
    columns = {one: program.column(1.0, whole=True) for one in decisions}
    lazy = search.cost_model(frozenset(), alone=True)
    rows = requirement_rows(search.adjoints, search.order, list(search.places()),
                            {(d.place, d.in_sbk, d.location): column for d, column in columns.items()}, program, lazy,
                            search.plain)
    peak, traffic = StackRows(rows, lazy, search.number).head()
    snapshot = total(yes.scaled(search.first_number(amount)) for saved in rows.saved.values()
                     for yes, amount in (*saved.sbk, *saved.snp))
    return DecisionProgram(program, columns, peak, traffic, snapshot)


def prove(search: PartitionSearch, decisions: Sequence[Decision], nodes: int = NODES) -> ProvedBound | None:
    """Measure the best combination that the program finds; None where there is no bound."""
    try:
        made = decision_program(search, decisions)
    except NotSeparableError:
        return None
    found = made.program.in_turn((*made.figures, total(made.columns.values())), nodes)
    values = found[-1].values if found[-1].values is not None or len(found) == 1 else found[-2].values
    if values is not None:
        search.measure(frozenset(d for d, column in made.columns.items() if column.at(values) > 0.5))
    if not all(agrees(made, point) for point in list(search.points.values())):
        return None
    best = search.best()
    return ProvedBound(min(rounded_up(found[0].lower), best.figures.peak), proved(found, best.figures))


def proved(found: Sequence[Minimised], best: Objective) -> bool:
    """Is no combination better? Each bound holds among those that are as good in what comes before it."""
    reached = best.peak, best.traffic, best.snapshot
    return len(found) > len(reached) and all(
        rounded_up(one.lower) + ROUNDING * figure >= figure for one, figure in zip(found, reached, strict=False))


def agrees(made: DecisionProgram, point: Point) -> bool:
    """Does the program say of a combination what the cost model says?"""
    return said(made, point) == point.figures


def said(made: DecisionProgram, point: Point) -> Objective | None:
    """What the program says of a combination."""
    fixed = LinearProgram()
    fixed.limits, fixed.rows = list(made.program.limits), list(made.program.rows)
    for decision, column in made.columns.items():
        fixed.same(column, LinearSum({}, float(decision in point.plus)))
    found = fixed.in_turn(made.figures, NODES)
    if len(found) < 3 or found[-1].values is None:
        return None
    return Objective(*(round(one.lower) for one in found))
