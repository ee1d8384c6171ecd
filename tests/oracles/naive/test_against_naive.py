"""Random programs: the sets from the flow graph are those of the path-by-path reference in naive.py.

Programs of scalars must agree exactly. With arrays the tool may know more than "an array is one location"
and cannot know more than runs with given trips and each element a location of its own: what is read and
written must lie between these two, and every solution must save what the second one shows to be lost.
All with the paper's equations to the letter; what is intact is in test_intact.py.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from snapset.analysis import results
from snapset.analysis.activity.differentiation_head import parse_heads
from snapset.analysis.pipeline import AnalysisOptions
from snapset.analysis.pipeline import analyse as analyse_program
from snapset.analysis.recording.strategy_texts import parse_strategies
from snapset.frontend.base.source_model import ReadOptions
from snapset.frontend.load import load_program

from tests.oracles.naive.naive import Answer, Solution, analyse
from tests.oracles.naive.naive_activity import Names, activity_of, has_derivative
from tests.oracles.naive.naive_program import (
    ARRAYS,
    INTEGERS,
    SCALARS,
    Assign,
    Do,
    Factor,
    If,
    Part,
    Ref,
    Statement,
    inside,
    listing,
    unrolled,
)

T = TypeVar("T")
SETTINGS = settings(
    max_examples=120,
    derandomize=True,
    deadline=None,
    database=None,
    phases=[Phase.generate],  # shrinking takes minutes; a failure prints the program
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)


class Maker:
    """Draws one program; ``loops`` are the variables of the loops around, ``parts`` how deep in parts."""

    def __init__(self, draw: st.DrawFn, arrays: bool) -> None:
        self.draw = draw
        self.arrays = arrays

    def pick(self, *choices: T) -> T:
        return self.draw(st.sampled_from(choices))

    def ref(self, loops: tuple[str, ...], *scalars: str) -> Ref:
        name = self.pick(*SCALARS, *scalars, *(ARRAYS if self.arrays else ()))
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


def plain(target: str, *terms: str) -> Assign:
    """``plain("y", "y*s1", "s2")``"""
    return Assign(Ref(target), tuple(tuple(Factor(Ref(name)) for name in term.split("*")) for term in terms))


def framed(*body: Statement) -> tuple[Statement, ...]:
    """``body`` between what makes most variables varied and what makes most of them useful."""
    first = tuple(plain(name, "x") for name in SCALARS)
    last = Assign(Ref("y"), (*plain("y", "y*s1", "s2*s3").terms, (Factor(Ref("s4")), Factor(Ref("a", "1")))))
    return (*first, *body, last)


@st.composite
def straight_line_programs(draw: st.DrawFn, arrays: bool) -> tuple[Statement, ...]:
    """Upstream, a marked part, downstream, each of a few assignments."""
    make = Maker(draw, arrays)

    def some(least: int) -> tuple[Assign, ...]:
        return tuple(make.assign(()) for _ in range(draw(st.integers(least, 6))))

    return framed(*some(1), Part(some(1)), *some(1))


@st.composite
def structured_programs(draw: st.DrawFn, arrays: bool) -> tuple[Statement, ...]:
    """Branches, loops, parts in them and in each other; at least one part, at the top or in a loop."""
    make = Maker(draw, arrays)
    middle: Statement = make.part(3, (), True)
    if make.pick(True, False):
        before, after = make.maybe(1, ("i",), False), make.maybe(1, ("i",), False)
        middle = Do("i", "n", (*before, make.part(2, ("i",), True), *after))
    return framed(*make.block(2, (), True), middle, *make.block(2, (), True))


def names(*sets: Names) -> str:
    return " ".join(sorted(frozenset[str]().union(*sets))) or "-"


def solution_lines(title: str, solution: Solution | results.Solution, hidden: Names, open_: Names) -> list[str]:
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


def tool_lines(part: results.Part, answer: Answer, open_: Names) -> list[str]:
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


def tool_parts(program: tuple[Statement, ...], folder: Path) -> tuple[str, dict[Part, results.Part]]:
    """The program's text with line numbers, and the tool's answer for each of its parts."""
    text = listing(program)
    path = folder / "p.f90"
    path.write_text(text.text)
    head = parse_heads("p(x)>(y)")[0]
    loaded = load_program([str(path)], ReadOptions())
    options = AnalysisOptions(save_intact=True, record_branches=True)
    found = analyse_program(loaded, head, parse_strategies("lazy,eager"), options)
    by_id = {part.id: part for part in found.parts}
    return numbered(text.text), {part: by_id[f"p@{line}"] for part, line in text.first.items()}


def numbered(text: str) -> str:
    return "\n".join(f"{number:3} {line}" for number, line in enumerate(text.splitlines(), 1))


def check(program: tuple[Statement, ...], folder: Path) -> None:
    """Every part of ``program`` has exactly the reference's sets."""
    text, parts = tool_parts(program, folder)
    for part, answer in analyse(program).items():
        open_ = open_bounds(program, answer)
        pairs = zip(expected_lines(answer, open_), tool_lines(parts[part], answer, open_), strict=True)
        differ = [f"  expected {want}\n  got      {have}" for want, have in pairs if want != have]
        if differ:
            pytest.fail("\n".join([text, f"part {parts[part].id}", *differ]), pytrace=False)


TRIPS = [{"n": n, "m": m} for n in range(3) for m in range(3)]
BETWEEN = ("use_c", "out_c", "use_cbar", "use_dbar")


def plain_names(elements: Names) -> Names:
    return frozenset(element.split("[")[0] for element in elements)


@dataclass
class Shown:
    """What runs with given trips show of a part: names read and written, and names lost without a snapshot."""

    sets: dict[str, Names] = field(default_factory=lambda: dict.fromkeys(BETWEEN, frozenset()))
    lost: Names = frozenset()

    def add(self, answer: Answer) -> None:
        for name in BETWEEN:
            self.sets[name] |= plain_names(getattr(answer, name))
        self.lost |= plain_names(answer.out_c & answer.use_cbar)


def shown_by_runs(program: tuple[Statement, ...]) -> dict[Part, Shown]:
    shown: dict[Part, Shown] = {}
    for trips in TRIPS:
        copies: dict[Part, list[Part]] = {}
        answers = analyse(unrolled(program, trips, copies))
        for part, made in copies.items():
            for copy in made:
                shown.setdefault(part, Shown()).add(answers[copy])
    return shown


def check_between(program: tuple[Statement, ...], folder: Path) -> None:
    """Every part of ``program`` reads and writes what runs show, and no more than with arrays as one location."""
    text, parts = tool_parts(program, folder)
    most, least = analyse(program), shown_by_runs(program)
    for part, found in parts.items():
        shown, hidden = least.get(part, Shown()), most[part].around.vars | most[part].around.bounds
        wrong = [f"  {name} misses {names(lost)}" for name in BETWEEN
                 if (lost := shown.sets[name] - frozenset(getattr(found.sets, name)))]
        wrong += [f"  {name} has {names(more)} in vain" for name in BETWEEN
                  if (more := frozenset(getattr(found.sets, name)) - getattr(most[part], name) - hidden)]
        wrong += [f"  {name} snp misses {names(lost)}" for name, solution in found.solutions.items()
                  if (lost := shown.lost - frozenset(solution.snp))]
        if wrong:
            pytest.fail("\n".join([text, f"part {found.id}", *wrong]), pytrace=False)


@pytest.mark.wide
@SETTINGS
@given(program=straight_line_programs(arrays=False))
def test_straight_line(program: tuple[Statement, ...], tmp_path: Path) -> None:
    check(program, tmp_path)


@pytest.mark.wide
@SETTINGS
@given(program=structured_programs(arrays=False))
def test_structured(program: tuple[Statement, ...], tmp_path: Path) -> None:
    check(program, tmp_path)


@settings(SETTINGS, max_examples=50)
@given(program=straight_line_programs(arrays=True))
def test_straight_line_with_arrays(program: tuple[Statement, ...], tmp_path: Path) -> None:
    check_between(program, tmp_path)


@settings(SETTINGS, max_examples=50)
@given(program=structured_programs(arrays=True))
def test_structured_with_arrays(program: tuple[Statement, ...], tmp_path: Path) -> None:
    check_between(program, tmp_path)


@pytest.mark.wide
@settings(SETTINGS, max_examples=200)
@given(program=st.one_of(straight_line_programs(arrays=True), structured_programs(arrays=True)))
def test_more_with_arrays(program: tuple[Statement, ...], tmp_path: Path) -> None:
    check_between(program, tmp_path)
