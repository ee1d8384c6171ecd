"""What a generated adjoint saves, PUSH by PUSH and part by part: needed, superfluous, missing.

The plan that is judged is the adjoint's own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from snapset.analysis.comparison.balanced_items import Findings
from snapset.analysis.comparison.judged_adjoint import Judged, NotFollowed, Superfluous, judged
from snapset.analysis.comparison.part_pairing import (
    PairedPart,
    adjoint_of,
    marks,
    original_of,
    paired_parts,
)
from snapset.analysis.comparison.saved_bytes import pushed_bytes
from snapset.analysis.comparison.stack_calls import stack_call
from snapset.analysis.comparison.verdicts.missing_values import MissingFinder, MissingValue, assignment, explained
from snapset.analysis.evidence.part_explanation import Explanation, HeadExplainer
from snapset.analysis.memory.byte_sizes import total
from snapset.analysis.procedures.procedure_model import ProcedureModel
from snapset.analysis.results import Bytes, Part
from snapset.analysis.symbolic.fortran_text import source
from snapset.frontend import ir
from snapset.frontend.base.diagnostics import InputError
from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.interprocedural.call_graph import reachable
from snapset.frontend.ir.statement_walk import statements

Verdict = Literal["needed", "unread", "unchanged", "not judged"]

WHY: Mapping[Verdict, str] = {
    "unread": "nothing reads what the POP gives back before it is written again",
    "unchanged": "nothing between the PUSH and the POP changes it, but what restores it",
}


@frozen
class SavedValue:
    """A PUSH of the adjoint. ``pops``: the lines of the POPs that go with it. ``bytes``: of one execution.
    ``region``: the part that it is pushed for; None: it is taped, right before the source's ``statement`` (its line,
    where it is found). ``explanation``: of the location at the part, by the source's own analysis."""

    file: str
    line: int
    pops: tuple[int, ...]
    procedure: str
    location: str
    verdict: Verdict
    bytes: Bytes | None
    region: Part | None
    statement: int | None
    explanation: Explanation | None

    @property
    def superfluous(self) -> bool:
        return self.verdict in WHY

    @property
    def why(self) -> str:
        """Why it is superfluous; "" where it is not."""
        return WHY.get(self.verdict, "")


@frozen
class ComparedHead:
    """``unpaired``: the parts whose first run was not found in the adjoint."""

    head: str
    adjoint: str
    parts: tuple[Part, ...]
    unpaired: tuple[str, ...]
    saved: tuple[SavedValue, ...]
    missing: tuple[MissingValue, ...]
    not_followed: tuple[NotFollowed, ...]
    superfluous: tuple[Superfluous, ...]

    def bytes(self, superfluous: bool) -> Bytes | None:
        """What the PUSHes save, each executed once: all, or those that are superfluous."""
        return total(one.bytes for one in self.saved if one.superfluous or not superfluous)

    def __str__(self) -> str:
        """The counts, and a line for what is superfluous or missing."""
        gone = [one for one in self.saved if one.superfluous]
        lines = [f"{self.head}: adjoint {self.adjoint}, {len(self.saved)} PUSHes of values, {len(gone)} superfluous, "
                 f"{len(self.missing)} missing"]
        lines += [f"  superfluous: {one.location}, {one.file}:{one.line}: {one.why}" for one in gone]
        return "\n".join([*lines, *(f"  missing: {one}" for one in self.missing)])


def compared_head(source_program: ir.Program, adjoint: ir.Program, explainer: HeadExplainer,
                  effects: Mapping[str, str]) -> ComparedHead:
    """``explainer``: of the source's head. ``effects``: of procedures without source.

    Raises InputError where the adjoint of the head is not there.
    """
    root = adjoint_key(adjoint, explainer.analysis.root, source_program)
    paired = _paired(source_program, adjoint, explainer.result.parts, reachable(adjoint, root))
    found = judged(adjoint, root, effects, frozenset(),
                   {key: marks(one, adjoint.procedures[key]) for key, one in paired.items()})
    regions = {(key, push): one for key, every in paired.items() for one in every.values() for push in one.pushes}
    listing, finder = (_Listing(found, explainer, regions, source_program),
                       MissingFinder(found, explainer, source_program))
    missing = (*finder.missing(paired), *finder.unrepeated(paired), *finder.untaped())
    missing += tuple(finder.unsaved(paired, missing))
    known = {part_id for every in paired.values() for part_id in every}
    parts = explainer.result.parts
    return ComparedHead(
        explainer.result.head, adjoint.procedures[root].name, parts,
        tuple(part.id for part in parts if part.id not in known),
        tuple(listing.saved(root)), missing,
        found.not_followed, found.superfluous)


def adjoint_key(adjoint: ir.Program, root: str, program: ir.Program) -> str:
    """The key of the head's adjoint. Raises InputError where there is none, or several."""
    name = program.procedures[root].name
    found = adjoint_of(name, adjoint)
    if found is None:
        raise InputError(f"no procedure {name}_b in the adjoint: give the file that holds the adjoint of {name}, as "
                         f"Tapenade writes it with -b -head {name}")
    return found


def _paired(program: ir.Program, adjoint: ir.Program, parts: Iterable[Part],
            reached: Iterable[str]) -> dict[str, dict[str, PairedPart]]:
    """By the adjoint's procedure, the parts of its original that it has."""
    by_name: dict[str, list[Part]] = {}
    for part in parts:
        by_name.setdefault(part.procedure, []).append(part)
    sources = {one.name: one for one in program.procedures.values()}
    found = {}
    for key in reached:
        name = original_of(adjoint.procedures[key].name)
        if name in by_name and name in sources:
            found[key] = paired_parts(by_name[name], sources[name], adjoint.procedures[key])
    return found


@dataclass(frozen=True)
class _Listing:
    found: Judged
    explainer: HeadExplainer
    regions: Mapping[tuple[str, int], PairedPart]
    source: ir.Program

    def saved(self, root: str) -> Iterable[SavedValue]:
        """Every PUSH of a value, in the order of the adjoint's lines."""
        gone = {(one.procedure, pair.push.id): one.why for one in self.found.superfluous for pair in one.pairs}
        every = []
        for key in self.found.models.by_key:
            model = self.found.models.by_key[key]
            pairs = self.found.findings.get(key, Findings()).pairs
            lines = self._source_lines(key)
            for stmt, behind in _pushes(model.procedure.body):
                pops = tuple(sorted(pair.pop.span.line for ids, pair in pairs.items() if ids[0] == stmt.id))
                verdict: Verdict = gone.get((key, stmt.id), "needed" if pops else "not judged")
                every.append(self._value(model, stmt, pops, verdict, lines.get(assignment(behind))))
        return sorted(every, key=lambda one: (one.file, one.line))

    def _value(self, model: ProcedureModel, stmt: ir.Call, pops: tuple[int, ...], verdict: Verdict,
               line: int | None) -> SavedValue:
        call = stack_call(stmt)
        assert call is not None
        paired = self.regions.get((model.procedure.key, stmt.id))
        place = stmt.args[0].value
        name = place.name if isinstance(place, ir.Ref) else ""
        why = explained(self.explainer, paired.part, name) if paired is not None and verdict in WHY else None
        return SavedValue(stmt.span.file, stmt.span.line, pops, model.procedure.name, source(place) or "an address",
                          verdict, pushed_bytes(stmt, call), None if paired is None else paired.part,
                          None if paired is not None else line, why)

    def _source_lines(self, key: str) -> Mapping[object, int]:
        """By what a statement says, its line in the original, where only one says so."""
        name = original_of(self.found.models.by_key[key].procedure.name)
        found: dict[object, list[int]] = {}
        for one in self.source.procedures.values():
            for stmt in statements(one.body) if one.name == name else ():
                found.setdefault(assignment(stmt), []).append(stmt.span.line)
        return {text: lines[0] for text, lines in found.items() if len(lines) == 1 and text is not None}

def _pushes(body: ir.Block) -> Iterable[tuple[ir.Call, ir.Stmt | None]]:
    """The PUSHes of values, each with the next statement that is none."""
    waiting: list[ir.Call] = []
    for stmt in statements(body):
        call = stack_call(stmt)
        if call is not None and call.role == "push" and isinstance(stmt, ir.Call):
            waiting.append(stmt)
        elif call is None:
            yield from ((one, stmt) for one in waiting)
            waiting = []
    yield from ((one, None) for one in waiting)
