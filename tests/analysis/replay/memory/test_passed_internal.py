"""Internal procedures that others run: what is their host's is saved there, too, where no name leads to it.

``call apply(touch, a)``: in apply, the part around its call of touch saves the host's ``s``, which touch changes.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from snapset import report

from tests.support.execution import proved_by_execution

TEXT = """module m
  implicit none
  abstract interface
    subroutine changing(z)
      real(8), intent(inout) :: z
    end subroutine changing
  end interface
  type job
    procedure(changing), pointer, nopass :: act => null()
  end type job
  procedure(changing), pointer :: hook => null()
  type(job), target :: kept
  type(job), pointer :: led
contains
subroutine apply(g, a)
  procedure(changing) :: g
  real(8), intent(inout) :: a(:)
  integer :: i
  do i = 1, size(a)
    call g(a(i))
  end do
end subroutine apply
subroutine hand_on(g, a)
  procedure(changing) :: g
  real(8), intent(inout) :: a(:)
  a = sin(a)
  !$AD CHECKPOINT-START
  call apply(g, a)
  a = a*a
  call apply(g, a)
  !$AD CHECKPOINT-END
end subroutine hand_on
subroutine hooked(a)
  real(8), intent(inout) :: a(:)
  integer :: i
  do i = 1, size(a)
    call hook(a(i))
  end do
end subroutine hooked
subroutine beyond(a)
  real(8), intent(inout) :: a(:)
  a = sin(a)
  !$AD CHECKPOINT-START
  call hooked(a)
  call work(led, a)
  !$AD CHECKPOINT-END
  a = a*a
end subroutine beyond
subroutine work(one, a)
  type(job), intent(in) :: one
  real(8), intent(inout) :: a(:)
  call one%act(a(1))
  a(2) = a(2)*a(1)
  call one%act(a(2))
end subroutine work
subroutine head(x, y)
  real(8), intent(inout) :: x
  real(8), intent(out) :: y
  real(8) :: a(3), s, p(4), q(2, 2)
  equivalence (p, q)
  type(job) :: one
  a = [x, 0.6d0*x, 0.3d0]
  s = 0.5d0
  q = 0.4d0*x
  {run}
  y = s*sum(a) + sum(p*p)
  {run}
  y = y + s*sum(a*a)
contains
  subroutine touch(z)
    real(8), intent(inout) :: z
    s = 0.5d0*s*s*z + 0.3d0
    p(3) = p(3)*s + q(1, 1)*z
    q(1, 1) = q(1, 2)*z
    z = 0.9d0*z*s + 0.1d0*p(3)
  end subroutine touch
end subroutine head
end module m
"""
RUNS = {
    "passed": "call apply(touch, a)",
    "handed on": "call hand_on(touch, a)",
    "a procedure pointer": "hook => touch\n  call hooked(a)",
    "a component": "one%act => touch\n  call work(one, a)",
    "pointers of a module": "hook => touch\n  led => kept\n  led%act => touch\n  call beyond(a)",
}


@pytest.mark.parametrize("name", RUNS)
def test_the_host_s_variables_are_saved(tmp_path: Path, name: str) -> None:
    proved_by_execution(TEXT.replace("{run}", RUNS[name]), "head(x)>(y)", tmp_path)


OTHER = """module m
  implicit none
  abstract interface
    subroutine changing(v)
      real(8), intent(inout) :: v
    end subroutine changing
  end interface
  procedure(changing), pointer :: hook => null()
contains
subroutine p(x, n, y)
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8) :: s, b(5), a(5)
  integer :: k
  s = x(2)
  a = x
  b = x
  k = 2
  hook => within
  call hooked(s)
  !$AD NOCHECKPOINT
  call other(b)
  k = 4
  a = a*a
  y = s*s + sum(a*x) + b(k)
contains
subroutine within(v)
  real(8), intent(inout) :: v
  a(k) = v*a(k)
end subroutine within
end subroutine p
subroutine hooked(v)
  real(8), intent(inout) :: v
  call hook(v)
end subroutine hooked
subroutine other(u)
  real(8), intent(inout) :: u(5)
  real(8) :: t
  t = u(1)
  hook => squared
  call hooked(t)
  u(2) = t
contains
subroutine squared(v)
  real(8), intent(inout) :: v
  v = v*v
end subroutine squared
end subroutine other
end module m
"""


def test_what_another_procedure_might_have_changed_is_saved_too(tmp_path: Path) -> None:
    """In ``other``, the part that calls ``hooked`` may save p's k, for a pointer to ``within`` that now leads to
    ``squared``: then nobody else puts k back (random program constructs 12710591)."""
    proved_by_execution(OTHER, "p(x)>(y)", tmp_path, {"n": 5})


def test_a_pointer_into_an_older_run_of_a_recursive_host_is_told(tmp_path: Path) -> None:
    """Its variables of that run have no names in sets: `a` in a set of p is that of p's last run."""
    text = OTHER.replace("subroutine p(x, n, y)", "recursive subroutine p(x, n, y)").replace(
        "  call hooked(s)\n  !$AD", "  call hooked(s)\n  if (y > 1) call p(x, n, y)\n  !$AD")
    file = tmp_path / "p.f90"
    for one, lines in (OTHER, set[int]()), (text, {text.splitlines().index("  call hook(v)") + 1}):
        file.write_text(one)
        found = [said for part in report([str(file)], "p(x)>(y)").parts for said in part.diagnostics]
        assert {said.span.line for said in found if said.code == "SN107"} == lines
