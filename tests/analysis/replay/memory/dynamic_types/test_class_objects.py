"""CLASS objects executed: dispatch, SELECT TYPE, allocation and association of what has a dynamic type.

Each program against gfortran's values, differences of the compiled program, and all plans against store-all.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.execution import proved_by_execution

TYPES = """module m
  implicit none
  type :: base
    real(8) :: u = 0.5d0
  contains
    procedure :: act => act_base
    procedure :: value => value_base
    procedure, nopass :: factor => factor_base
    procedure :: scale_real
    procedure :: scale_integer
    generic :: scaled => scale_real, scale_integer
  end type base
  type, extends(base) :: wide
    real(8) :: w = 0.75d0
    real(8) :: v(3) = 0.25d0
  contains
    procedure :: act => act_wide
    procedure :: value => value_wide
    procedure, nopass :: factor => factor_wide
    procedure :: scale_real => scale_real_wide
  end type wide
  type, extends(wide) :: deep
    real(8) :: d = 1.25d0
  contains
    procedure :: act => act_deep
  end type deep
  type, extends(base) :: other
    real(8) :: c = 0.9d0
  end type other
{types}
contains
  subroutine act_base(o, s)
    class(base), intent(inout) :: o
    real(8), intent(inout) :: s
    o%u = sin(o%u*s)
    s = s + o%u**2
  end subroutine
  subroutine act_wide(o, s)
    class(wide), intent(inout) :: o
    real(8), intent(inout) :: s
    o%w = o%w*s*o%v(2)
    o%v = o%v*o%u
    s = s*cos(o%w)
  end subroutine
  subroutine act_deep(o, s)
    class(deep), intent(inout) :: o
    real(8), intent(inout) :: s
    call o%wide%act(s)
    o%d = o%d*s
    s = s + o%d*o%u
  end subroutine
  function value_base(o) result(r)
    class(base), intent(in) :: o
    real(8) :: r
    r = o%u**2
  end function
  function value_wide(o) result(r)
    class(wide), intent(in) :: o
    real(8) :: r
    r = o%w*o%u + sum(o%v**2)
  end function
  function factor_base(s) result(r)
    real(8), intent(in) :: s
    real(8) :: r
    r = 2.0d0*s
  end function
  function factor_wide(s) result(r)
    real(8), intent(in) :: s
    real(8) :: r
    r = s*s
  end function
  subroutine scale_real(o, s)
    class(base), intent(inout) :: o
    real(8), intent(in) :: s
    o%u = o%u*s
  end subroutine
  subroutine scale_integer(o, s)
    class(base), intent(inout) :: o
    integer, intent(in) :: s
    o%u = o%u**s
  end subroutine
  subroutine scale_real_wide(o, s)
    class(wide), intent(inout) :: o
    real(8), intent(in) :: s
    o%u = o%u*s*o%w
    o%w = s
  end subroutine
  subroutine reset(o, s)
    class(base), intent(out) :: o
    real(8), intent(in) :: s
    o%u = o%u*s
  end subroutine
  subroutine both(o, s)
    class(base), intent(inout) :: o
    real(8), intent(inout) :: s
    call o%act(s)
    call selected(o, s)
  end subroutine
  subroutine selected(o, s)
    class(base), intent(inout) :: o
    real(8), intent(inout) :: s
    select type (o)
    type is (base)
      s = s*o%u
    class is (wide)
      s = s*o%w*o%v(1)
      o%w = s
    class default
      s = s + o%u
    end select
  end subroutine
  subroutine chosen(x, k, p)
    real(8), intent(in) :: x
    integer, intent(in) :: k
    class(base), allocatable, intent(out) :: p
    select case (mod(k, 4))
    case (0)
      allocate (base :: p)
    case (1)
      allocate (wide :: p)
    case (2)
      allocate (deep :: p)
    case default
      allocate (other :: p)
    end select
    p%u = p%u*x
  end subroutine
  function made(x, k) result(p)
    real(8), intent(in) :: x
    integer, intent(in) :: k
    class(base), allocatable :: p
    real(8) :: s
    !$AD NOCHECKPOINT
    call chosen(x, k, p)
    s = x
    call p%act(s)
  end function
{more}
  subroutine head(x, n, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y
    real(8) :: s, t
    integer :: i
{text}
  end subroutine
end module
"""

# gfortran 12 reallocates with the old size where an assignment changes the dynamic type: so what is there goes first.
# A loop whose object may have another type in each turn.
TURN = """    s = x(1)
    do i = 1, n
      !$AD NOCHECKPOINT
      call chosen(x(i), i, p)
      call p%act(s)
"""
PROGRAMS = {
    "a call without a derivative changes the type": """
    class(base), allocatable :: p
    s = x(1)
    do i = 0, n
      !$AD NOCHECKPOINT
      call chosen(1.0d0, i, p)
      select type (p)
      type is (deep)
        s = s*p%d*x(2)
      type is (other)
        s = sin(s)*p%c
      end select
      s = s*p%value()
    end do
    y = s""",
    "types change in a loop": """
    class(base), allocatable :: p
""" + TURN + """      s = s + p%value()
    end do
    y = s""",
    "a part holds the dispatch": """
    class(base), allocatable :: p
    s = x(1)
    do i = 1, n
      !$AD NOCHECKPOINT
      call chosen(x(i), i, p)
      !$AD CHECKPOINT-START
      call p%act(s)
      t = p%value()*s
      s = sin(s*t)
      !$AD CHECKPOINT-END
      s = s + p%u
    end do
    y = s*s""",
    "passed on": """
    type(wide) :: a
    type(other) :: b
    type(deep) :: c
    s = x(1)
    a%u = x(2)
    b%c = x(3)
    c%d = x(3)*x(2)
    call both(a, s)
    call both(b, s)
    call both(c, s)
    call both(c%wide, s)
    call both(c%base, s)
    y = s*c%value() + a%w + b%c""",
    "generic bindings": """
    class(base), allocatable :: p
    s = x(1)
    do i = 1, n
      !$AD NOCHECKPOINT
      call chosen(x(i), i, p)
      call p%scaled(s)
      call p%scaled(2)
      s = s + p%u
    end do
    y = s""",
    "nopass": """
    class(base), pointer :: p
    type(base), target :: a
    type(wide), target :: b
    s = x(1)
    do i = 1, n
      p => a
      if (mod(i, 2) == 0) p => b
      !$AD CHECKPOINT-START
      s = p%factor(s)*x(i)
      p => b
      s = p%factor(s) + s
      !$AD CHECKPOINT-END
    end do
    y = s""",
    "intent out gives defaults": """
    class(base), allocatable :: p
""" + TURN + """      !$AD CHECKPOINT-START
      call reset(p, s)
      s = s*p%value()
      !$AD CHECKPOINT-END
      call p%act(s)
    end do
    y = s""",
    "select type by the nearest class": """
    class(base), allocatable :: p
    s = x(1)
    do i = 0, n
      !$AD NOCHECKPOINT
      call chosen(x(1), i, p)
      select type (q => p)
      class is (base)
        s = s + 0.5d0*q%u
      class is (wide)
        q%v = q%v*s
        s = s + q%w*q%v(3)
      type is (other)
        q%c = q%c*s
        s = s*q%c
      end select
      s = s + p%value()
    end do
    y = s""",
    "no type fits": """
    class(base), allocatable :: p
    s = x(1)
    do i = 0, n
      !$AD NOCHECKPOINT
      call chosen(x(1), i, p)
      select type (p)
      type is (deep)
        s = s*p%d
      end select
    end do
    y = s""",
    "allocate source": """
    class(base), allocatable :: p, q
""" + TURN + """      if (allocated(q)) deallocate (q)
      allocate (q, source=p)
      call q%act(s)
      s = s + q%value()*p%value()
    end do
    y = s""",
    "allocate mold": """
    class(base), allocatable :: p, q
""" + TURN + """      if (allocated(q)) deallocate (q)
      allocate (q, mold=p)
      call q%act(s)
      s = s + q%value()*p%value()
    end do
    y = s""",
    "allocate source of a constructor": """
    class(base), allocatable :: p
    allocate (p, source=wide(x(1), x(2), x))
    s = x(3)
    call p%act(s)
    y = s*p%value()""",
    "assigned": """
    class(base), allocatable :: p, q
    type(other) :: o
    s = x(1)
    do i = 1, n
      !$AD NOCHECKPOINT
      call chosen(x(i), i, p)
      if (allocated(q)) deallocate (q)
      q = p
      call q%act(s)
      s = s + q%value()
      o%c = s
      deallocate (q)
      q = o
      call q%act(s)
      s = s + q%value()
      select type (q)
      type is (other)
        s = s*q%c
      end select
    end do
    y = s""",
    "functions give class": """
    class(base), allocatable :: p
    s = x(1)
    do i = 1, n
      if (allocated(p)) deallocate (p)
      p = made(x(i), i)
      call p%act(s)
      s = s*p%value()
    end do
    y = s""",
    "move_alloc": """
    class(base), allocatable :: p, q
    type(wide), allocatable :: z
    s = x(1)
    do i = 1, n
      !$AD NOCHECKPOINT
      call chosen(x(i), i, p)
      call p%act(s)
      call move_alloc(p, q)
      call q%act(s)
      allocate (z)
      z%w = s*q%u
      call move_alloc(z, q)
      call q%act(s)
      s = s + q%value()
    end do
    y = s""",
    "allocated pointers": """
    class(base), pointer :: p
    s = x(1)
    do i = 1, n
      if (mod(i, 2) == 0) then
        allocate (deep :: p)
      else
        allocate (p)
      end if
      p%u = x(i)*s
      call p%act(s)
      s = s + p%value()
      deallocate (p)
    end do
    y = s""",
    "pointers change in a part": """
    class(base), pointer :: p
    type(wide), target :: a
    type(other), target :: b
    s = x(1)
    p => a
    do i = 1, n
      !$AD CHECKPOINT-START
      call p%act(s)
      p => b
      if (i == 2) p => a
      call p%act(s)
      s = s + p%value()
      !$AD CHECKPOINT-END
    end do
    y = s*a%u*b%u""",
    "pointer with source": """
    class(base), pointer :: p, q
    type(wide), target :: a
    a%w = x(2)
    p => a
    s = x(1)
    allocate (q, source=p)
    call q%act(s)
    call p%act(s)
    y = s*q%value()*p%value()
    deallocate (q)""",
    "same type as": """
    class(base), allocatable :: p, q
    s = x(1)
    !$AD NOCHECKPOINT
    call chosen(x(1), 1, q)
    do i = 0, n
      !$AD NOCHECKPOINT
      call chosen(x(1), i, p)
      if (same_type_as(p, q)) s = s*p%u
      if (extends_type_of(p, q)) s = s*p%value()*q%u
      if (extends_type_of(q, p)) s = s + p%value()
    end do
    y = s""",
    "arrays of class": """
    class(base), allocatable :: p(:)
    s = x(1)
    do i = 1, 3
      if (allocated(p)) deallocate (p)
      if (i == 2) then
        allocate (wide :: p(n))
      else
        allocate (base :: p(2))
      end if
      p(1)%u = x(i)*s
      call p(1)%act(s)
      call p(2)%act(s)
      s = s + p(1)%value()*p(2)%value()*size(p)
      select type (p)
      class is (wide)
        p%w = p%w*s
        s = s + sum(p%w) + p(n)%v(1)
      end select
    end do
    y = s""",
    "a class component": """
    type :: holder
      class(base), allocatable :: e
      real(8) :: r = 0.3d0
    end type
    type(holder) :: h, g
    s = x(1)
    do i = 1, n
      !$AD NOCHECKPOINT
      call chosen(x(i), i, h%e)
      call h%e%act(s)
      g = h
      call g%e%act(s)
      s = s*h%e%value() + g%e%value()*g%r
    end do
    y = s""",
    "the type's own selector is kept": """
    class(base), allocatable :: p
    s = x(1)
    do i = 1, n
      !$AD NOCHECKPOINT
      call chosen(x(i), i, p)
      select type (q => p)
      type is (wide)
        s = s + wide_only(q)
      class is (base)
        s = s + q%value()
      end select
    end do
    y = s""",
    "the parent is assigned": """
    type(wide), target :: o
    type(base) :: b
    class(base), pointer :: p
    o%w = x(1)*x(2)
    o%u = x(1)
    b%u = x(3)
    !$AD CHECKPOINT-START
    o%u = sin(o%u)
    o%base = b
    o%u = o%u*o%w
    !$AD CHECKPOINT-END
    p => o%base
    s = x(2)
    call p%act(s)
    y = o%w*o%w*o%u*s""",
    "components assigned": """
    type :: holder
      class(base), allocatable :: e
    end type
    type(holder) :: h
    type(wide) :: a
    type(other) :: b
    s = x(1)
    do i = 1, n
      a%w = s*x(i)
      if (allocated(h%e)) deallocate (h%e)
      if (i == 2) then
        h%e = a
      else
        b%c = s
        h%e = b
      end if
      call h%e%act(s)
      select type (e => h%e)
      class is (wide)
        s = s*e%w
      type is (other)
        s = s + e%c
      end select
    end do
    y = s*h%e%value()""",
    "an optional object": """
    type(wide) :: a
    type(other) :: b
    s = x(1)
    do i = 1, n
      if (i == 1) then
        call perhaps(s)
      else if (i == 2) then
        call perhaps(s, a)
      else
        call perhaps(s, b)
      end if
    end do
    y = s*a%w + b%c""",
    "a linked list": """
    type(node), pointer :: first, at
    nullify (first)
    do i = 1, 2*n
      allocate (at)
      at%next => first
      first => at
      if (mod(i, 3) == 0) then
        allocate (deep :: at%item)
      else if (mod(i, 3) == 1) then
        allocate (other :: at%item)
      else
        allocate (base :: at%item)
      end if
      at%item%u = x(1 + mod(i, n))
    end do
    s = x(1)
    at => first
    do while (associated(at))
      call at%item%act(s)
      s = s + 0.1d0*at%item%value()
      at => at%next
    end do
    y = s
    do while (associated(first))
      at => first%next
      deallocate (first%item)
      deallocate (first)
      first => at
    end do""",
    "no components, deferred bindings": """
    class(law), allocatable :: e
    s = x(1)
    do i = 1, n
      if (allocated(e)) deallocate (e)
      if (mod(i, 2) == 0) then
        allocate (square :: e)
      else
        allocate (sine :: e)
      end if
      !$AD CHECKPOINT-START
      s = e%of(s)*x(i)
      s = e%of(s) + s
      !$AD CHECKPOINT-END
    end do
    y = s""",
    "a call without a derivative chooses a law": """
    class(law), allocatable :: e
    s = x(1)
    do i = 1, n
      !$AD NOCHECKPOINT
      call pick(i, e)
      s = e%of(s)*x(i)
    end do
    y = s""",
    "an array of pointers to class": """
    type(link) :: l(3)
    type(base), target :: a
    type(wide), target :: b
    type(deep), target :: c
    a%u = x(1)
    b%w = x(2)
    c%d = x(3)
    l(1)%p => c
    l(2)%p => a
    l(3)%p => b
    s = x(1)
    do i = 1, n
      !$AD CHECKPOINT-START
      call l(i)%p%act(s)
      if (i == 1) l(3)%p => a
      !$AD CHECKPOINT-END
      s = s*l(i)%p%value()
    end do
    y = s""",
    "a function gives a pointer": """
    type(wide), target :: a
    type(other), target :: b
    class(base), pointer :: p
    s = x(1)
    do i = 1, n
      p => one_of(a, b, i)
      p%u = p%u*x(i)
      call p%act(s)
    end do
    y = s*a%w*b%u""",
    "sections of class arrays": """
    type(wide) :: a(3)
    s = x(1)
    a%u = x
    call all_of(a, s)
    call all_of(a(2:3), s)
    call all_of(a(3:1:-2), s)
    y = s*sum(a%w)""",
    "a bound operator": """
    type(wide) :: a, b
    type(base) :: c
    a%u = x(1)
    b%u = x(2)
    c = combined(a, b)
    y = c%u*combined_value(c, a)""",
    "the bounds of components": """
    type :: shifted
      real(8) :: v(-1:1)
    end type
    type(shifted) :: o, a(2)
    real(8), allocatable :: h(:)
    o%v = x(1)*x(2)
    allocate (h, source=o%v)
    h(lbound(h, 1)) = x(1)
    s = 0
    do i = lbound(o%v, 1), ubound(o%v, 1)
      s = s + h(i)*o%v(i)*i
    end do
    a(2)%v = x(2)
    do i = lbound(a(2)%v, 1), ubound(a(2)%v, 1)
      s = s + a(2)%v(i)*(i + 2)
    end do
    y = s + lbound(o%v(0:1), 1)*x(3) + ubound(a%v(0), 1)*x(2) + ubound(h, 1)*x(1)""",
    "a value is passed": """
    class(base), allocatable :: p
    s = x(1)
    do i = 1, n
      !$AD NOCHECKPOINT
      call chosen(x(i), i, p)
      call only_read((p), s)
      call only_read(wide(x(i), s, x), s)
      s = s + p%value()
    end do
    y = s""",
}
LAW_PROCEDURES = """
  function of_square(e, s) result(r)
    class(square), intent(in) :: e
    real(8), intent(in) :: s
    real(8) :: r
    r = s*s
  end function
  function of_sine(e, s) result(r)
    class(sine), intent(in) :: e
    real(8), intent(in) :: s
    real(8) :: r
    r = sin(s)
  end function
  subroutine pick(k, e)
    integer, intent(in) :: k
    class(law), allocatable, intent(out) :: e
    if (mod(k, 2) == 0) then
      allocate (square :: e)
    else
      allocate (sine :: e)
    end if
  end subroutine"""
LAWS = """
  type, abstract :: law
  contains
    procedure(law_of), deferred :: of
  end type
  abstract interface
    function law_of(e, s) result(r)
      import law
      class(law), intent(in) :: e
      real(8), intent(in) :: s
      real(8) :: r
    end function
  end interface
  type, extends(law) :: square
  contains
    procedure :: of => of_square
  end type
  type, extends(law) :: sine
  contains
    procedure :: of => of_sine
  end type"""
MORE = {"an optional object": """
  subroutine perhaps(s, o)
    real(8), intent(inout) :: s
    class(base), intent(inout), optional :: o
    s = sin(s)
    if (.not. present(o)) return
    call o%act(s)
    call onward(s, o)
  end subroutine
  subroutine onward(s, o)
    real(8), intent(inout) :: s
    class(base), intent(inout), optional :: o
    if (present(o)) s = s*o%value()
  end subroutine""", "a linked list": """
  subroutine nothing_else()
  end subroutine""", "a function gives a pointer": """
  function one_of(a, b, k) result(p)
    type(wide), intent(in), target :: a
    type(other), intent(in), target :: b
    integer, intent(in) :: k
    class(base), pointer :: p
    p => a
    if (mod(k, 2) == 0) p => b
  end function""", "sections of class arrays": """
  subroutine all_of(o, s)
    class(base), intent(inout) :: o(:)
    real(8), intent(inout) :: s
    integer :: j
    do j = 1, size(o)
      call o(j)%act(s)
    end do
    select type (o)
    type is (wide)
      o%w = o%w*s
      s = s + sum(o%w)
    end select
  end subroutine""", "a bound operator": """
  function combined(a, b) result(c)
    class(base), intent(in) :: a, b
    type(base) :: c
    c%u = a%value()*b%u + a%u
  end function
  function combined_value(a, b) result(c)
    class(base), intent(in) :: a
    class(wide), intent(in) :: b
    real(8) :: c
    c = a%value()*b%value()
  end function""", "a value is passed": """
  subroutine only_read(o, s)
    class(base), intent(in) :: o
    real(8), intent(inout) :: s
    s = s*o%value()
    select type (o)
    class is (wide)
      s = s + o%v(3)
    end select
  end subroutine""", "no components, deferred bindings": LAW_PROCEDURES,
        "a call without a derivative chooses a law": LAW_PROCEDURES, "the type's own selector is kept": """
  function wide_only(o) result(r)
    type(wide), intent(in) :: o
    real(8) :: r
    r = o%u*o%w
  end function"""}


DECLARED = {"a linked list": """
  type :: node
    class(base), pointer :: item
    type(node), pointer :: next
  end type""", "an array of pointers to class": """
  type :: link
    class(base), pointer :: p => null()
  end type""", "no components, deferred bindings": LAWS, "a call without a derivative chooses a law": LAWS}


def written(name: str) -> str:
    """The module of a program."""
    text = TYPES.replace("{types}", DECLARED.get(name, "")).replace("{more}", MORE.get(name, ""))
    return text.replace("{text}", PROGRAMS[name])


@pytest.mark.sample(6)
@pytest.mark.parametrize("name", PROGRAMS)
def test_programs(name: str, tmp_path: Path) -> None:
    proved_by_execution(written(name), "m%head(x)>(y)", tmp_path, {"n": 3, "x": [0.7, 1.1, 0.9]})
