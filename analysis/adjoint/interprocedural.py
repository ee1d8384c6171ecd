"""The adjoint codes of all procedures below a head, each made when it is first asked for.

A caller's code needs the callee's first: what its adjoint reads and overwrites. Where that goes round in a circle
(recursion; split mode, in which the callee's backward sweep also sees what its caller does in between) the codes are
made together, again and again, until none of them changes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from snapset.analysis.activity.activity import Activity
from snapset.analysis.activity.adjoint_codes import CodePlanning
from snapset.analysis.activity.code_table import AdjointCode, Codes
from snapset.analysis.adjoint.available_expressions import find_computable, find_private, worth_having
from snapset.analysis.adjoint.code_maker import AdjointBuilder
from snapset.analysis.adjoint.element_tape import ElementTape
from snapset.analysis.adjoint.level_adjoint import NOTHING_BEHIND, FirstRunMode, ProcedureAdjoint
from snapset.analysis.adjoint.relied_upon import relied_upon
from snapset.analysis.adjoint.repeatable_groups import Computable
from snapset.analysis.adjoint.split_calls import State
from snapset.analysis.allocation.message_hazards import MessageHazards
from snapset.analysis.allocation.rerun_hazards import RerunHazards
from snapset.analysis.dataflow.bitsets import EMPTY, EVERYTHING, Exact, May, union
from snapset.analysis.incremental.query_engine import LazyTable, QueryOwner, derived, query
from snapset.analysis.sections.section_summaries import Stretches
from snapset.frontend.base.frozen_records import frozen


@frozen
class AdjointRules:
    """How adjoint code is made, as of :class:`snapset.analysis.pipeline.AnalysisOptions`."""

    first_run: FirstRunMode = "trimmed"
    save_intact: bool = False
    record_sides: bool = True
    record_branches: bool = False
    recompute: bool = False
    dag: bool = False
    tape_scalars: bool = False


@frozen
class CalledAdjoint:
    """A code as its callers see it: use(C̄), out(C̄), and what of use(C̄) a run of it may overwrite after reading it."""

    use: May
    out: May
    lost: May


class Adjoints(QueryOwner):
    """The adjoint codes of the procedures below one head."""

    def __init__(self, activity: Activity, planning: CodePlanning, rules: AdjointRules) -> None:
        super().__init__(activity.engine)
        self.models = activity.models
        self.activity = activity
        self.planning = planning
        self.rules = rules
        self.hazards = RerunHazards(self.models)
        self.messages = MessageHazards(self.models, activity.head)
        self.stretches = Stretches(self.models)
        self.by_key: Mapping[str, ProcedureAdjoint] = LazyTable(planning.order, self.adjoint)

    @property
    def codes(self) -> Codes:
        """All codes."""
        return self.planning.plan()

    @derived
    def adjoint(self, key: str) -> ProcedureAdjoint:
        return self.together(self.planning.together(key))[key]

    @query("value")
    def called(self, key: str) -> CalledAdjoint:
        """What callers see of a code in joint mode."""
        found = self.adjoint(key)
        return CalledAdjoint(found.use, found.out, found.lost)

    @query()
    def together(self, keys: tuple[str, ...]) -> Mapping[str, ProcedureAdjoint]:
        """Codes that have to be made together, callers first."""
        return AdjointFixpoint(self, keys).build()

    @derived
    def computable(self, key: str) -> Computable | None:
        """What a code may compute again instead of taping it."""
        found = find_computable(self.by_key[key], self.rules.dag) if self.rules.recompute else None
        return None if found is None else worth_having(self.by_key[key], found)

    def inseparable(self, order: Iterable[str], plain: bool) -> str | None:
        """Why what is decided of one location may change what is taped of another, in words; None where it does not."""
        if self.rules.dag and not plain:
            return "a tape that goes by values"
        for key in order:
            if self.by_key[key].split_calls:
                return "calls in split mode"
            if not plain and self.computable(key) is not None:
                return "values that are computed again"
        return None

    def repeated(self, key: str, plain: bool) -> Computable | None:
        """What a code may compute again with the options given, or ``plain`` without."""
        return self.computable(key) if self.rules.recompute and not plain else self.private(key)

    @derived
    def private(self, key: str) -> Computable | None:
        """What a code computes again in any case, of its own."""
        if self.rules.tape_scalars or self.rules.save_intact:
            return None
        found = find_private(self.by_key[key], bool(self.planning.callers(key)))
        return None if found is None else worth_having(self.by_key[key], found)

    @derived
    def tapes(self, key: str, plain: bool) -> tuple[ElementTape, ...]:
        """By level of a code, what writes need not tape; nothing where it is not told who relies on the code.
        ``plain``: if nothing was computed again."""
        adjoint, computable = self.by_key[key], self.repeated(key, plain)
        known = () if self.rules.save_intact or self.planning.any_split() else self.relied(key, plain)
        outside = known or (EVERYTHING,)*len(adjoint.levels)
        return tuple(ElementTape(adjoint, level, computable, May(bits))
                     for level, bits in zip(adjoint.levels, outside, strict=True))

    @derived
    def relied(self, key: str, plain: bool) -> tuple[May, ...]:
        """By level of a code, what others may rely on it to leave as it was; nothing of a recursion, which is not told
        apart."""
        if self.models.recurs(self.planning.code(key).procedure):
            return ()
        adjoint = self.by_key[key]
        above = [self.relied_by(one, key, plain) for one in self.planning.callers(key)]
        told = [one for one in above if one is not None]
        if len(told) < len(above):
            return ()
        found = {0: union(told)}
        for at, level in enumerate(adjoint.levels):
            if level.graph.parts:
                inside = self.read_by_part(key, plain, at, found[level.graph.index])
                found |= {child: inside.get(node, EMPTY) for node, child in level.graph.parts.items()}
        return tuple(found[level.graph.index] for level in adjoint.levels)

    @derived
    def read_by_part(self, key: str, plain: bool, at: int, outside: May) -> Mapping[int, May]:
        """By part of one of a code's levels, what may be read when the part has been taken back."""
        adjoint = self.by_key[key]
        return relied_upon(adjoint, adjoint.levels[at], self.repeated(key, plain), outside)

    @query("value")
    def relied_by(self, key: str, callee: str, plain: bool) -> May | None:
        """What a code may read when one that it runs has been taken back; None where that is not told. A question for
        each of them: an edit that changes what one relies on leaves the others alone."""
        return self.relied_in(key, plain).get(callee)

    @derived
    def relied_in(self, key: str, plain: bool) -> Mapping[str, May]:
        """By code that one runs, what may be read when it has been taken back."""
        adjoint, outside, found = self.by_key[key], self.relied(key, plain), dict[str, May]()
        for at, (level, bits) in enumerate(zip(adjoint.levels, outside, strict=False)):
            calls = level.parts.keys() & adjoint.model.calls.keys()
            inside = self.read_by_part(key, plain, at, bits) if calls else {}
            for node in calls:
                for target in adjoint.model.calls[node].targets:
                    callee = adjoint.code.callees.get((node, target.key))
                    if callee is not None:
                        found[callee] = found.get(callee, EMPTY) | target.holding(inside.get(node, EMPTY))
        return found


class AdjointFixpoint:
    """Makes some codes: callees before callers; again as long as what lies behind the exit of a code in split mode
    grows: what lies behind all calls of it, one code serving them all."""

    def __init__(self, adjoints: Adjoints, keys: tuple[str, ...]) -> None:
        self.adjoints = adjoints
        self.keys = keys
        self.models = adjoints.models
        self.rules = adjoints.rules
        self.hazards = adjoints.hazards
        self.stretches = adjoints.stretches
        self.codes = {key: adjoints.planning.code(key) for key in keys}
        self.by_key: dict[str, ProcedureAdjoint] = {}
        self.behind: dict[str, State] = {}
        self.dying: dict[str, Exact] = {}
        self._made: dict[str, AdjointBuilder] = {}

    def build(self) -> Mapping[str, ProcedureAdjoint]:
        stale = set(self.keys)
        while stale:
            for key in reversed(self.keys):
                if key in stale:
                    stale.discard(key)
                    stale |= self._rebuilt(key)
        return self.by_key

    def _rebuilt(self, key: str) -> set[str]:
        """Build one code; those that have to be built again. What callers see of a recursive one only grows."""
        before, code = self.by_key.get(key), self.codes[key]
        recursive = self.models.recurs(code.procedure)
        made = AdjointBuilder(self, code, self.adjoints.activity.within(code.procedure, code.border)[0])
        found = made.build()
        self.by_key[key] = found
        if code.split:
            self._made[key] = made
        stale: set[str] = set()
        if recursive and before is not None:
            found = self.by_key[key] = replace(found, use=found.use | before.use, out=found.out | before.out,
                                               lost=found.lost | before.lost)
        if (before is not None or recursive) and (code.split or _seen(before) != _seen(found)):
            stale |= self._above(key)
        for callee, state, dying in made.passed_on():
            known = self.behind.get(callee, NOTHING_BEHIND), self.dying.get(callee, EMPTY)
            joined = (known[0][0] | state[0], known[0][1] | state[1]), known[1] | dying
            if joined != known:
                self.behind[callee], self.dying[callee] = joined
                stale.add(callee)
        return stale

    def _above(self, key: str) -> set[str]:
        """Of these codes every one that runs ``key``, directly or not."""
        found: set[str] = set()
        work = [key]
        while work:
            for caller in self.adjoints.planning.callers(work.pop()):
                if caller in self.codes and caller not in found:
                    found.add(caller)
                    work.append(caller)
        return found

    def callee(self, code: AdjointCode, node: int, procedure: str) -> ProcedureAdjoint | CalledAdjoint | None:
        """The code that a call runs for one of its targets; None where it has none."""
        key = code.callees.get((node, procedure))
        if key is None or key in self.codes:
            return self.by_key.get(key or "")
        return self.adjoints.called(key)

    def through(self, key: str, state: State) -> State:
        """use and out at the entry of a code in split mode from those behind its exit at one call."""
        made = self._made.get(key)
        return NOTHING_BEHIND if made is None else made.through(state)


def _seen(adjoint: ProcedureAdjoint | None) -> tuple[May, May, May]:
    """What callers see of a code in joint mode."""
    return (EMPTY, EMPTY, EMPTY) if adjoint is None else (adjoint.use, adjoint.out, adjoint.lost)
