"""Default initialisation is executed and known: INTENT(OUT), locals, results, BLOCKs, ALLOCATE, module variables."""

from __future__ import annotations

from pathlib import Path

import pytest
from snapset.frontend.ir.pretty_print import show
from snapset.frontend.load import load_text

from tests.support.execution import proved_by_execution
from tests.support.modelled import summary

MODULE = """module m
  implicit none
  real(8), parameter :: start(2) = [0.5d0, 0.25d0]
  type inner
    real(8) :: g = 0.25d0
    integer :: n(2) = [1, 2]
  end type inner
  type state
    real(8) :: p = 2.0d0, q
    real(8) :: v(3) = 0.5d0
    type(inner) :: in
    logical :: on = .true.
  end type state
  type bag
    real(8), allocatable :: w(:)
    integer :: n = 2
  end type bag
  type(state) :: kept
contains
  subroutine head(x, y)
    real(8), intent(inout) :: x(4)
    real(8), intent(out) :: y
    type(state) :: a, l(2)
    type(bag) :: c
    integer :: k
    y = 1.0d0
{body}
  end subroutine head
  subroutine init(c, x)
    type(state), intent(out) :: c
    real(8), intent(in) :: x
    c%q = x*c%p
    c%v(2) = c%v(1)*x
  end subroutine init
  function fresh(x) result(c)
    real(8), intent(in) :: x
    type(state) :: c
    c%q = x + c%in%g
    c%v(c%in%n(1)) = x*x
  end function fresh
  subroutine opt(c, x)
    type(state), intent(out), optional :: c
    real(8), intent(inout) :: x
    if (present(c)) c%q = 1.0d0
    x = x*1.5d0
  end subroutine opt
  subroutine fill(c, x)
    type(bag), intent(out) :: c
    real(8), intent(in) :: x
    allocate (c%w(c%n))
    c%w = sin(x)
    c%n = c%n + 1
  end subroutine fill
  subroutine made(w, x)
    real(8), allocatable, intent(out) :: w(:)
    real(8), intent(in) :: x
    if (allocated(w)) error stop
    allocate (w(3))
    w = [x, x*x, 1.0d0]
  end subroutine made
end module m
"""


@pytest.mark.sample(2)
@pytest.mark.parametrize("body", [
    "call init(a, x(1)); y = a%p*a%q + sum(a%v); a%p = y; call init(a, x(2)); y = y*a%p*a%q",
    "do k = 1, 3; a = fresh(x(k)*y); y = y + a%p*a%q*a%in%g; a%p = y; x(k) = a%p*y; end do",
    "y = l(1)%p*l(2)%v(3)*x(1) + a%in%n(2)*x(2); if (a%on) y = y*l(2)%in%g; l%p = y; y = l(1)%p*y",
    "do k = 1, 3; block; type(state) :: b; b%p = b%p*x(k)*y; if (b%on) y = y + b%p*b%v(1); b%on = .false.; end block; "
    "end do",
    "a%p = x(1); call opt(a, x(2)); call opt(x=x(3)); y = a%p*x(2)*x(3)",
    "y = kept%p*kept%q*x(1); kept%p = y; y = y*kept%p",
    "call fill(c, x(1)); y = sum(c%w)*c%n; call fill(c, x(2)*y); y = y*c%w(2)*c%n",
    "do k = 1, 3; block; real(8), allocatable :: w(:); call made(w, x(k)*y); y = y*w(1) + w(2); call made(w, y); "
    "y = 0.1d0*sum(w); end block; end do",
    "call init(l(2), x(1)); y = l(2)%p*l(2)%q + l(1)%p*x(2); call init(l(1), y); y = y*l(1)%q",
    "do k = 1, 2; call again(x(k), y); end do; contains; subroutine again(u, s); real(8), intent(in) :: u; "
    "real(8), intent(inout) :: s; type(state) :: mine; mine%p = mine%p*u; s = s*mine%p; end subroutine again",
])
def test_objects_begin_with_what_their_type_says(body: str, tmp_path: Path) -> None:
    text = MODULE.format(body="".join(f"    {one.strip()}\n" for one in body.split(";")))
    proved_by_execution(text, "m%head(x)>(x, y)", tmp_path)


def test_it_is_read_as_assignments_at_the_entry() -> None:
    program = load_text(MODULE.format(body=""))
    found = show(program.procedures["m::fill"]).splitlines()
    assert [line.strip() for line in found if "c%" in line][:2] == ["automatic deallocate c%w", "c%n = 2"]
    lines = [line.strip() for line in show(program.procedures["m::init"]).splitlines() if "c%" in line]
    assert lines[:5] == ["c%p = 2.0", "c%v = 0.5", "c%in%g = 0.25", "c%in%n = [1, 2]", "c%on = .true."]


def test_a_call_kills_what_its_argument_has_from_its_type() -> None:
    """What the caller's object held before is not needed: ``a%p`` is written whole when ``init`` is entered."""
    found = summary(MODULE.format(body="    call init(a, x(1))\n    y = a%p\n"), "m::init")
    assert found["kill"] == {"c%p", "c%q", "c%v", "c%in%g", "c%in%n", "c%on"}
    assert found["use"] == {"x"}


COMPUTED = """module m
  implicit none
  real(8), parameter :: one = 1d0
  type t
    real(8) :: big = huge(one), e = sqrt(2d0)*one, s = sqrt(epsilon(1d0)), v(2) = [one/3d0, exp(1d0)]
    integer :: k = 2*3 + 1
    logical :: l = .not. .true.
  end type t
  type u
    type(t) :: in = t(e=sqrt(5d0), v=[atan(one), 2d0])
  end type u
  real(8) :: big = huge(one), e = exp(1d0)*one
  type(t) :: o, other = t(big=sqrt(3d0)), two(2)
  type(u) :: outer
contains
  subroutine head(x, y)
    real(8), intent(inout) :: x
    real(8), intent(out) :: y
    y = x*x*o%e*e*o%s*1d8*o%v(2)*o%v(1)*other%big*two(2)%e*outer%in%e*outer%in%v(1)
    if (x > big .or. x > o%big .or. o%l) y = o%k
    o%e = y*o%e
    y = y*o%e
  end subroutine head
end module m
"""


def test_module_objects_begin_with_computed_values(tmp_path: Path) -> None:
    proved_by_execution(COMPUTED, "m%head(x)>(x, y)", tmp_path)
