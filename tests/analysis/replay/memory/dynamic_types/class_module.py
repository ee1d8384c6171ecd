"""The module that the programs of CLASS objects share, with the types and procedures that some of them add."""

from __future__ import annotations

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


def written(name: str, body: str) -> str:
    """The module of a program: ``body`` is what its head does."""
    text = TYPES.replace("{types}", DECLARED.get(name, "")).replace("{more}", MORE.get(name, ""))
    return text.replace("{text}", body)
