"""CHARACTER of run-time and of deferred length: locals, results, components, arrays, in modules; each length that
decides is as long as gfortran's."""

from __future__ import annotations

from pathlib import Path

from snapset.analysis.replay.experiment.inputs import Inputs

from tests.support.judged import judge

NAMES = """
module names
  implicit none
  character(:), allocatable :: global
  type thing
    character(:), allocatable :: name
    character(4) :: code = 'none'
    real(8) :: v = 0
  end type
contains
  function joined(a, b, n) result(c)
    character(*), intent(in) :: a, b
    integer, intent(in) :: n
    character(n) :: c
    character(len(a) + len(b)) :: both
    both = a//b
    c = both
  end function
  function upper(a) result(c)
    character(*), intent(in) :: a
    character(len=len(a)) :: c
    integer :: i
    do i = 1, len(a)
      c(i:i) = a(i:i)
      if (a(i:i) >= 'a' .and. a(i:i) <= 'z') c(i:i) = achar(iachar(a(i:i)) - 32)
    end do
  end function
  function path(k) result(c)
    integer, intent(in) :: k
    character(:), allocatable :: c
    integer :: i
    c = ''
    do i = 1, k
      c = c//'/'//achar(96 + i)
    end do
  end function
  subroutine rename(t, n)
    type(thing), intent(inout) :: t
    integer, intent(in) :: n
    character(n) :: buffer
    character(2*n) :: twice(2)
    buffer = t%name
    twice = buffer//'+'
    twice(2)(1:1) = 'z'
    t%name = trim(twice(2))//t%code
    if (len(twice) == 2*n .and. buffer(1:1) == 'a') t%v = t%v*1.5d0
  end subroutine
  subroutine grow(c, by)
    character(:), allocatable, intent(inout) :: c
    character(*), intent(in) :: by
    if (.not. allocated(c)) then
      c = by
    else
      c = c//by
    end if
  end subroutine
end module
subroutine s(n, x, y)
  use names
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  type(thing) :: t, u
  character(:), allocatable :: mode, other
  character(n) :: buffer
  character(len=:), allocatable :: list(:)
  integer :: i
  mode = 'up'
  buffer = 'abcdefgh'
  t%v = x(1)
  t%name = 'alpha'
  y = 0
  do i = 1, 3
    !$AD CHECKPOINT-START
    call grow(other, mode)
    t%v = t%v*x(i)*len(other)
    if (len(mode) > 3) then
      mode = mode(1:i)
      y = y + sin(t%v)
    else
      mode = mode//'wind'
      y = y + cos(t%v)
    end if
    call rename(t, i + 2)
    y = y*t%v*len(t%name)
    !$AD CHECKPOINT-END
  end do
  u = t
  if (u%name == t%name) y = y*u%v
  if (joined(buffer, 'xyz', 6) == 'abcdxy') y = y + x(2)
  if (upper(u%name//'q') > 'A') y = y*x(3)
  global = path(3)
  y = y*len(global)
  if (global == '/a/b/c') y = y*y
  allocate (character(len=n + 1) :: list(3))
  list(:) = 'p'
  list(2) = 'quite long'
  y = y + len(list)*x(1)
  if (list(2) == 'quite') y = y*1.1d0
  deallocate (other)
  allocate (other, source=t%name)
  y = y*len(other)
  if (other(1:1) == 'z') y = y*1.01d0
  deallocate (other)
  allocate (character(n) :: other)
  other(:) = buffer(2:)
  if (other == 'bcd') y = y*x(2)
  select case (other(1:2))
  case ('bc')
    y = y + x(4)*x(4)
  end select
end subroutine
"""
# The length alone is read behind the part: it is part of the allocation, and the text is of no use.
LENGTHS = """
subroutine s(x, y)
  real(8), intent(in) :: x(4)
  real(8), intent(out) :: y
  character(:), allocatable :: c, list(:)
  integer :: k
  k = 3
  y = x(1)
  !$AD CHECKPOINT-START
  allocate (character(k + 1) :: list(2))
  list(:) = 'p'
  c = repeat('x', k)
  y = y*y*len(list)*x(2)
  c = 'q'
  k = 1
  !$AD CHECKPOINT-END
  y = sin(y*len(c))*len(list)*x(k)
end subroutine
"""


def test_run_time_lengths(tmp_path: Path) -> None:
    judge(NAMES, "s(x)>(y)", tmp_path, Inputs({"n": 4, "x": [0.6, 0.9, 1.2, 0.7]}))


def test_a_length_is_part_of_the_allocation(tmp_path: Path) -> None:
    judge(LENGTHS, "s(x)>(y)", tmp_path, Inputs({"x": [0.6, 0.9, 1.2, 0.7]}))
