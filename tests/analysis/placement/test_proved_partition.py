"""The integer program of all decisions: against all combinations, of random programs and of made ones."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest
from snapset.analysis.activity.differentiation_head import parse_heads
from snapset.analysis.pipeline import AnalysisOptions, prepare
from snapset.analysis.placement import proved_partition
from snapset.analysis.placement.decision_rows import NotSeparableError
from snapset.analysis.placement.linear_program import NO, YES, LinearProgram, LinearSum
from snapset.analysis.placement.optimal_partition import PartitionSearch, Prover, optimise
from snapset.analysis.placement.partition_decisions import Decision
from snapset.analysis.placement.proved_partition import decision_program, prove, said
from snapset.analysis.results import Optimality
from snapset.frontend.load import load_text
from snapset.render.pages.report_text import distance

from tests.analysis.placement.test_optimal import many, search_of
from tests.generators import fuzz

KINDS = ("general", "regions", "stretches", "scalars", "callees", "random parts")  # of fuzz, and our own


def random_parts(seed: int) -> PartitionSearch:
    """Arrays that parts read, each overwritten in some of them and behind some, in branches, loops and callees."""
    draw = Random(seed)
    names = [f"a{i}" for i in range(draw.randint(2, 4))]

    def halved(depth: str = "") -> list[str]:
        name, way = draw.choice(names), draw.randrange(4)
        plain = [f" do i = 1, k{depth}", f"  {name}(i) = 0.5d0*{name}(i)", " end do"]
        if way == 1:
            return [" if (x > 0.5d0) then", *plain, " end if"]
        if way == 2:
            return [f" {name}(1) = {name}(1)*x"]
        return [f" call halve({name}, k)"] if way == 3 else plain

    lines = ["subroutine p(x, y, m, k)", " integer :: m, k, i, j", " real(8) :: x, y, b"]
    lines += [f" real(8) :: {name}({draw.randint(1, 30)}*m)" for name in names]
    lines += [f" {name} = {i + 1}*x" for i, name in enumerate(names)] + [" b = x"]
    for _ in range(draw.randint(1, 3)):
        around = draw.randrange(3) == 0
        lines += [" do j = 1, 3"]*around + [" !$AD CHECKPOINT-START"]
        lines += [line for _ in range(draw.randrange(3)) for line in halved()]
        lines += [f" b = b*sum({name}*{name})" for name in names if draw.randrange(4)]
        lines += [" !$AD CHECKPOINT-END", *(line for _ in range(draw.randrange(3)) for line in halved())]
        lines += [" end do"]*around
    lines += [" y = b*b", *(f" y = y + sum({name}*{name})" for name in names), "end subroutine p",
              "subroutine halve(a, n)", " integer :: n, i", " real(8) :: a(*)", " do i = 1, n", "  a(i) = a(i)*a(i)",
              " end do", "end subroutine halve", ""]
    return search_of("\n".join(lines), {"m": 2, "k": draw.choice((1, 2, 20))})


def random_search(kind: str, seed: int) -> PartitionSearch:
    if kind not in fuzz.KINDS:
        return random_parts(seed)
    case = fuzz.case(Random(seed), (), fuzz.KINDS[kind])
    (head,) = parse_heads(case.head)
    analysis = prepare(load_text(case.text), head, AnalysisOptions(call_checkpoints=case.calls, context=case.context))
    return PartitionSearch(analysis.adjoints, analysis.order, dict(case.values))


def compared(search: PartitionSearch, most: int) -> bool:
    """Is a bound proved? It holds then for every combination."""
    decisions = search.decisions()
    if not 1 <= len(decisions) <= most:
        return False
    for plus in (frozenset[Decision](), search.eager(decisions), search.thrifty(decisions)):
        search.measure(plus)
    bound = prove(search, decisions)
    best = search.best()
    every = min(search.measure(frozenset(d for d, yes in zip(decisions, sides, strict=True) if yes)).rank
                for sides in product((False, True), repeat=len(decisions)))
    if bound is None:
        return False
    assert bound.peak <= every[0].peak
    if bound.proved:
        assert best.figures == every[0]
    return bound.proved


@pytest.mark.sample(5)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("first", range(0, 15, 5))
def test_no_combination_is_better(kind: str, first: int) -> None:
    proved = sum(compared(random_search(kind, seed), 7) for seed in range(first, first + 5))
    assert proved or kind != "random parts"


@pytest.mark.parametrize(("kind", "seed"), [("scalars", 7008), ("regions", 7115)])
def test_what_is_called_the_best_is_the_best(kind: str, seed: int) -> None:
    """In split mode a value restored at a part is not taped in a callee: effects read off tags were called exact."""
    search = random_search(kind, seed)
    found = optimise(search, prove, exhaustive=0)
    every = min(search.measure(frozenset(d for d, yes in zip(found.decisions, sides, strict=True) if yes)).figures
                for sides in product((False, True), repeat=len(found.decisions)))
    assert not found.exact or found.best.figures == every


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_no_combination_of_many_programs_is_better(kind: str) -> None:
    proved = sum(compared(random_search(kind, seed), 12) for seed in range(1000, 1300))
    print(f"{kind}: {proved} of 300 proved and compared with all combinations")
    assert proved > 10


@pytest.mark.parametrize("seed", range(3))
def test_the_program_says_what_the_model_says(seed: int) -> None:
    """Of random combinations: the same peak, traffic and snapshots."""
    search, draw = search_of(many(6, 3), {"m": 10, "k": 40}), Random(seed)
    decisions = search.decisions()
    made = decision_program(search, decisions)
    for _ in range(4):
        point = search.measure(frozenset(d for d in decisions if draw.randrange(2)))
        assert said(made, point) == point.figures


def test_better_than_the_descent() -> None:
    """Snapshots of 3944 bytes where turning effects one by one ends at 4264, for the same peak and traffic."""
    def figures(prover: Prover | None) -> tuple[int, int, int, bool]:
        found = optimise(search_of(many(8, 3), {"m": 10, "k": 40}), prover)
        assert len(found.decisions) == 21
        return found.best.figures.peak, found.best.figures.traffic, found.best.figures.snapshot, found.exact

    assert figures(prove) == (4904, 5072, 3944, True)
    assert figures(None) == (4904, 5072, 4264, False)


def test_sixty_decisions_are_proved() -> None:
    found = optimise(search_of(many(12, 6), {"m": 10, "k": 40}), prove)
    assert (len(found.decisions), found.exact) == (62, True)
    assert found.least_peak == found.best.figures.peak == 15168
    assert len(found.points) < 10


def test_a_program_that_is_wrong_proves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """What it says of the combinations that were measured is compared with what they cost."""
    search = search_of(many(8, 3), {"m": 10, "k": 40})
    decisions = search.decisions()
    right = proved_partition.decision_program

    def cheaper(search: PartitionSearch, decisions: tuple[Decision, ...]) -> proved_partition.DecisionProgram:
        made = right(search, decisions)
        return proved_partition.DecisionProgram(made.program, made.columns, made.peak.scaled(0.5), made.traffic,
                                                made.snapshot)

    search.measure(frozenset())
    monkeypatch.setattr(proved_partition, "decision_program", cheaper)
    assert prove(search, decisions) is None


def test_split_calls_have_no_program() -> None:
    text = many(3, 2).replace(" y = b*b", " call q(b)\n y = b*b") + "subroutine q(b)\n real(8) :: b\n b = b*b\nend\n"
    (head,) = parse_heads("p(x)>(y)")
    analysis = prepare(load_text(text), head, AnalysisOptions(call_checkpoints=False))
    search = PartitionSearch(analysis.adjoints, analysis.order, {})
    with pytest.raises(NotSeparableError, match="split"):
        decision_program(search, search.decisions())


def test_a_call_with_the_number_of_the_iteration_has_no_program() -> None:
    """What the callee costs is another figure in each iteration (LAPACK's Cholesky, whose calls get n - j)."""
    text = many(4, 2) + ("subroutine top(x, y, m, n)\n integer :: m, n, j\n real(8) :: x, y\n do j = 1, n\n"
                         "  call p(x, y, m, j)\n  x = x*y\n end do\nend subroutine top\n")
    (head,) = parse_heads("top(x)>(y)")
    analysis = prepare(load_text(text), head, AnalysisOptions())
    search = PartitionSearch(analysis.adjoints, analysis.order, {})
    with pytest.raises(NotSeparableError, match="depend on other loops"):
        decision_program(search, search.decisions())
    assert optimise(search, prove).best.figures.peak <= search.measure(frozenset()).figures.peak


@pytest.mark.parametrize(("peak", "least", "expected"), [
    (100, None, "not known"), (100, 100, "the peak is the least, proved"), (200, 150, "at most 33 % above"),
])
def test_the_distance_is_printed(peak: int, least: int | None, expected: str) -> None:
    assert expected in distance(Optimality(False, 20, peak, least, 100, ()))


# ---------------------------------------------------------------- rows


def test_a_column_for_each_case() -> None:
    """Of three questions, one of which is settled, four cases; exactly one is so."""
    program = LinearProgram()
    one, other = program.column(1.0, whole=True), program.column(1.0, whole=True)
    cases = program.cases((one, YES, other))
    assert sorted(cases) == [(a, True, b) for a in (False, True) for b in (False, True)]
    program.same(one, YES)
    program.same(other, LinearSum({}, 0.0))
    found = program.in_turn([cases[False, True, False] + cases[True, True, False].scaled(3)], 10.0)
    assert found[0].lower == 3


def test_either_is_so_where_one_is() -> None:
    program = LinearProgram()
    columns = [program.column(1.0, whole=True) for _ in range(3)]
    some = program.either(columns)
    assert program.either([NO, columns[0], NO]) == columns[0]
    assert program.either([columns[0], YES]) == YES
    program.same(columns[0] + columns[1] + columns[2], YES)
    (least,) = program.in_turn([some], 10.0)
    assert least.lower == 1
