r"""What restarts a time loop at a step: the chain R_0 ⊆ R_1 ⊆ R_2 ... of what is live into the span that is run again.

    R_0     = use(S̄)                                     the adjoint of the step itself
    R_(k+1) = R_0 ∪ use(S) ∪ (R_k \ kill(S))             one step S more before it

S is one step run plainly: of it only the statements that give a value of R_k, or decide about one (trimmed). A chain
grows as long as there are loop-carried locations, so it ends. What no step overwrites is a parameter, never stored.
Example: ``g = g0; ... if (mod(k, 3) == 0) u = u*g``: g is in R_0, since some step reads it before it is written again.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from snapset.analysis.adjoint.level_adjoint import ProcedureAdjoint
from snapset.analysis.dataflow.bitsets import May
from snapset.analysis.dataflow.part_graphs import flat_graph
from snapset.analysis.dataflow.solver import DirectedGraph
from snapset.analysis.loops.call_needs import CallNeeds
from snapset.analysis.loops.time_loop import TimeLoop
from snapset.analysis.procedures.live_code import FirstRun, exposed, first_run
from snapset.analysis.procedures.procedure_model import ProcedureModel
from snapset.frontend.base.frozen_records import frozen


@frozen
class RestartData:
    """The chain R_0, R_1 ... to its fixpoint: ``chain`` without parameters, ``reads`` with them.

    ``plain``: what restarts a step where nothing is trimmed. ``running``: the nodes that run again in a step behind
    which R_0, R_1 ... is read.
    """

    chain: tuple[May, ...]
    reads: tuple[May, ...]
    plain: May
    running: tuple[frozenset[int], ...]

    @property
    def read(self) -> May:
        """All that a span of any length reads."""
        return self.reads[-1]

    @property
    def all(self) -> May:
        """What restarts a span of any length."""
        return self.chain[-1]


class StepRuns:
    """Plain runs of one step. ``model``: see :func:`snapset.analysis.loops.step_model.step_model`. ``calls``: what its
    calls must find."""

    def __init__(self, loop: TimeLoop, model: ProcedureModel, calls: CallNeeds, whole: bool = False,
                 graph: DirectedGraph | None = None) -> None:
        """``graph``: the ways that the step may take (None: all)."""
        self.loop = loop
        self.model = model
        self.calls = calls
        self.whole = whole
        self.graph = flat_graph(model.flow, loop.step.index) if graph is None else graph
        self.backward = self.graph.reversed(loop.step.leave)
        self.lives = model.lives()

    def along(self, graph: DirectedGraph) -> StepRuns:
        """Runs of a step that takes no other ways than these."""
        return StepRuns(self.loop, self.model, self.calls, self.whole, graph)

    def first_run(self, demanded: May) -> FirstRun:
        """A step that is run for what is demanded behind it."""
        return first_run(self.model.scope, self.graph, self.backward, self.model.effects, self.lives,
                         self.loop.adjoint.control, demanded, self.whole,
                         None if self.whole else partial(self.calls.of_call, self.model))

    def live(self, demanded: May) -> May:
        """use(S) ∪ (demanded \\ kill(S)), trimmed."""
        return self.closed(self.lives.fold(self.first_run(demanded).live))

    def untrimmed(self, demanded: May) -> May:
        """The same for a step that is run whole."""
        every = frozenset(self.graph.order)
        found = exposed(self.model.scope, self.graph, self.backward, self.model.effects, self.lives, every, demanded)
        return self.closed(self.lives.fold(found))

    def closed(self, bits: May) -> May:
        """With the associations of pointers that lead there."""
        return self.model.space.with_descriptors(bits)


def find_restart_data(loop: TimeLoop, runs: StepRuns, adjoint: ProcedureAdjoint) -> RestartData:
    """``adjoint``: of a step alone."""
    alone = runs.closed(adjoint.levels[loop.step.index].entry[0])
    chain = chain_to_fixpoint(alone, lambda behind: runs.live(behind) | alone)
    plain = chain_to_fixpoint(alone, lambda behind: runs.untrimmed(behind) | alone)[-1]
    changed = loop.changed
    running = tuple(runs.first_run(one).running for one in chain)
    return RestartData(tuple(one & changed for one in chain), chain, plain & changed, running)


def closure(loop: TimeLoop, runs: StepRuns, restart: RestartData) -> May:
    """All that is demanded of any step when the loop is run for the first time: for what follows it, for what decides
    how many steps there are, and for what restarts later ones."""
    first = loop.facts.use_dbar | loop.decides | restart.read
    return chain_to_fixpoint(runs.closed(first), runs.live)[-1]


def chain_to_fixpoint(start: May, before: Callable[[May], May]) -> tuple[May, ...]:
    """R_0 = ``start``, R_1 ... as long as they grow. ``before``: what is live one step earlier."""
    found = [start]
    while (following := before(found[-1]) | found[-1]) != found[-1]:
        found.append(following)
    return tuple(found)
