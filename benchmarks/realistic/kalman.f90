! A Kalman filter: prediction, gain, update of mean and covariance.
subroutine kalman(a, q, obs, like, n, nt)
  implicit none
  integer, intent(in) :: n, nt
  real(8), intent(in) :: a(n, n), q, obs(nt)
  real(8), intent(out) :: like
  real(8) :: x(n), p(n, n), k(n), s, innov, xp(n), pp(n, n)
  integer :: t, i
  x = 0.1d0
  p = 0d0
  do i = 1, n
    p(i, i) = 1d0
  end do
  like = 0d0
  do t = 1, nt
    call predict(a, q, x, p, xp, pp, n)
    innov = obs(t) - xp(1)*(1d0 + 0.1d0*xp(2))
    s = pp(1, 1) + 0.5d0
    k = pp(:, 1)/s
    like = like + log(s) + innov**2/s
    x = xp + k*innov
    call update(p, pp, k, n)
  end do
end subroutine kalman
subroutine predict(a, q, x, p, xp, pp, n)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: a(n, n), q, x(n), p(n, n)
  real(8), intent(out) :: xp(n), pp(n, n)
  real(8) :: ap(n, n)
  integer :: i, j
  do i = 1, n
    xp(i) = sum(a(i, :)*x)
  end do
  xp(2) = xp(2) + 0.05d0*sin(xp(1))
  do j = 1, n
    do i = 1, n
      ap(i, j) = sum(a(i, :)*p(:, j))
    end do
  end do
  do j = 1, n
    do i = 1, n
      pp(i, j) = sum(ap(i, :)*a(j, :))
    end do
    pp(j, j) = pp(j, j) + q
  end do
end subroutine predict
subroutine update(p, pp, k, n)
  implicit none
  integer, intent(in) :: n
  real(8), intent(out) :: p(n, n)
  real(8), intent(in) :: pp(n, n), k(n)
  integer :: i, j
  do j = 1, n
    do i = 1, n
      p(i, j) = pp(i, j) - k(i)*pp(1, j)
    end do
  end do
end subroutine update
