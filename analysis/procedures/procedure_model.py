"""One procedure as every analysis needs it: locations, flow graph, effects, call sites, array kills, summary."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace

from snapset.analysis.dataflow.bitsets import EMPTY, Exact, May, set_of
from snapset.analysis.dataflow.framework import ProblemScope
from snapset.analysis.dataflow.solver import DirectedGraph
from snapset.analysis.memory.locations import Info, Location, Space
from snapset.analysis.memory.references import References
from snapset.analysis.procedures.array_lives import ArrayLives, ArrayProofs
from snapset.analysis.procedures.call_binding import CallSite
from snapset.analysis.procedures.effect_sets import Effect, Summary
from snapset.frontend import ir
from snapset.frontend.base.diagnostics import Span
from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.cfg.graph import FlowGraph
from snapset.frontend.ir.statement_walk import last_line


@frozen
class ProcedureModel:
    """A procedure and what does not depend on the head.

    ``effects`` are by node (a call's by its targets' summaries). ``visible``: the locations that
    callers see. ``formals``: the location bits of each dummy argument; ``result``: of the function result.
    ``smooth``: the locations that can carry derivatives. ``written``: whatever some node may write.
    ``stored_masks``: the assignments whose WHERE mask must be recorded, because those of the same WHERE change what
    it was computed from.
    """

    procedure: ir.Procedure
    flow: FlowGraph
    graph: DirectedGraph
    backward: DirectedGraph
    space: Space
    refs: References
    effects: tuple[Effect, ...]
    calls: Mapping[int, CallSite]
    proofs: ArrayProofs
    visible: Exact
    smooth: Exact
    written: May
    stored_masks: frozenset[int]
    summary: Summary
    known_lives: dict[frozenset[int] | None, ArrayLives] = field(default_factory=dict, init=False, compare=False,
                                                                 repr=False)  # not that of a model it is made from

    @property
    def scope(self) -> ProblemScope:
        """The procedure for data-flow problems to be about."""
        return ProblemScope(self.procedure.key, self.flow, self.space.names)

    def lives(self, kept: frozenset[int] | None = None) -> ArrayLives:
        """The lives of its arrays where ``kept`` runs (None: all); the same for all that keep the same array kills."""
        holding = None if kept is None else frozenset(
            place for place, one in enumerate(self.proofs.array_kills) if one.writers <= kept)
        if holding is not None and len(holding) == len(self.proofs.array_kills):
            holding = None
        if holding not in self.known_lives:
            self.known_lives[holding] = ArrayLives(self.proofs, holding)
        return self.known_lives[holding]

    def place(self, node: int) -> Span:
        """Where a node stands; the exit at the last statement."""
        span, body = self.flow.nodes[node].span, self.procedure.body
        if node != self.flow.exit or not body:
            return span
        last = max(map(last_line, body))
        return replace(span, line=last, end_line=last)

    @property
    def bounds_read(self) -> May:
        """What entering the procedure reads: the bounds of its arrays."""
        return self.effects[self.flow.entry].use & self.visible

    def put_back_by(self, node: int, required: May) -> May:
        """The allocation by which an assignment's old value is put back: that of a in ``a(3) = 0`` where what p leads
        to is required, perhaps a(3)."""
        stmt, named = self.flow.nodes[node].stmt, self.space.other_names & self.space.allocatable
        if not named or not isinstance(stmt, ir.Assign):
            return EMPTY
        bits = self.refs.touch(stmt.target).bits & named
        return self.space.descriptors_of(bits) if self.space.with_aliases(bits) & required else EMPTY

    def formal(self, name: str) -> Exact:
        """The locations of a variable the procedure can name (0 if it has none of that name)."""
        indices = (self.space.find(leaf.location) for leaf in self.refs.leaves(name))
        return set_of(index for index in indices if index is not None)


@frozen
class VisibleModel:
    """All that analyses of callers may look at, in the procedure's own numbering.

    ``written``: of whatever some node may write what is visible. ``bounds``: what entering it reads. ``effort``: what a
    call takes (:mod:`snapset.analysis.operation_counts`).
    """

    locations: tuple[Location, ...]
    infos: tuple[Info, ...]
    visible: Exact
    smooth: Exact
    summary: Summary
    written: May
    bounds: May
    effort: int


@frozen
class ProcedureInterface:
    """A procedure as its callers see it: what it declares, and what :class:`VisibleModel` says of it."""

    procedure: ir.Procedure
    space: Space
    visible: Exact
    smooth: Exact
    summary: Summary
    written: May
    bounds_read: May
    effort: int
