! Unconfined ground water with pumping wells: Picard's iteration on the saturated thickness, rows swept by Thomas's
! algorithm, a river that loses or gains, wells that stop when the water is too deep.
subroutine well_field(n, nt, k, base, recharge, observed, miss)
  implicit none
  integer, intent(in) :: n, nt
  real(8), intent(in) :: k(n, n), base(3), recharge(n, n), observed(3)
  real(8), intent(out) :: miss
  real(8) :: h(n, n), h0(n, n), t(n, n), q(3), stage
  integer :: wi(3), wj(3), it, p, m
  do m = 1, 3
    wi(m) = m + 1
    wj(m) = 5 - m
  end do
  h = 2d0
  miss = 0d0
  do it = 1, nt
    h0 = h
    stage = 1.8d0 + 0.2d0*cos(0.3d0*it)
    do m = 1, 3
      call pump(base(m), h(wi(m), wj(m)), q(m))
    end do
    do p = 1, 3
      call thickness(n, k, h, t)
      call rows(n, t, h0, recharge, stage, wi, wj, q, h)
    end do
    do m = 1, 3
      miss = miss + (h(wi(m), wj(m)) - observed(m) - 1d0)**2
    end do
  end do
end subroutine
subroutine pump(base, h, q)
  implicit none
  real(8), intent(in) :: base, h
  real(8), intent(out) :: q
  real(8) :: lift
  lift = 3d0 - h
  if (lift > 2.5d0) then
    q = 0d0
  else
    q = 0.2d0*base/(1d0 + lift*lift)
  end if
end subroutine
subroutine thickness(n, k, h, t)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: k(n, n), h(n, n)
  real(8), intent(out) :: t(n, n)
  integer :: i, j
  do j = 1, n
    do i = 1, n
      t(i, j) = (0.5d0 + k(i, j))*max(h(i, j), 0.1d0)
    end do
  end do
end subroutine
subroutine rows(n, t, h0, recharge, stage, wi, wj, q, h)
  implicit none
  integer, intent(in) :: n, wi(3), wj(3)
  real(8), intent(in) :: t(n, n), h0(n, n), recharge(n, n), stage, q(3)
  real(8), intent(inout) :: h(n, n)
  real(8) :: a(n), b(n), c(n), d(n), f, north, south
  integer :: i, j, m
  do j = 1, n
    do i = 1, n
      a(i) = 0d0
      c(i) = 0d0
      if (i > 1) a(i) = -0.5d0*(t(i, j) + t(i-1, j))
      if (i < n) c(i) = -0.5d0*(t(i, j) + t(i+1, j))
      b(i) = 5d0 - a(i) - c(i)
      d(i) = 5d0*h0(i, j) + 0.1d0*recharge(i, j)
      if (j > 1) then
        south = 0.5d0*(t(i, j) + t(i, j-1))
        b(i) = b(i) + south
        d(i) = d(i) + south*h(i, j-1)
      end if
      if (j < n) then
        north = 0.5d0*(t(i, j) + t(i, j+1))
        b(i) = b(i) + north
        d(i) = d(i) + north*h(i, j+1)
      end if
      if (i == 1) then
        b(i) = b(i) + 0.3d0
        d(i) = d(i) + 0.3d0*stage
      end if
    end do
    do m = 1, 3
      if (wj(m) == j) d(wi(m)) = d(wi(m)) - q(m)
    end do
    do i = 2, n
      f = a(i)/b(i-1)
      b(i) = b(i) - f*c(i-1)
      d(i) = d(i) - f*d(i-1)
    end do
    h(n, j) = d(n)/b(n)
    do i = n - 1, 1, -1
      h(i, j) = (d(i) - c(i)*h(i+1, j))/b(i)
    end do
  end do
end subroutine
