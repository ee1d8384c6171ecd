"""Which assignments to allocatable arrays leave the allocation alone, as the array has the shape of the value.

Each case is a body whose last line assigns ``u`` (or what it names): where its shape is known to be the value's, the
allocation ``u[]`` is not written. Both kinds of case are exact: of a shape that differs on any way the allocation
changes, and a set without it would be too small.
"""

from __future__ import annotations

import pytest

from tests.support.modelled import effects_at, model

HEAD = """module kit
implicit none
type cell
  real(8), allocatable :: al(:)
  real(8) :: fix(5)
end type
type(cell) :: one
real(8), allocatable :: g(:)
contains
subroutine plain(z)
  real(8), intent(inout) :: z(:)
  z = 2*z
end subroutine
subroutine renews(z)
  real(8), allocatable, intent(inout) :: z(:)
  deallocate (z)
  allocate (z(7))
end subroutine
subroutine other
  deallocate (g)
  allocate (g(7))
end subroutine
subroutine fills(z, k)
  integer, intent(in) :: k
  real(8), intent(out) :: z(k)
  z = 1
end subroutine
end module
subroutine s(x, n, m, a, b, f, h)
use kit
implicit none
integer :: n, m, i
real(8) :: x, a(n), b(10), c(2:5), e(3, 10)
real(8) :: f(:), h(:, :)
real(8), allocatable :: u(:), v(:), w(:, :), z(:, :)
type(cell) :: t, ts(4)
"""
KEPT = {
    "known length": "allocate (u(10)); u = b",
    "named length": "allocate (u(n)); u = a",
    "lower bound": "allocate (u(0:n)); allocate (v(n + 1)); u = v",
    "bounds of a declaration": "allocate (u(4)); u = c",
    "operand": "allocate (u(n)); u = 2*x*u + 1",
    "second operand tells it": "allocate (u(10)); u = v*b",
    "copy": "v = u; u = 2*v",
    "copied back": "allocate (u(n)); v = u; v = x; u = v",
    "section": "allocate (u(4)); u = b(2:5)",
    "section with names": "allocate (u(n)); u = b(m:m + n - 1)",
    "whole section": "allocate (u(10)); u = b(:)",
    "open end": "allocate (u(10)); u = e(2, :)",
    "column": "allocate (w(n, 3), u(n)); u = w(:, 2)",
    "row": "allocate (w(n, 3), u(3)); u = w(2, :)",
    "constructor": "u = (/x, x, x/); u = (/1d0, x, 2*x/)",
    "planes": "allocate (w(n, m)); z = w; w = 2*z",
    "size": "allocate (u(size(f))); u = f",
    "size of a dimension": "allocate (u(size(h, 2))); u = h(1, :)",
    "size of the first": "allocate (u(size(h, 1))); u = h(:, 1)",
    "bounds and source": "allocate (u(10), source=x); u = b",
    "dummy argument": "v = f; u = v; u = 2*f",
    "branches alike": "if (x > 1) then; allocate (u(n)); else; allocate (u(n)); end if; u = a",
    "branches unlike": "if (x > 1) then; allocate (u(3)); else; allocate (u(4)); end if; v = u; u = 2*v",
    "branch without": "allocate (u(n)); if (x > 1) then; x = 2; end if; u = a",
    "loop": "allocate (u(n)); do i = 1, m; u = 2*u; end do; u = a",
    "passed as an array": "allocate (u(n)); call plain(u); u = a",
    "passed in part": "allocate (u(n)); call plain(u(2:3)); u = a",
    "passed with its size": "allocate (u(n)); call fills(u, n); u = a",
    "another is passed": "allocate (u(n), v(n)); call renews(v); u = a",
    "intrinsic": "allocate (u(n)); call random_number(u); u = a",
    "component": "allocate (t%al(n)); t%al = a",
    "component's array": "allocate (u(5)); u = t%fix",
    "array in an element": "allocate (u(5)); u = ts(2)%fix",
    "status of what is new": "allocate (u(n), stat=m); u = a",
}
CHANGED = {
    "unknown": "u = a",
    "other": "u = v",
    "one longer": "allocate (u(9)); u = b",
    "other name": "allocate (u(m)); u = a",
    "n changes": "allocate (u(n)); n = n + 1; v = u; deallocate (u); allocate (u(n)); u = v",
    "a bound that changes": "m = m + 1; allocate (u(m)); m = m + 1; allocate (v(m)); u = v",
    "lower bound": "allocate (u(0:n)); u = a",
    "section": "allocate (u(4)); u = b(2:4)",
    "stride": "allocate (u(9)); u = b(1:9:2)",
    "substituted": "allocate (u(3)); u = b((/1, 2/))",
    "row": "allocate (w(n, 3), u(n)); u = w(2, :)",
    "column": "allocate (w(n, 3), u(3)); u = w(:, 2)",
    "constructor": "u = (/x, x, x/); u = (/1d0, x/)",
    "implied do": "u = (/x/); u = (/(x, i = 1, 3)/)",
    "array in a constructor": "u = (/x/); u = (/b/)",
    "size of all": "allocate (u(size(h))); u = h(:, 1)",
    "size of the other": "allocate (u(size(h, 1))); u = h(1, :)",
    "behind deallocate": "allocate (u(n)); deallocate (u); u = a",
    "another allocation": "allocate (u(n)); v = u; deallocate (u); allocate (u(m)); u = v",
    "source": "allocate (u, source=b); u = a",
    "status of what may be there": "allocate (u(m)); allocate (u(n), stat=i); u = a",
    "status on one way": "if (x > 1) allocate (u(m)); allocate (u(n), stat=i); u = a",
    "status in a loop": "do i = 1, 2; allocate (u(n), stat=m); n = 2*n; end do; u = a",
    "status of a global": "allocate (g(n), stat=m); g = a",
    "one branch": "v = u; if (x > 1) then; deallocate (u); allocate (u(3)); end if; u = v",
    "the other branch": "v = u; if (x > 1) then; x = 2; else; deallocate (u); allocate (u(3)); end if; u = v",
    "loop": "do i = 1, m; v = u; deallocate (u); allocate (u(i)); u = v; end do; u = v; u = a",
    "next pass": "allocate (v(m)); do i = 1, m; u = v; deallocate (v); allocate (v(i)); end do; u = a",
    "passed to be renewed": "allocate (u(n)); call renews(u); u = a",
    "a global's renewed": "allocate (g(n)); call other; g = a",
    "a global's passed": "allocate (g(n)); call plain(g); g = a",
    "moved to": "allocate (u(n)); call move_alloc(v, u); u = a",
    "moved from": "allocate (u(n)); call move_alloc(u, v); u = a",
    "elements' components": "allocate (ts(1)%al(n)); ts(2)%al = a",
    "another element's component": "allocate (ts(1)%al(n)); allocate (u(n)); u = ts(2)%al",
    "no source": "allocate (g(n)); call nowhere(x); g = a",
    "function": "allocate (u(n)); u = merge(v, v, .true.)",
}


def written(body: str, inner: str = "") -> set[str]:
    """The allocations that the last line of a body may write. ``inner``: internal procedures."""
    lines = body.split("; ")
    found = model(f"{HEAD}{chr(10).join(lines)}\n{inner}end subroutine s\n", "s")
    said = effects_at(found, HEAD.count("\n") + len(lines))
    return {one for one in said[-1].partition("->")[2].partition("!")[0].split() if one.endswith("[]")}


@pytest.mark.parametrize("body", KEPT.values(), ids=KEPT)
def test_an_assignment_leaves_the_allocation_alone(body: str) -> None:
    assert written(body) == set()


@pytest.mark.parametrize("body", CHANGED.values(), ids=CHANGED)
def test_an_assignment_may_allocate_anew(body: str) -> None:
    target = body.rpartition("; ")[2].partition(" =")[0].replace("(2)", "")
    assert written(body) == {f"{target}[]"}


def test_an_internal_procedure_may_allocate_what_it_is_passed_by_its_own_name() -> None:
    inner = "contains\nsubroutine change(z)\nreal(8) :: z(:)\nz = 0\ndeallocate (u)\nallocate (u(7))\nend subroutine\n"
    assert written("allocate (u(n)); call change(u); u = a", inner) == {"u[]"}
    assert written("allocate (u(n), v(n)); call change(v); v = a", inner) == {"v[]"}
