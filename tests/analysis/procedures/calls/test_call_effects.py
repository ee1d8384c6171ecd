"""use, out and kill of calls in the caller's terms, exactly: ``use -> out ! kill`` as in test_statement_effects.

The callees' own sets are plain to see in their text. What is passed decides what these are to the caller: a whole
variable, an element of it, a component, an expression, a longer array, a pointer, a function's result (``f@``, what a
reference to f gives). ``b(2:)`` is a region of b where calls with constant bounds cut it.
"""

from __future__ import annotations

import re

import pytest

from tests.analysis.procedures.test_statement_effects import ordered
from tests.support.modelled import effects_at, model

KIT = """module kit
implicit none
type inner
  real(8) :: w, z(2)
end type
type cell
  real(8) :: u, v(3)
  type(inner) :: in
  real(8), pointer :: p(:)
  real(8), allocatable :: al(:)
  real(8) :: m(4, 3)
end type
real(8) :: g, h(4)
integer :: l
contains
"""
PROCEDURES = """subroutine set(v)
  real(8) :: v
  v = 1
end subroutine
!
subroutine copy(from, to)
  real(8) :: from, to
  to = from
end subroutine
!
subroutine fill(v, n)
  integer :: n
  real(8) :: v(n)
  v = 1
end subroutine
!
subroutine shape_of(v)
  real(8) :: v(:)
  v = 1
end subroutine
!
subroutine first(v)
  real(8) :: v(*)
  v(1) = v(2)
end subroutine
!
subroutine half(v, n)
  integer :: n
  real(8) :: v(n)
  if (n > 1) v = 1
end subroutine
!
subroutine maybe(v, w)
  real(8) :: v
  real(8), optional :: w
  v = 1
  if (present(w)) w = v
end subroutine
!
subroutine one_of(c)
  type(cell) :: c
  c%u = c%v(2)
  c%in%w = 1
end subroutine
!
subroutine inner_of(c)
  type(inner) :: c
  c%w = 1
  c%z = c%w
end subroutine
!
subroutine cells(c)
  type(cell) :: c(4)
  c%u = 1
end subroutine
!
subroutine globally
  g = h(1)
  l = 2
end subroutine
!
subroutine saving(x)
  real(8) :: x
  real(8), save :: acc
  acc = acc + x
end subroutine
!
subroutine alloc(v)
  real(8), allocatable :: v(:)
  allocate (v(3))
  v = 1
end subroutine
!
subroutine allocs(c)
  type(cell) :: c
  allocate (c%al(3))
end subroutine
!
subroutine point(p)
  real(8), pointer :: p(:)
  nullify (p)
end subroutine
!
subroutine points(c)
  type(cell) :: c
  nullify (c%p)
end subroutine
!
subroutine through(c)
  type(cell) :: c
  c%p = 1
end subroutine
!
subroutine plane(v, n)
  integer :: n
  real(8) :: v(n, 3)
  v = 1
end subroutine
!
subroutine columns(v)
  real(8) :: v(4, 3)
  v(:, 1) = 1
  v(:, 2) = v(:, 1)
end subroutine
!
subroutine cut(v)
  real(8) :: v(4, 3)
  v(:, 1) = 1
  v(:, 2:3) = 1
end subroutine
!
function f(x) result(r)
  real(8) :: x, r
  r = x*g
end function
!
function af(x) result(r)
  real(8) :: x
  real(8), allocatable :: r(:)
  allocate (r(2))
  r = x
end function
!
function vf(n) result(r)
  integer :: n
  real(8) :: r(n)
  r = 1
end function
!
subroutine apply(q, x)
  interface
    subroutine q(v)
      real(8) :: v
    end subroutine
  end interface
  real(8) :: x
  call q(x)
end subroutine
!
subroutine vals(x, y)
  real(8), value :: x
  real(8) :: y
  y = x
  x = 2
end subroutine
!
subroutine stops(x)
  real(8) :: x
  x = 1
  stop
end subroutine
"""
HEAD = """end module
subroutine s(a, b, x, y, n, m, k, p, al, c, d, arr)
use kit
implicit none
integer :: n, m, k(10), i
real(8) :: a(n), b(10), x, y, arr(4, 3)
real(8), pointer :: p(:)
real(8), allocatable :: al(:)
type(cell) :: c, d(4)
"""
SCALARS = {
    "call set(x)": ["-> x ! x"],
    "call set(g)": ["-> g ! g"],
    "call set(b(n))": ["n -> b !"],
    "call set(b(k(m)))": ["k m -> b !"],
    "call set(c%u)": ["-> c%u ! c%u"],
    "call set(d(m)%u)": ["m -> d%u !"],
    "call set(x + y)": ["x y -> !"],
    "call set((x))": ["x -> !"],
    "call copy(x, y)": ["x -> y ! y"],
    "call copy(b(n), y)": ["b n -> y ! y"],
    "call copy(to=x, from=y)": ["y -> x ! x"],
    # All of an expression is evaluated, whether its value is wanted or not; of the subscripts at least these.
    "call copy(x*b(n) + k(m), y)": ["b k m n x -> y ! y"],
    "call maybe(x)": ["-> x ! x"],
    "call maybe(x, y)": ["-> x y ! x"],
    "call maybe(x, w=b(n))": ["n -> b x ! x"],
    "call vals(x, y)": ["x -> y ! y"],
    "call vals(b(n), y)": ["b n -> y ! y"],
    "call globally": ["h -> g l ! g l"],
    "call saving(x)": ["saving::acc x -> saving::acc ! saving::acc"],
    "call apply(set, x)": ["-> x ! x"],
    "if (x > 0) call stops(y)": ["x -> !"],
}
ARRAYS = {
    "call fill(a, n)": ["n -> a ! a"],
    "call fill(a, m)": ["m -> a !"],
    "call fill(b, 10)": ["-> b ! b"],
    "call fill(b, 9)": ["-> b !"],
    "call fill(b(n:m), 3)": ["m n -> b !"],
    "call half(a, n)": ["n -> a !"],
    "call shape_of(b)": ["-> b ! b"],
    "call shape_of(b(:))": ["-> b ! b"],
    "call shape_of(p)": ["p=> -> c%p d%p p !"],
    "call shape_of(al)": ["al[] -> al ! al"],
    "call shape_of(arr(:, n))": ["n -> arr !"],
    "call first(b)": ["b -> b !"],
    "call first(b(n))": ["b n -> b !"],
    "call plane(arr, 4)": ["-> arr ! arr"],
    "call plane(arr, n)": ["n -> arr !"],
    "call columns(arr)": ["-> arr !"],
    "call cut(arr)": ["-> arr ! arr"],
    "call cut(b)": ["-> b !"],
}
COMPONENTS = {
    "call fill(c%v, 3)": ["-> c%v ! c%v"],
    "call fill(d(2)%v, 3)": ["-> d%v !"],
    "call fill(d(2)%v(1), 3)": ["-> d%v !"],
    "call cut(c%m)": ["-> c%m ! c%m"],  # all of it, by the two regions together
    "call columns(c%m)": ["-> c%m !"],  # one column of three is left
    "call one_of(c)": ["c%v -> c%in%w c%u !"],
    "call one_of(d(m))": ["d%v m -> d%in%w d%u !"],
    "call inner_of(c%in)": ["-> c%in%w c%in%z ! c%in%w c%in%z"],
    "call inner_of(d(n)%in)": ["n -> d%in%w d%in%z !"],
    "call cells(d)": ["-> d%u !"],
}
MEMORY = {
    "call alloc(al)": ["al[] -> al al[] ! al al[] keep shaped: al al[]"],
    "call alloc(c%al)": ["c%al[] -> c%al c%al[] ! c%al c%al[] keep shaped: c%al c%al[]"],
    "call allocs(c)": ["c%al[] -> c%al c%al[] ! c%al[] keep shaped: c%al c%al[]"],
    "call point(p)": ["p=> -> p=> ! p=> keep shaped: p=>"],
    "call point(c%p)": ["c%p=> -> c%p=> ! c%p=> keep shaped: c%p=>"],
    "call point(d(n)%p)": ["d%p=> n -> d%p=> ! keep shaped: d%p=>"],
    "call points(c)": ["-> c%p=> ! c%p=> keep shaped: c%p=>"],
    "call points(d(n))": ["n -> d%p=> ! keep shaped: d%p=>"],
    "call through(c)": ["c%p=> -> c%p d%p p !"],
}
FUNCTIONS = {
    "x = f(y)": ["g y -> f@ ! f@", "f@ -> x ! x"],
    "x = f(b(n)) + f(x)": ["b g n -> f@ ! f@", "g x -> f@.2 ! f@.2", "f@ f@.2 -> x ! x"],
    "x = f(f(y))": ["g y -> f@ ! f@", "f@ g -> f@.2 ! f@.2", "f@.2 -> x ! x"],
    "b(1:2) = af(x)": ["x -> af@ ! af@ keep shaped: af@", "af@ -> b !"],
    "b(1:n) = vf(n)": ["n -> vf@ ! vf@", "n vf@ -> b !"],
}
CASES = SCALARS | ARRAYS | COMPONENTS | MEMORY | FUNCTIONS


def sets(body: str) -> list[str]:
    """The sets of a body's last line, in a program with the callees that it names, whatever that line's number."""
    *before, statement = body.split("; ")
    wanted = set(re.findall(r"\w+", statement))
    named = [block for block in PROCEDURES.split("!\n") if re.findall(r"\w+", block)[1] in wanted]
    text = KIT + "".join(named) + HEAD + "".join(f"{one}\n" for one in before)
    line = text.count("\n") + 1
    found = effects_at(model(f"{text}{statement}\nend subroutine s\n", "s"), line)
    return [ordered(one.replace(f"@{line}", "@")) for one in found]


@pytest.mark.parametrize("statement", CASES)
def test_a_calls_sets(statement: str) -> None:
    assert sets(statement) == [ordered(one) for one in CASES[statement]]


# Calls with constant bounds cut b: what they write of it is one region.
REGIONS = {
    "call fill(b(1), 10)": ["-> b !"],
    "call fill(b(2), 9)": ["-> b(2:) ! b(2:)"],
    "call shape_of(b(1:5))": ["-> b(:5) ! b(:5)"],
    "call fill(b(3), 7)": ["-> b(3:9) ! b(3:9)"],
    "call fill(arr(1, 2), 4); call set(arr(1, 2))": ["-> arr(:,2:2) !"],
    "call fill(arr(1, 2), 4); call fill(arr(1, 2), 8)": ["-> arr(:,2:2) arr(:,3:) !"],
    "call fill(arr, 12)": ["-> arr !"],
    "call fill(arr(1, 2), 4)": ["-> arr(:,2:2) ! arr(:,2:2)"],
    "call fill(arr(:, m), 4)": ["m -> arr !"],
    "call copy(x, x)": ["x -> x ! x"],
}


@pytest.mark.parametrize("statement", REGIONS)
def test_what_of_an_array_a_call_writes(statement: str) -> None:
    assert sets(statement) == [ordered(one) for one in REGIONS[statement]]
