! American basket put by projected SOR on Crank-Nicolson steps, local volatility from a table with linear interpolation,
! sweeps until the change is small; spot volatilities, rate and dividends are the controls.
module psor_mod
  implicit none
contains
  function localvol(s, t, sk, tab, nk, nt) result(v)
    integer, intent(in) :: nk, nt
    real(8), intent(in) :: s, t, sk(nk), tab(nk,nt)
    real(8) :: v, w, u
    integer :: i, k, l
    k = 1
    do i = 2, nk - 1
      if (s > sk(i)) k = i
    end do
    l = min(nt - 1, max(1, int(t) + 1))
    w = (s - sk(k))/(sk(k+1) - sk(k))
    w = min(max(w, 0d0), 1d0)
    u = t - (l - 1)
    v = (1d0-u)*((1d0-w)*tab(k,l) + w*tab(k+1,l)) + u*((1d0-w)*tab(k,l+1) + w*tab(k+1,l+1))
  end function localvol
  subroutine bands(n, s, t, dt, sk, tab, nk, nt, rate, div, lo, di, up)
    integer, intent(in) :: n, nk, nt
    real(8), intent(in) :: s(0:n), t, dt, sk(nk), tab(nk,nt), rate, div
    real(8), intent(out) :: lo(n-1), di(n-1), up(n-1)
    real(8) :: vol, a, b, ds
    integer :: i
    ds = s(1) - s(0)
    do i = 1, n - 1
      vol = localvol(s(i), t, sk, tab, nk, nt)
      a = 0.5d0*dt*(vol*s(i)/ds)**2
      b = 0.5d0*dt*(rate - div)*s(i)/ds
      lo(i) = a - b
      up(i) = a + b
      di(i) = -2d0*a - rate*dt
    end do
  end subroutine bands
  subroutine psor(n, lo, di, up, rhs, pay, v, maxit)
    integer, intent(in) :: n, maxit
    real(8), intent(in) :: lo(n-1), di(n-1), up(n-1), rhs(n-1), pay(0:n)
    real(8), intent(inout) :: v(0:n)
    real(8) :: y, change
    integer :: it, i
    do it = 1, maxit
      change = 0d0
      do i = 1, n - 1
        y = (rhs(i) + 0.5d0*(lo(i)*v(i-1) + up(i)*v(i+1)))/(1d0 - 0.5d0*di(i))
        y = max(pay(i), v(i) + 1.1d0*(y - v(i)))
        change = change + (y - v(i))**2
        v(i) = y
      end do
      if (change < 1d-8) exit
    end do
  end subroutine psor
end module psor_mod
subroutine amputs(n, m, nk, nt, tab, rate, div, strike, value)
  use psor_mod
  implicit none
  integer, intent(in) :: n, m, nk, nt
  real(8), intent(in) :: tab(nk,nt), rate, div, strike(2)
  real(8), intent(out) :: value
  real(8) :: s(0:n), v(0:n), pay(0:n), lo(n-1), di(n-1), up(n-1), rhs(n-1), sk(nk), dt
  integer :: i, k, step
  do k = 1, nk
    sk(k) = 3d0*(k-1)/(nk-1)
  end do
  do i = 0, n
    s(i) = 3d0*i/n
  end do
  dt = 0.9d0*(nt - 1)/m
  value = 0d0
  do k = 1, 2
    do i = 0, n
      pay(i) = max(1d0 + 0.2d0*strike(k) - s(i), 0d0)
      v(i) = pay(i)
    end do
    do step = 1, m
      call bands(n, s, (m - step)*dt, dt, sk, tab, nk, nt, 0.1d0*rate, 0.05d0*div, lo, di, up)
      do i = 1, n - 1
        rhs(i) = v(i) + 0.5d0*(lo(i)*v(i-1) + di(i)*v(i) + up(i)*v(i+1))
      end do
      call psor(n, lo, di, up, rhs, pay, v, 5)
    end do
    value = value + k*v(n/2) + v(n/3)**2
  end do
end subroutine amputs
