! Heat in a ceramic block by Douglas's ADI in three directions: conductivity and heat capacity from tables by linear search,
! radiation at the top, one line routine for all directions with strided work copies.
module props
  implicit none
  integer, parameter :: nt = 5
  real(8), parameter :: tt(nt) = (/ 0d0, 0.6d0, 1.0d0, 1.4d0, 3.0d0 /)
  real(8) :: kt(nt), ct(nt)
contains
  subroutine look(t, k, c)
    real(8), intent(in) :: t
    real(8), intent(out) :: k, c
    integer :: i
    real(8) :: w
    i = 1
    do while (i < nt - 1 .and. t > tt(i+1))
      i = i + 1
    end do
    w = (t - tt(i))/(tt(i+1) - tt(i))
    k = kt(i) + w*(kt(i+1) - kt(i))
    c = ct(i) + w*(ct(i+1) - ct(i))
  end subroutine look
end module props
subroutine thomas(n, a, b, c, d)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: a(n), b(n), c(n), d(n)
  real(8) :: m
  integer :: i
  do i = 2, n
    m = a(i)/b(i-1)
    b(i) = b(i) - m*c(i-1)
    d(i) = d(i) - m*d(i-1)
  end do
  d(n) = d(n)/b(n)
  do i = n - 1, 1, -1
    d(i) = (d(i) - c(i)*d(i+1))/b(i)
  end do
end subroutine thomas
subroutine line(n, k, c, told, delta, lam)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: k(n), c(n), told(n), lam
  real(8), intent(inout) :: delta(n)
  real(8) :: a(n), b(n), cc(n), kp, km
  integer :: i
  do i = 1, n
    kp = 0d0
    km = 0d0
    if (i < n) kp = 0.5d0*(k(i) + k(i+1))
    if (i > 1) km = 0.5d0*(k(i) + k(i-1))
    a(i) = -0.5d0*lam*km
    cc(i) = -0.5d0*lam*kp
    b(i) = c(i) - a(i) - cc(i)
    delta(i) = c(i)*delta(i)
  end do
  call thomas(n, a, b, cc, delta)
end subroutine line
subroutine explicit_rate(nx, ny, nz, t, k, r)
  implicit none
  integer, intent(in) :: nx, ny, nz
  real(8), intent(in) :: t(nx, ny, nz), k(nx, ny, nz)
  real(8), intent(out) :: r(nx, ny, nz)
  integer :: i, j, l
  r = 0d0
  do l = 1, nz
    do j = 1, ny
      do i = 1, nx
        if (i > 1) r(i, j, l) = r(i, j, l) + 0.5d0*(k(i, j, l) + k(i-1, j, l))*(t(i-1, j, l) - t(i, j, l))
        if (i < nx) r(i, j, l) = r(i, j, l) + 0.5d0*(k(i, j, l) + k(i+1, j, l))*(t(i+1, j, l) - t(i, j, l))
        if (j > 1) r(i, j, l) = r(i, j, l) + 0.5d0*(k(i, j, l) + k(i, j-1, l))*(t(i, j-1, l) - t(i, j, l))
        if (j < ny) r(i, j, l) = r(i, j, l) + 0.5d0*(k(i, j, l) + k(i, j+1, l))*(t(i, j+1, l) - t(i, j, l))
        if (l > 1) r(i, j, l) = r(i, j, l) + 0.5d0*(k(i, j, l) + k(i, j, l-1))*(t(i, j, l-1) - t(i, j, l))
        if (l < nz) r(i, j, l) = r(i, j, l) + 0.5d0*(k(i, j, l) + k(i, j, l+1))*(t(i, j, l+1) - t(i, j, l))
      end do
    end do
  end do
end subroutine explicit_rate
subroutine douglas(nx, nsteps, t0, kin, cin, eps, hot, dose)
  use props
  implicit none
  integer, intent(in) :: nx, nsteps
  real(8), intent(in) :: t0(nx, 3, 3), kin(5), cin(5), eps, hot(nsteps)
  real(8), intent(out) :: dose
  integer, parameter :: ny = 3, nz = 3
  real(8) :: t(nx, ny, nz), k(nx, ny, nz), c(nx, ny, nz), r(nx, ny, nz), lam
  integer :: is, i, j, l
  kt = kin
  ct = cin
  t = t0
  lam = 0.2d0
  dose = 0d0
  do is = 1, nsteps
    do l = 1, nz
      do j = 1, ny
        do i = 1, nx
          call look(t(i, j, l), k(i, j, l), c(i, j, l))
        end do
      end do
    end do
    call explicit_rate(nx, ny, nz, t, k, r)
    do j = 1, ny
      do i = 1, nx
        r(i, j, nz) = r(i, j, nz) + 0.2d0*eps*((hot(is) + 0.5d0)**4 - t(i, j, nz)**4)
      end do
    end do
    r = lam*r/c
    do l = 1, nz
      do j = 1, ny
        call line(nx, k(:, j, l), c(:, j, l), t(:, j, l), r(:, j, l), lam)
      end do
    end do
    do l = 1, nz
      do i = 1, nx
        call line(ny, k(i, :, l), c(i, :, l), t(i, :, l), r(i, :, l), lam)
      end do
    end do
    do j = 1, ny
      do i = 1, nx
        call line(nz, k(i, j, :), c(i, j, :), t(i, j, :), r(i, j, :), lam)
      end do
    end do
    t = t + r
    if (t(1, 1, 1) > 1d0) dose = dose + (t(1, 1, 1) - 1d0)**2
  end do
  dose = dose + sum(t**2)
end subroutine douglas
