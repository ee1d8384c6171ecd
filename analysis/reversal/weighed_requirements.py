"""What a code tapes, roughly, and how much more it tapes when its adjoint reads more.

Branches and sides are chosen one after the other, each by the bytes that the choice adds. To Be Recorded is a
distributive problem: what one read requires does not depend on what others require. So the code is solved once, and
a choice follows only what it adds (Ramalingam and Reps 1996, the incremental side of a data-flow problem), as far as
nothing requires that already; a choice that costs too much is taken back.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from snapset.analysis.activity.active_sets import Active
from snapset.analysis.activity.code_table import AdjointCode
from snapset.analysis.dataflow.bitsets import EMPTY, May, exactly, members, union
from snapset.analysis.dataflow.framework import Direction, MayProblem
from snapset.analysis.dataflow.part_graphs import LevelGraph, level_graph
from snapset.analysis.memory.byte_sizes import constant_bytes
from snapset.analysis.procedures.array_lives import ArrayLives
from snapset.analysis.procedures.procedure_model import ProcedureModel
from snapset.analysis.reversal.recorded_control import Reversal
from snapset.frontend import ir
from snapset.frontend.base.frozen_records import frozen

EXTENT = 10  # stands for an extent or a trip count that is not known

NO_READS: Mapping[int, May] = MappingProxyType({})


def joined(*reads: Mapping[int, May]) -> dict[int, May]:
    """What is read at each node, of several such tables."""
    found: dict[int, May] = {}
    for table in reads:
        for node, bits in table.items():
            found[node] = found.get(node, EMPTY) | bits
    return found


@frozen(eq=False)
class RoughlyRequired(MayProblem):
    """To Be Recorded as it is weighed: what is required, were all that is required of a part saved before it.

        Req(exit I) = (Req(entry I) ∪ needs(I)) \\ kill(I)    if the forward sweep runs I
                      Req(entry I) ∪ needs(I)                otherwise

    ``needs``: use(I'), and of a call or part what it may read; without what only tells a side or a branch, which is
    weighed against this.
    """

    name = "roughly-required"
    direction = Direction.FORWARD

    weighing: Weighing
    graph: LevelGraph
    needs: Mapping[int, May]

    def transfer(self, node: int, state: May) -> May:
        return self.passed(node, state, self.needs[node])

    def passed(self, node: int, state: May, needs: May) -> May:
        """What leaves a node of what comes to it, and is needed there."""
        weighing, lives = self.weighing, self.weighing.lives
        state = lives.opened_forward(node, state) | lives.own(node, needs)
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

    def derivative(self, reads: Mapping[int, May]) -> dict[int, May]:
        """What the adjoint reads at each node when ``reads`` takes the place of use(I') of some."""
        derivative = {**self.active.derivative, **reads}
        derivative = {n: bits & ~self.reversal.regenerated(n) for n, bits in derivative.items()}
        return joined(derivative, self.reversal.preserved)

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

    def touched(self, node: int, graph: LevelGraph) -> May:
        """What a call or part reads or overwrites."""
        inner = self.model.flow.levels[graph.parts[node]].nodes if node in graph.parts else (node,)
        return union(self.model.effects[n].use | self.model.effects[n].out for n in inner)

    def bytes(self, node: int, taped: May) -> int:
        """The bytes of some locations that a node overwrites."""
        return self.times(node, sum(self.piece(node, i) for i in members(taped))) if taped else 0

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


class WeighedRequirements:
    """The values that a code tapes, in rough bytes, while more and more is read.

    ``reads``: what takes the place of use(I') of some nodes. ``fewest``: nothing is required for what calls and callers
    may read.
    """

    def __init__(self, weighing: Weighing, reads: Mapping[int, May], fewest: bool = False) -> None:
        derivative = weighing.derivative(reads)
        self.levels = [_LevelRequirements(weighing, graph, derivative, fewest) for graph in weighing.graphs]

    def more(self, reads: Mapping[int, May], at_most: int) -> int:
        """The bytes for what is read besides, found out no further than that they are more than ``at_most``. It is
        required until it is taken back."""
        total = 0
        for level in self.levels:
            if total <= at_most:
                total += level.more(reads, at_most - total)
        return total

    def keep(self) -> None:
        """What was added stays."""
        for level in self.levels:
            level.undo.clear()

    def take_back(self) -> None:
        """What was added since the last :meth:`keep` is not required after all."""
        for level in self.levels:
            level.take_back()


class _LevelRequirements:
    """One level's solution, kept up to date."""

    def __init__(self, weighing: Weighing, graph: LevelGraph, derivative: Mapping[int, May], fewest: bool) -> None:
        self.weighing, self.graph = weighing, graph
        needs = {node: weighing.needs(node, graph, derivative, fewest) for node in graph.forward.order}
        entering = EMPTY if graph.index or fewest else weighing.entering
        self.problem = RoughlyRequired(weighing.model.scope, entering, weighing, graph, needs)
        solution = self.problem.solve(graph.forward)
        self.entries, self.exits = dict(solution.entries), dict(solution.exits)
        self.taped = {node: self.taped_at(node, self.entries[node], needs[node]) for node in graph.forward.order}
        inside = ((inner, node) for node, level in graph.parts.items() if node in needs
                  for inner in weighing.model.flow.levels[level].nodes)
        self.place = {node: node for node in needs} | dict(inside)  # a part's nodes stand for the part
        self.undo: list[tuple[dict[int, May], int, May]] = []

    def taped_at(self, node: int, before: May, needs: May) -> May:
        """What a node overwrites of what is required before it or read there."""
        lives, written = self.weighing.lives, self.weighing.written(node, self.graph)
        if not written:
            return EMPTY
        return lives.touched(node, written, lives.opened_forward(node, before)) | (written & needs)

    def more(self, reads: Mapping[int, May], at_most: int) -> int:
        """The bytes for what is read besides; found out no further than that they are more than ``at_most``."""
        total, succs = 0, self.graph.forward.succs
        nothing: May = EMPTY
        work = [(self.place[node], nothing, bits) for node, bits in reads.items() if node in self.place]
        while work:
            node, coming, needs = work.pop()
            arriving = _besides(coming, self.entries[node])
            self._grow(self.entries, node, arriving)
            taped = _besides(self.taped_at(node, arriving, needs), self.taped[node])
            total += self.weighing.bytes(node, taped) + self._ending(node, arriving)
            self._grow(self.taped, node, taped)
            if total > at_most:
                break
            leaving = _besides(self.problem.passed(node, arriving, needs), self.exits[node])
            if leaving:
                self._grow(self.exits, node, leaving)
                work.extend((after, leaving, nothing) for after in succs[node] if leaving & ~self.entries[after])
        return total

    def _ending(self, node: int, arriving: May) -> int:
        """The bytes of what is required at the end and may change before the turn."""
        if self.graph.index or node != self.graph.leave:
            return 0
        lives = self.weighing.lives
        known = lives.fold(_besides(self.entries[node], arriving))
        ending = _besides(lives.fold(arriving), known) & self.weighing.behind
        return sum(self.weighing.sizes[i] for i in members(ending))

    def _grow(self, table: dict[int, May], node: int, more: May) -> None:
        if more:
            self.undo.append((table, node, table[node]))
            table[node] |= more

    def take_back(self) -> None:
        for table, node, bits in reversed(self.undo):
            table[node] = bits
        self.undo.clear()


def _besides(bits: May, known: May) -> May:
    """What a set has more than what was known."""
    return exactly(bits & ~known)
