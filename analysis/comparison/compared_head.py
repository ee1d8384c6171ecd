"""What a generated adjoint saves, PUSH by PUSH and part by part: needed, superfluous, missing.

The plan that is judged is the adjoint's own. Condition (4),

    ((out(C) ∪ (out(D̄) \\ Req_D)) \\ Snp) ∩ use(C̄) = ∅,

is looked at where the adjoint runs C̄: what may have another value there than it had before C's first run, although
this adjoint restores what it restores, must not be read. Of that only what the source's own analysis needs as well is
called missing, since both sides are over-approximations.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from snapset.analysis.comparison.balanced_items import Findings
from snapset.analysis.comparison.judged_adjoint import Judged, NotFollowed, Superfluous, judged
from snapset.analysis.comparison.needed_values import LiveValues
from snapset.analysis.comparison.part_pairing import PairedPart, adjoint_of, marks, original_of, paired_parts
from snapset.analysis.comparison.saved_bytes import pushed_bytes
from snapset.analysis.comparison.stack_calls import stack_call
from snapset.analysis.dataflow.bitsets import EMPTY, Exact, exactly, members, union
from snapset.analysis.evidence.part_explanation import Explanation, HeadExplainer
from snapset.analysis.memory.byte_sizes import location_bytes, total
from snapset.analysis.procedures.procedure_model import ProcedureModel
from snapset.analysis.results import Bytes, Part
from snapset.analysis.symbolic.fortran_text import source
from snapset.frontend import ir
from snapset.frontend.base.diagnostics import InputError
from snapset.frontend.interprocedural.call_graph import reachable
from snapset.frontend.ir.statement_walk import statements

Verdict = Literal["needed", "unread", "unchanged", "not judged"]

WHY: Mapping[Verdict, str] = {
    "unread": "nothing reads what the POP gives back before it is written again",
    "unchanged": "nothing between the PUSH and the POP changes it, but what restores it",
}


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True)
class MissingValue:
    """What a part's adjoint reads, at ``file:line``, and finds changed: the gradient is wrong."""

    region: Part
    location: str
    file: str
    line: int
    bytes: Bytes | None
    explanation: Explanation | None


@dataclass(frozen=True, slots=True)
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
    listing = _Listing(found, explainer, regions, source_program)
    known = {part_id for every in paired.values() for part_id in every}
    parts = explainer.result.parts
    return ComparedHead(
        explainer.result.head, adjoint.procedures[root].name, parts,
        tuple(part.id for part in parts if part.id not in known),
        tuple(listing.saved(root)), tuple(listing.missing(paired)), found.not_followed, found.superfluous)


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
                every.append(self._value(model, stmt, pops, verdict, lines.get(_text(behind))))
        return sorted(every, key=lambda one: (one.file, one.line))

    def _value(self, model: ProcedureModel, stmt: ir.Call, pops: tuple[int, ...], verdict: Verdict,
               line: int | None) -> SavedValue:
        call = stack_call(stmt)
        assert call is not None
        paired = self.regions.get((model.procedure.key, stmt.id))
        place = stmt.args[0].value
        name = place.name if isinstance(place, ir.Ref) else ""
        explained = self._explained(paired.part, name) if paired is not None and verdict in WHY else None
        return SavedValue(stmt.span.file, stmt.span.line, pops, model.procedure.name, source(place) or "an address",
                          verdict, pushed_bytes(stmt, call), None if paired is None else paired.part,
                          None if paired is not None else line, explained)

    def _explained(self, part: Part, name: str) -> Explanation | None:
        """The first location of that name at a part."""
        try:
            (place,) = self.explainer.parts_at(part.id)
            return self.explainer.explained(place, name)[0]
        except (InputError, ValueError):
            return None

    def _source_lines(self, key: str) -> Mapping[object, int]:
        """By what a statement says, its line in the original, where only one says so."""
        name = original_of(self.found.models.by_key[key].procedure.name)
        found: dict[object, list[int]] = {}
        for one in self.source.procedures.values():
            for stmt in statements(one.body) if one.name == name else ():
                found.setdefault(_text(stmt), []).append(stmt.span.line)
        return {text: lines[0] for text, lines in found.items() if len(lines) == 1 and text is not None}

    # ------------------------------------------------------------ condition (4)

    def missing(self, paired: Mapping[str, Mapping[str, PairedPart]]) -> Iterable[MissingValue]:
        """What the parts' adjoints read and find changed."""
        for key, every in paired.items():
            model, findings = self.found.models.by_key[key], self.found.findings.get(key, Findings())
            nodes = {node.stmt.id: node.index for node in reversed(model.flow.nodes) if node.stmt is not None}
            for call_id, rerun in findings.reruns.items():
                one = next((one for one in every.values() if one.before.id == rerun.forward.id), None)
                if one is not None and call_id in nodes and (  # a constant IF has no node
                        one.part.kind == "call" or not _moves_addresses(model.procedure.body)):
                    given = _given_again(model, self._inside(one.part))
                    lost = findings.lost[call_id] & ~self.found.partly[key] & ~given
                    yield from self._missing(one.part, model, nodes[call_id], lost, findings)

    def _inside(self, part: Part) -> frozenset[object]:
        """What a marked part assigns: that the adjoint has it twice is the part's second run."""
        if part.kind == "call":
            return frozenset()
        return frozenset(_text(stmt) for one in self.source.procedures.values() if one.name == part.procedure
                         for stmt in statements(one.body) if part.first_line <= stmt.span.line <= part.last_line)

    def _missing(self, part: Part, model: ProcedureModel, node: int, lost: int,
                 findings: Findings) -> Iterable[MissingValue]:
        """``node``: the call of the adjoint of what a part calls, or the statement with which a marked part's second
        run begins: then what is read from there on counts, as far as no POP gives it back first."""
        if part.kind == "call":
            targets = model.calls[node].targets
            used = union(target.uses(self.found.models.seen[target.key].summary.use) for target in targets)
        else:
            used = LiveValues(model, EMPTY, tuple((pair,) for pair in findings.pairs.values())).before(node)
        names = {_plain(model.space.infos[one].name) for one in members(used)}
        gone = {_plain(model.space.infos[one].name): one for one in members(lost)}
        span = model.flow.nodes[node].span
        solution = next(iter(part.solutions.values()), None)
        saved = frozenset() if solution is None else frozenset((*solution.snp, *solution.req_d))
        for name in part.sets.use_cbar:
            if name in saved and _plain(name) in names & gone.keys():
                info, explained = model.space.infos[gone[_plain(name)]], self._explained(part, name)
                if not (name.endswith("[]") and (allocated_once(self.source, name)
                                                 or (explained is not None and self._assigned(explained)))):
                    yield MissingValue(part, name, span.file, span.line, location_bytes(info), explained)

    def _assigned(self, one: Explanation) -> bool:
        """Is all that overwrites an allocation assignments? They leave it alone where both sides have one shape, which
        nobody can tell, and Tapenade takes for granted."""
        writers = [chain.last for chain in one.chains if chain.set.startswith("out") and chain.last is not None]
        return bool(writers) and all(any(
            isinstance(stmt, ir.Assign) and stmt.span.line == step.line and stmt.span.file == step.file
            for stmt in statements(self.source.procedures[step.procedure].body)) for step in writers
            if step.procedure in self.source.procedures)


def _given_again(model: ProcedureModel, inside: frozenset[object]) -> Exact:
    """What an assignment gives a value that stands in the adjoint twice: Tapenade runs such statements again on the way
    back, instead of saving what they give a value. Whether their operands are what they were is not looked at.
    ``inside``: assignments that do not count."""
    seen, found = set[object](), EMPTY
    for stmt in statements(model.procedure.body):
        text = _text(stmt)
        if text is not None and text not in inside and isinstance(stmt, ir.Assign) and text in seen:
            found |= exactly(model.refs.touch(stmt.target).bits)
        seen.add(text)
    return found


def allocated_once(program: ir.Program, name: str) -> bool:
    """Is ``a[]`` changed by nothing but ``IF (.NOT. ALLOCATED(a)) ALLOCATE(a(n))``? A second run that finds a allocated
    leaves it as the first run made it, so that nobody sees the difference."""
    plain = name.removesuffix("[]").rpartition("::")[2]
    changes = [stmt for one in program.procedures.values() for stmt in statements(one.body) if _allocates(stmt, plain)]
    guarded = {stmt.id for one in program.procedures.values() for guard in statements(one.body)
               if isinstance(guard, ir.If) and not guard.orelse and _unless_allocated(guard.cond, plain)
               and all(isinstance(inner, ir.Allocate) for inner in guard.then) for stmt in guard.then}
    return "%" not in plain and bool(changes) and all(stmt.id in guarded for stmt in changes)


def _allocates(stmt: ir.Stmt, name: str) -> bool:
    return isinstance(stmt, ir.Allocate | ir.Deallocate) and any(
        len(one.parts) == 1 and one.name == name for one in stmt.objects)


def _unless_allocated(cond: ir.Expr, name: str) -> bool:
    match cond:
        case ir.Unary(op=".not.", operand=ir.Intrinsic(name="allocated", args=(argument,))):
            return isinstance(argument.value, ir.Ref) and argument.value.name == name
        case _:
            return False


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


def _moves_addresses(body: ir.Block) -> bool:
    """Does an adjoint give pointers back by their addresses? What they lead to then is not followed."""
    return any(isinstance(stmt, ir.Call) and stmt.name.startswith("poppointer") for stmt in statements(body))


def _text(stmt: ir.Stmt | None) -> object:
    return (stmt.target, stmt.value) if isinstance(stmt, ir.Assign) else None


def _plain(name: str) -> str:
    """A name as the source has it: ``accum::total`` of ``accum_b::total``, ``grid::u`` of ``grid_diff::u``."""
    owner, mark, rest = name.partition("::")
    if not mark:
        return name
    for suffix in ("_diff", "_b", "_nodiff", "_cb"):
        owner = owner.removesuffix(suffix)
    return f"{owner}::{rest}"
