"""A time loop in its procedure's flow graph: the loop and one step of it are marked parts, one in the other.

:func:`snapset.frontend.interprocedural.marked_loops.mark_loop` marks them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from snapset.analysis.adjoint.level_adjoint import PartFacts, ProcedureAdjoint
from snapset.analysis.dataflow.bitsets import Exact, May, union
from snapset.analysis.procedures.procedure_model import ProcedureModel
from snapset.frontend import ir
from snapset.frontend.base.diagnostics import Span
from snapset.frontend.cfg.graph import Level, Loop
from snapset.frontend.interprocedural.marked_loops import LoopPlace


@dataclass(frozen=True)
class TimeLoop:
    """A time loop of one adjoint code.

    ``key``: the code's. ``whole``, ``step``: the levels of the loop and of one step. ``counter``: the location of the
    DO variable, which the number of a step tells. ``facts``: the loop as a part of the code around it, whose node is
    ``node`` in the level ``around``.
    """

    key: str
    adjoint: ProcedureAdjoint
    place: LoopPlace
    loop: Loop
    whole: Level
    step: Level
    counter: Exact

    @property
    def model(self) -> ProcedureModel:
        return self.adjoint.model

    @property
    def node(self) -> int:
        return self.whole.enter

    @property
    def around(self) -> int:
        return self.whole.parent

    @property
    def span(self) -> Span:
        return self.loop.stmt.span

    @property
    def facts(self) -> PartFacts:
        return self.adjoint.levels[self.around].parts[self.node]

    @cached_property
    def written(self) -> May:
        """Whatever some step, or what decides how many there are, may overwrite."""
        effects = self.model.effects
        return union(effects[node].out for node in self.whole.nodes)

    @cached_property
    def moved(self) -> May:
        """The same with the indices of DO CONCURRENT and FORALL in a step, which no ``out`` has."""
        return union(self.model.effects[node].changed for node in self.whole.nodes)

    @property
    def changed(self) -> May:
        """What is written, without the DO variable."""
        return self.written & ~self.counter

    @cached_property
    def decides(self) -> May:
        """What is read to decide whether there is one more step."""
        own = [n for n in self.whole.nodes if n not in self.step.nodes]
        return union(self.model.effects[n].use for n in own) & ~self.counter

    def is_counted(self) -> bool:
        """Is the number of steps known when the loop is entered?"""
        return isinstance(self.loop.stmt, ir.Do) and not self.place.leaves
