"""What a write of an element need not tape: which lines, that nothing needed is lost, that no byte more is pushed."""

from __future__ import annotations

from random import Random

import pytest
from snapset.analysis.activity.differentiation_head import parse_heads
from snapset.analysis.pipeline import AnalysisOptions
from snapset.analysis.recording.strategy_texts import parse_strategies
from snapset.analysis.replay.experiment.compare_strategies import ExperimentOptions, compare
from snapset.analysis.replay.experiment.inputs import Inputs
from snapset.analysis.replay.experiment.measurements import StrategyRun
from snapset.frontend.load import load_program, load_text

from tests.generators.sections import random_regions, random_stretches
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
    for options in (AnalysisOptions(), AnalysisOptions(recompute=True)):
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


INC = """subroutine inc(m)
  integer, intent(inout) :: m
  m = m + 1
end subroutine inc
"""
# What could make two elements seem apart that are one: numbers and bounds that change between a read and a write, loops
# that are left or entered anew, parts within.
MEETING = {
    "m changed between": """\
  m = 3
  b(1) = sin(a(m))
  m = m + 1
  a(m - 1) = 0.5d0*b(1)
  b(2) = a(3)*b(1)""",
    "m changed, loops": """\
  m = 2
  do i = 1, 2
    b(i) = sin(a(m + i))
  end do
  m = m + 1
  do i = 1, 2
    a(m + i - 1) = 0.5d0*b(i)
  end do
  b = b*a""",
    "m changed in loop": """\
  m = 1
  do i = 1, n - 1
    b(i) = sin(a(m))
    m = m + 1
    a(m - 1) = 0.5d0*b(i)
  end do
  b = b*a""",
    "bound changed inside": """\
  m = n
  do i = 1, m
    b(i) = b(i)*sin(a(i))
    m = 2
  end do
  do i = 3, n
    a(i) = a(i) + b(i)
  end do
  b = b*a""",
    "bound changed between": """\
  m = 2
  do i = m, n
    b(i) = b(i)*sin(a(i))
  end do
  m = 4
  do i = 2, m - 1
    a(i) = 0.3d0*b(i)
  end do
  b = b*a""",
    "var after loop": """\
  do i = 1, 3
    b(i) = a(i)**2
  end do
  a(i - 1) = 0.5d0*b(1)
  b = b*a""",
    "var after loop 2": """\
  do i = 1, 3
    b(i) = a(i)**2
  end do
  b(1) = b(1)*sin(a(i))
  a(4) = 0.5d0*b(1)
  b = b*a""",
    "index reused": """\
  do i = 1, n
    b(i) = b(i)*sin(a(i))
    do j = 1, i
      a(j) = a(j) + 0.1d0*b(i)
    end do
  end do
  b = b*a""",
    "index reused down": """\
  do i = n, 1, -1
    b(i) = b(i)*sin(a(i))
    do j = 1, i - 1
      a(j) = a(j) + 0.1d0*b(i)
    end do
  end do
  b = b*a""",
    "cycle": """\
  do i = 2, n
    b(i) = b(i)*sin(a(i - 1))
    if (x(1) > 0.0d0 .and. i == 3) cycle
    a(i) = 0.5d0*a(i) + b(i)
  end do
  b = b*a""",
    "goto back": """\
  m = 0
10 m = m + 1
  do i = 2, n
    a(i) = a(i) + a(i - 1)**2
  end do
  if (m < 3) goto 10
  b = b*a""",
    "while around": """\
  m = 0
  do while (m < 3)
    do i = 2, n
      a(i) = a(i) + a(i - 1)**2
    end do
    m = m + 1
  end do
  b = b*a""",
    "step two": """\
  do i = 1, n, 2
    b(i) = b(i)*sin(a(i))
  end do
  do i = 2, n, 2
    a(i) = 0.3d0*a(i) + b(i)
  end do
  do i = 1, n, 2
   a(i) = 0.2d0*a(i) + b(i)
  end do
  b = b*a""",
    "negative unknown step": """\
  m = -1
  do i = n, 2, m
    a(i - 1) = a(i - 1) + a(i)**2
  end do
  m = 1
  do i = 1, n - 1, m
    a(i + 1) = a(i + 1) + a(i)**2
  end do
  b = b*a""",
    "section": """\
  do i = 2, n
    b(1:i) = b(1:i)*sin(a(1:i))
    a(i) = 0.5d0*a(i) + b(i)
  end do
  b = b*a""",
    "section shift": """\
  do i = 1, 3
    a(2:n) = a(2:n) + 0.1d0*a(1:n-1)**2
    b = b*a
  end do""",
    "if both": """\
  do i = 2, n
    if (b(i) > 0.5d0) then
      a(i) = a(i) + a(i-1)**2
    else
      a(i - 1) = a(i - 1) + a(i)**2
    end if
  end do
  b = b*a""",
    "exit": """\
  do k = 1, 3
    do i = 2, n
      a(i) = a(i) + 0.1d0*a(i-1)**2
      if (i == k + 1) exit
    end do
    b(k) = b(k)*a(i)
  end do""",
    "call changes m": """\
  m = 2
  b(1) = sin(a(m))
  call inc(m)
  a(m - 1) = 0.5d0*b(1)
  b = b*a""",
    "part in loop": """\
  do k = 1, 3
!$AD CHECKPOINT-START
    b = b*sin(a)
    do i = 2, n
      a(i) = a(i) + 0.1d0*a(i - 1)**2
    end do
!$AD CHECKPOINT-END
    a(1) = a(1)*b(2)
    b(k) = b(k)*a(k + 1)
  end do""",
    "part whose m changes": """\
  m = 1
  do k = 1, 3
!$AD CHECKPOINT-START
    b(m) = b(m)*sin(a(m))
    m = m + 1
    a(m - 1) = 0.3d0*b(m)
!$AD CHECKPOINT-END
    b(k) = b(k)*a(k + 1)
  end do""",
    "implicit wrap": """\
  do k = 1, 2
    do i = 1, n
      m = i + 1
      if (m > n) m = 1
      a(i) = a(i) + 0.1d0*a(m)**2
    end do
  end do
  b = b*a""",
    "inner uses outer after": """\
  do k = 1, 3
    do i = k, n
      b(i) = b(i)*sin(a(k))
    end do
    a(k) = 0.3d0*b(k)
    if (k > 1) a(k - 1) = 0.4d0*b(k)
  end do
  b = b*a""",
    "changed loop var by name": """\
  do i = 1, 3
    b(i) = sin(a(i))
  end do
  do j = 1, 3
    i = j
    a(i) = 0.5d0*b(i)
  end do
  b = b*a""",
}


@pytest.mark.parametrize("name", MEETING)
def test_elements_that_meet_are_taped(name: str) -> None:
    for options in (AnalysisOptions(), AnalysisOptions(recompute=True), AnalysisOptions(recompute=True, dag=True),
                    AnalysisOptions(first_run="whole"), AnalysisOptions(call_checkpoints=False)):
        executed(text_of(MEETING[name], INC), options)


@pytest.mark.parametrize("step", ["n - 2", "max(1, n - 2)", "2 - n"])
def test_a_loop_whose_direction_is_not_known_has_no_bounds(step: str) -> None:
    """``do i = 1, 3, n - 2; y = y + a(i)**2`` may run up or down: what it read of a is overwritten behind it."""
    first, last = (3, 1) if step == "2 - n" else (1, 3)
    text = f"""subroutine p(x, n, y)
  integer, intent(in) :: n
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  real(8) :: a(9)
  integer :: i
  a = 0.2d0*x
  y = 0
  do i = {first}, {last}, {step}
    y = y + a(i)**2
  end do
  a(1:n) = x
  y = y + sum(a*a)
end subroutine p
"""
    (head,) = parse_heads("p(x)>(y)")
    for options in (AnalysisOptions(), TAPE, AnalysisOptions(recompute=True)):
        assert compare(load_text(text), head, STRATEGIES, Inputs({"n": 3}), options).equal
