"""What is allocated, associated and of which type behind the links of a list is required where it is asked for.

Behind a pointer to an object of its own type all is one location: ``ob2%p%w``, its allocation, what ``ob2%p%p`` leads
to. By whatever name something there is allocated anew: it is changed by all its names.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.execution import proved_by_execution

PROGRAM = """module m
  implicit none
  type base
    real(8) :: a = 1.5d0
  end type base
  type, extends(base) :: more
    real(8) :: u = 0.5d0
  end type more
  type node
    real(8) :: v = 1.0d0
    real(8), allocatable :: w(:)
    class(base), allocatable :: c
    character(:), allocatable :: tx
    type(node), pointer :: p => null()
  end type node
contains
  subroutine head(x, y)
    real(8), intent(inout) :: x(4), y
    type(node) :: ob2
    type(node), target :: ob3, ob4
    ob2%w = x(1:2); ob3%w = [x, x]; ob2%p => ob3; ob4%w = x(2:4); ob3%p => ob4
    ob3%v = x(3)
    allocate (more :: ob2%c); allocate (more :: ob3%c); allocate (more :: ob4%c)
    ob2%tx = 'ab'; ob3%tx = 'abc'; ob4%tx = 'abcd'
    call inner(y, ob2, ob3, ob4)
    y = y*x(1)
  end subroutine head
  subroutine inner(d, ob2, ob3, ob4)
    real(8), intent(inout) :: d
    type(node), intent(inout) :: ob2
    type(node), target, intent(inout) :: ob3, ob4
    type(node) :: ob5
    type(node), pointer :: q
    real(8), allocatable :: t(:)
    d = sin(d)
    q => ob3
    {body}
    d = d*0.5d0
  end subroutine inner
  subroutine asks(v, z)
    real(8), intent(in) :: v(:)
    real(8), intent(inout) :: z
    z = z*z*size(v)
  end subroutine asks
  subroutine drop(o)
    type(node), intent(inout) :: o
    deallocate (o%w)
    allocate (o%w(7))
    o%w = 3
  end subroutine drop
  subroutine empty(w)
    real(8), allocatable, intent(inout) :: w(:)
    deallocate (w)
  end subroutine empty
end module m
"""

# The adjoint needs no values of what is deallocated at the end, and needs that it is there, or how large it is.
CASES = [
    "d = d*d*size(ob2%p%w); deallocate (ob3%w)",
    "d = d*d*ob2%p%w(1); deallocate (ob3%w)",
    "ob2%p%w(1) = d; d = d*d*ob2%p%w(1); deallocate (ob3%w)",
    "call asks(ob2%p%w, d); deallocate (ob3%w); allocate (ob3%w(1)); ob3%w = 1.0d0",
    "d = d*d*size(q%w); deallocate (ob3%w)",
    "d = d*d*q%w(2); deallocate (ob3%w)",
    "q%w(2) = d; d = d*d*q%w(2); deallocate (ob3%w)",
    "d = d*d*size(q%p%w); deallocate (ob4%w)",
    "d = d*d*q%p%w(2); deallocate (ob4%w)",
    "q%p%w(2) = d; d = d*d*q%p%w(2); deallocate (ob4%w)",
    "if (associated(q%p)) d = d*d*2; ob3%p => null()",
    "if (associated(ob2%p%p)) d = d*d*2; ob3%p => null()",
    "if (associated(ob2%p%p)) d = d*d*ob2%p%p%v; ob3%p => null()",
    "ob2%p%p%v = d; d = d*d*ob2%p%p%v; ob3%p => null()",
    "if (allocated(ob2%p%w)) d = d*d*3; deallocate (ob3%w)",
    "if (allocated(q%w)) d = d*d*3; deallocate (ob3%w)",
    "q => ob2%p%p; d = d*d*q%v; ob3%p => null()",
    "q => ob2%p; do while (associated(q)); d = d*q%v + d*d; q => q%p; end do; ob3%p => null()",
    "call move_alloc(ob2%p%w, t); d = d*d*t(1)*size(t); deallocate (t)",
    "call move_alloc(q%w, t); d = d*d*t(1)*size(t); deallocate (t)",
    "ob5 = ob2%p; d = d*d*ob5%w(1); deallocate (ob3%w)",
    "ob5 = q; d = d*d*size(ob5%w); deallocate (ob3%w)",
    "select type (s => ob2%c); type is (more); d = d*d*s%u; "
    "class default; d = sin(d); end select; deallocate (ob2%c); allocate (base :: ob2%c)",
    "select type (s => q%c); type is (more); d = d*d*s%u; "
    "class default; d = sin(d); end select; deallocate (ob3%c); allocate (base :: ob3%c)",
    "select type (s => ob2%p%c); type is (more); d = d*d*s%u; "
    "class default; d = sin(d); end select; deallocate (ob3%c); allocate (base :: ob3%c)",
    "if (same_type_as(ob2%p%c, ob2%c)) d = d*d*2; deallocate (ob3%c); allocate (base :: ob3%c)",
    "if (len(ob2%p%tx) > 2) d = d*d*2; ob3%tx = 'a'",
    "if (len(q%tx) > 2) d = d*d*2; ob3%tx = 'a'",
    "if (ob2%p%tx == 'abc') d = d*d*2; ob3%tx = 'a'",
    "ob2%p%w(1) = d*2; d = d + ob2%p%w(1); deallocate(ob3%w)",
    "q%w(1) = d*2; d = d + q%w(1); deallocate(ob3%w)",
    "q%p%w(1) = d*2; d = d + q%p%w(1); deallocate(ob4%w)",
    "ob2%p%w(1) = d*2; d = d + ob2%p%w(1); deallocate(ob3%w); allocate(ob3%w(5)); ob3%w = 1",
    "ob2%p%w = d*2; d = d + sum(ob2%p%w); deallocate(ob3%w); allocate(ob3%w(5)); ob3%w = 1",
    "d = d + sum(ob2%p%w); deallocate(ob3%w)",
    "d = d + ob2%p%w(1); deallocate(ob3%w)",
    "d = d + q%p%w(1); deallocate(ob4%w)",
    "d = d + ob2%p%p%v; ob3%p => null()",
    "t = ob2%p%w; d = d + sum(t); deallocate(ob3%w)",
    "call move_alloc(ob3%w, t); d = d*d*t(1)*size(t); deallocate (t)",
    "d = d*d*q%w(1); deallocate (q%w); allocate (q%w(2)); q%w = 2",
    "d = d*d*size(q%w); deallocate (q%w); allocate (q%w(2)); q%w = 2",
    "d = d*d*size(ob3%w); deallocate (q%w); allocate (q%w(2)); q%w = 2",
    "d = d*d*size(q%w); deallocate (ob3%w); allocate (q%w(2)); q%w = 2",
    "d = d*d*size(q%w); q%w = [1d0, 2d0]",
    "d = d*d*size(ob3%w); q%w = [1d0, 2d0]",
    "d = d*d*size(q%w); ob3%w = [1d0, 2d0]",
    "d = d*d*size(q%w); ob3 = ob4",
    "d = d*d*size(ob3%w); q = ob4",
    "d = d*d*size(ob3%w); ob2%p = ob4",
    "d = d*d*size(ob3%w); ob2%p%w = [1d0, 2d0]",
    "if (allocated(ob3%w)) d = d*d*3; if (allocated(q%w)) deallocate (q%w)",
    "if (allocated(q%w)) d = d*d*3; if (allocated(ob3%w)) deallocate (ob3%w)",
    'd = d*d*len(ob3%tx); q%tx = "zz"',
    "d = d*d*len(ob3%tx); deallocate (q%tx)",
    "call drop(q); d = d*d",
    "d = d*d*size(ob3%w); call drop(q)",
    "d = d*d*size(ob3%w); call drop(ob2%p)",
    "d = d*d*size(ob3%w); call empty(q%w)",
    "d = d*d*size(ob3%w); call empty(ob2%p%w)",
]


@pytest.mark.sample(12)
@pytest.mark.parametrize("body", CASES)
def test_what_is_behind_links_is_put_back(body: str, tmp_path: Path) -> None:
    lines = "\n    ".join(one.strip() for one in body.split(";"))
    proved_by_execution(PROGRAM.replace("{body}", lines), "m%head(x, y)>(x, y)", tmp_path)
