! Piecewise parabolic hydrodynamics on a line: reconstruction, characteristic tracing, an approximate Riemann solver, ghost
! cells by kind of border, directional sources; four levels of calls, work arrays of derived type.
module eos
  implicit none
  real(8), parameter :: gamma = 1.4d0, small = 1d-8
contains
  subroutine cons_to_prim(r, m, e, u, p)
    real(8), intent(in) :: r, m, e
    real(8), intent(out) :: u, p
    u = m/r
    p = max((gamma - 1d0)*(e - 0.5d0*m*u), small)
  end subroutine cons_to_prim
  real(8) function sound(r, p)
    real(8), intent(in) :: r, p
    sound = sqrt(gamma*p/r)
  end function sound
end module eos
module recon
  implicit none
  integer, parameter :: ng = 3
  type edge
    real(8), dimension(:), allocatable :: l, r
  end type edge
contains
  subroutine parabola(n, a, e)
    integer, intent(in) :: n
    real(8), intent(in) :: a(1-ng:n+ng)
    type(edge), intent(inout) :: e
    real(8) :: d(1-ng:n+ng), al, ar, s, q
    integer :: i
    do i = 2 - ng, n + ng - 1
      d(i) = slope(a(i) - a(i-1), a(i+1) - a(i))
    end do
    do i = 0, n + 1
      al = 0.5d0*(a(i-1) + a(i)) - (d(i) - d(i-1))/6d0
      ar = 0.5d0*(a(i) + a(i+1)) - (d(i+1) - d(i))/6d0
      if ((ar - a(i))*(a(i) - al) <= 0d0) then
        al = a(i)
        ar = a(i)
      else
        s = ar - al
        q = 6d0*(a(i) - 0.5d0*(al + ar))
        if (s*q > s*s) then
          al = 3d0*a(i) - 2d0*ar
        else if (s*q < -s*s) then
          ar = 3d0*a(i) - 2d0*al
        end if
      end if
      e%l(i) = al
      e%r(i) = ar
    end do
  end subroutine parabola
  real(8) function slope(x, y)
    real(8), intent(in) :: x, y
    if (x*y > 0d0) then
      slope = sign(min(2d0*abs(x), 2d0*abs(y), 0.5d0*abs(x + y)), x + y)
    else
      slope = 0d0
    end if
  end function slope
end module recon
module solver
  use eos
  use recon
  implicit none
contains
  subroutine riemann(rl, ul, pl, rr, ur, pr, f)
    real(8), intent(in) :: rl, ul, pl, rr, ur, pr
    real(8), intent(out) :: f(3)
    real(8) :: cl, cr, sl, sr, fl(3), fr(3), el, er
    cl = sound(rl, pl)
    cr = sound(rr, pr)
    sl = min(ul - cl, ur - cr)
    sr = max(ul + cl, ur + cr)
    el = pl/(gamma - 1d0) + 0.5d0*rl*ul**2
    er = pr/(gamma - 1d0) + 0.5d0*rr*ur**2
    fl = (/rl*ul, rl*ul**2 + pl, ul*(el + pl)/)
    fr = (/rr*ur, rr*ur**2 + pr, ur*(er + pr)/)
    if (sl >= 0d0) then
      f = fl
    else if (sr <= 0d0) then
      f = fr
    else
      f = (sr*fl - sl*fr + sl*sr*((/rr, rr*ur, er/) - (/rl, rl*ul, el/)))/(sr - sl)
    end if
  end subroutine riemann
  subroutine borders(n, a, flip, kind)
    integer, intent(in) :: n, kind
    real(8), intent(inout) :: a(1-ng:n+ng)
    real(8), intent(in) :: flip
    integer :: g
    do g = 1, ng
      select case (kind)
      case (1)
        a(1-g) = flip*a(g)
        a(n+g) = flip*a(n+1-g)
      case default
        a(1-g) = a(1)
        a(n+g) = a(n)
      end select
    end do
  end subroutine borders
  subroutine sweep(n, u, dtdx)
    integer, intent(in) :: n
    real(8), intent(inout) :: u(1-ng:n+ng, 3)
    real(8), intent(in) :: dtdx
    real(8) :: r(1-ng:n+ng), v(1-ng:n+ng), p(1-ng:n+ng), f(3, 0:n)
    type(edge) :: er, ev, ep
    integer :: i
    allocate (er%l(0:n+1), er%r(0:n+1), ev%l(0:n+1), ev%r(0:n+1), ep%l(0:n+1), ep%r(0:n+1))
    call borders(n, u(:, 1), 1d0, 1)
    call borders(n, u(:, 2), -1d0, 1)
    call borders(n, u(:, 3), 1d0, 2)
    r = u(:, 1)
    do i = 1 - ng, n + ng
      call cons_to_prim(u(i, 1), u(i, 2), u(i, 3), v(i), p(i))
    end do
    call parabola(n, r, er)
    call parabola(n, v, ev)
    call parabola(n, p, ep)
    do i = 0, n
      call riemann(er%r(i), ev%r(i), ep%r(i), er%l(i+1), ev%l(i+1), ep%l(i+1), f(:, i))
    end do
    do i = 1, n
      u(i, :) = u(i, :) - dtdx*(f(:, i) - f(:, i-1))
    end do
    deallocate (er%l, er%r, ev%l, ev%r, ep%l, ep%r)
  end subroutine sweep
end module solver
subroutine ppm(n, nt, r0, p0, grav, cost)
  use solver
  implicit none
  integer, intent(in) :: n, nt
  real(8), intent(in) :: r0(n), p0(n), grav
  real(8), intent(out) :: cost
  real(8) :: u(1-ng:n+ng, 3), m
  integer :: it, i
  u = 0d0
  do i = 1, n
    u(i, 1) = r0(i)
    u(i, 2) = 0.1d0*r0(i)*(i - 3)
    u(i, 3) = p0(i)/(gamma - 1d0) + 0.5d0*u(i, 2)**2/u(i, 1)
  end do
  do it = 1, nt
    call sweep(n, u, 0.1d0)
    do i = 1, n
      m = u(i, 2)
      u(i, 2) = m + 0.01d0*grav*u(i, 1)
      u(i, 3) = u(i, 3) + 0.5d0*(u(i, 2)**2 - m**2)/u(i, 1)
    end do
  end do
  cost = sum(u(1:n, 3)**2) + u(2, 2)
end subroutine ppm
