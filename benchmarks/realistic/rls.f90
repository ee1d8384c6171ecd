! An adaptive filter: recursive least squares with forgetting on columns of one work array, resets when the covariance
! winds up, a dead zone, and an inner sign filter on the innovation.
subroutine gain_vector(n, p, phi, lam, k, s)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: p(n, n), phi(n), lam
  real(8), intent(out) :: k(n), s
  integer :: i, j
  s = lam
  do i = 1, n
    k(i) = 0d0
    do j = 1, n
      k(i) = k(i) + p(i, j)*phi(j)
    end do
    s = s + phi(i)*k(i)
  end do
  do i = 1, n
    k(i) = k(i)/s
  end do
end subroutine gain_vector
subroutine update(n, p, phi, k, lam, trace)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: p(n, n)
  real(8), intent(in) :: phi(n), k(n), lam
  real(8), intent(out) :: trace
  real(8) :: row(n)
  integer :: i, j
  do j = 1, n
    row(j) = 0d0
    do i = 1, n
      row(j) = row(j) + phi(i)*p(i, j)
    end do
  end do
  trace = 0d0
  do j = 1, n
    do i = 1, n
      p(i, j) = (p(i, j) - k(i)*row(j))/lam
    end do
    trace = trace + p(j, j)
  end do
end subroutine update
subroutine shift(n, phi, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: phi(n)
  real(8), intent(in) :: x, y
  integer :: i
  do i = n, 3, -1
    phi(i) = phi(i-2)
  end do
  phi(1) = x
  phi(2) = y
end subroutine shift
real(8) function dot(n, a, b)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: a(n), b(n)
  integer :: i
  dot = 0d0
  do i = 1, n
    dot = dot + a(i)*b(i)
  end do
end function dot
subroutine rls(nt, x, noise, lam0, zone, err)
  implicit none
  integer, parameter :: n = 4
  integer, intent(in) :: nt
  real(8), intent(in) :: x(nt), noise(nt), lam0, zone
  real(8), intent(out) :: err
  real(8) :: w(n, 4), p(n, n), lam, s, e, y, yold, trace
  real(8), external :: dot
  integer :: t, i, resets
  w = 0d0
  p = 0d0
  do i = 1, n
    p(i, i) = 10d0
  end do
  lam = 0.8d0 + 0.1d0*lam0
  y = 0d0
  err = 0d0
  resets = 0
  do t = 1, nt
    call shift(n, w(1, 1), x(t), y)
    yold = y
    y = 0.6d0*yold + x(t)/(1d0 + yold**2) + 0.1d0*noise(t)
    e = y - dot(n, w(1, 1), w(1, 2))
    if (abs(e) < 0.05d0*zone) cycle
    call gain_vector(n, p, w(1, 1), lam, w(1, 3), s)
    do i = 1, n
      w(i, 4) = w(i, 2)
      w(i, 2) = w(i, 2) + w(i, 3)*e
    end do
    if (s > 4d0) then
      e = max(-1d0, min(1d0, e))
      w(:, 2) = w(:, 4) + w(:, 3)*e
    end if
    call update(n, p, w(1, 1), w(1, 3), lam, trace)
    if (trace > 1d2) then
      resets = resets + 1
      p = 0.5d0*p
    end if
    err = err + e*e/(1d0 + s)
  end do
  err = err + dot(n, w(1, 2), w(1, 2))
end subroutine rls
