"""Array-valued functions: results have memory in every sweep, whatever shape each call gives them."""

from __future__ import annotations

from pathlib import Path

import pytest
from snapset.analysis.activity.differentiation_head import parse_heads
from snapset.analysis.pipeline import analyse
from snapset.analysis.recording.strategies import LAZY
from snapset.frontend.load import load_text

from tests.support.execution import proved_by_execution

MODULE = """module m
  implicit none
contains
  subroutine head(x, y)
    real(8), intent(inout) :: x(4)
    real(8), intent(out) :: y
    real(8) :: a(4)
    integer :: k
    y = 1.0d0
    a = 0.5d0
{body}
  end subroutine head
  function pure_scale(x) result(r)
    real(8), intent(in) :: x(4)
    real(8) :: r(4)
    r = 1.4d0*x
  end function pure_scale
  function powers(k, x) result(r)
    integer, intent(in) :: k
    real(8), intent(in) :: x
    real(8) :: r(0:k)
    integer :: i
    r(0) = 1.0d0
    do i = 1, k
      r(i) = sin(r(i - 1)*x)
    end do
  end function powers
  function made(k, x) result(r)
    integer, intent(in) :: k
    real(8), intent(in) :: x(:)
    real(8), allocatable :: r(:)
    integer :: i
    allocate (r(k))
    do i = 1, k
      r(i) = x(i)**2
    end do
  end function made
  function by_value(k, x) result(r)
    integer, intent(in) :: k
    real(8), intent(in) :: x(:)
    real(8), allocatable :: r(:)
    r = 2.0d0*x(:k)
  end function by_value
  function order(x) result(p)
    real(8), intent(in) :: x(4)
    integer :: p(4)
    p = [4, 2, 3, 1]
    if (x(1) > 9.0d0) p(1) = 1
  end function order
  subroutine squared(v, s)
    real(8), intent(in) :: v(:)
    real(8), intent(out) :: s
    s = sum(v*v)
  end subroutine squared
end module m
"""


@pytest.mark.parametrize("kind", ["internal", "external"])
def test_a_result_that_nobody_reads_has_an_adjoint(kind: str, tmp_path: Path) -> None:
    """Its first run is left out: a linear use needs no value. The adjoint passes all the same."""
    head = ("subroutine s(x, y)\n  real(8), intent(in) :: x(3)\n  real(8), intent(out) :: y\n  real(8) :: a(3)\n"
            "{interface}  a = f(x)\n  y = a(1)\n{contains}end subroutine s\n")
    function = ("function f(x) result(r)\n  real(8), intent(in) :: x(3)\n  real(8) :: r(3)\n  r = 1.4d0*x\n"
                "end function f\n")
    if kind == "internal":
        text = head.format(interface="", contains="contains\n" + function)
    else:
        body = "interface\nfunction f(x) result(r)\nreal(8), intent(in) :: x(3)\nreal(8) :: r(3)\nend function f\n"
        text = head.format(interface=body + "end interface\n", contains="") + function
    proved_by_execution(text, "s(x)>(y)", tmp_path)


@pytest.mark.sample(3)
@pytest.mark.parametrize("body", [
    "a = pure_scale(x); y = a(1)",
    "do k = 1, 4; y = y*sum(powers(k, x(k))**2); end do",
    "do k = 4, 1, -1; y = y + sum(powers(k, 0.2d0*x(k)*y)); end do",
    "do k = 1, 3; y = y*dot_product(x(:k), made(k, x))*maxval(powers(k + 1, 0.1d0*y)); end do",
    "do k = 1, 4; y = y + sum(by_value(k, x))*x(k); end do",
    "y = sum(by_value(3, x)) + sum(made(2, by_value(3, x)))",
    "a = pure_scale(pure_scale(x)*x) - pure_scale(x); y = a(2)*a(1)",
    "a(order(x)) = x; y = dot_product(a, [1d0, 2d0, 3d0, 4d0])*a(2); a(2) = y",
    "where (pure_scale(x) > 1.2d0); a = x*pure_scale(a); elsewhere; a = 2*x; end where; y = sum(a*a)",
    "if (sum(pure_scale(x)) > 0.1d0) y = y*product(pure_scale(x))",
    "call squared(pure_scale(x)*a, y); y = y*x(1)",
    "call squared([pure_scale(x), powers(2, x(1))], y)",
    "do k = 1, size(powers(2, x(1))); y = y*(1 + x(k)); x(k) = y; end do",
    "do while (sum(pure_scale(x)) < 20d0); x = x*1.5d0; y = y*x(1); end do",
    "select case (size(powers(3, x(2)))); case (4); y = x(2)**2; case default; y = x(1); end select",
    "associate (z => pure_scale(x)); y = z(1)*z(2); end associate",
])
def test_wherever_an_expression_may_stand(body: str, tmp_path: Path) -> None:
    text = MODULE.format(body="".join(f"    {one.strip()}\n" for one in body.split(";")))
    proved_by_execution(text, "m%head(x)>(x, y)", tmp_path)


def test_an_allocated_result_is_a_new_object_in_every_run() -> None:
    """Nothing that outlives a part is allocated: no SN104."""
    program = load_text(MODULE.format(body="    y = sum(made(3, x))\n"))
    (head,) = parse_heads("m%head(x)>(y)")
    result = analyse(program, head, (LAZY,))
    assert not [one for part in result.parts for one in part.diagnostics]


@pytest.mark.parametrize("interface", ["flux", "lin"], ids=["abstract", "a procedure's"])
def test_a_component_that_points_to_array_valued_functions(interface: str, tmp_path: Path) -> None:
    """Its interface tells the rank of what a call through it gives."""
    proved_by_execution(f"""module m
  implicit none
  abstract interface
    function flux(a, b) result(f)
      real(8), intent(in) :: a(:), b
      real(8) :: f(size(a))
    end function flux
  end interface
  type :: model
    procedure({interface}), pointer, nopass :: phi => null()
    real(8) :: dt
  end type model
contains
  function lin(a, b) result(f)
    real(8), intent(in) :: a(:), b
    real(8) :: f(size(a))
    f = a*b
  end function lin
  function quad(a, b) result(f)
    real(8), intent(in) :: a(:), b
    real(8) :: f(size(a))
    f = a*a*b
  end function quad
  subroutine step(o, s)
    type(model), intent(in) :: o
    real(8), intent(inout) :: s(:)
    s = s + o%dt*o%phi(s, s(1))
  end subroutine step
  subroutine head(x, y)
    real(8), intent(in) :: x(4)
    real(8), intent(out) :: y
    type(model) :: o
    real(8) :: s(4)
    integer :: k
    o%dt = 0.1d0
    s = x
    do k = 1, 3
      o%phi => quad
      if (mod(k, 2) == 0) o%phi => lin
      call step(o, s)
    end do
    y = sum(s*s)
  end subroutine head
end module m
""", "m%head(x)>(y)", tmp_path)
