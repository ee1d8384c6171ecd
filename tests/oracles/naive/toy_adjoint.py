"""Runs the adjoint of a toy program, as an AD tool would under a plan, in exact arithmetic.

Numbers are residues modulo a prime, so equal gradients are equal and not nearly so, nothing overflows,
and a value that was not restored does not happen to be right. The sine stands for the cube.

``Plan`` comes from the analysis: what runs, what is taped, what each part saves. The store-all adjoint
(:func:`gradient` without a plan) keeps every statement and every overwritten value.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random

from snapset.analysis.activity.differentiation_head import parse_heads
from snapset.analysis.adjoint.level_adjoint import ProcedureAdjoint
from snapset.analysis.dataflow.bitsets import members
from snapset.analysis.pipeline import prepare
from snapset.analysis.recording.program_recording import record_program
from snapset.analysis.recording.strategies import Strategy
from snapset.analysis.recording.to_be_recorded import ProcedureRecord
from snapset.frontend.load import load_text

from tests.oracles.naive.naive_program import ARRAYS, SCALARS, Assign, Do, If, Listing, Part, Ref, Statement

PRIME = (1 << 61) - 1
LENGTH = 3
Place = tuple[str, int]


class Numbered(Listing):
    """The text with arrays of three elements, and the line of every statement."""

    def __init__(self) -> None:
        super().__init__()
        self.line: dict[Statement, int] = {}

    def add(self, depth: int, text: str) -> None:
        super().add(depth, text.replace("(9)", f"({LENGTH})"))

    def block(self, depth: int, body: tuple[Statement, ...]) -> None:
        for statement in body:
            self.line[statement] = len(self.lines) + 1
            super().block(depth, (statement,))


class Jumping(Numbered):
    """The same with GOTO for every branch."""

    def __init__(self) -> None:
        super().__init__()
        self.labels = 0

    def block(self, depth: int, body: tuple[Statement, ...]) -> None:
        for statement in body:
            if not isinstance(statement, If):
                super().block(depth, (statement,))
                continue
            self.labels += 2
            yes, end = 10 * self.labels, 10 * self.labels + 10
            self.line[statement] = len(self.lines) + 1
            self.add(depth, f"if ({statement.test.text} > 1) goto {yes}")
            self.block(depth, statement.orelse)
            self.add(depth, f"goto {end}")
            self.add(depth, f"{yes} continue")
            self.block(depth, statement.then)
            self.add(depth, f"{end} continue")


def numbered(body: tuple[Statement, ...], jumping: bool = False) -> Numbered:
    out = Jumping() if jumping else Numbered()
    for text in ("subroutine p(x, n, m, y)", "implicit none", "real(8) :: x, y", "integer :: n, m, i, j",
                 f"real(8) :: {', '.join(SCALARS)}, {', '.join(f'{name}(9)' for name in ARRAYS)}"):
        out.add(0, text)
    out.block(1, body)
    out.add(0, "end subroutine p")
    return out


@dataclass(frozen=True)
class Saves:
    """What one part saves: names of whole variables; ``first``: the lines of its first run."""

    snp: frozenset[str]
    sbk: frozenset[str]
    first: frozenset[int]


@dataclass(frozen=True)
class Plan:
    """By level (the part, or None for the whole): the lines its forward sweep runs, and what each tapes.

    ``varied``: by line, the names whose adjoints the derivative statement adds to.
    """

    kept: dict[Part | None, frozenset[int]]
    taped: dict[Part | None, dict[int, frozenset[str]]]
    saves: dict[Part, Saves]
    line: dict[Statement, int]
    varied: dict[int, frozenset[str]]


def plan_of(program: tuple[Statement, ...], text: Numbered, strategy: Strategy) -> Plan:
    """The analysis's plan for a toy program."""
    found = prepare(load_text(text.text), parse_heads("p(x)>(y)")[0])
    (key,) = found.order
    adjoint = found.adjoints.by_key[key]
    return plan_from(program, text, adjoint, record_program(found.adjoints, found.order, strategy)[key])


def plan_from(program: tuple[Statement, ...], text: Numbered, adjoint: ProcedureAdjoint,
              record: ProcedureRecord) -> Plan:
    flow, space = adjoint.model.flow, adjoint.model.space
    part_at = {text.line[p]: p for p in parts_in(program)}
    owner: dict[int, Part | None] = {0: None}
    for level in flow.levels[1:]:
        assert level.marked is not None
        owner[level.index] = part_at[level.marked.span.line]

    def lines(nodes: frozenset[int]) -> frozenset[int]:
        return frozenset(flow.nodes[n].span.line for n in nodes if flow.nodes[n].kind != "join")

    kept, taped, saves = {}, {}, {}
    for index, level in enumerate(adjoint.levels):
        kept[owner[index]] = lines(level.running)
        taped[owner[index]] = {flow.nodes[n].span.line: frozenset(space.names(bits))
                               for n, bits in record.levels[index].taped.items()}
        for node, solved in record.levels[index].solved.items():
            part = owner[level.graph.parts[node]]
            assert part is not None
            choice = solved.choice
            saves[part] = Saves(frozenset(space.names(choice.snp)), frozenset(space.names(choice.sbk)),
                                lines(level.parts[node].first_run_nodes))
            assert all(bits < 1 << len(space) for bits in (choice.snp, choice.sbk)), list(members(choice.snp))
    varied = {flow.nodes[n].span.line: frozenset(space.names(bits)) for n, bits in adjoint.active.varied.items()
              if flow.nodes[n].kind == "simple"}
    return Plan(kept, taped, saves, text.line, varied)


def parts_in(body: tuple[Statement, ...]) -> Iterator[Part]:
    for statement in body:
        match statement:
            case If(_, then, orelse):
                yield from parts_in(then + orelse)
            case Do(_, _, inner):
                yield from parts_in(inner)
            case Part(inner):
                yield statement
                yield from parts_in(inner)


@dataclass
class Machine:
    """Primal values, adjoint values, and the integers."""

    plan: Plan | None
    values: dict[Place, int]
    integers: dict[str, int]
    bars: dict[Place, int] = field(default_factory=dict)

    def place(self, ref: Ref) -> Place:
        if ref.index is None:
            return ref.name, 0
        return ref.name, int(ref.index) if ref.index.isdigit() else self.integers[ref.index]

    def value(self, ref: Ref) -> int:
        if ref.name in self.integers:
            return self.integers[ref.name]
        return self.values[self.place(ref)]

    def compute(self, statement: Assign) -> int:
        if not statement.terms:
            return 1
        total = 0
        for term in statement.terms:
            product = 2
            for factor in term:
                value = self.value(factor.ref)
                product = product * (pow(value, 3, PRIME) if factor.sine else value) % PRIME
            total += product
        return total % PRIME

    def taken(self, test: Ref) -> bool:
        value = self.value(test)
        return value > 1 if test.name in self.integers else value % 2 == 1

    # ------------------------------------------------------------ plain runs

    def plain(self, body: tuple[Statement, ...], lines: frozenset[int] | None) -> None:
        """Run code without recording; only the given lines (None: all)."""
        for statement in body:
            if isinstance(statement, Part):
                self.plain(statement.body, lines)
                continue
            assert self.plan is not None or lines is None
            if lines is not None and self.plan is not None and self.plan.line[statement] not in lines:
                continue
            match statement:
                case Assign(target):
                    self.values[self.place(target)] = self.compute(statement)
                case If(test, then, orelse):
                    self.plain(then if self.taken(test) else orelse, lines)
                case Do():
                    for _ in self.iterations(statement):
                        self.plain(statement.body, lines)

    def iterations(self, loop: Do) -> Iterator[int]:
        count = int(loop.bound) if loop.bound.isdigit() else self.integers[loop.bound]
        for i in range(1, count + 1):
            self.integers[loop.var] = i
            yield i
        self.integers[loop.var] = count + 1

    # ------------------------------------------------------------ the adjoint

    def adjoint(self, body: tuple[Statement, ...], level: Part | None) -> None:
        """Both sweeps over one level; the trace is the control that a tool would record."""
        trace: list[tuple[object, ...]] = []
        self.forward(body, level, trace)
        for entry in reversed(trace):
            match entry:
                case ("assign", Assign() as statement, dict() as saved, dict() as integers):
                    self.integers.update(integers)  # loop variables are regenerated
                    self.values.update(saved)
                    self.derivative(statement)
                case ("part", Part() as part, dict() as snp, dict() as sbk, dict() as integers):
                    self.integers.update(integers)
                    self.values.update(snp)
                    self.adjoint(part.body, part)
                    self.values.update(sbk)

    def forward(self, body: tuple[Statement, ...], level: Part | None, trace: list[tuple[object, ...]]) -> None:
        for statement in body:
            match statement:
                case Assign(target):
                    self.forward_assign(statement, target, level, trace)
                case If(test, then, orelse):
                    if self.runs(statement, level):
                        self.forward(then if self.taken(test) else orelse, level, trace)
                case Do():
                    if self.runs(statement, level):
                        for _ in self.iterations(statement):
                            self.forward(statement.body, level, trace)
                case Part():
                    self.forward_part(statement, trace)

    def runs(self, statement: Statement, level: Part | None) -> bool:
        return self.plan is None or self.plan.line[statement] in self.plan.kept[level]

    def loops(self) -> dict[str, int]:
        return {name: self.integers[name] for name in ("i", "j")}

    def forward_assign(self, statement: Assign, target: Ref, level: Part | None,
                       trace: list[tuple[object, ...]]) -> None:
        place, saved = self.place(target), {}
        if self.runs(statement, level):
            names = {target.name} if self.plan is None else self.plan.taped[level].get(self.plan.line[statement], ())
            if target.name in names:
                saved[place] = self.values[place]
            trace.append(("assign", statement, saved, self.loops()))
            self.values[place] = self.compute(statement)
        else:
            trace.append(("assign", statement, saved, self.loops()))

    def forward_part(self, part: Part, trace: list[tuple[object, ...]]) -> None:
        saves = None if self.plan is None else self.plan.saves[part]
        snp = self.saved(None if saves is None else saves.snp)
        sbk = self.saved(None if saves is None else saves.sbk)
        trace.append(("part", part, snp, sbk, self.loops()))
        self.plain(part.body, None if saves is None else saves.first)

    def saved(self, names: frozenset[str] | None) -> dict[Place, int]:
        return {p: v for p, v in self.values.items() if names is None or p[0] in names}

    def derivative(self, statement: Assign) -> None:
        """I': the adjoint of the target goes to the operands of the partials."""
        place = self.place(statement.target)
        bar = self.bars.get(place, 0)
        self.bars[place] = 0
        if not bar:
            return
        varied = None if self.plan is None else self.plan.varied[self.plan.line[statement]]
        for term in statement.terms:
            for at, factor in enumerate(term):
                if factor.ref.name in self.integers or (varied is not None and factor.ref.name not in varied):
                    continue
                partial = 2
                for other, each in enumerate(term):
                    value = self.value(each.ref)
                    if other == at:
                        partial = partial * (3 * value * value if factor.sine else 1) % PRIME
                    else:
                        partial = partial * (pow(value, 3, PRIME) if each.sine else value) % PRIME
                where = self.place(factor.ref)
                self.bars[where] = (self.bars.get(where, 0) + bar * partial) % PRIME


def gradient(program: tuple[Statement, ...], plan: Plan | None, n: int, m: int, seed: int) -> int:
    """dy/dx: the adjoint of x when the adjoint of y starts as 1."""
    random = Random(seed)
    names = [(s, 0) for s in (*SCALARS, "x", "y")] + [(a, i) for a in ARRAYS for i in range(1, LENGTH + 1)]
    values = {place: random.randrange(2, PRIME) for place in names}
    machine = Machine(plan, values, {"n": n, "m": m, "i": 0, "j": 0}, {("y", 0): 1})
    machine.adjoint(program, None)
    return machine.bars.get(("x", 0), 0)
