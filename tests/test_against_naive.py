"""Random programs: the sets from the flow graph are those of the path-by-path reference in naive.py."""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from naive import Answer, Names, Solution, activity_of, analyse, has_derivative
from naive_program import ARRAYS, INTEGERS, SCALARS, Assign, Do, Factor, If, Part, Ref, Statement, inside, listing
from snapset.analysis import result
from snapset.analysis.analyse import AnalysisOptions
from snapset.analysis.analyse import analyse as analyse_program
from snapset.analysis.heads import parse_heads
from snapset.analysis.strategies import parse_strategies
from snapset.frontend.program import load_program
from snapset.frontend.statement import ReadOptions

T = TypeVar("T")
SETTINGS = settings(
    max_examples=150,
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)


class Maker:
    """Draws one program; ``loops`` are the variables of the loops around, ``parts`` how deep in parts."""

    def __init__(self, draw: st.DrawFn) -> None:
        self.draw = draw

    def pick(self, *choices: T) -> T:
        return self.draw(st.sampled_from(choices))

    def ref(self, loops: tuple[str, ...], *scalars: str) -> Ref:
        name = self.pick(*SCALARS, *scalars, *ARRAYS[: 1 + bool(loops)])
        return Ref(name, self.pick("1", "2", *loops)) if name in ARRAYS else Ref(name)

    def factor(self, loops: tuple[str, ...]) -> Factor:
        ref = self.ref(loops, "x", "x", "y", *INTEGERS[:1])
        return Factor(ref, sine=ref.name not in INTEGERS and self.pick(False, False, False, True))

    def assign(self, loops: tuple[str, ...]) -> Assign:
        count = self.pick(0, 1, 1, 1, 2)
        terms = tuple(
            tuple(self.factor(loops) for _ in range(self.pick(1, 1, 2, 2, 3))) for _ in range(count)
        )
        return Assign(self.ref(loops, "y", "y"), terms)

    def part(self, depth: int, loops: tuple[str, ...], inner: bool) -> Part:
        body = self.block(depth - 1, loops, inner)
        return Part((self.assign(loops), *body))

    def statement(self, depth: int, loops: tuple[str, ...], inner: bool) -> Statement:
        kinds = ["assign"] * 4
        if depth > 0:
            kinds += ["if", "do", "part"] if inner else ["if", "do"]
        match self.pick(*kinds):
            case "if":
                test = self.pick(Ref("m"), self.ref(loops, "x"))
                return If(test, self.block(depth - 1, loops, inner), self.maybe(depth - 1, loops, inner))
            case "do" if len(loops) < 2:
                var = "ij"[len(loops)]
                return Do(var, self.pick(*INTEGERS), self.block(depth - 1, (*loops, var), inner))
            case "part":
                return self.part(depth, loops, self.pick(True, False))
        return self.assign(loops)

    def block(self, depth: int, loops: tuple[str, ...], inner: bool) -> tuple[Statement, ...]:
        return tuple(self.statement(depth, loops, inner) for _ in range(self.pick(1, 2, 3)))

    def maybe(self, depth: int, loops: tuple[str, ...], inner: bool) -> tuple[Statement, ...]:
        return self.block(depth, loops, inner) if self.pick(True, False) else ()


@st.composite
def straight_line_programs(draw: st.DrawFn) -> tuple[Statement, ...]:
    """Upstream, a marked part, downstream, each of a few assignments."""
    make = Maker(draw)

    def some(least: int) -> tuple[Assign, ...]:
        return tuple(make.assign(()) for _ in range(draw(st.integers(least, 5))))

    return (*some(0), Part(some(1)), *some(1))


@st.composite
def structured_programs(draw: st.DrawFn) -> tuple[Statement, ...]:
    """Branches, loops, parts in them and in each other; at least one part at the top, or in a loop."""
    make = Maker(draw)
    part = make.part(3, (), True)
    middle: Statement = part
    if make.pick(True, False):
        before, after = make.maybe(1, ("i",), False), make.maybe(1, ("i",), False)
        middle = Do("i", "n", (*before, make.part(2, ("i",), True), *after))
    return (*make.block(2, (), True), middle, *make.block(2, (), True))


def names(*sets: Names) -> str:
    return " ".join(sorted(frozenset[str]().union(*sets))) or "-"


def solution_lines(title: str, solution: Solution | result.Solution, hidden: Names, open_: Names) -> list[str]:
    fields = {field: frozenset(getattr(solution, field)) for field in ("snp", "sbk", "req_d", "req_c")}
    lines = [f"{title} {field}: {names(value)}" for field, value in fields.items()]
    return [*lines, f"{title} req: {names(frozenset(solution.req) - hidden - open_)}"]


def open_bounds(program: tuple[Statement, ...], answer: Answer) -> Names:
    """Bounds of which equations.md does not say whether they are required: those of loops without derivatives
    (which may still have to be run backwards, to restore what they taped), unless another loop requires them."""
    activity = activity_of(program)
    loops = (each for each in inside(program) if isinstance(each, Do))
    bounds = (each.bound for each in loops if not has_derivative(each.body, activity))
    return frozenset(bounds) - answer.lazy.req


def expected_lines(answer: Answer, open_: Names) -> list[str]:
    """What the equations fix; the control of the loops around the part is not among it."""
    hidden = answer.around.vars | answer.around.bounds
    return [
        *(f"{name}: {names(getattr(answer, name))}" for name in ("use_c", "out_c", "use_cbar", "out_cbar", "out_dbar")),
        f"use_dbar: {names(answer.use_dbar - hidden)}",
        *solution_lines("lazy", answer.lazy, hidden, open_),
        *solution_lines("eager", answer.eager, hidden, open_),
    ]


def tool_lines(part: result.Part, answer: Answer, open_: Names) -> list[str]:
    hidden = answer.around.vars | answer.around.bounds
    sets = part.sets
    return [
        f"use_c: {names(frozenset(sets.use_c))}",
        f"out_c: {names(frozenset(sets.out_c))}",
        f"use_cbar: {names(frozenset(sets.use_cbar))}",
        f"out_cbar: {names(frozenset(sets.out_cbar))}",
        f"out_dbar: {names(frozenset(sets.out_dbar))}",
        f"use_dbar: {names(frozenset(sets.use_dbar) - hidden)}",
        *solution_lines("lazy", part.solutions["lazy"], hidden, open_),
        *solution_lines("eager", part.solutions["eager"], hidden, open_),
    ]


def check(program: tuple[Statement, ...], folder: Path) -> None:
    """Every part of ``program`` has the reference's sets, in the tool's answer."""
    text = listing(program)
    path = folder / "p.f90"
    path.write_text(text.text)
    head = parse_heads("p(x)>(y)")[0]
    loaded = load_program([str(path)], ReadOptions())
    found = analyse_program(loaded, head, parse_strategies("lazy,eager"), AnalysisOptions())
    parts = {part.id: part for part in found.parts}
    for part, answer in analyse(program).items():
        id = f"p@{text.first[part]}"
        open_ = open_bounds(program, answer)
        pairs = zip(expected_lines(answer, open_), tool_lines(parts[id], answer, open_), strict=True)
        differ = [f"  expected {want}\n  got      {have}" for want, have in pairs if want != have]
        if differ:
            pytest.fail("\n".join([numbered(text.text), f"part {id}", *differ]), pytrace=False)


def numbered(text: str) -> str:
    return "\n".join(f"{number:3} {line}" for number, line in enumerate(text.splitlines(), 1))


@SETTINGS
@given(program=straight_line_programs())
def test_straight_line(program: tuple[Statement, ...], tmp_path: Path) -> None:
    check(program, tmp_path)


@SETTINGS
@given(program=structured_programs())
def test_structured(program: tuple[Statement, ...], tmp_path: Path) -> None:
    check(program, tmp_path)
