"""The sets of a run, element by element, beside snapset's: of every call what it read, wrote, certainly wrote, and what
of it had to be saved.

A run is straight-line code on cells (:mod:`tests.oracles.elements.element_trace`), so its sets are exact, from their
definitions: read is what was read before it was written; needed by C̄ is what its derivatives read with the value that
C found, and what computes that again; lost is what a first run writes that computes only what D̄ needs. What is needed
and lost must be in the snapshot, whatever the strategy. Snapset's sets hold for all runs: they may only be larger, and
kill smaller.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from snapset.analysis.activity.differentiation_head import parse_heads
from snapset.analysis.dataflow.bitsets import members
from snapset.analysis.pipeline import AnalysisOptions, analyse
from snapset.analysis.procedures.model_builder import Models
from snapset.analysis.procedures.procedure_model import ProcedureModel
from snapset.analysis.recording.strategy_texts import parse_strategies
from snapset.analysis.results import Part, Solution
from snapset.frontend import ir
from snapset.frontend.load import load_text

from tests.oracles.elements.element_trace import Frame, Operation, Span, Trace


@dataclass
class Verdict:
    """``missing``: what the run shows and snapset's set does not hold. ``sizes``: by rule, how many elements of each
    execution are snapset's and the run's."""

    missing: list[str] = field(default_factory=list)
    sizes: dict[str, list[tuple[int, int]]] = field(default_factory=dict)

    def compare(self, rule: str, where: str, ours: set[int], run: set[int]) -> None:
        if run - ours:
            self.missing.append(f"{rule} of {where}: {len(run - ours)} elements")
        self.sizes.setdefault(rule, []).append((len(ours), len(run)))


def judge(text: str, head: str, values: Mapping[str, float], strategies: str = "lazy,eager",
          traced: type[Trace] = Trace) -> Verdict:
    """Raises NotTracedError. ``traced``: what runs the program."""
    program = load_text(text)
    (parsed_head,) = parse_heads(head)
    models = Models(program)
    assert parsed_head.independents is not None
    assert parsed_head.dependents is not None
    trace = traced(program, parsed_head.procedure, values, parsed_head.independents)
    outputs = {int(cell) for one in parsed_head.dependents for leaf in trace.slot(trace.frame, one).values()
               for cell in leaf.ids.flat}
    verdict, demands = Verdict(), Demands(trace, outputs)
    parts = parts_by_place(analyse(program, parsed_head, parse_strategies(strategies), AnalysisOptions()).parts)
    for span in trace.spans:
        model = models.by_key[span.frame.procedure.key]
        if isinstance(span.stmt, ir.Call):
            effects(verdict, trace, span, model)
        part = parts.get((model.procedure.key, span.stmt.span.line, isinstance(span.stmt, ir.Call)))
        for name, solution in ({} if part is None else part.solutions).items():
            needed, saved = demands.lost_and_needed(span), saved_cells(trace, span, model, solution)
            if saved is not None:
                verdict.compare(f"saved, {name}", f"{model.procedure.name}@{span.stmt.span.line}", saved, needed)
    return verdict


def parts_by_place(parts: Iterable[Part]) -> Mapping[tuple[str, int, bool], Part]:
    """By procedure, line, and whether it is a call."""
    return {(one.procedure, one.first_line - (one.callee is None), one.callee is not None): one for one in parts}


def effects(verdict: Verdict, trace: Trace, span: Span, model: ProcedureModel) -> None:
    """use, out and kill of one execution of a call."""
    node = next((node for node, site in model.calls.items() if site.stmt.id == span.stmt.id), None)
    if node is None:
        return
    reads, writes = set[int](), set[int]()
    for together in trace.operations[span.first:span.last]:
        reads |= {cell for one in together for cell in one.reads if cell < span.cells and cell not in writes}
        writes |= {one.target for one in together if one.target is not None and one.target < span.cells}
    effect, aliases = model.effects[node], model.space.with_aliases
    where = f"{model.procedure.name}@{span.stmt.span.line}"
    for rule, bits, run in (("use", aliases(effect.use), reads), ("out", aliases(effect.out), writes)):
        verdict.compare(rule, where, located(trace, span, model, members(bits)), run)
    verdict.compare("kill", where, writes, located(trace, span, model, members(effect.kill)))


def located(trace: Trace, span: Span, model: ProcedureModel, indices: Iterable[int]) -> set[int]:
    """The cells of locations, where the span begins."""
    return {cell for index in indices for cell in cells_of(trace, span, model, index)}


def cells_of(trace: Trace, span: Span, model: ProcedureModel, index: int) -> Iterator[int]:
    location = model.space.locations[index]
    if location.is_descriptor:
        return
    if location.area.kind == "common":
        low, high = location.segment or (0, 1 << 30)
        yield from trace.common.get(location.area.owner, [])[low//8:high//8]
        return
    held = span.frame.slots.get(location.area) or trace.globals.get(location.area) or {}
    for path, leaf in held.items():
        if path[:len(location.path)] == location.path:
            ids = leaf.ids
            if location.band is not None:
                ids = ids[tuple(slice(max(0, first - low), max(0, last - low + 1))
                                for (first, last), low in zip(location.band, leaf.low, strict=True))]
            yield from (int(cell) for cell in np.asarray(ids).flat if cell < span.cells)


# ---------------------------------------------------------------- what a snapshot holds


def saved_cells(trace: Trace, span: Span, model: ProcedureModel, solution: Solution) -> set[int] | None:
    """The cells of Snp and Sbk, as the report names them. None: a name that means nothing here."""
    found = set[int]()
    for name in {*solution.snp, *solution.sbk}:
        texts = split(solution.sections[name], ",") if name in solution.sections else ()
        if not texts:
            found |= located(trace, span, model, (i for i, info in enumerate(model.space.infos) if info.name == name))
        for text in texts:
            try:
                chosen = trace.select(Frame(span.frame.procedure, span.frame.slots), parsed(text, model, span), span.at)
            except (NameError, SyntaxError, KeyError):
                return None
            found |= {int(cell) for ids in chosen.values() for cell in np.asarray(ids).flat}
    return found


def parsed(text: str, model: ProcedureModel, span: Span) -> ir.Ref:
    """``a(2:k, 3)%c`` as a reference whose subscripts are numbers."""
    numbers = {name: one.value.value for name, one in model.procedure.variables.items()
               if isinstance(one.value, ir.Literal_)} | dict(span.at)
    parts = []
    for piece in split(text.strip(), "%"):
        match = re.fullmatch(r"(\w+)(?:\((.*)\))?", piece.strip())
        if match is None:
            raise SyntaxError(text)
        given = None if match[2] is None else tuple(subscript(one, numbers) for one in split(match[2], ","))
        parts.append(ir.PartRef(match[1], given))
    return ir.Ref(tuple(parts), ir.DOUBLE)


def subscript(text: str, numbers: Mapping[str, object]) -> ir.Subscript:
    def number(one: str) -> ir.Expr | None:
        if not one.strip():
            return None
        return ir.Literal_(int(eval(one, {"__builtins__": {}, "max": max, "min": min}, dict(numbers))), ir.INTEGER)

    ends = split(text, ":")
    if len(ends) == 1:
        return number(text) or ir.Range()
    return ir.Range(*(number(one) for one in ends))


def split(text: str, mark: str) -> list[str]:
    """At the marks outside of parentheses."""
    found, depth = [""], 0
    for char in text:
        depth += (char == "(") - (char == ")")
        if char == mark and not depth:
            found.append("")
        else:
            found[-1] += char
    return found


# ---------------------------------------------------------------- what the adjoint of a run needs


class Demands:
    """What the adjoint of a run needs, from the definitions."""

    def __init__(self, trace: Trace, outputs: set[int]) -> None:
        self.operations = trace.operations
        self.spans = trace.spans
        self.active = active(trace.operations, outputs)

    def lost_and_needed(self, span: Span) -> set[int]:
        """The cells that C̄ needs as C found them, and that the first run of C overwrites."""
        later = self.spans[self.spans.index(span) + 1:]  # what is around it ends behind it
        around = [one.last for one in later if one.first <= span.first and span.last <= one.last]
        end = min(around, default=len(self.operations))
        behind = self.needed(span.last, end)
        return {cell for cell in self.needed(span.first, span.last) & self.overwritten(span, behind)
                if cell < span.cells}

    def needed(self, first: int, last: int) -> set[int]:
        """By the adjoint of these operations, of the values before them."""
        need = set[int]()
        for at in range(last - 1, first - 1, -1):
            kept = [one for one in self.operations[at] if one.target in need]
            need = need.difference(*({one.target} for one in kept)).union(*(one.reads for one in kept))
            need.update(*(one.needs for one in self.active[at]))
        return need

    def overwritten(self, span: Span, behind: set[int]) -> set[int]:
        """By the operations of a span that compute what is needed behind it."""
        wanted, found = set(behind), set[int]()
        for together in reversed(self.operations[span.first:span.last]):
            kept = [one for one in together if one.target in wanted]
            targets = {one.target for one in kept if one.target is not None}
            found |= targets
            wanted = (wanted - targets).union(*(one.reads for one in kept))
        return found


def active(operations: Sequence[tuple[Operation, ...]], outputs: set[int]) -> list[list[Operation]]:
    """Of each statement the operations that pass a derivative on to the outputs."""
    useful, found = set(outputs), list[list[Operation]]()
    for together in reversed(operations):
        kept = [one for one in together if one.target in useful]
        found.append([one for one in kept if one.flows])
        useful = useful.difference(*({one.target} for one in kept)).union(*(one.flows for one in kept))
    return found[::-1]
