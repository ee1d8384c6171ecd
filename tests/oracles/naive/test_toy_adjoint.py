"""Random toy programs: the adjoint under the analysis's plan has the store-all adjoint's gradient, exactly."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from snapset.analysis.recording.strategy_texts import parse_strategies

from tests.oracles.naive.naive_program import Assign, Do, Factor, Part, Ref, Statement
from tests.oracles.naive.test_against_naive import Maker, framed
from tests.oracles.naive.test_against_naive import numbered as with_numbers
from tests.oracles.naive.toy_adjoint import LENGTH, gradient, numbered, plan_of

SETTINGS = settings(max_examples=7, derandomize=True, deadline=None, database=None,
                    phases=[Phase.generate],  # shrinking takes minutes; a failure prints it
                    suppress_health_check=[HealthCheck.too_slow])
STRATEGIES = "lazy,eager,Opt1+=*,Opt2+=*;Sbk+=*,Opt3+=*,Opt1+=*;Opt3+=*,Opt1+=s1,a;Opt2+=s2;Opt3+=s3,a"


class ArrayMaker(Maker):
    """More arrays and loops than the plain maker, and loops that cover a whole array."""

    def ref(self, loops: tuple[str, ...], *scalars: str) -> Ref:
        if loops and self.pick(True, False):
            return Ref(self.pick("a", "b"), self.pick(*loops))
        return super().ref(loops, *scalars)

    def statement(self, depth: int, loops: tuple[str, ...], inner: bool) -> Statement:
        if depth > 0 and len(loops) < 2 and self.pick(True, False, False):
            var = "ij"[len(loops)]
            return Do(var, self.pick("n", "m", "3"), self.block(depth - 1, (*loops, var), inner))
        return super().statement(depth, loops, inner)


@st.composite
def programs(draw: st.DrawFn) -> tuple[Statement, ...]:
    make = ArrayMaker(draw, True)
    middle: Statement = make.part(3, (), True)
    if make.pick(True, False):
        before, after = make.maybe(1, ("i",), True), make.maybe(1, ("i",), True)
        middle = Do("i", make.pick("n", "3"), (*before, make.part(2, ("i",), True), *after))
    start = tuple(Assign(Ref(name, str(i)), ((Factor(Ref("x")), Factor(Ref("x"))),))
                  for name in ("a", "b") for i in range(1, LENGTH + 1) if make.pick(True, False))
    return framed(*start, *make.block(2, (), True), middle, *make.block(2, (), True))


@SETTINGS
@given(program=programs(), seed=st.integers(0, 1 << 30))
def test_every_choice_gives_the_gradient(program: tuple[Statement, ...], seed: int) -> None:
    every_choice(program, seed)


@pytest.mark.wide
@settings(SETTINGS, max_examples=120)
@given(program=programs(), seed=st.integers(0, 1 << 30))
def test_every_choice_gives_the_gradient_of_many_programs(program: tuple[Statement, ...], seed: int) -> None:
    every_choice(program, seed)


def every_choice(program: tuple[Statement, ...], seed: int) -> None:
    text = numbered(program, jumping=seed % 3 == 0)
    runs = [(0, 0), (1, 2), (2, 1), (3, 3)]
    expected = {run: gradient(program, None, *run, seed) for run in runs}
    for strategy in parse_strategies(STRATEGIES):
        plan = plan_of(program, text, strategy)
        for run, wanted in expected.items():
            if gradient(program, plan, *run, seed) != wanted:
                where = f"{strategy.name}, n, m = {run}: another gradient"
                pytest.fail(f"{with_numbers(text.text)}\n{where}", pytrace=False)


def element(target: str, *factors: Ref) -> Assign:
    return Assign(Ref(target, "i"), (tuple(Factor(ref) for ref in factors),))


def covering() -> tuple[Statement, ...]:
    """A part that rewrites a whole array which upstream needs and downstream changes again."""
    def fill(*factors: Ref) -> Do:
        return Do("i", "3", (element("a", Ref("x"), *factors),))

    def grow() -> Do:
        return Do("i", "3", (element("b", Ref("a", "i"), Ref("b", "i")),))

    square = Assign(Ref("y"), ((Factor(Ref("a", "2")), Factor(Ref("a", "2"))),))
    start = Assign(Ref("s1"), ((Factor(Ref("x")), Factor(Ref("s2"))),))
    last = Assign(Ref("s4"), ((Factor(Ref("b", "1")), Factor(Ref("b", "2"))),))
    return framed(fill(), square, Part((start, fill(Ref("b", "i")), grow())), grow(), last)


@pytest.mark.parametrize("faulty", ["snp", "taped"])
def test_the_check_notices_what_is_missing(faulty: str) -> None:
    """Taking away any one thing the plan saves changes the gradient for some program: the check can fail."""
    program = covering()
    text = numbered(program)
    plan = plan_of(program, text, parse_strategies("lazy")[0])
    wanted = gradient(program, None, 3, 3, 1)
    assert gradient(program, plan, 3, 3, 1) == wanted
    found = set()
    if faulty == "snp":
        for part, saves in plan.saves.items():
            for name in saves.snp:
                lost = replace(saves, snp=saves.snp - {name})
                found.add(gradient(program, replace(plan, saves={part: lost}), 3, 3, 1))
    else:
        for level, taped in plan.taped.items():
            for line in taped:
                less = {**plan.taped, level: {k: v for k, v in taped.items() if k != line}}
                found.add(gradient(program, replace(plan, taped=less), 3, 3, 1))
    assert found - {wanted}


