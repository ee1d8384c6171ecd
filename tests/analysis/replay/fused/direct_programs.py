"""Programs of several procedures for test_direct.py, in the form of direct_cases.py."""

from __future__ import annotations

PROGRAMS = """
== loop variable passed
subroutine step(i, y)
  integer :: i
  real(8) :: y
  y = y + i
  if (i == 3) i = i + 1
end subroutine step
subroutine p(x, y)
  real(8) :: x, y
  integer :: i
  y = x
  do i = 1, 6
    if (i == 2) cycle
    call step(i, y)
    y = 10*y
  end do
  y = y + i
end subroutine p
== global scalars
module m
  real(8) :: g
  integer :: k
  real(8), allocatable :: w(:)
end module m
subroutine bump(a)
  use m
  real(8) :: a(3)
  g = g*2 + a(k)
  k = k + 1
  if (allocated(w)) deallocate(w)
  allocate(w(0:k))
  w(0) = g
  w(k) = 1
end subroutine bump
subroutine p(x, y)
  use m
  real(8) :: x(3), y
  integer :: i
  g = x(1)
  k = 1
  do i = 1, 2
    g = g + 1
    call bump(x)
    y = y + g*k + w(0) + w(k)
    w(1) = y
  end do
  y = y + w(1)
end subroutine p
== arguments that are the same memory
subroutine q(a, s, t)
  real(8) :: a(3), s, t
  integer :: i
  do i = 1, 3
    a(i) = a(i) + s
    t = t*2
    a(i) = a(i) + s + t
  end do
end subroutine q
subroutine p(x, y)
  real(8) :: x(3), y
  y = 1
  call q(x, x(2), y)
  call q(x, y, y)
end subroutine p
== internal procedures
subroutine p(x, y)
  real(8) :: x, y, z, w
  integer :: i
  z = x
  w = y
  do i = 1, 3
    z = z + 1
    call inner(z)
    y = y + z*i + w
  end do
contains
  subroutine inner(t)
    real(8) :: t
    z = z*2
    w = w - i
    t = t + y
    y = y + 1
  end subroutine inner
end subroutine p
== overlaid storage
subroutine p(x, y)
  real(8) :: x, y, a, b(2), c
  integer :: i
  common /blk/ c
  equivalence (a, b(2))
  a = x
  do i = 1, 2
    b(i) = a + 1
    a = a*2
    call q
    y = y + a + b(i) + c
  end do
end subroutine p
subroutine q
  real(8) :: d, e(1)
  common /blk/ d
  equivalence (d, e)
  d = 3
  e(1) = e(1) + 1
  d = d*2
end subroutine q
== functions and components
module m
  type t
    real(8) :: r, v(2)
    integer :: k
  end type t
end module m
recursive function f(n, a) result(r)
  integer :: n
  real(8) :: a, r
  r = a
  if (n > 0) r = r*f(n - 1, a + 1)
end function f
subroutine p(x, y)
  use m
  real(8) :: x, y
  interface
    recursive function f(n, a) result(r)
      integer :: n
      real(8) :: a, r
    end function f
  end interface
  type(t) :: one, many(3)
  integer :: i
  one%r = x
  one%v(2) = f(3, x)
  one%v(1) = x/3
  one%k = 2
  do i = 1, 3
    many(i) = one
    many(i)%r = one%r + i
    many(i)%v(one%k) = many(i)%v(1) + 1
    one = many(i)
    one%k = 1 + mod(i, 2)
    y = y + one%r + one%v(one%k)
  end do
end subroutine p
== an error in a called procedure -> IndexError, ReplayError
subroutine q(a, i)
  real(8) :: a(4)
  integer :: i
  a(1) = a(1) + 1
  a(i) = 2
end subroutine q
subroutine p(x, y)
  real(8) :: x(4), y
  integer :: i
  y = 2
  do i = 3, 6
    call q(x, i)
    y = y + x(1)
  end do
end subroutine p
== other bounds
subroutine q(a, b)
  real(8) :: a(0:2), b(-1:*)
  a(0) = a(1) + b(-1)
  b(0) = a(2)
end subroutine q
subroutine p(x, y)
  real(8) :: x(3), y, z(3)
  z = x*2
  call q(x, z)
  call q(z, x(2:))
  y = z(1) + z(2)
end subroutine p
"""
