"""A head's result as JSON: the schema ``snapset.report/1`` of docs/json.md. Lists are sorted."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from snapset.amounts import Figures
from snapset.analysis.costs.formula import Formula
from snapset.analysis.costs.unknown import unknown_names
from snapset.analysis.result import (
    AgainEntry,
    ContextCode,
    ControlEntry,
    Decided,
    Frontier,
    HeadResult,
    Move,
    Options,
    Part,
    Sets,
    Solution,
    TapeEntry,
    Total,
)
from snapset.frontend.collected import collections
from snapset.frontend.diagnostics import Diagnostic

SCHEMA = "snapset.report/1"


def to_json(result: HeadResult, assume: Mapping[str, int] | None = None) -> dict[str, Any]:
    """The report as plain dictionaries, lists, strings and numbers.

    Bytes are integers where they are known, else formulas in the program's names; None (null) where
    they are not known. ``assume`` gives values to sizes and trip counts by name.
    """
    collections("to_json", assume=assume)
    return document(result, Figures(assume or {}))


def document(result: HeadResult, figures: Figures) -> dict[str, Any]:
    """As :func:`to_json`, with figures that the caller made."""
    return document_around(result, figures, [_part(part, figures) for part in result.parts])


def document_around(result: HeadResult, figures: Figures, regions: Sequence[Any] = ()) -> dict[str, Any]:
    """The document, its ``regions`` given."""
    return {
        "schema": SCHEMA,
        "head": result.head,
        "regions": list(regions),
        "no_parts": result.no_parts,
        "splits": [
            {"file": one.file, "line": one.line, "procedure": one.procedure, "callee": one.callee}
            for one in result.splits
        ],
        "contexts": [_context(one) for one in result.contexts],
        "totals": {strategy: _total(result.totals.get(strategy), figures) for strategy in result.strategies},
        "unknown": list(unknown(result)),
        "pareto": [_frontier(one) for one in result.frontiers],
        "optimal": None if result.optimal is None else _decided(result.optimal),
        "diagnostics": _diagnostics(all_diagnostics(result)),
    }


def unknown(result: HeadResult) -> tuple[str, ...]:
    """The names in the totals that stand for sizes and trip counts that are not known."""
    amounts = (amount for one in result.totals.values() for amount in (one.peak_bytes, one.traffic_bytes))
    return unknown_names(amount for amount in amounts if isinstance(amount, Formula))


def _context(one: ContextCode) -> dict[str, Any]:
    return {
        "procedure": one.procedure,
        "context": one.number,
        "calls": [{"file": file, "line": line} for file, line in one.calls],
        "varied": list(one.varied),
        "useful": list(one.useful),
    }


def _total(total: Total | None, figures: Figures) -> dict[str, Any]:
    return {
        "peak_bytes": None if total is None else figures(total.peak_bytes),
        "traffic_bytes": None if total is None else figures(total.traffic_bytes),
        "counted_traffic_bytes": None if total is None else figures(total.counted_traffic),
    }


def _decided(one: Decided) -> dict[str, Any]:
    return {
        "exact": one.exact,
        "decisions": one.decisions,
        "default": one.default,
        "defaulted": sorted(one.defaulted),
    }


def _frontier(one: Frontier) -> dict[str, Any]:
    return {
        "part": one.title or None,
        "exact": one.exact,
        "points": [
            {"peak_bytes": p.peak, "traffic_bytes": p.traffic, "otherwise_than_lazy": list(p.saved)} for p in one.points
        ],
        "strategies": {
            name: {"peak_bytes": peak, "traffic_bytes": traffic} for name, (peak, traffic) in one.marks.items()
        },
    }


def _move(move: Move, figures: Figures) -> dict[str, Any]:
    return {
        "location": move.location,
        "side": move.side,
        "instead": move.instead,
        "over": list(move.over),
        "peak_bytes": move.peak,
        "traffic_bytes": move.traffic,
        "if": None if move.low is None or move.high is None else f"{figures(move.low)} < {figures(move.high)}",
    }


def dumps(documents: Sequence[dict[str, Any]]) -> str:
    """One head: its object. Several: an array of them, in the order asked for."""
    return json.dumps(documents[0] if len(documents) == 1 else list(documents), indent=2, ensure_ascii=False) + "\n"


def all_diagnostics(result: HeadResult) -> tuple[Diagnostic, ...]:
    """Those of the head and of all its parts, each once, by place."""
    found = set(result.diagnostics).union(*(part.diagnostics for part in result.parts))
    return tuple(sorted(found, key=lambda one: (one.span, one.code, one.message)))


def part_text(part: Part, figures: Figures) -> str:
    """A part as it stands in a document written by :func:`dumps`."""
    return json.dumps(_part(part, figures), indent=2, ensure_ascii=False).replace("\n", "\n    ")


def dumps_around(document: dict[str, Any], parts: Sequence[str]) -> str:
    """:func:`dumps` of one document without regions, which are texts already (:func:`part_text`)."""
    before, regions, behind = dumps([document]).partition('"regions": []')
    inside = ",\n    ".join(parts)
    return f'{before}"regions": [\n    {inside}\n  ]{behind}' if parts else before + regions + behind


def _part(part: Part, figures: Figures) -> dict[str, Any]:
    return {
        "id": part.id,
        "kind": part.kind,
        "procedure": part.procedure,
        "callee": part.callee,
        "parent": part.parent,
        "file": part.file,
        "first_line": part.first_line,
        "last_line": part.last_line,
        "split": part.split,
        "context": part.context,
        "sets": _fields(part.sets),
        "options": _fields(part.options),
        "solutions": {name: _solution(solution, figures) for name, solution in part.solutions.items()},
        "diagnostics": _diagnostics(part.diagnostics),
    }


def _fields(sets: Sets | Options) -> dict[str, list[str]]:
    return {name: sorted(getattr(sets, name)) for name in sets.__dataclass_fields__}


def _solution(solution: Solution, figures: Figures) -> dict[str, Any]:
    return {
        "req": sorted(solution.req),
        "options": _fields(solution.options),
        "snp": sorted(solution.snp),
        "sbk": sorted(solution.sbk),
        "req_d": sorted(solution.req_d),
        "req_c": sorted(solution.req_c),
        "sections": dict(sorted(solution.sections.items())),
        "sizes": {name: figures(solution.sizes[name]) for name in sorted(solution.sizes)},
        "snapshot_bytes": figures(solution.snapshot_bytes),
        "peak_bytes": figures(solution.peak_bytes),
        "traffic_bytes": figures(solution.traffic_bytes),
        "tape": [_taped(entry, figures) for entry in sorted(solution.tape, key=_tape_order)],
        "control": [_control(entry, figures) for entry in sorted(solution.control, key=_control_order)],
        "again": [_again(entry) for entry in solution.again],
        "moves": [_move(move, figures) for move in solution.moves],
    }


def _tape_order(entry: TapeEntry) -> tuple[str, int, str, str]:
    return entry.file, entry.line, entry.location, entry.part


def _control_order(entry: ControlEntry) -> tuple[str, int, str, str]:
    return entry.file, entry.line, entry.what, entry.part


def _again(entry: AgainEntry) -> dict[str, Any]:
    return {
        "file": entry.file,
        "line": entry.line,
        "location": entry.location,
        "statement": entry.text,
        "part": entry.part,
        "at_line": entry.at,
    }


def _taped(entry: TapeEntry, figures: Figures) -> dict[str, Any]:
    return {
        "file": entry.file,
        "line": entry.line,
        "location": entry.location,
        "part": entry.part,
        "callee": entry.callee,
        "bytes": figures(entry.bytes),
        "counted_bytes": figures(entry.counted),
    }


def _control(entry: ControlEntry, figures: Figures) -> dict[str, Any]:
    return {
        "file": entry.file,
        "line": entry.line,
        "what": entry.what,
        "part": entry.part,
        "callee": entry.callee,
        "bytes": figures(entry.bytes),
        "counted_bytes": figures(entry.counted),
    }


def _diagnostics(diagnostics: Iterable[Diagnostic]) -> list[dict[str, Any]]:
    return [
        {
            "code": one.code,
            "severity": one.severity,
            "message": one.message,
            "file": one.span.file,
            "line": one.span.line,
            "column": one.span.column,
        }
        for one in sorted(diagnostics, key=lambda one: (one.span, one.code, one.message))
    ]
