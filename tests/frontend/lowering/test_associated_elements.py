"""An ASSOCIATE name is the element that its selector named where the construct began, by whatever name its subscripts
are changed since, and wherever its pointer points: against gfortran and differences."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.execution import proved_by_execution

PROGRAM = """module m
  implicit none
  type one
    integer :: k
  end type one
  integer, target :: mk
  real(8), pointer :: mp(:)
  real(8), target :: h(5), g(5)
contains
  subroutine p(x, y)
    real(8), intent(in) :: x
    real(8), intent(out) :: y
    real(8) :: b(5), s
    real(8), pointer :: hp(:)
    integer, target :: kt
    integer, pointer :: kp
    integer :: k, ek, el
    equivalence (ek, el)
    type(one), target :: o
    type(one), pointer :: po
    b = 0.7d0*x
    h = 0.6d0*x
    g = 0.5d0*x
    s = x*x
    k = 2
    ek = 2
    kt = 2
    kp => kt
    mk = 2
    o%k = 2
    po => o
    mp => h
    hp => h
    {body}
    y = s*b(2)*b(3)*b(2) + b(4) + h(2)*h(2) + g(2)
  contains
    subroutine inner()
      k = 3
      hp => g
    end subroutine inner
    real(8) function moved(f)
      real(8), intent(in) :: f
      k = 3
      moved = f
    end function moved
  end subroutine p
  subroutine elsewhere()
    mp => g
    mk = 3
  end subroutine elsewhere
  subroutine three(n)
    integer, intent(inout) :: n
    n = 3
  end subroutine three
end module m
"""
CONSTRUCT = """associate ({names})
      av = av*s
      {change}
      av = av*av + 0.1d0*s
      s = s*av
    end associate"""


@pytest.mark.parametrize(("names", "change"), [
    ("av => b(k)", "call inner()"), ("av => b(k)", "s = s*moved(s)"), ("av => b(ek)", "el = 3"),
    ("av => b(kp)", "kt = 3"), ("av => b(kt)", "kp = 3"), ("av => b(kt)", "call three(kp)"),
    ("n => k, av => b(k)", "n = 3"), ("av => b(o%k)", "po%k = 3"), ("av => b(mk)", "call elsewhere()"),
    ("av => mp(2)", "call elsewhere()"), ("av => hp(2)", "call inner()"), ("av => hp(k)", "s = s*moved(s)"),
])
def test_a_name_stands_for_the_element_it_was_given(names: str, change: str, tmp_path: Path) -> None:
    proved_by_execution(PROGRAM.format(body=CONSTRUCT.format(names=names, change=change)), "p(x)>(y)", tmp_path)


@pytest.mark.parametrize("change", ["n = 3", "do n = 1, 2\n      s = s*av\n      end do", "call three(n)"])
def test_another_associate_names_the_subscript(change: str, tmp_path: Path) -> None:
    body = f"associate (n => k)\n    {CONSTRUCT.format(names='av => b(k)', change=change)}\n    end associate"
    proved_by_execution(PROGRAM.format(body=body), "p(x)>(y)", tmp_path)
