! Blood flow in a branching tree of arteries: characteristic variables, a Newton iteration at each junction, windkessels
! at the leaves; the tree as integer arrays.
module vessels
  implicit none
  integer, parameter :: nv = 3
  integer :: parent(nv) = (/0, 1, 1/)
  integer :: leaf(nv) = (/0, 1, 1/)
contains
  real(8) function celerity(a, beta)
    real(8), intent(in) :: a, beta
    celerity = sqrt(0.5d0*beta*sqrt(a))
  end function celerity
  subroutine chars(a, u, beta, wf, wb)
    real(8), intent(in) :: a, u, beta
    real(8), intent(out) :: wf, wb
    real(8) :: c
    c = celerity(a, beta)
    wf = u + 4d0*c
    wb = u - 4d0*c
  end subroutine chars
  subroutine state(wf, wb, beta, a, u)
    real(8), intent(in) :: wf, wb, beta
    real(8), intent(out) :: a, u
    u = 0.5d0*(wf + wb)
    a = (((wf - wb)/8d0)**2*2d0/beta)**2
  end subroutine state
  subroutine junction(w, beta, x, ok)
    real(8), intent(in) :: w(nv), beta(nv)
    real(8), intent(inout) :: x(nv)
    integer, intent(out) :: ok
    real(8) :: r, dr, p, ai, ui, ci
    integer :: it, k
    ok = 0
    p = 0.5d0*x(1)
    do it = 1, 8
      r = 0d0
      dr = 0d0
      do k = 1, nv
        ai = ((p + beta(k))/beta(k))**2
        ci = celerity(ai, beta(k))
        if (k == 1) then
          ui = w(k) - 4d0*ci
          r = r + ai*ui
          dr = dr + 2d0*(p + beta(k))/beta(k)**2*ui - ci
        else
          ui = w(k) + 4d0*ci
          r = r - ai*ui
          dr = dr - 2d0*(p + beta(k))/beta(k)**2*ui - ci
        end if
      end do
      if (abs(r) < 1d-10) then
        ok = 1
        exit
      end if
      p = p - 0.5d0*r/dr
    end do
    do k = 1, nv
      x(k) = ((p + beta(k))/beta(k))**2
    end do
  end subroutine junction
  subroutine interior(n, a, u, beta, dt, an, un)
    integer, intent(in) :: n
    real(8), intent(in) :: a(n), u(n), beta, dt
    real(8), intent(inout) :: an(n), un(n)
    real(8) :: fl, fr, pl, pr
    integer :: i
    do i = 2, n - 1
      fl = a(i-1)*u(i-1)
      fr = a(i+1)*u(i+1)
      pl = beta*sqrt(a(i-1)) + 0.5d0*u(i-1)**2
      pr = beta*sqrt(a(i+1)) + 0.5d0*u(i+1)**2
      an(i) = 0.5d0*(a(i-1) + a(i+1)) - 0.5d0*dt*(fr - fl)
      un(i) = 0.5d0*(u(i-1) + u(i+1)) - 0.5d0*dt*(pr - pl) - dt*0.1d0*u(i)/a(i)
    end do
  end subroutine interior
end module vessels
subroutine arteries(n, nt, stiff, inflow, res, pmean)
  use vessels
  implicit none
  integer, intent(in) :: n, nt
  real(8), intent(in) :: stiff(nv), inflow(nt), res(nv)
  real(8), intent(out) :: pmean
  real(8) :: a(n, nv), u(n, nv), an(n, nv), un(n, nv), beta(nv), w(nv), x(nv), wf, wb, cap(nv), dt
  integer :: it, k, ok
  beta = 1d0 + stiff
  a = 1d0
  u = 0d0
  cap = 0d0
  dt = 0.1d0
  pmean = 0d0
  do it = 1, nt
    do k = 1, nv
      call interior(n, a(1, k), u(1, k), beta(k), dt, an(1, k), un(1, k))
    end do
    call chars(a(2, 1), u(2, 1), beta(1), wf, wb)
    un(1, 1) = 0.3d0*inflow(it)
    an(1, 1) = ((un(1, 1) - wb)/4d0)**4*4d0/beta(1)**2
    do k = 1, nv
      if (k == 1) then
        call chars(a(n-1, k), u(n-1, k), beta(k), w(k), wb)
        x(k) = a(n, k)
      else
        call chars(a(2, k), u(2, k), beta(k), wf, w(k))
        x(k) = a(1, k)
      end if
    end do
    call junction(w, beta, x, ok)
    do k = 1, nv
      if (k == 1) then
        an(n, k) = x(k)
        un(n, k) = w(k) - 4d0*celerity(x(k), beta(k))
      else
        an(1, k) = x(k)
        un(1, k) = w(k) + 4d0*celerity(x(k), beta(k))
      end if
      if (leaf(k) == 1) then
        cap(k) = cap(k) + dt*(a(n, k)*u(n, k) - cap(k)/(1d0 + res(k)))
        call chars(a(n-1, k), u(n-1, k), beta(k), wf, wb)
        wb = -4d0*celerity(1d0 + 0.1d0*cap(k), beta(k))
        call state(wf, wb, beta(k), an(n, k), un(n, k))
      end if
    end do
    a = an
    u = un
    pmean = pmean + beta(1)*(sqrt(a(n/2, 1)) - 1d0)
  end do
end subroutine arteries
