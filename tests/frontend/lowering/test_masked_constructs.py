"""WHERE in FORALL and DO CONCURRENT, defined assignments in WHERE, impure procedures there."""

from __future__ import annotations

from pathlib import Path

import pytest
from snapset.analysis.replay.experiment.inputs import Inputs

from tests.support.execution import agrees_with_compiled, proved_by_execution
from tests.support.frontend.lowered import program

HEAD, GIVEN = "p(x)>(y)", {"n": 5}
FIRST = """module mm
  implicit none
  real(8) :: seen = 0.3d0
  type :: spot
    real(8) :: w(0:3, 2) = 0.4d0
  end type
  type :: heat
    real(8) :: u = 0.5d0
  end type
  interface assignment(=)
    module procedure warmed
  end interface
contains
  elemental function soft(u, s) result(r)
    real(8), intent(in) :: u, s
    real(8) :: r
    r = u/(1 + s*s)
  end function
  pure function row(u, s) result(r)
    real(8), intent(in) :: u(:), s
    real(8) :: r(size(u))
    r = u(size(u):1:-1)*s
  end function
  impure elemental function counted(u) result(r)
    real(8), intent(in) :: u
    real(8) :: r
    r = u*seen
    seen = seen + u
  end function
  elemental subroutine warmed(a, s)
    type(heat), intent(inout) :: a
    real(8), intent(in) :: s
    a%u = a%u*s + 0.2d0
  end subroutine
  subroutine p(x, n, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y
    real(8) :: c(0:4, 4), d(5, 4), t(5), s
    type(spot) :: o(4)
    type(heat) :: h(5)
    integer :: i, j, k(4)
    do j = 1, 4
      c(:, j) = x*0.3d0*j
      d(:, j) = cos(x)*j
      o(j)%w(:, 1) = x(1:4)*j*0.2d0
    end do
    h%u = x
    t = x
    s = x(2)
    k = [2, 1, 4, 3]
"""
LAST = """
    y = sum(c) + sum(d*d) + sum(t) + s + sum(o%w(1, 1)*o%w(2, 2)) + sum(h%u*x)
  end subroutine
end module
"""
WHERES = {
    "each value of a WHERE before its targets": """
    forall (j = 1:4)
      where (c(:, j) > 0.5d0)
        d(:, j) = c(:, j)*d(:, 5 - j)
      elsewhere (c(:, j) > 0.2d0)
        d(:, j) = 0.5d0*d(:, j)
      elsewhere
        d(:, j) = t
      end where
    end forall""",
    "masks of both, in a part": """
    !$AD CHECKPOINT-START
    forall (j = 2:4, x(j) > 0.1d0)
      where (d(:, j) > 0.5d0) c(:, j) = d(:, j - 1)*c(:, j - 1)
    end forall
    !$AD CHECKPOINT-END""",
    "two indices, a component, one column a turn": """
    forall (i = 1:3, j = 1:4, j == k(i))
      where (o(j)%w(0:2, 1) > 0.2d0*i) d(1:3, i) = o(j)%w(1:3, 2)*s
    end forall""",
    "WHERE in WHERE, functions, other bounds, downwards": """
    forall (j = 4:1:-1)
      where (c(k(j), :) > 0.3d0)
        c(j, :) = row(c(5 - j, :), s) + d(1, :)
        where (d(2, :) > 0.2d0)
          c(j, :) = c(j - 1, :)*x(j)
        elsewhere
          c(j, :) = 0.5d0
        end where
      elsewhere (c(j, :) > 0.1d0)
        c(j, :) = c(j - 1, :)
        c(j, :) = c(j, :)*2
      elsewhere
        c(j, :) = x(j)
      end where
      o(j)%w(0, 1) = s*j
    end forall""",
    "elemental functions in masks": """
    forall (j = 1:4)
      where (soft(d(:, j), s) > 0.4d0) d(:, j) = soft(c(:, 5 - j), d(:, j))
    end forall""",
    "DO CONCURRENT": """
    do concurrent (j = 1:4, j /= 3)
      where (c(:, j) > 0.3d0)
        c(:, j) = soft(c(:, j), d(:, j))
      elsewhere
        c(:, j) = t*t
      end where
    end do""",
    "a defined assignment for some elements": """
    where (x > 0.9d0) h = x*2
    do j = 1, 2
      where (h%u > 0.9d0)
        h = 3*x
      elsewhere
        where (h%u > 0.5d0)
          h(:) = h%u
        end where
      end where
    end do""",
}  # fmt: skip


@pytest.mark.parametrize("body", WHERES.values(), ids=WHERES)
def test_masked_constructs_are_what_gfortran_makes_of_them(body: str, tmp_path: Path) -> None:
    agrees_with_compiled(FIRST + body + LAST, HEAD, tmp_path, Inputs(dict(GIVEN)), 2)


def test_and_every_plan_gives_their_gradient(tmp_path: Path) -> None:
    everything = "".join(WHERES.values())
    proved_by_execution(FIRST + everything + LAST, HEAD, tmp_path, GIVEN)


def test_an_impure_procedure_in_where_runs_for_the_elements_of_the_mask(tmp_path: Path) -> None:
    """And for no other ones: ``seen`` tells."""
    text = FIRST + "    where (x > 0.9d0) t = counted(x)" + LAST
    assert not program(text).diagnostics
    proved_by_execution(text, HEAD, tmp_path, GIVEN)


@pytest.mark.parametrize("body", [
    "    where (x > 0.9d0)\n    t = x\n    elsewhere (counted(t) > 0.1d0)\n    t = 2\n    end where",
    "    where (x > 0.9d0)\n    where (counted(t) > 0.1d0) t = 2\n    end where"])
def test_an_impure_procedure_in_an_inner_mask_is_announced(body: str) -> None:
    """The standard has it run for the elements that are left, gfortran for all."""
    found = program(FIRST + body + LAST)
    assert [one.code for one in found.diagnostics] == ["SN202"]
    assert "impure" in found.diagnostics[0].message


def test_outside_of_where_an_impure_procedure_runs_for_all_elements(tmp_path: Path) -> None:
    text = FIRST + "    seen = x(1)\n    t = counted(x)\n    t = t*seen\n    where (counted(x) > 0.4d0) t = 2*t" + LAST
    agrees_with_compiled(text, HEAD, tmp_path, Inputs(dict(GIVEN)), 2)
