"""What an adjoint reads and finds changed: the gradient is wrong.

Condition (4),

    ((out(C) ∪ (out(D̄) \\ Req_D)) \\ Snp) ∩ use(C̄) = ∅,

is looked at where the adjoint runs C̄: what may have another value there than it had before C's first run, although
this adjoint restores what it restores, must not be read. Of that only what the source's own analysis needs as well is
called missing, since both sides are over-approximations. Derivative statements outside of parts are looked at likewise
(:mod:`snapset.analysis.comparison.verdicts.unkept_operands`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from snapset.analysis.comparison.balanced_items import Findings
from snapset.analysis.comparison.judged_adjoint import Judged
from snapset.analysis.comparison.needed_values import LiveValues
from snapset.analysis.comparison.part_pairing import PairedPart, may_run_again, original_of
from snapset.analysis.comparison.stack_calls import moves_addresses
from snapset.analysis.comparison.verdicts.control.stack_faults import stack_faults
from snapset.analysis.comparison.verdicts.control.turn_counts import lost_counts
from snapset.analysis.comparison.verdicts.control.unrepeated_parts import unkept_snapshots
from snapset.analysis.comparison.verdicts.kept_allocations import KeptAllocations
from snapset.analysis.comparison.verdicts.meeting_sections import meet
from snapset.analysis.comparison.verdicts.never_saved import never_saved
from snapset.analysis.comparison.verdicts.overwrite_needs import location_path
from snapset.analysis.comparison.verdicts.source_needs import SourceNeeds, source_needs
from snapset.analysis.comparison.verdicts.steady_values import all_steady, counters
from snapset.analysis.comparison.verdicts.unkept_operands import (
    MADE,
    assigned_again,
    unkept_made,
    unkept_operands,
    unkept_rewritten,
)
from snapset.analysis.comparison.verdicts.unsaved_values import UnsavedFinder, UnsavedValue
from snapset.analysis.dataflow.bitsets import EMPTY, Exact, May, exactly, members, singleton, union
from snapset.analysis.evidence.part_explanation import Explanation, HeadExplainer
from snapset.analysis.memory.byte_sizes import location_bytes
from snapset.analysis.procedures.procedure_model import ProcedureModel
from snapset.analysis.results import Bytes, Part
from snapset.frontend import ir
from snapset.frontend.base.diagnostics import InputError
from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.ir.expression_queries import walk
from snapset.frontend.ir.statement_walk import statements


@frozen
class MissingValue:
    """What a part's adjoint reads, at ``file:line``, and finds changed: the gradient is wrong.

    ``region``: the part; None: the adjoint of the source's ``statement`` (its line) reads it, and before the lines
    ``before`` of the source, which overwrite it, it should have been taped. Neither: of the tool's own variable, or,
    with ``fault``, what the stack is wrong in there."""

    region: Part | None
    location: str
    file: str
    line: int
    bytes: Bytes | None
    explanation: Explanation | None
    statement: int | None = None
    before: tuple[int, ...] = ()
    fault: str = ""

    def __str__(self) -> str:
        own = "an adjoint's own variable" if self.statement is None else f"line {self.statement} of the source"
        where = self.fault or own if self.region is None else self.region.id
        return f"{self.location} at {where}, {self.file}:{self.line}"


@dataclass(frozen=True)
class MissingFinder:
    """``found``: of the adjoint; ``explainer``: of the source's head."""

    found: Judged
    explainer: HeadExplainer
    source: ir.Program

    @cached_property
    def steady(self) -> Mapping[str, May]:
        """What has one value only, by procedure of the adjoint."""
        return all_steady(self.found.models.by_key)

    @cached_property
    def _kept(self) -> KeptAllocations:
        return KeptAllocations(self.source)

    @cached_property
    def counters(self) -> frozenset[ir.Area]:
        """What the source reads nowhere but to count on."""
        return counters(self.explainer.adjoints.models.by_key.values(), _names(self.explainer.result.head))

    def _counts(self, name: str, procedure: ir.Procedure) -> bool:
        """Is a location of the source one of these?"""
        plain = name.rpartition("::")[2]
        variable = procedure.variables.get(plain)
        area = ir.Area("module", name.partition("::")[0], plain) if variable is None else variable.area
        return area in self.counters

    def missing(self, paired: Mapping[str, Mapping[str, PairedPart]]) -> Iterable[MissingValue]:
        """What the parts' adjoints read and find changed."""
        for key, every in paired.items():
            model, findings = self.found.models.by_key[key], self.found.findings.get(key, Findings())
            nodes = {node.stmt.id: node.index for node in reversed(model.flow.nodes) if node.stmt is not None}
            for call_id, rerun in findings.reruns.items():
                one = next((one for one in every.values() if one.before.id == rerun.forward.id), None)
                if one is not None and call_id in nodes and (  # a constant IF has no node
                        one.part.kind == "call" or not moves_addresses(model.procedure.body)):
                    given = _given_again(model, self._inside(one.part))
                    lost = findings.lost[call_id] & ~given & ~self._hidden(model) & ~self.steady[key]
                    yield from self._missing(one.part, model, nodes[call_id], lost, findings)
                    yield from self._made(one.part, model, nodes[call_id], lost)

    def unrepeated(self, paired: Mapping[str, Mapping[str, PairedPart]]) -> Iterable[MissingValue]:
        """What derivative statements of marked parts read that are not run again, and the source's plan has in the
        snapshot; once by part and location."""
        for key, every in paired.items():
            model = self.found.models.by_key[key]
            name = original_of(model.procedure.name)
            sources = [one for one in self.source.procedures.values() if one.name == name]
            parts = {one.part.id: one for one in every.values() if len(sources) == 1 and one.part.kind != "call"
                     and one.again is None and not may_run_again(one.part, sources[0], model.procedure)}
            if not parts or moves_addresses(model.procedure.body):
                continue
            given = _given_again(model, frozenset()) | self._hidden(model) | self.steady[key]
            starts = {id_: (range(one.part.first_line, one.part.last_line + 1), one.before)
                      for id_, one in parts.items()}
            said = set[tuple[str, str]]()
            for id_, one in unkept_snapshots(self.found, key, sources[0], starts):
                part = parts[id_].part
                snapshot = {_known_as(held, sources[0]): held for solution in list(part.solutions.values())[:1]
                            for held in solution.snp}
                for info in (model.space.infos[place] for place in members(one.places & ~given)):
                    location = snapshot.get(_known_as(info.name, model.procedure), "")
                    if location and (id_, location) not in said:
                        said.add((id_, location))
                        why, span = explained(self.explainer, part, location), one.read.span
                        if not self._kept.by_part(location, part, why.chains if why else ()):
                            yield MissingValue(part, location, span.file, span.line, location_bytes(info), why)

    def _made(self, part: Part, model: ProcedureModel, node: int, lost: int) -> Iterable[MissingValue]:
        """Variables that the tool has made, ``arg1`` for an argument, which the adjoint of what is called reads."""
        if part.kind == "call":
            again = assigned_again(self._procedure(part), model.procedure)
            span, site = model.flow.nodes[node].span, model.calls[node]
            used = union(target.uses(self.found.models.seen[target.key].summary.use) for target in site.targets)
            for place in members(used & lost):
                info = model.space.infos[place]
                if MADE.fullmatch(info.name) and info.name not in again \
                        and info.name not in self._procedure(part).variables:
                    yield MissingValue(part, info.name, span.file, span.line, location_bytes(info), None)

    def _hidden(self, model: ProcedureModel) -> May:
        """What is given back somewhere, perhaps not whole, and goes by other names too, or by none that the procedure
        has: a pointer, a workspace in COMMON, of which each part fills as much as it reads."""
        space, partly = model.space, self.found.known[model.procedure.key].partly
        return May(sum(singleton(one) for one in members(partly) if re.match(r"/|\w+::", space.infos[one].name)
                       or space.with_aliases(May(singleton(one))) != singleton(one)))

    def _inside(self, part: Part) -> frozenset[object]:
        """What a marked part assigns: that the adjoint has it twice is the part's second run."""
        if part.kind == "call":
            return frozenset()
        return frozenset(assignment(stmt) for one in self.source.procedures.values() if one.name == part.procedure
                         for stmt in statements(one.body) if part.first_line <= stmt.span.line <= part.last_line)

    def _missing(self, part: Part, model: ProcedureModel, node: int, lost: int,
                 findings: Findings) -> Iterable[MissingValue]:
        """``node``: the call of the adjoint of what a part calls, or the statement with which a marked part's second
        run begins: then what is read from there on counts, as far as no POP gives it back first. Of an array that is
        looked at in regions none may be what it was: which of them the adjoint reads first is not certain."""
        if part.kind == "call":
            site = model.calls[node]
            used = union(target.uses(self.found.models.seen[target.key].summary.use) for target in site.targets)
            used |= site.reads
        else:
            used = LiveValues(model, EMPTY, tuple((pair,) for pair in findings.pairs.values())).before(node)
        names = {_known_as(model.space.infos[one].name, model.procedure) for one in members(used)}
        gone = {_known_as(model.space.infos[one].name, model.procedure): one for one in members(lost)}
        given = {_known_as(model.space.infos[one].name, model.procedure) for one in members(used & ~lost)}
        own = self._procedure(part)
        span = model.flow.nodes[node].span
        saved = self._saved(part.procedure)
        for name in part.sets.use_cbar:
            place = gone.get(known := _known_as(name, own))
            if name in saved and known in names - given and place is not None \
                    and not self._counts(name, own) and self._met(part, model, node, place):
                why = explained(self.explainer, part, name)
                if not self._kept.by_part(name, part, why.chains if why else ()):
                    yield MissingValue(part, name, span.file, span.line, location_bytes(model.space.infos[place]), why)

    def _saved(self, procedure: str) -> frozenset[str]:
        """What the source's own plan saves somewhere in a procedure: for the part itself, or for one behind it, whose
        adjoint gives it back to this one, too."""
        solutions = [one for part in self.explainer.result.parts if part.procedure == procedure
                     for one in list(part.solutions.values())[:1]]
        return frozenset(name for one in solutions for name in (*one.snp, *one.req_d))

    def _procedure(self, part: Part) -> ir.Procedure:
        """A part's own procedure; of several of one name the first."""
        return next(one for one in self.source.procedures.values() if one.name == part.procedure)

    def _met(self, part: Part, model: ProcedureModel, node: int, location: int) -> bool:
        """Does a called part's adjoint read what is overwritten, and not another section of the same array?"""
        call = model.flow.nodes[node].stmt
        return part.kind != "call" or not isinstance(call, ir.Call) or meet(model, self.found.models, location, call)

    def untaped(self) -> Iterable[MissingValue]:
        """What derivative statements read and find changed, once by location and statement."""
        sources: dict[str, list[ir.Procedure]] = {}
        for procedure in self.source.procedures.values():
            sources.setdefault(procedure.name, []).append(procedure)
        for key, model in self.found.models.by_key.items():
            name = original_of(model.procedure.name)
            if name is None or len(sources.get(name, ())) != 1 or moves_addresses(model.procedure.body):
                continue
            needs = source_needs(self.explainer.adjoints.by_key, self.explainer.records, name)
            given = _given_again(model, frozenset()) | self._hidden(model) | self.steady[key]
            said = set[str]()
            twice = [range(part.first_line, part.last_line + 1) for part in self.explainer.result.parts
                     if part.procedure == name and part.kind != "call"
                     and may_run_again(part, sources[name][0], model.procedure)]
            for one in unkept_operands(self.found, key, sources[name][0], twice) if needs.read else ():
                known = {_known_as(read, sources[name][0]): read for read in needs.read.get(one.line, ())}
                for place in members(one.places & ~given):
                    info = model.space.infos[place]
                    location = known.get(_known_as(info.name, model.procedure))
                    if location is not None and (location in needs.taped or not info.shapes) \
                            and not self._kept.by_lines(location, sources[name][0], needs.taped.get(location, ())):
                        said.add(location)
                        yield MissingValue(None, location, one.read.span.file, one.read.span.line,
                                           location_bytes(info), None, one.line,
                                           needs.taped.get(location, ()))
            for one in unkept_made(self.found, key, sources[name][0]):
                for place in members(one.places & ~given):
                    info, span = model.space.infos[place], one.read.span
                    if info.name not in said:
                        said.add(info.name)
                        yield MissingValue(None, info.name, span.file, span.line, location_bytes(info), None)
            if needs.taped and not twice:
                for value in self._rewritten(model, sources[name][0], needs, given):
                    if value.location not in said:
                        said.add(value.location)
                        yield value
            yield from _control(model, sources[name][0], self.found.findings.get(key))
            for lacking in never_saved(sources[name][0], model.procedure, needs) if key in self.found.findings else ():
                bits = model.refs.touch(lacking.reference).bits
                alone = model.space.with_aliases(bits) == bits and not bits & self.steady[key]
                kept = self._kept.by_lines(lacking.location, sources[name][0], needs.taped[lacking.location])
                if lacking.location not in said and alone and not kept:
                    span = lacking.read.span
                    yield MissingValue(None, lacking.location, span.file, span.line, None, None, lacking.line,
                                       needs.taped[lacking.location])

    def _rewritten(self, model: ProcedureModel, source: ir.Procedure, needs: SourceNeeds,
                   given: int) -> Iterable[MissingValue]:
        """What the tool's own statements read, and the source's analysis tapes."""
        known = {_known_as(taped, source): taped for taped in needs.taped}
        for one in unkept_rewritten(self.found, model.procedure.key, source):
            for place in members(one.places & ~given):
                info, span = model.space.infos[place], one.read.span
                location = known.get(_known_as(info.name, model.procedure), "")
                lines = [line for line, read in sorted(needs.read.items()) if location in read]
                lines += _passing(source, location)
                if location and lines and not self._kept.by_lines(location, source, needs.taped[location]):
                    yield MissingValue(None, location, span.file, span.line, location_bytes(info), None, lines[0],
                                       needs.taped[location])

    def unsaved(self, paired: Mapping[str, Mapping[str, PairedPart]],
                said: Sequence[MissingValue]) -> Iterable[MissingValue]:
        """What statements overwrite that no PUSH is attached to; without locations that are said to be missing in the
        same file already."""
        def needs(name: str) -> SourceNeeds:
            return source_needs(self.explainer.adjoints.by_key, self.explainer.records, name)

        known = {(one.file, location_path(one.location)) for one in said}
        finder = UnsavedFinder(self.found, self.source, self.explainer.result.parts, needs, paired, self.steady,
                               self._stays)
        for one in finder.values():
            span = one.read.span
            within = None if one.part is None else self._procedure(one.part)
            counts = within is not None and self._counts(one.location, within)
            if (span.file, location_path(one.location)) not in known and not counts:
                why = None if one.part is None else explained(self.explainer, one.part, one.location)
                yield MissingValue(one.part, one.location, span.file, span.line, one.bytes, why, one.reader, one.before)

    def _stays(self, one: UnsavedValue, source: ir.Procedure) -> bool:
        """Is it an allocation that what overwrites it leaves alone?"""
        if not one.location.endswith("[]"):
            return False
        if one.part is None:
            return self._kept.by_lines(one.location, source, one.before)
        why = explained(self.explainer, one.part, one.location)
        return self._kept.by_part(one.location, one.part, why.chains if why else ())


def _control(model: ProcedureModel, source: ir.Procedure, found: Findings | None) -> Iterable[MissingValue]:
    """Counts of turns that are lost, and what is wrong with the stack itself."""
    for count in lost_counts(source, model) if found is not None else ():
        span = count.read.span
        yield MissingValue(None, count.name, span.file, span.line, None, None, count.line or None)
    for fault in stack_faults(source, model, found):
        span = fault.stmt.span
        yield MissingValue(None, fault.name, span.file, span.line, None, None, fault=fault.why)


def _passing(source: ir.Procedure, location: str) -> list[int]:
    """The lines of the calls that are passed a variable, or a value that is computed from it."""
    name = location_path(location)[0]
    return [stmt.span.line for stmt in statements(source.body) if isinstance(stmt, ir.Call) and any(
        isinstance(ref, ir.Ref) and ref.name == name for one in stmt.args for ref in walk(one.value))]


def _names(head: str) -> frozenset[str]:
    """The words of a head, its variables among them."""
    return frozenset(re.findall(r"\w+", head.lower()))


def explained(explainer: HeadExplainer, part: Part, name: str) -> Explanation | None:
    """The first location of that name at a part."""
    try:
        (place,) = explainer.parts_at(part.id)
        return explainer.explained(place, name)[0]
    except (InputError, ValueError):
        return None


def _given_again(model: ProcedureModel, inside: frozenset[object]) -> Exact:
    """What an assignment gives a value that stands in the adjoint twice: Tapenade runs such statements again on the way
    back, instead of saving what they give a value. Whether their operands are what they were is not looked at.
    ``inside``: assignments that do not count."""
    seen, found = set[object](), EMPTY
    for stmt in statements(model.procedure.body):
        text = assignment(stmt)
        if text is not None and text not in inside and isinstance(stmt, ir.Assign) and text in seen:
            found |= exactly(model.refs.touch(stmt.target).bits)
        seen.add(text)
    return found


def assignment(stmt: ir.Stmt | None) -> object:
    """What makes an assignment the same in the source and in the adjoint; None for anything else."""
    return (stmt.target, stmt.value) if isinstance(stmt, ir.Assign) else None


def _known_as(name: str, procedure: ir.Procedure) -> str:
    """One name for a location in the source and in the adjoint: ``state::w`` of ``w`` where that is the module's and
    the procedure uses it, of ``state::w`` where it does not, and of ``state_diff::w``; ``accum::total`` of
    ``accum_b::total``."""
    owner, mark, rest = name.partition("::")
    if not mark and not name.startswith("/"):
        base = re.split(r"[%(\[=]", name, maxsplit=1)[0]
        variable = procedure.variables.get(base)
        if variable is None or variable.area.kind not in ("module", "common"):
            return name
        owner, rest = variable.area.owner, name
        if variable.area.kind == "common":
            return f"/{owner}/{name}"
    elif not mark:
        return name
    for suffix in ("_diff", "_b", "_nodiff", "_cb"):
        owner = owner.removesuffix(suffix)
    return f"{owner}::{rest}"
