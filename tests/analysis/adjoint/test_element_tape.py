"""What a write of an element need not tape: which lines, that nothing needed is lost, that no byte more is pushed."""

from __future__ import annotations

from random import Random

import pytest
from snapset.analysis.activity.differentiation_head import parse_heads
from snapset.analysis.adjoint.partial_reads import derivative_reads
from snapset.analysis.pipeline import AnalysisOptions
from snapset.analysis.recording.strategy_texts import parse_strategies
from snapset.analysis.replay.experiment.compare_strategies import ExperimentOptions, compare
from snapset.analysis.replay.experiment.inputs import Inputs
from snapset.analysis.replay.experiment.measurements import StrategyRun
from snapset.frontend import ir
from snapset.frontend.ir.pretty_print import expr
from snapset.frontend.load import load_program, load_text

from tests.generators.sections import random_regions, random_stretches
from tests.support.modelled import model
from tests.support.paths import ROOT

(HEAD,) = parse_heads("p(x)>(y)")
STRATEGIES = parse_strategies("lazy,eager,optimal,Opt1+=*;Opt3+=*")
TAPE = AnalysisOptions(dag=True)
GROW = """subroutine grow(a, n)
  integer, intent(in) :: n
  real(8), intent(inout) :: a(n)
  integer :: i
  do i = 2, n
    a(i) = a(i) + a(i - 1)**2
  end do
end subroutine grow
"""


def text_of(body: str, more: str = "") -> str:
    return f"""{more}subroutine p(x, n, y)
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8) :: a(n), b(n), w(n, n), f
  integer :: i, j, k
  a = 1.0d0 + 0.5d0*x
  b = 2.0d0 + x
  do j = 1, n
    w(:, j) = 0.1d0*x
    w(j, j) = 3.0d0 + x(j)
  end do
{body}
  y = sum(a*b) + sum(w*w)
end subroutine p
"""


def executed(text: str, options: AnalysisOptions = TAPE) -> tuple[StrategyRun, ...]:
    """Every strategy's run, with poison; all equal to store-all."""
    found = compare(load_text(text), HEAD, STRATEGIES, Inputs({"n": 5}), options)
    assert found.equal, {run.name: run.error or run.differences for run in found.runs}
    return found.runs


def tapes(body: str, more: str = "") -> list[str]:
    """The statements that tape what they overwrite, with lazy."""
    text = text_of(body, more)
    lines = text.splitlines()
    spent = executed(text)[0].spent
    return [lines[line - 1].strip() for line in sorted({one.line for one in spent if one.kind == "tape"})
            if lines[line - 1] in body.splitlines()]


def test_elimination_tapes_nothing_of_the_matrix() -> None:
    """Row i is written below the pivots that have been read: only the factor is overwritten while it is needed."""
    assert tapes("""\
  do k = 1, n - 1
    do i = k + 1, n
      f = w(i, k)/w(k, k)
      do j = k + 1, n
        w(i, j) = w(i, j) - f*w(k, j)
      end do
    end do
  end do""") == ["f = w(i, k)/w(k, k)"]


def test_columns_from_the_first_lose_the_factor() -> None:
    """With j from k, w(i, k) is overwritten, which the factor's derivative reads."""
    assert "w(i, j) = w(i, j) - f*w(k, j)" in tapes("""\
  do k = 1, n - 1
    do i = k + 1, n
      f = w(i, k)/w(k, k)
      do j = k, n
        w(i, j) = w(i, j) - f*w(k, j)
      end do
    end do
  end do""")


@pytest.mark.parametrize(("loop", "statement", "taped"), [
    ("i = 2, n", "a(i) = a(i) + a(i - 1)**2", False),
    ("i = n, 2, -1", "a(i) = a(i) + a(i - 1)**2", False),  # a(i - 1) is overwritten one iteration later
    ("i = 1, n - 1", "a(i) = a(i) + a(i + 1)**2", False),
    ("i = 2, n", "a(i) = a(i)*a(i - 1)", True),  # its own old value
    ("i = 2, n - 1", "a(i) = a(i) + a(i - 1)**2 + a(i + 1)**2", True),
    ("i = 1, n", "a(1) = a(1) + b(i)**2", False),
    ("i = 1, n", "a(1) = a(1) + a(i)**2", True),
    ("i = 2, n, 2", "a(i) = a(i) + a(i - 1)**2", False),
    ("i = 1, n", "a(mod(i, n) + 1) = 0.5d0*a(mod(i, n) + 1) + a(i)**2", True),  # nobody knows which
])
def test_recurrences(loop: str, statement: str, taped: bool) -> None:
    """``a(i - 1)`` read going down is the next one to be written: that one is the exception, by hand."""
    expected = taped or loop == "i = n, 2, -1" or loop == "i = 1, n - 1"
    assert tapes(f"  do {loop}\n    {statement}\n  end do") == ([statement] if expected else [])


def test_who_relies_on_what_a_callee_leaves() -> None:
    """grow's adjoint reads a, so that adjoint liveness takes it to put a back; the sine before the call needs a too."""
    body = "  b = sin(a)\n  call grow(a, n)\n  b = b*a"
    executed(text_of(body, GROW))
    executed(text_of(body, GROW), AnalysisOptions(dag=True, recompute=True))
    body = "  do k = 1, 3\n    b = b*sin(a)\n    call grow(a, n)\n  end do"
    executed(text_of(body, GROW))
    marked = "  b = sin(a)\n!$AD CHECKPOINT-START\n  do i = 2, n\n    a(i) = a(i) + a(i - 1)**2\n  end do\n" \
        "!$AD CHECKPOINT-END\n  b = b*a"
    executed(text_of(marked))


def test_a_part_reads_what_is_overwritten_behind_it() -> None:
    """D changes a where the part has read it, by a statement that reads other elements."""
    part = "!$AD CHECKPOINT-START\n  b = b*sin(a)\n!$AD CHECKPOINT-END\n"
    executed(text_of(part + "  do i = 2, n\n    a(i) = a(i) + a(i - 1)**2\n  end do"))
    executed(text_of("  do k = 1, 2\n" + part + "  do i = 2, n\n    a(i) = a(i) + a(i - 1)**2\n  end do\n  end do"))


def test_a_part_reads_more_than_the_piece_it_saves() -> None:
    """pour writes a(i), of which that element is saved, and reads a(i - 1): the first one, written once a turn, too."""
    pour = """subroutine pour(above, level, out)
  real(8), intent(in) :: above
  real(8), intent(inout) :: level
  real(8), intent(out) :: out
  level = level + 0.5d0*above
  out = 0.1d0*level**2
  level = level - 0.5d0*out
end subroutine pour
"""
    executed(text_of("  do k = 1, 3\n    a(1) = 0.1d0*k\n    do i = 2, n\n"
                     "      call pour(a(i - 1) + x(i), b(i), a(i))\n    end do\n  end do", pour))


@pytest.mark.parametrize("programs", [random_regions, random_stretches], ids=["regions", "stretches"])
@pytest.mark.parametrize("seed", [*range(3), *(pytest.param(n, marks=pytest.mark.slow) for n in range(3, 60))])
def test_never_more(programs: object, seed: int) -> None:
    """Of random programs no strategy pushes more, and no gradient is another."""
    text, values = programs.program(random := Random(seed)), programs.numbers(random)  # type: ignore[attr-defined]
    (head,) = parse_heads(programs.HEAD)  # type: ignore[attr-defined]
    runs = [compare(load_text(text), head, STRATEGIES[:2], Inputs(values), AnalysisOptions(recompute=True, dag=dag),
                    ExperimentOptions(limit=5_000_000, predict=False)).runs for dag in (False, True)]
    for without, by_value in zip(*runs, strict=True):
        assert by_value.equal, by_value.error or by_value.differences
        assert (by_value.traffic_bytes or 0) <= (without.traffic_bytes or 0)


@pytest.mark.parametrize(("name", "most"), [
    ("weno.f90", 600), ("ljcell.f90", 440), ("kepsilon.f90", 4360), pytest.param("lorenz96.f90", 800,
                                                                                 marks=pytest.mark.slow),
    pytest.param("newton.f90", 15744, marks=pytest.mark.slow), pytest.param("adi.f90", 8000, marks=pytest.mark.slow)])
def test_what_models_push(name: str, most: int) -> None:
    """Bytes without control; measured, as in docs/tapenade.md, and to be no more again."""
    path = ROOT / "benchmarks" / "realistic" / name
    (head,) = parse_heads(path.with_suffix(".head").read_text().strip())
    found = compare(load_program((str(path),)), head, parse_strategies("optimal"), Inputs(),
                    AnalysisOptions(recompute=True, dag=True))
    (run,) = found.runs
    assert run.equal, run.error or run.differences
    assert (run.traffic_bytes or 0) - (run.control_bytes or 0) <= most
    assert run.predicted_traffic_bytes in (None, run.traffic_bytes)


ELIMINATION = """\
  do k = 1, n - 1
    do i = k + 1, n
      f = w(i, k)/w(k, k)
      do j = k + 1, n
        w(i, j) = w(i, j) - f*w(k, j)
      end do
    end do
  end do"""


def written(text: str, line: str, options: AnalysisOptions) -> int:
    """Bytes that lazy tapes at a line, every gradient being right."""
    number = next(i for i, one in enumerate(text.splitlines(), 1) if one.strip() == line)
    return sum(one.bytes for one in executed(text, options)[0].spent if one.kind == "tape" and one.line == number)


@pytest.mark.parametrize("options", [AnalysisOptions(), AnalysisOptions(recompute=True)], ids=["plain", "recompute"])
def test_without_an_option_an_elimination_tapes_nothing_of_the_matrix(options: AnalysisOptions) -> None:
    assert written(text_of(ELIMINATION), "w(i, j) = w(i, j) - f*w(k, j)", options) == 0


def test_the_equations_to_the_letter_tape_by_variables() -> None:
    options = AnalysisOptions(save_intact=True)
    assert written(text_of(ELIMINATION), "w(i, j) = w(i, j) - f*w(k, j)", options) == 8*30  # 4*4 + 3*3 + 2*2 + 1


CALL = "  call grow(a, n)\n  b = b*a"


@pytest.mark.parametrize(("body", "taped"), [
    (CALL, 0),  # nobody before the call needs a
    ("  b = sin(a)\n" + CALL, 32),  # the sine's derivative does
    ("  b = sin(a)\n  a = 2.0d0*b\n" + CALL, 0),  # of the a before, which is taped where it is set anew
    ("  do k = 1, 2\n    call grow(a, n)\n  end do\n  b = b*a", 64),  # the snapshots hold a(2:n), not a(1)
    ("  do k = 1, 2\n    b = b*sin(a)\n    call grow(a, n)\n  end do", 64),
    ("  if (x(1) > 0.0d0) b = b*sin(a)\n" + CALL, 32),
    ("  call twice(a, b, n)", 0),
    ("  b = sin(a)\n  call twice(a, b, n)\n  b = b*a", 32),  # through a procedure between
])
def test_who_may_rely_on_a_callee(body: str, taped: int) -> None:
    """By hand: grow tapes the n - 1 elements that it overwrites only where a derivative before the call reads a."""
    twice = """subroutine twice(a, b, n)
  integer, intent(in) :: n
  real(8), intent(inout) :: a(n), b(n)
  call grow(a, n)
  b = b*a
end subroutine twice
"""
    for options in (AnalysisOptions(), AnalysisOptions(recompute=True), TAPE):
        found = written(text_of(body, GROW + twice), "a(i) = a(i) + a(i - 1)**2", options)
        assert found == taped if not options.recompute else found <= taped


def test_what_a_part_reads_beyond_its_piece_is_kept() -> None:
    """The second call's snapshot holds a(2:n), what it writes; a(1) is as D has left it."""
    executed(text_of("  call grow(a, n)\n  b = b*a\n  a(1) = a(1)*b(2)\n  call grow(a, n)\n  b = b*a", GROW),
             AnalysisOptions())
    executed(text_of("  do k = 1, 3\n    call grow(a(2), n - 1)\n    do i = 2, n\n      a(i - 1) = a(i)**2\n"
                     "    end do\n  end do", GROW), AnalysisOptions())


def test_a_recursion_tapes_by_variables() -> None:
    down = """recursive subroutine down(a, n, m)
  integer, intent(in) :: n, m
  real(8), intent(inout) :: a(n)
  integer :: i
  do i = 2, n
    a(i) = a(i) + a(i - 1)**2
  end do
  if (m > 0) call down(a, n, m - 1)
end subroutine down
"""
    assert written(text_of("  call down(a, n, 2)\n  b = b*a", down), "a(i) = a(i) + a(i - 1)**2", AnalysisOptions()) > 0


@pytest.mark.parametrize("programs", [random_regions, random_stretches], ids=["regions", "stretches"])
@pytest.mark.parametrize("seed", [*range(2), *(pytest.param(n, marks=pytest.mark.slow) for n in range(2, 60))])
def test_never_more_than_by_variables(programs: object, seed: int) -> None:
    """What elements spare costs nothing elsewhere."""
    text, values = programs.program(random := Random(seed)), programs.numbers(random)  # type: ignore[attr-defined]
    (head,) = parse_heads(programs.HEAD)  # type: ignore[attr-defined]
    (run,) = compare(load_text(text), head, STRATEGIES[:1], Inputs(values), AnalysisOptions(),
                     ExperimentOptions(limit=5_000_000, predict=False)).runs
    (plain,) = compare(load_text(text), head, STRATEGIES[:1], Inputs(values), AnalysisOptions(save_intact=True),
                       ExperimentOptions(limit=5_000_000, predict=False)).runs
    assert run.equal, run.error or run.differences
    assert (run.traffic_bytes or 0) <= (plain.traffic_bytes or 0)


@pytest.mark.parametrize(("value", "read"), [
    ("c(k(2))", "k(1)"), ("c(k(2))*c(k(3))", "k(1)"), ("v(k(2))", "k(1), k(2)"),
    ("v(k(2))*c(k(3))", "k(1), c(k(3)), k(3), k(2)"), ("merge(c(k(2)), v(k(3)), k(1) > 0)", "k(1), k(1), k(3)")])
def test_what_does_not_vary_is_not_read_by_the_derivative(value: str, read: str) -> None:
    """v alone varies. The element that is written is found anyway."""
    found = model("subroutine s(b, c, v, k)\nreal(8) :: b(3), c(3), v(3)\ninteger :: k(3)\n"
                  f"b(k(1)) = {value}\nend subroutine s\n", "s")
    (stmt,) = (at.stmt for at in found.flow.nodes if isinstance(at.stmt, ir.Assign))
    (varied,) = (1 << i for i, one in enumerate(found.space.infos) if one.name == "v")
    refs = derivative_reads(stmt, (), found.refs, varied, False)
    assert sorted(expr(one) for one in refs) == sorted(read.replace(", ", "\n").splitlines())
