"""Small adjoints in Tapenade's manner, written by hand, with the verdict on each PUSH beside it.

``! needed``: without it, and its POP, the gradient is another one. ``! gone``: superfluous. ``! kept``: superfluous
too, which takes more than data flow to see: all elements are given back one by one, or what is assigned is the value
that was there. The driver calls the head's adjoint and prints the bits of its gradient.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class AdjointCase:
    """``original``, ``adjoint``, ``driver``: Fortran."""

    name: str
    head: str
    original: str
    adjoint: str

    @property
    def driver(self) -> str:
        return DRIVER


DRIVER = """\
program drive
  implicit none
  real(8) :: x(4), xb(4), y, yb
  x = [0.7d0, 1.1d0, 0.4d0, 1.3d0]
  xb = 0
  yb = 1
  call model_b(x, xb, 4, y, yb)
  write (*, '(4z18)') xb
end program drive
"""

LOOP = AdjointCase("loop", "model(x)>(y)", """\
subroutine model(x, n, y)
  integer :: n, i
  real(8) :: x(n), y, t, a(n)
  t = 1
  do i = 1, n
    t = t*x(i)
    a(i) = sin(t)
  end do
  y = 0
  do i = 1, n
    y = y + a(i)
  end do
end subroutine model
""", """\
subroutine model_b(x, xb, n, y, yb)
  implicit none
  integer :: n, i
  real(8) :: x(n), xb(n), y, yb, t, tb, a(n), ab(n)
  t = 1
  do i=1,n
    call pushreal8(t) ! needed
    t = t*x(i)
    call pushreal8(a(i)) ! gone
    a(i) = sin(t)
  end do
  ab = yb
  tb = 0
  do i=n,1,-1
    call popreal8(a(i))
    tb = tb + cos(t)*ab(i)
    ab(i) = 0
    call popreal8(t)
    xb(i) = xb(i) + t*tb
    tb = x(i)*tb
  end do
  yb = 0
end subroutine model_b
""")

BRANCH = AdjointCase("branch", "model(x)>(y)", """\
subroutine model(x, n, y)
  integer :: n, i
  real(8) :: x(n), y, s, c
  s = 1
  c = 2
  do i = 1, n
    if (x(i) > 1) then
      s = s*x(i)
    else
      c = 3
      s = c*s
    end if
  end do
  y = s
end subroutine model
""", """\
subroutine model_b(x, xb, n, y, yb)
  implicit none
  integer :: n, i, branch
  real(8) :: x(n), xb(n), y, yb, s, sb, c
  s = 1
  c = 2
  do i=1,n
    if (x(i) .gt. 1) then
      call pushreal8(s) ! needed
      s = s*x(i)
      call pushcontrol1b(0)
    else
      call pushreal8(c) ! kept
      c = 3
      call pushreal8(s) ! gone
      s = c*s
      call pushcontrol1b(1)
    end if
  end do
  sb = yb
  do i=n,1,-1
    call popcontrol1b(branch)
    if (branch .eq. 0) then
      call popreal8(s)
      xb(i) = xb(i) + s*sb
      sb = x(i)*sb
    else
      call popreal8(s)
      sb = c*sb
      call popreal8(c)
    end if
  end do
  yb = 0
end subroutine model_b
""")

CALLS = AdjointCase("calls", "model(x)>(y)", """\
module carried
  real(8) :: w, unused(3)
end module carried
subroutine step(x, z)
  use carried
  real(8) :: x, z
  unused = 0
  z = z*x*w
  w = w + z
end subroutine step
subroutine model(x, n, y)
  use carried
  integer :: n, i
  real(8) :: x(n), y, z
  w = 1
  z = 1
  do i = 1, n
    call step(x(i), z)
  end do
  y = z*w
end subroutine model
""", """\
subroutine step_b(x, xb, z, zb, wb)
  use carried
  implicit none
  real(8) :: x, xb, z, zb, wb
  call pushreal8(z) ! needed
  z = z*x*w
  zb = zb + wb
  call popreal8(z)
  xb = xb + z*w*zb
  wb = wb + z*x*zb
  zb = x*w*zb
end subroutine step_b
subroutine model_b(x, xb, n, y, yb)
  use carried
  implicit none
  integer :: n, i
  real(8) :: x(n), xb(n), y, yb, z, zb, wb
  w = 1
  z = 1
  do i=1,n
    call pushreal8array(unused, 3) ! gone
    call pushreal8(w) ! needed
    call pushreal8(z) ! needed
    call pushreal8(x(i)) ! gone
    call step(x(i), z)
  end do
  zb = w*yb
  wb = z*yb
  do i=n,1,-1
    call popreal8(x(i))
    call popreal8(z)
    call popreal8(w)
    call popreal8array(unused, 3)
    call step_b(x(i), xb(i), z, zb, wb)
  end do
  yb = 0
end subroutine model_b
""")

NESTED = AdjointCase("nested", "model(x)>(y)", """\
subroutine model(x, n, y)
  integer :: n, i, k
  real(8) :: x(n), y, a(n)
  a = x
  do k = 1, 3
    do i = 2, n
      a(i) = a(i)*a(i-1)
    end do
    if (k == 2) a = sin(a)
  end do
  y = sum(a)
end subroutine model
""", """\
subroutine model_b(x, xb, n, y, yb)
  implicit none
  integer :: n, i, k, branch
  real(8) :: x(n), xb(n), y, yb, a(n), ab(n)
  a = x
  call pushreal8array(a, n) ! gone
  do k=1,3
    call pushreal8array(a, n) ! kept
    do i=2,n
      call pushreal8(a(i)) ! needed
      a(i) = a(i)*a(i-1)
    end do
    if (k .eq. 2) then
      call pushreal8array(a, n) ! needed
      a = sin(a)
      call pushcontrol1b(1)
    else
      call pushcontrol1b(0)
    end if
  end do
  ab = yb
  do k=3,1,-1
    call popcontrol1b(branch)
    if (branch .ne. 0) then
      call popreal8array(a, n)
      ab = cos(a)*ab
    end if
    do i=n,2,-1
      call popreal8(a(i))
      ab(i-1) = ab(i-1) + a(i)*ab(i)
      ab(i) = a(i-1)*ab(i)
    end do
    call popreal8array(a, n)
  end do
  call popreal8array(a, n)
  xb = xb + ab
  yb = 0
end subroutine model_b
""")

ELEMENTS = AdjointCase("elements", "model(x)>(y)", """\
subroutine part(a, n, s)
  integer :: n
  real(8) :: a(n), s
  s = sum(a*a)
end subroutine part
subroutine model(x, n, y)
  integer :: n, i, k
  real(8) :: x(n), y, a(n), s
  a = x
  s = 0
  do k = 1, 3
    call part(a, n, s)
    do i = 1, n
      a(i) = a(i)*s
    end do
  end do
  y = sum(a)
end subroutine model
""", """\
subroutine part_b(a, ab, n, s, sb)
  implicit none
  integer :: n
  real(8) :: a(n), ab(n), s, sb
  ab = ab + 2*a*sb
  sb = 0
end subroutine part_b
subroutine model_b(x, xb, n, y, yb)
  implicit none
  integer :: n, i, k
  real(8) :: x(n), xb(n), y, yb, a(n), ab(n), s, sb
  a = x
  s = 0
  do k=1,3
    call pushreal8(s) ! needed
    call part(a, n, s)
    do i=1,n
      call pushreal8(a(i)) ! needed
      a(i) = a(i)*s
    end do
  end do
  ab = yb
  do k=3,1,-1
    sb = 0
    do i=n,1,-1
      call popreal8(a(i))
      sb = sb + a(i)*ab(i)
      ab(i) = s*ab(i)
    end do
    call popreal8(s)
    call part_b(a, ab, n, s, sb)
  end do
  xb = xb + ab
  yb = 0
end subroutine model_b
""")

WORKSPACE = AdjointCase("workspace", "model(x)>(y)", """\
subroutine rate(n, u, du)
  integer :: n
  real(8) :: u(n), du(n)
  du = u*u
end subroutine rate
subroutine step(n, w)
  integer :: n
  real(8) :: w(n, 3)
  call rate(n, w(1, 1), w(1, 2))
  w(:, 1) = w(:, 1) + 0.1d0*w(:, 2)
  call rate(n, w(1, 1), w(1, 3))
  w(:, 1) = w(:, 1) + 0.1d0*w(:, 3)
end subroutine step
subroutine model(x, n, y)
  integer :: n, i
  real(8) :: x(n), y, w(n, 3)
  w(:, 1) = x
  do i = 1, 3
    call step(n, w)
  end do
  y = sum(w(:, 1))
end subroutine model
""", """\
subroutine rate_b(n, u, ub, du, dub)
  implicit none
  integer :: n
  real(8) :: u(n), ub(n), du(n), dub(n)
  ub = ub + 2*u*dub
  dub = 0
end subroutine rate_b
subroutine step_b(n, w, wb)
  implicit none
  integer :: n
  real(8) :: w(n, 3), wb(n, 3)
  call rate(n, w(1, 1), w(1, 2))
  call pushreal8array(w(:, 1), n) ! needed
  w(:, 1) = w(:, 1) + 0.1d0*w(:, 2)
  wb(:, 3) = wb(:, 3) + 0.1d0*wb(:, 1)
  call rate_b(n, w(1, 1), wb(1, 1), w(1, 3), wb(1, 3))
  call popreal8array(w(:, 1), n)
  wb(:, 2) = wb(:, 2) + 0.1d0*wb(:, 1)
  call rate_b(n, w(:, 1), wb(:, 1), w(1:, 2), wb(1:, 2))
end subroutine step_b
subroutine model_b(x, xb, n, y, yb)
  implicit none
  integer :: n, i
  real(8) :: x(n), xb(n), y, yb, w(n, 3), wb(n, 3)
  w(:, 1) = x
  do i=1,3
    call pushreal8array(w(:, 1), n) ! needed
    call pushreal8array(w(:, 3), n) ! gone
    call step(n, w)
  end do
  wb = 0
  wb(:, 1) = yb
  do i=3,1,-1
    call popreal8array(w(:, 3), n)
    call popreal8array(w(:, 1), n)
    call step_b(n, w, wb)
  end do
  xb = xb + wb(:, 1)
  yb = 0
end subroutine model_b
""")

CASES = (LOOP, BRANCH, CALLS, NESTED, ELEMENTS, WORKSPACE)
