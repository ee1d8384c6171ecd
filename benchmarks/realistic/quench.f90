! A quench in a superconducting coil: turns times layers, material laws in SELECT CASE, current sharing, implicit sweeps along
! the strand (columns) and across layers (strided rows) with one line solver, the current decays through a dump resistor.
module coilmat
  implicit none
contains
  real(8) function cp(mat, t)
    integer, intent(in) :: mat
    real(8), intent(in) :: t
    select case (mat)
    case (1)
      cp = 0.1d0 + 0.3d0*t**3/(1d0 + t**2)
    case (2)
      if (t < 0.9d0) then
        cp = 0.2d0 + 0.5d0*t**3
      else
        cp = 0.2d0 + 0.4d0*t
      end if
    case default
      cp = 0.5d0
    end select
  end function cp
  real(8) function rho(t)
    real(8), intent(in) :: t
    rho = 0.05d0*sqrt(1d0 + t**4)
  end function rho
  real(8) function share(t, cur)
    real(8), intent(in) :: t, cur
    real(8) :: tc, tcs
    tc = 0.9d0
    tcs = tc - 0.4d0*cur
    if (t <= tcs) then
      share = 0d0
    else if (t < tc) then
      share = (t - tcs)/(tc - tcs)
    else
      share = 1d0
    end if
  end function share
  subroutine line(n, inc, k, c, t)
    integer, intent(in) :: n, inc
    real(8), intent(in) :: k, c(1 + (n-1)*inc)
    real(8), intent(inout) :: t(1 + (n-1)*inc)
    real(8) :: u(20), d
    integer :: i, p
    d = c(1) + k
    u(1) = k/d
    t(1) = c(1)*t(1)/d
    do i = 2, n
      p = 1 + (i - 1)*inc
      d = c(p) + k*(2d0 - u(i-1))
      if (i == n) d = d - k
      u(i) = k/d
      t(p) = (c(p)*t(p) + k*t(p-inc))/d
    end do
    do i = n - 1, 1, -1
      p = 1 + (i - 1)*inc
      t(p) = t(p) + u(i)*t(p+inc)
    end do
  end subroutine line
end module coilmat
subroutine quench(nt, t0, spot, i0, rd, ind, kl, kt, hot)
  use coilmat
  implicit none
  integer, intent(in) :: nt
  integer, parameter :: m = 5, n = 4
  real(8), intent(in) :: t0, spot, i0, rd, ind, kl, kt
  real(8), intent(out) :: hot
  real(8) :: t(m, n), c(m, n), cur, r, dt, s
  integer :: it, i, j
  dt = 0.1d0
  t = 0.3d0*t0
  t(2, 2) = t(2, 2) + spot
  cur = i0
  do it = 1, nt
    r = 0d0
    do j = 1, n
      do i = 1, m
        c(i, j) = 0.6d0*cp(1, t(i, j)) + 0.3d0*cp(2, t(i, j)) + 0.1d0*cp(3, t(i, j))
        s = share(t(i, j), cur)*rho(t(i, j))
        r = r + s
        t(i, j) = t(i, j) + dt*s*cur**2/c(i, j)
      end do
    end do
    !$AD CHECKPOINT-START
    do j = 1, n
      call line(m, 1, dt*kl, c(1, j), t(1, j))
    end do
    do i = 1, m
      call line(n, m, 0.1d0*dt*kt, c(i, 1), t(i, 1))
    end do
    !$AD CHECKPOINT-END
    cur = cur*exp(-dt*(rd + r)/(0.5d0 + ind))
  end do
  hot = 0d0
  do j = 1, n
    do i = 1, m
      hot = hot + t(i, j)**4
    end do
  end do
  hot = hot**0.25d0
end subroutine quench
