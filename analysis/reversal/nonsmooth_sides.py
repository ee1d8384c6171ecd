"""MAX, MIN, ABS, SIGN, DIM and MERGE: which side was taken may be recorded, as it is of a branch.

The derivative of ``max(a, b)`` reads a and b only to know which of them it was. Recording that in the forward sweep
takes a byte; keeping a and b until then takes more where they are overwritten and nothing else needs them. Decided
statement by statement for a whole code, by what a To Be Recorded analysis of it would tape either way.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from snapset.analysis.activity.active_sets import Active
from snapset.analysis.activity.code_table import AdjointCode
from snapset.analysis.dataflow.bitsets import EMPTY, May, members, union
from snapset.analysis.dataflow.framework import Direction, MayProblem
from snapset.analysis.dataflow.part_graphs import LevelGraph, level_graph
from snapset.analysis.derivative_rules import is_sided
from snapset.analysis.memory.byte_sizes import constant_bytes
from snapset.analysis.memory.references import References, operands
from snapset.analysis.procedures.array_lives import ArrayLives
from snapset.analysis.procedures.procedure_model import ProcedureModel
from snapset.analysis.procedures.statement_effects import derivative_use
from snapset.analysis.reversal.recorded_control import NO_SIDES, Reversal, Sides
from snapset.frontend import ir
from snapset.frontend.ir.expression_queries import rank_of, walk

EXTENT = 10  # stands for an extent or a trip count that is not known


NO_READS: Mapping[int, May] = MappingProxyType({})


def joined(*reads: Mapping[int, May]) -> dict[int, May]:
    """What is read at each node, of several such tables."""
    found: dict[int, May] = {}
    for table in reads:
        for node, bits in table.items():
            found[node] = found.get(node, EMPTY) | bits
    return found


def choose_sides(weighing: Weighing) -> tuple[Mapping[int, Sides], Mapping[int, May]]:
    """The statements that record sides, and use(I') of those statements then. What does not run may record sides all
    the same: evaluating them changes nothing."""
    model, active, reversal = weighing.model, weighing.active, weighing.reversal
    found: dict[int, Sides] = {}
    reads: dict[int, May] = {}
    for node, full in active.derivative.items():
        sides, less = _candidate(model, active, node)
        if sides is not None and full & ~less & ~reversal.regenerated(node):
            found[node], reads[node] = sides, less
    if not found:
        return NO_SIDES, {}
    best = weighing.cost(reads, found)
    for node in list(found):
        fewer = {n: sides for n, sides in found.items() if n != node}
        cost = weighing.cost({n: reads[n] for n in fewer}, fewer)
        if cost <= best:
            best, found = cost, fewer
    return found, {n: reads[n] for n in found}


def _candidate(model: ProcedureModel, active: Active, node: int) -> tuple[Sides | None, May]:
    """What a node would record, and its use(I') then; None where it has no side to record, or not plainly."""
    at = model.flow.nodes[node]
    if not isinstance(at.stmt, ir.Assign) or at.masks:
        return None, EMPTY
    loops = (model.flow.loops[i].stmt for i in at.loops)
    if any(isinstance(loop, ir.Do) and loop.kind == "forall" for loop in loops):
        return None, EMPTY
    if any(isinstance(one, ir.ImpliedDo) for one in walk(at.stmt.value)):
        return None, EMPTY  # as many sides as it has turns
    ranks = [rank_of(expr) for expr in _switches(at.stmt.value, model.refs, active.varied[node])]
    if not ranks or any(rank not in (0, at.stmt.target.rank) for rank in ranks):
        return None, EMPTY
    arrays = sum(1 for rank in ranks if rank)
    less = derivative_use(at.stmt, (), model.refs, active.varied[node], sided=True)
    return Sides(len(ranks) - arrays, arrays), model.space.with_aliases(less)


def _switches(expr: ir.Expr, refs: References, varied: May) -> Iterator[ir.Intrinsic]:
    """The active MAX, MIN ... of an expression."""
    if not refs.flows(expr) & varied:
        return
    if isinstance(expr, ir.Intrinsic) and is_sided(expr):
        yield expr
    for operand in operands(expr):
        yield from _switches(operand, refs, varied)


@dataclass(frozen=True, eq=False)
class RoughlyRequired(MayProblem):
    """To Be Recorded as it is weighed: what is required, were all that is required of a part saved before it.

        Req(exit I) = (Req(entry I) ∪ needs(I)) \\ kill(I)    if the forward sweep runs I
                      Req(entry I) ∪ needs(I)                otherwise

    ``needs``: use(I'), and of a call or part what it may read.
    """

    name = "roughly-required"
    direction = Direction.FORWARD

    weighing: Weighing
    graph: LevelGraph
    derivative: Mapping[int, May]
    fewest: bool

    def transfer(self, node: int, state: May) -> May:
        weighing, lives = self.weighing, self.weighing.lives
        needs = lives.own(node, weighing.needs(node, self.graph, self.derivative, self.fewest))
        state = lives.opened_forward(node, state) | needs
        if node not in self.graph.parts and node in weighing.running:
            state &= ~(weighing.model.effects[node].kill | lives.element_kills(node))
        return lives.closed_forward(node, state)

    def plain(self, state: May) -> int:
        return self.weighing.lives.fold(state)


class Weighing:
    """What a code tapes, roughly, in bytes: all extents and trip counts that are not known are equal.

    ``behind``: what may change between the code's exit and the turn (split mode). ``running``: the nodes that the
    forward sweeps run.
    """

    def __init__(self, model: ProcedureModel, code: AdjointCode, active: Active, reversal: Reversal, lives: ArrayLives,
                 behind: May, running: frozenset[int]) -> None:
        self.model = model
        self.active = active
        self.reversal = reversal
        self.lives = lives
        self.behind = behind
        self.running = running
        self.split = code.split
        # What may be required at the entry is taped, whatever is chosen.
        self.entering = model.visible if code.split else EMPTY
        self.graphs = [level_graph(model.flow, level.index) for level in model.flow.levels]
        self.sizes = [constant_bytes(info, EXTENT) for info in model.space.infos]

    def cost(self, reads: Mapping[int, May], sides: Mapping[int, Sides]) -> int:
        """Bytes of values and of sides when ``reads`` takes the place of use(I') of some nodes."""
        recorded = sum(self.times(node, one.bytes(self.elements(node))) for node, one in sides.items())
        return recorded + self.values(reads)

    def values(self, reads: Mapping[int, May], besides: Mapping[int, May] = NO_READS, fewest: bool = False) -> int:
        """Bytes of values then; ``besides``: what the adjoint reads at other nodes. ``fewest``: nothing is required
        for what calls and callers may read."""
        derivative = {**self.active.derivative, **reads}
        derivative = {n: bits & ~self.reversal.regenerated(n) for n, bits in derivative.items()}
        derivative = joined(derivative, self.reversal.preserved, besides)
        return sum(self.taped(graph, derivative, fewest) for graph in self.graphs)

    def taped(self, graph: LevelGraph, derivative: Mapping[int, May], fewest: bool) -> int:
        """The bytes that one level tapes; a part in it saves what it overwrites and is required."""
        lives = self.lives
        entering = EMPTY if graph.index or fewest else self.entering
        required = RoughlyRequired(self.model.scope, entering, self, graph, derivative, fewest).solve(graph.forward)
        total = 0
        for node in graph.forward.order:
            before = lives.touchable(node, lives.opened_forward(node, required.entries[node]))
            taped = self.written(node, graph) & (before | self.needs(node, graph, derivative, fewest))
            total += self.times(node, sum(self.piece(node, i) for i in members(taped)))
        ending = lives.fold(required.at_entry(graph.leave)) & self.behind if not graph.index else 0
        return total + sum(self.sizes[i] for i in members(ending))

    def needs(self, node: int, graph: LevelGraph, derivative: Mapping[int, May], fewest: bool) -> May:
        effects = self.model.effects
        if node in graph.parts:
            inner = self.model.flow.levels[graph.parts[node]].nodes
            return union(derivative.get(n, EMPTY) | (EMPTY if fewest else effects[n].use) for n in inner)
        called = node in self.active.active_calls and not fewest
        return derivative.get(node, EMPTY) | (effects[node].use if called else EMPTY)

    def written(self, node: int, graph: LevelGraph) -> May:
        effects = self.model.effects
        if node in graph.parts:
            return union(effects[n].out for n in self.model.flow.levels[graph.parts[node]].nodes)
        runs = node in self.running or node in self.active.active_calls
        return effects[node].out & ~self.reversal.regenerated(node) if runs else EMPTY

    def times(self, node: int, amount: int) -> int:
        return int(amount * EXTENT ** len(self.model.flow.nodes[node].loops))

    def elements(self, node: int) -> int:
        stmt = self.model.flow.nodes[node].stmt
        return int(EXTENT**stmt.target.rank) if isinstance(stmt, ir.Assign) else 1

    def piece(self, node: int, index: int) -> int:
        """The bytes of a location that a node overwrites: those of the elements its target selects."""
        if index >= len(self.sizes):
            return 0
        stmt = self.model.flow.nodes[node].stmt
        if isinstance(stmt, ir.Assign) and stmt.target.type.bytes is not None:
            return min(self.sizes[index], stmt.target.type.bytes * self.elements(node))
        return self.sizes[index]
