"""Why one location is saved at one part, or why not: reasons, evidence, what the other choice would cost."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

from snapset.analysis.activity.differentiation_head import Head
from snapset.analysis.analysis_options import AnalysisOptions
from snapset.analysis.costs.stack_model import CostModel, HeadStructure
from snapset.analysis.dataflow.bitsets import exactly, members, singleton
from snapset.analysis.equations import Partition
from snapset.analysis.evidence.evidence_finder import chain
from snapset.analysis.evidence.reasons import Membership, Reason, Side, membership, reasons
from snapset.analysis.evidence.search import Search
from snapset.analysis.evidence.steps import Chain
from snapset.analysis.evidence.watched_levels import levels_watched
from snapset.analysis.memory.locations import Space
from snapset.analysis.part_places import part_ids, places
from snapset.analysis.pipeline import HeadAnalysis
from snapset.analysis.recording.program_recording import record_program
from snapset.analysis.recording.strategies import Place, Strategy
from snapset.analysis.recording.to_be_recorded import ProcedureRecord
from snapset.analysis.results import Bytes, HeadResult, Part
from snapset.frontend.base.diagnostics import InputError
from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.base.nearest_name import nearest
from snapset.frontend.ir import Program

FEW = 12
"""So many names can be read at a glance."""

_SIDES: Mapping[int, tuple[Side, Side]] = {1: ("Sbk", "Req_C"), 2: ("Sbk", "Req_C"), 3: ("Snp", "Req_D")}


@frozen
class OtherChoice:
    """What the whole head would cost if the location went the other way: ``side``, and not ``instead``."""

    side: Side
    instead: Side
    peak: Bytes | None
    traffic: Bytes | None


@frozen
class Explanation:
    """One location at one part. ``chains``: evidence for the sets that ``reasons`` name. ``peak``, ``traffic``: of the
    whole head as it is; ``other``: with the other choice, where there is one."""

    part: Part
    strategy: str
    location: str
    member: Membership
    reasons: tuple[Reason, ...]
    chains: tuple[Chain, ...]
    peak: Bytes | None
    traffic: Bytes | None
    other: OtherChoice | None

    @property
    def section(self) -> str:
        """What of it is saved, in Fortran."""
        return self.part.solutions[self.strategy].sections.get(self.location, self.location)

    @property
    def bytes(self) -> Bytes | None:
        """Of that, in the snapshot."""
        return self.part.solutions[self.strategy].sizes.get(self.location)

    def __str__(self) -> str:
        """``u at burgers@13, lazy: Snp``, the reasons, and a line for each statement that is one."""
        saved = ", ".join(self.member.saved) or "not saved"
        head = f"{self.section} at {self.part.id}, {self.strategy}: {saved}"
        chains = [f"  {one}" for one in self.chains if one.steps]
        return "\n".join([head, *(f"  {one.text}" for one in self.reasons), *chains])


class HeadExplainer:
    """One head under one strategy, analysed so that every set can be asked where it comes from."""

    def __init__(self, program: Program, head: Head, strategy: Strategy, options: AnalysisOptions = AnalysisOptions(),
                 result: HeadResult | None = None, analysis: HeadAnalysis | None = None) -> None:
        """``result``: of the same, where there is one. ``analysis``: of the same, that nothing has been asked of, and
        that nothing is remembered of (what is remembered is not solved, so nobody sees where it comes from). Raises
        InputError as :func:`snapset.analysis.pipeline.analyse` does."""
        with levels_watched() as solved:
            self.analysis = analysis or HeadAnalysis(program, head, (strategy,), options)
            self.result = result or self.analysis.result()
            self.adjoints = self.analysis.adjoints
            self.strategy = self.analysis.strategy(strategy.name)
            self.order = self.analysis.planning.order()
            solved.required.clear()
            self.records: Mapping[str, ProcedureRecord] = record_program(self.adjoints, self.order, self.strategy)
        self.search = Search(self.adjoints, self.records, solved)
        at = [(key, level, node) for key in self.order for level, node in places(self.adjoints.by_key[key])]
        ids = part_ids(self.adjoints, self.order)
        by_id = {part.id: part for part in self.result.parts}
        self.parts: Mapping[Place, Part] = {place: by_id[ids[place[0], place[2]]] for place in at}

    def parts_at(self, text: str) -> tuple[Place, ...]:
        """The parts of an id, a line (``FILE:LINE`` or ``LINE``), or a procedure called. Raises InputError if none."""
        found = tuple(place for place, part in self.parts.items() if part.is_meant(text))
        if not found:
            known = [part.id for part in self.parts.values()]
            shown = ", ".join(known[:8]) + (f" and {len(known) - 8} more" if len(known) > 8 else "")
            raise InputError(f"--at {text}: no checkpointed part of {self.result.head} is called so, or stands there"
                             f"{nearest(text, set(known))}; there are {shown or 'none'}")
        return found

    def explained(self, place: Place, variable: str) -> tuple[Explanation, ...]:
        """Every location of that name at one part; a variable of derived type is all its components, an array's section
        the array; pieces of an array of which the same is to be said are one. Raises InputError for a name that the
        part's procedure does not know."""
        space = self.adjoints.by_key[place[0]].model.space
        found = _named(space, variable)
        if not found:
            known = {info.name for info in space.infos}
            hint = self._elsewhere(variable) or nearest(variable.lower(), known) or _few(known)
            raise InputError(f"--at {self.parts[place].id}: nothing is called {variable} there{hint}")
        every = [self.explanation(place, index) for index in found]
        return tuple(one for number, one in enumerate(every) if one not in every[:number])

    def _elsewhere(self, variable: str) -> str:
        """Where else a variable of that name is: in another procedure's parts."""
        for (key, _, _), part in self.parts.items():
            if _named(self.adjoints.by_key[key].model.space, variable):
                return f"; {part.procedure} has it: --at {part.id}"
        return ""

    def explanation(self, place: Place, index: int, costs: bool = True) -> Explanation:
        """One location, by its number in the procedure. ``costs``: also what the other choice would cost."""
        key, level, node = place
        record, adjoint = self.records[key].levels[level].solved[node], self.adjoints.by_key[key]
        facts = adjoint.levels[level].parts[node]
        bit = singleton(index)
        member = membership(record.sets, record.options, record.choice, bit, bool(facts.intact & bit),
                            bool(record.again.value & bit))
        why = reasons(member)
        wanted = dict.fromkeys(name for reason in why for name in reason.sets)
        total = self.result.totals[self.strategy.name]
        return Explanation(self.parts[place], self.strategy.name, adjoint.model.space.infos[index].name, member, why,
                           tuple(chain(self.search, name, place, index) for name in wanted),
                           total.peak_bytes, total.traffic_bytes,
                           self.turned_round(place, index, member) if costs else None)

    def turned_round(self, place: Place, index: int, member: Membership) -> OtherChoice | None:
        """The cost of the other choice; None where the equations leave none."""
        if not member.option:
            return None
        plus, minus = _SIDES[member.option]
        now = plus in member.saved
        chosen = {at: self._partition(at) for at in self.parts}
        bit, one = singleton(index), chosen[place]
        field = f"plus{member.option}"
        chosen[place] = replace(one, **{field: exactly(getattr(one, field) ^ bit)})
        strategy = Strategy("turned round", "chosen", chosen=chosen)
        records = record_program(self.adjoints, self.order, strategy)
        cost = CostModel(HeadStructure(self.adjoints, self.order), records).head()
        side, instead = (minus, plus) if now else (plus, minus)
        return OtherChoice(side, instead, cost.peak, cost.traffic)

    def _partition(self, place: Place) -> Partition:
        """The partition of a part as it is chosen now."""
        record = self.records[place[0]].levels[place[1]].solved[place[2]]
        choice, options = record.choice, record.options
        return Partition(plus1=options.opt1 & choice.sbk, plus2=options.opt2 & choice.sbk,
                         plus3=options.opt3 & choice.snp, kept=choice.sbk & ~(options.opt1 | options.opt2))


def _named(space: Space, variable: str) -> list[int]:
    name = variable.lower().replace(" ", "").split("(", 1)[0]
    exact = list(members(space.named(name)))
    return exact or [i for i, info in enumerate(space.infos) if info.name.startswith(name + "%")]


def _few(names: Collection[str]) -> str:
    """All of them, where they are few enough to be read."""
    return f"; there are {', '.join(sorted(names))}" if 0 < len(names) <= FEW else ""
