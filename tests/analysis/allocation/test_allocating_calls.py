"""A call that only allocates runs in every forward sweep, whether a value it leaves is needed or not."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.execution import proved_by_execution
from tests.support.modelled import model

PARTS = """module work
  implicit none
  real(8), allocatable :: kept(:)
contains
  subroutine make(w, n)
    real(8), allocatable, intent(inout) :: w(:)
    integer, intent(in) :: n
    if (.not. allocated(w)) allocate(w(n))
  end subroutine make
  subroutine outer(w, n)
    real(8), allocatable, intent(inout) :: w(:)
    integer, intent(in) :: n
    call make(w, n)
  end subroutine outer
  recursive subroutine down(w, n, depth)
    real(8), allocatable, intent(inout) :: w(:)
    integer, intent(in) :: n, depth
    if (depth > 0) then
      call down(w, n, depth - 1)
    else
      call outer(w, n)
    end if
  end subroutine down
  integer function grown(w, n)
    real(8), allocatable, intent(inout) :: w(:)
    integer, intent(in) :: n
    if (allocated(w)) deallocate(w)
    allocate(w(n))
    grown = n
  end function grown
  subroutine reshape_it(w, n)
    real(8), allocatable, intent(inout) :: w(:)
    integer, intent(in) :: n
    integer :: i
    w = [(0d0, i = 1, n)]
  end subroutine reshape_it
  subroutine given(w, n)
    real(8), allocatable, intent(inout) :: w(:)
    integer, intent(in) :: n
    real(8), allocatable :: local(:)
    allocate(local(n))
    if (allocated(w)) deallocate(w)
    call move_alloc(local, w)
  end subroutine given
  subroutine empty(w)
    real(8), allocatable, intent(out) :: w(:)
  end subroutine empty
  subroutine held(n)
    integer, intent(in) :: n
    if (allocated(kept)) deallocate(kept)
    call make(kept, n)
  end subroutine held
end module work
"""

HEAD = """subroutine head(n, x, y)
  use work
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  real(8), allocatable :: w(:)
  integer :: i, k
  y = x
  {text}
end subroutine head
"""

USES = "do i = 1, n\n w(i) = sin(x*i)\n y = y*w(i) + w(i)**2\n end do"
ALLOCATING = {
    "directly": f"call make(w, n)\n{USES}",
    "two levels down": f"call outer(w, n)\n{USES}",
    "through recursion": f"call down(w, n, 3)\n{USES}",
    "in a function": f"k = grown(w, n)\n{USES}",
    "by assignment": f"call reshape_it(w, n)\n{USES}",
    "by MOVE_ALLOC": f"call given(w, n)\n{USES}",
    "away, by INTENT(OUT)": f"allocate(w(2*n))\ncall empty(w)\nallocate(w(n))\n{USES}",
    "in a module": "call held(n)\n" + USES.replace("w(", "kept("),
    "of another size each turn": f"do k = 1, 3\n call make(w, k + n)\n{USES}\n deallocate(w)\n end do",
}


@pytest.mark.sample(2)
@pytest.mark.parametrize("text", ALLOCATING.values(), ids=ALLOCATING)
def test_a_call_that_allocates_runs(text: str, tmp_path: Path) -> None:
    proved_by_execution(PARTS + HEAD.format(text=text), "head(x)>(y)", tmp_path, {"n": 3, "x": 0.7})


def test_a_call_that_moves_a_file_runs() -> None:
    found = model("""subroutine head(x)
  real(8) :: x
  call skip(7)
  read (7, *) x
end subroutine head
subroutine skip(unit)
  integer, intent(in) :: unit
  read (unit, *)
end subroutine skip
""", "head")
    assert [e.keep for e, node in zip(found.effects, found.flow.nodes, strict=True) if node.kind == "call"] == [True]


def test_a_call_that_allocates_for_itself_alone_need_not() -> None:
    found = model("""subroutine head(x)
  real(8) :: x
  call alone(x)
end subroutine head
subroutine alone(x)
  real(8) :: x
  real(8), allocatable :: w(:)
  allocate(w(3))
  w = x
  x = sum(w)
  deallocate(w)
end subroutine alone
""", "head")
    assert [e.keep for e, node in zip(found.effects, found.flow.nodes, strict=True) if node.kind == "call"] == [False]
