"""All adjoint codes of a head, callees first; around recursion and calls in split mode until nothing changes more."""

from __future__ import annotations

from dataclasses import replace

from snapset.analysis.activity.code_table import AdjointCode, Codes
from snapset.analysis.adjoint.adjoint_liveness import Maker
from snapset.analysis.adjoint.available_expressions import Computable, find_computable
from snapset.analysis.adjoint.level_adjoint import NOTHING_BEHIND, FirstRunMode, ProcedureAdjoint
from snapset.analysis.adjoint.split_calls import State
from snapset.analysis.allocation.rerun_hazards import Hazards
from snapset.analysis.dataflow.bitsets import EMPTY, Exact, May
from snapset.analysis.procedures.model_builder import Models
from snapset.analysis.sections.section_summaries import Stretches


class Adjoints:
    """The adjoint codes of the procedures below one head."""

    def __init__(self, models: Models, codes: Codes, mode: FirstRunMode,
                 save_intact: bool = False, record_sides: bool = True,
                 record_branches: bool = False, recompute: bool = False) -> None:
        self.models = models
        self.codes = codes
        self.mode = mode
        self.save_intact = save_intact
        self.record_sides = record_sides
        self.recompute = recompute
        self.record_branches = record_branches
        self.hazards = Hazards(models)
        self.stretches = Stretches(models)
        self.by_key: dict[str, ProcedureAdjoint] = {}
        self.behind: dict[str, State] = {}
        self.dying: dict[str, Exact] = {}
        self._made: dict[str, Maker] = {}
        self._computable: dict[str, Computable | None] = {}

    def build_all(self) -> None:
        """Callees before callers; again as long as what lies behind the exit of a code in split mode grows: what lies
        behind all calls of it, one code serving them all."""
        stale = set(self.codes.order)
        while stale:
            for key in reversed(self.codes.order):
                if key in stale:
                    stale.discard(key)
                    stale |= self._rebuilt(key)

    def _rebuilt(self, key: str) -> set[str]:
        """Build one code; those that have to be built again. What callers see of a recursive one only grows."""
        before, code = self.by_key.get(key), self.codes.by_key[key]
        recursive = code.procedure in self.models.recursive
        made = Maker(self, code)
        found = self.by_key[key] = made.build()
        if code.split:
            self._made[key] = made
        stale: set[str] = set()
        if recursive and before is not None:
            found = self.by_key[key] = replace(found, use=found.use | before.use, out=found.out | before.out,
                                               lost=found.lost | before.lost)
        if (before is not None or recursive) and (code.split or _seen(before) != _seen(found)):
            stale |= self.codes.above(key)
        for callee, state, dying in made.passed_on():
            known = self.behind.get(callee, NOTHING_BEHIND), self.dying.get(callee, EMPTY)
            joined = (known[0][0] | state[0], known[0][1] | state[1]), known[1] | dying
            if joined != known:
                self.behind[callee], self.dying[callee] = joined
                stale.add(callee)
        return stale

    def computable(self, key: str) -> Computable | None:
        """What a code may compute again instead of taping it."""
        if key not in self._computable:
            self._computable[key] = find_computable(self.by_key[key]) if self.recompute else None
        return self._computable[key]

    def callee(self, code: AdjointCode, node: int, procedure: str) -> ProcedureAdjoint | None:
        """The code that a call runs for one of its targets; None where it has none."""
        return self.by_key.get(code.callees.get((node, procedure), ""))

    def through(self, key: str, state: State) -> State:
        """use and out at the entry of a code in split mode from those behind its exit at one call."""
        made = self._made.get(key)
        return NOTHING_BEHIND if made is None else made.through(state)


def _seen(adjoint: ProcedureAdjoint | None) -> tuple[May, May, May]:
    """What callers see of a code in joint mode."""
    return (EMPTY, EMPTY, EMPTY) if adjoint is None else (adjoint.use, adjoint.out, adjoint.lost)
