"""What is known of the adjoint code of a procedure, and of each of its levels: plain records.

:mod:`snapset.analysis.adjoint.code_maker` fills them; everything behind it, from what is taped to the report, reads
them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Literal

from snapset.analysis.activity.active_sets import Active
from snapset.analysis.activity.code_table import AdjointCode
from snapset.analysis.adjoint.split_calls import SplitCallSite, State
from snapset.analysis.dataflow.bitsets import EMPTY, Exact, May, Must, exactly, set_of
from snapset.analysis.dataflow.framework import ProblemScope
from snapset.analysis.dataflow.part_graphs import LevelGraph
from snapset.analysis.equations import PartSets
from snapset.analysis.memory.references import Piece
from snapset.analysis.procedures.live_code import ControlDependence
from snapset.analysis.procedures.procedure_model import ProcedureModel
from snapset.analysis.reversal.recorded_control import ReevaluatedCondition, Reversal, Sides
from snapset.frontend.base.frozen_records import frozen

NOTHING_BEHIND: State = (EMPTY, EMPTY)


@frozen(kw_only=True)
class PartFacts:
    """A checkpointed part at its node: what the equations start from (Req apart). Of the arrays ``touched`` that the
    iterations of a loop share out (:mod:`snapset.analysis.procedures.iteration_private`), the sets tell the iteration's
    own elements.

    ``first_run_nodes``: the nodes of a marked part's first run; for a call, its own node where it runs first.
    ``intact``: of use(C̄) ∩ out(C), what needs no saving (:mod:`snapset.analysis.sections.lost_values`). ``passed``:
    what of use(C̄) the derivatives of the expressions a call passes read: it is required like any other statement's.
    ``out_within``: of out(D̄), what is overwritten at every call of a code in split mode; ``changed``: all of it, other
    iterations' elements too.
    ``pieces``: by location, the elements that C writes (:mod:`snapset.analysis.sections.snapshot_sections`);
    ``given``: those that a call is passed; ``alone``: of these locations C̄ reads no other elements. ``untaped``: what C̄
    cannot put back: of a call that may reach what no model of what it runs names, anything.
    """

    use_c: May
    out_c: May
    use_cbar: May
    out_cbar: May
    use_dbar: May
    out_dbar: May
    first_run_nodes: frozenset[int]
    intact: Must
    out_within: May
    changed: May
    touched: May = EMPTY
    passed: May = EMPTY
    pieces: Mapping[int, Piece] = field(default_factory=dict)
    given: Mapping[int, Piece] = field(default_factory=dict)
    alone: Must = EMPTY
    untaped: May = EMPTY

    def with_req(self, req: May, again: Must = EMPTY) -> PartSets:
        """The five sets; ``again``: what is computed again when the backward sweep has left the part."""
        return PartSets(req=req | (self.passed & ~again), out_c=self.out_c, out_dbar=self.out_dbar,
                        out_cbar=self.out_cbar, use_cbar=self.use_cbar & ~self.intact, untaped=self.untaped)

    @property
    def whole(self) -> Exact:
        """Of what C overwrites, what is saved whole if it is saved: no piece of it."""
        return exactly(self.out_c & ~set_of((*self.pieces, *self.given)))

    def left_to_d(self, computed: May) -> May:
        """What C̄ reads as D̄ has left it: all that is not in the snapshot of every solution, with all of its elements
        that C̄ reads. ``computed``: what may be computed again instead of being saved there.

        By DH (2) a location of out(C) ∩ use(C̄) is in Snp, but for a piece of it."""
        in_part = set_of(i for i, piece in self.pieces.items()
                         if not self.alone >> i & 1 or self.given.get(i) != piece)
        saved = exactly(self.out_c & self.use_cbar & ~self.intact & ~in_part & ~computed)
        return May((self.use_cbar & ~saved) | self.passed)


@frozen(kw_only=True)
class LevelAdjoint:
    """One level's adjoint with nothing behind it.

    ``running``: the nodes its forward sweep runs. ``entry``: use and out of the whole level's adjoint.
    ``parts``: the facts of the marked parts and active calls directly in it, by node. ``lost_behind``: what is
    overwritten behind its end and before the turn: by callers of a code in split mode, by later steps of a time loop.
    """

    graph: LevelGraph
    running: frozenset[int]
    entry: State
    parts: Mapping[int, PartFacts]
    lost_behind: May


@frozen(kw_only=True)
class ProcedureAdjoint:
    """All levels of one procedure; ``use`` and ``out`` are use(C̄) and out(C̄) of a call of it, ``lost`` what of
    use(C̄) a run of it may overwrite after reading it.

    ``split_calls``: its active calls in split mode. Of a code whose own sweeps run apart, ``use`` and ``out`` are those
    with nothing behind it, and ``dying`` is what is lost between its sweeps: its own variables.
    ``sides``: the statements that record which side of MAX, MIN ... was taken
    (:mod:`snapset.analysis.reversal.nonsmooth_sides`).
    ``branches``: the tests that are evaluated again instead of being recorded
    (:mod:`snapset.analysis.reversal.branch_conditions`).
    ``masks``: the assignments whose WHERE mask is recorded (:mod:`snapset.analysis.reversal.recorded_masks`).
    """

    code: AdjointCode
    model: ProcedureModel
    active: Active
    levels: tuple[LevelAdjoint, ...]
    reversal: Reversal
    control: ControlDependence
    derivative: Mapping[int, May]
    use: May
    out: May
    lost: May
    split_calls: Mapping[int, SplitCallSite]
    dying: Exact
    sides: Mapping[int, Sides]
    branches: Mapping[int, ReevaluatedCondition]
    masks: frozenset[int]

    @property
    def key(self) -> str:
        return self.code.key

    @property
    def scope(self) -> ProblemScope:
        """The code for data-flow problems to be about."""
        return self.model.scope.of_code(self.key)


FirstRunMode = Literal["trimmed", "whole"]
