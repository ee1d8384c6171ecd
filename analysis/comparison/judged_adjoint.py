"""All of a generated adjoint judged: which of its PUSHes are superfluous, and why.

A PUSH and its POP are superfluous where nothing reads what the POP gives back (``unread``), or where its place holds
that value anyhow (``unchanged``). Both are what the paper's inequation for Snp leaves out,

    Snp ⊇ (out(C) ∪ (out(D̄) \\ Req_D)) ∩ (use(C̄) ∪ (Req \\ Sbk)),

D̄, Req_D and Sbk being what this adjoint makes of them. What is found is taken away and all is judged again, until
nothing is found.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Literal

from snapset.analysis.comparison.balanced_items import Altered, Findings, Pair, changed
from snapset.analysis.comparison.needed_values import Groups, live_at_ends
from snapset.analysis.comparison.stack_calls import STACK_EFFECTS, stack_call
from snapset.analysis.comparison.stack_contents import Net, PartMark, UnpairedError
from snapset.analysis.comparison.sweep_walk import Called, Moves, SweepWalk
from snapset.analysis.dataflow.bitsets import Exact, May, union
from snapset.analysis.procedures.model_builder import Models
from snapset.analysis.procedures.procedure_model import ProcedureModel
from snapset.frontend import ir
from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.interprocedural.lazy_procedures import changed as rewritten
from snapset.frontend.ir.statement_walk import statements, with_blocks

Why = Literal["unread", "unchanged"]


@frozen
class Superfluous:
    """A PUSH and its POP, of one procedure; several, where a POP takes what one of several PUSHes has put there."""

    procedure: str
    pairs: tuple[Pair, ...]
    why: Why


@frozen
class NotFollowed:
    """A procedure whose POPs have no certain PUSHes: what it saves is not judged."""

    procedure: str
    file: str
    line: int
    why: str


@frozen
class Judged:
    """``findings``: of the walks through the procedures as they stand there. ``models``: of the adjoint as it stands
    there; ``known``: what its procedures do."""

    superfluous: tuple[Superfluous, ...]
    not_followed: tuple[NotFollowed, ...]
    findings: Mapping[str, Findings]
    models: Models
    known: Mapping[str, Called]


Marks = Mapping[str, tuple[Mapping[int, PartMark], Mapping[int, PartMark]]]
"""By procedure the marks of its parts: before first runs, before their adjoints."""

NO_MARKS: Marks = MappingProxyType({})


def judged(program: ir.Program, root: str, effects: Mapping[str, str], asked: frozenset[str] | None = None,
           marks: Marks = NO_MARKS) -> Judged:
    """``root``: the adjoint of the head. ``effects``: of other procedures without source. ``asked``: names that its
    caller reads when it is over (None: all of them)."""
    every = {**effects, **STACK_EFFECTS}
    found: tuple[Superfluous, ...] = ()
    first: _Round | None = None
    now = program
    while True:
        this = _Round(Models(now, every, root), marks)
        first = first or this
        more = this.superfluous(root, asked)
        if not more:
            return Judged(found, tuple(first.not_followed), first.findings, first.models, first.known)
        found += more
        now = _without(now, more)


def _without(program: ir.Program, gone: Iterable[Superfluous]) -> ir.Program:
    """The program without these PUSHes and POPs; statements keep their ids."""
    ids: dict[str, set[int]] = {}
    for one in gone:
        ids.setdefault(one.procedure, set()).update(number for pair in one.pairs for number in pair.ids)
    procedures = dict(program.procedures)
    for key, dropped in ids.items():
        procedures[key] = rewritten(procedures[key], _kept(procedures[key].body, dropped))
    return replace(program, procedures=MappingProxyType(procedures))


def _kept(block: ir.Block, dropped: set[int]) -> ir.Block:
    def one(stmt: ir.Stmt) -> ir.Stmt:
        if stmt.id in dropped:
            return ir.Continue(span=stmt.span, label=stmt.label, id=stmt.id)
        return with_blocks(stmt, lambda inner: _kept(inner, dropped))

    return tuple(one(stmt) for stmt in block)


@dataclass
class _Round:
    """One look at all procedures, callees first."""

    models: Models
    marks: Marks
    known: dict[str, Called] = field(default_factory=dict)
    findings: dict[str, Findings] = field(default_factory=dict)
    not_followed: list[NotFollowed] = field(default_factory=list)

    def __post_init__(self) -> None:
        for group in self.models.components:
            for key in group:
                self.known.setdefault(key, self._called(self.models.by_key[key], len(group) > 1))

    def superfluous(self, root: str, asked: frozenset[str] | None) -> tuple[Superfluous, ...]:
        """What is to go. What nothing reads goes first: it may be what keeps another value unchanged."""
        groups = {key: _groups(one) for key, one in self.findings.items()}
        ordered = tuple(key for group in reversed(self.models.components) for key in group)
        live = live_at_ends(self.models, ordered, groups, {root: _asked(self.models.by_key[root], asked)})
        found = tuple(Superfluous(key, group, "unread") for key, one in live.items() for group in one.dead())
        return found or tuple(Superfluous(key, group, "unchanged") for key, every in groups.items()
                              for group in every if all(_unchanged(self.findings[key], pair) for pair in group))

    def _called(self, model: ProcedureModel, recursive: bool) -> Called:
        key, out = model.procedure.key, model.summary.out
        calls = [call for stmt in statements(model.procedure.body) if (call := stack_call(stmt)) is not None]
        calling = any(self.known[one].moves != "balanced" for one in _called_by(model) if one in self.known)
        if not calls and not calling and key not in self.marks:
            return Called("balanced", Altered(out, out))
        found = Findings()
        try:
            walk = SweepWalk(model, self.known, *self.marks.get(key, ({}, {})))
            net = walk.net()
            moves, left = _moves(net), all_changed(net, found)
        except UnpairedError as error:
            self.not_followed.append(NotFollowed(key, model.procedure.span.file, error.line, error.why))
            roles = {call.role.split()[0] for call in calls}
            return Called("pushes" if roles == {"push"} else "pops" if roles == {"pop"} else "balanced", Altered(out))
        self.findings[key] = found
        if recursive or moves != "balanced":
            return Called(moves, Altered(out))
        return Called(moves, Altered(May(out & left.may), May(out & left.lost)), self._partly(model, found))

    def _partly(self, model: ProcedureModel, found: Findings) -> May:
        """What is given back somewhere, in what is called too, and not known to be whole."""
        own = union(May(pair.place & ~pair.whole) for pair in found.pairs.values())
        called = union(target.outs(self.known[target.key].partly) for site in model.calls.values()
                       for target in site.targets if target.key in self.known)
        return model.space.with_aliases(own | called)


def _called_by(model: ProcedureModel) -> set[str]:
    return {target.key for site in model.calls.values() for target in site.targets}


def _moves(net: Net) -> Moves:
    if net.entries and net.demands:
        raise UnpairedError(net.demands[0].content.stmt, "it pops what its caller pushed, and pushes for its caller")
    return "pushes" if net.entries else "pops" if net.demands else "balanced"


def all_changed(net: Net, found: Findings) -> Altered:
    """What a procedure may leave with another value; notes in ``found`` what that is between the places inside."""
    result = Altered()
    for demand in net.demands:
        result |= changed(demand.before, found)
    result |= changed(net.base, found)
    for entry in net.entries:
        result |= changed(entry.above, found)
    return result


def _groups(found: Findings) -> Groups:
    """The pairs, those that share a PUSH or a POP together. None whose place is nothing that is followed."""
    graph: dict[tuple[str, int], set[tuple[str, int]]] = {}
    for push, pop in found.pairs:
        graph.setdefault(("push", push), set()).add(("pop", pop))
        graph.setdefault(("pop", pop), set()).add(("push", push))
    seen: set[tuple[str, int]] = set()
    groups = []
    for start in graph:
        group, pending = set[tuple[str, int]](), [start]
        while pending:
            one = pending.pop()
            if one not in seen:
                seen.add(one)
                group.add(one)
                pending += graph[one]
        pairs = tuple(pair for (push, _), pair in found.pairs.items() if ("push", push) in group)
        if pairs and all(pair.place for pair in pairs):
            groups.append(pairs)
    return tuple(groups)


def _unchanged(found: Findings, pair: Pair) -> bool:
    """Does its place hold the value anyhow when the POP comes, and is it the same place?"""
    lost = found.changed[pair.ids]
    return not lost & pair.place and not lost & pair.address & ~found.counted[pair.ids]


def _asked(model: ProcedureModel, names: frozenset[str] | None) -> Exact:
    if names is None:
        return model.visible
    found: Exact = model.visible
    return Exact(found & _bits(model, names))


def _bits(model: ProcedureModel, names: frozenset[str]) -> int:
    return sum(1 << number for number, info in enumerate(model.space.infos) if info.name in names)
