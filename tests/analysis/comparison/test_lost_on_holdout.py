"""What a holdout of realistic programs showed: losses that were not seen, and values whose PUSHes nobody needs.

A PUSH and its POP bear the same letter behind a ``!``; gfortran says whether the gradient is another one without."""

from __future__ import annotations

from pathlib import Path

import pytest
from snapset.analysis.comparison.verdicts.never_saved import never_saved
from snapset.analysis.comparison.verdicts.source_needs import SourceNeeds
from snapset.frontend import ir
from snapset.frontend.ir.statement_walk import statements
from snapset.library.analysis import load

from tests.analysis.comparison.adjoint_cases import AdjointCase
from tests.analysis.comparison.compiled_adjoint import gradient
from tests.analysis.comparison.test_judged_by_hand import compared

RESULTS = AdjointCase("results", "model(x)>(y)", """\
subroutine model(x, n, y)
  integer :: n
  real(8) :: x(n), y, s, t
  s = x(1)/bend(x(2)) - 1
  t = x(1)/bend(x(3)) - 1
  y = s*t
contains
  real(8) function bend(a)
    real(8) :: a
    bend = 1 + a*a
  end function bend
end subroutine model
""", """\
subroutine model_b(x, xb, n, y, yb)
  integer :: n
  real(8) :: x(n), xb(n), y, yb, s, t, sb, tb
  real(8) :: result1, result1b
  result1 = bend(x(2))
  s = x(1)/result1 - 1
  call pushreal8(result1) ! a
  result1 = bend(x(3))
  t = x(1)/result1 - 1
  sb = t*yb
  tb = s*yb
  yb = 0
  xb(1) = xb(1) + tb/result1
  result1b = -(x(1)*tb/result1**2)
  call popreal8(result1) ! a
  call bend_b(x(3), xb(3), result1b)
  xb(1) = xb(1) + sb/result1
  result1b = -(x(1)*sb/result1**2)
  call bend_b(x(2), xb(2), result1b)
contains
  subroutine bend_b(a, ab, bendb)
    real(8) :: a, ab, bendb
    ab = ab + 2*a*bendb
  end subroutine bend_b
  real(8) function bend(a)
    real(8) :: a
    bend = 1 + a*a
  end function bend
end subroutine model_b
""")

STEADY = AdjointCase("steady", "model(x)>(y)", """\
subroutine model(x, n, y)
  integer :: n, i
  real(8) :: x(n), y, u
  y = 1
  do i = 1, n
    u = x(1)*sin(x(2))
    y = y*u*u
  end do
end subroutine model
""", """\
subroutine model_b(x, xb, n, y, yb)
  integer :: n, i
  real(8) :: x(n), xb(n), y, yb, u, ub
  y = 1
  do i=1,n
    call pushreal8(u) ! a
    u = x(1)*sin(x(2))
    call pushreal8(y) ! b
    y = y*u*u
  end do
  do i=n,1,-1
    call popreal8(y) ! b
    ub = 2*u*y*yb
    yb = u**2*yb
    call popreal8(u) ! a
    xb(1) = xb(1) + sin(x(2))*ub
    xb(2) = xb(2) + cos(x(2))*x(1)*ub
  end do
  yb = 0
end subroutine model_b
""")

COUNTED = AdjointCase("counted", "model(x)>(y)", """\
module tally
  integer :: calls = 0
contains
  subroutine step(a)
    real(8) :: a
    call twice(a)
    a = sin(a)
    call twice(a)
  end subroutine step
  subroutine twice(a)
    real(8) :: a
    a = 0.5d0*a*a + 0.5d0
    calls = calls + 1
  end subroutine twice
end module tally
subroutine model(x, n, y)
  use tally
  integer :: n, i
  real(8) :: x(n), y
  y = x(1)
  do i = 1, n
    call step(y)
    y = y*x(i)
  end do
end subroutine model
""", """\
module tally_diff
  integer :: calls = 0
contains
  subroutine step_b(a, ab)
    real(8) :: a, ab
    call pushinteger4(calls)
    call pushreal8(a)
    call twice(a)
    call pushreal8(a)
    a = sin(a)
    call twice_b(a, ab)
    call popreal8(a)
    ab = cos(a)*ab
    call popreal8(a)
    call popinteger4(calls)
    call twice_b(a, ab)
  end subroutine step_b
  subroutine twice_b(a, ab)
    real(8) :: a, ab
    ab = a*ab
  end subroutine twice_b
  subroutine step(a)
    real(8) :: a
    call twice(a)
    a = sin(a)
    call twice(a)
  end subroutine step
  subroutine twice(a)
    real(8) :: a
    a = 0.5d0*a*a + 0.5d0
    calls = calls + 1
  end subroutine twice
end module tally_diff
subroutine model_b(x, xb, n, y, yb)
  use tally_diff
  integer :: n, i
  real(8) :: x(n), xb(n), y, yb
  y = x(1)
  do i=1,n
    call pushinteger4(calls) ! a
    call pushreal8(y) ! b
    call step(y)
    call pushreal8(y) ! c
    y = y*x(i)
  end do
  do i=n,1,-1
    call popreal8(y) ! c
    xb(i) = xb(i) + y*yb
    yb = x(i)*yb
    call popreal8(y) ! b
    call popinteger4(calls) ! a
    call step_b(y, yb)
  end do
  xb(1) = xb(1) + yb
  yb = 0
end subroutine model_b
""")

ABOVE = AdjointCase("above", "model(x)>(y)", """\
subroutine model(x, n, y)
  integer :: n
  real(8) :: x(n), y, d(4)
  integer :: i
  y = 1
  do i = 1, 2
    call rates(x, d)
    y = y*d(4)*x(i)
  end do
end subroutine model
subroutine rates(x, d)
  real(8) :: x(4), d(4), g
  d(1) = 3*x(1)
  d(2) = x(1)*x(2)
  d(3) = x(3)*d(1)
  g = x(4)*d(2)
  d(4) = g
end subroutine rates
""", """\
subroutine rates_b(x, xb, d, db)
  real(8) :: x(4), xb(4), d(4), db(4), g, gb
  d(1) = 3*x(1)
  d(2) = x(1)*x(2)
  d(3) = x(3)*d(1)
  gb = db(4)
  db(4) = 0
  xb(4) = xb(4) + d(2)*gb
  db(2) = db(2) + x(4)*gb
  xb(3) = xb(3) + d(1)*db(3)
  db(1) = db(1) + x(3)*db(3)
  db(3) = 0
  xb(1) = xb(1) + x(2)*db(2) + 3*db(1)
  xb(2) = xb(2) + x(1)*db(2)
  db(2) = 0
  db(1) = 0
end subroutine rates_b
subroutine model_b(x, xb, n, y, yb)
  integer :: n
  real(8) :: x(n), xb(n), y, yb, d(4), db(4)
  integer :: i
  y = 1
  do i=1,2
    call pushreal8array(d, 4)
    call rates(x, d)
    call pushreal8(y)
    y = y*d(4)*x(i)
  end do
  db = 0
  do i=2,1,-1
    call popreal8(y)
    db(4) = db(4) + y*x(i)*yb
    xb(i) = xb(i) + y*d(4)*yb
    yb = d(4)*x(i)*yb
    call popreal8array(d, 4)
    call rates_b(x, xb, d, db)
  end do
  yb = 0
end subroutine model_b
""")


def lacking(case: AdjointCase, letter: str) -> str:
    return "".join(line for line in case.adjoint.splitlines(keepends=True) if not line.endswith(f"! {letter}\n"))


@pytest.mark.parametrize(("case", "letter", "location"), [
    (RESULTS, "a", "result1"), (STEADY, "b", "y"), (COUNTED, "b", "y"), (COUNTED, "c", "y"),
], ids=lambda one: one.name if isinstance(one, AdjointCase) else one)
def test_a_loss_that_changes_the_gradient_is_missing(case: AdjointCase, letter: str, location: str,
                                                     tmp_path: Path) -> None:
    broken = lacking(case, letter)
    assert gradient(case, broken, tmp_path / "broken") != gradient(case, case.adjoint, tmp_path / "right")
    assert {one.location for one in compared(case, broken, tmp_path).missing} == {location}


@pytest.mark.parametrize(("case", "letter"), [(STEADY, "a"), (COUNTED, "a")],
                         ids=lambda one: one.name if isinstance(one, AdjointCase) else one)
def test_a_loss_that_no_input_can_show_is_none(case: AdjointCase, letter: str, tmp_path: Path) -> None:
    """u has the same value in each turn; what counts the calls goes into nothing."""
    smaller = lacking(case, letter)
    assert gradient(case, smaller, tmp_path / "less") == gradient(case, case.adjoint, tmp_path / "right")
    assert not compared(case, smaller, tmp_path).missing


def test_what_only_looks_steady_is_missing(tmp_path: Path) -> None:
    """The same assignment, but of what the loop changes."""
    original = STEADY.original.replace("x(1)*sin(x(2))", "y*sin(x(2))")
    adjoint = STEADY.adjoint.replace("x(1)*sin(x(2))", "y*sin(x(2))").replace(
        "    xb(1) = xb(1) + sin(x(2))*ub\n", "    yb = yb + sin(x(2))*ub\n").replace("cos(x(2))*x(1)", "cos(x(2))*y")
    case = AdjointCase("unsteady", STEADY.head, original, adjoint)
    broken = lacking(case, "a")
    assert gradient(case, broken, tmp_path / "broken") != gradient(case, case.adjoint, tmp_path / "right")
    assert {one.location for one in compared(case, broken, tmp_path).missing} == {"u"}


@pytest.mark.parametrize("case", [RESULTS, STEADY, COUNTED, ABOVE], ids=lambda one: one.name)
def test_nothing_is_missing_of_the_whole_adjoint(case: AdjointCase, tmp_path: Path) -> None:
    assert gradient(case, case.adjoint, tmp_path / "right").strip()
    assert not compared(case, case.adjoint, tmp_path).missing


@pytest.mark.parametrize(("taped", "found"), [(15, False), (17, True)])
def test_what_stands_above_the_reader_overwrites_nothing_it_reads(taped: int, found: bool, tmp_path: Path) -> None:
    """d(3) = ... is taped for somebody else, as in Tapenade's right adjoint of a star's structure: the d(2) that line
    16 reads below is given no other value in this run. What is overwritten behind line 16 is."""
    (tmp_path / "o.f90").write_text(ABOVE.original.replace("  d(4) = g\n", "  d(2) = g\n"))
    source = load([str(tmp_path / "o.f90")]).procedures["rates"]
    source_line = {stmt.span.line: stmt for stmt in statements(source.body)}[taped]
    (tmp_path / "b_b.f90").write_text(ABOVE.adjoint.replace("  gb = db(4)\n", "  d(2) = g\n  gb = db(4)\n"))
    adjoint = load([str(tmp_path / "b_b.f90")]).procedures["rates_b"]
    assert isinstance(source_line, ir.Assign)
    assert source_line.target.name == "d"
    needs = SourceNeeds({16: frozenset({"d"})}, {"d": (taped,)})
    assert bool(list(never_saved(source, adjoint, needs))) is found
