! A linear-Gaussian smoother: forward filter kept in time, backward pass, 2 by 2 algebra in functions with array results.
module algebra2
  implicit none
contains
  function inverse(a) result(b)
    real(8), intent(in) :: a(2, 2)
    real(8) :: b(2, 2), det
    det = a(1, 1)*a(2, 2) - a(1, 2)*a(2, 1)
    b(1, 1) = a(2, 2)/det
    b(2, 2) = a(1, 1)/det
    b(1, 2) = -a(1, 2)/det
    b(2, 1) = -a(2, 1)/det
  end function
  function product2(a, b) result(c)
    real(8), intent(in) :: a(2, 2), b(2, 2)
    real(8) :: c(2, 2)
    integer :: i, j
    do j = 1, 2
      do i = 1, 2
        c(i, j) = a(i, 1)*b(1, j) + a(i, 2)*b(2, j)
      end do
    end do
  end function
  function flipped(a) result(b)
    real(8), intent(in) :: a(2, 2)
    real(8) :: b(2, 2)
    b(1, 1) = a(1, 1)
    b(1, 2) = a(2, 1)
    b(2, 1) = a(1, 2)
    b(2, 2) = a(2, 2)
  end function
  function times(a, x) result(y)
    real(8), intent(in) :: a(2, 2), x(2)
    real(8) :: y(2)
    y(1) = a(1, 1)*x(1) + a(1, 2)*x(2)
    y(2) = a(2, 1)*x(1) + a(2, 2)*x(2)
  end function
  function sandwich(f, p) result(s)
    real(8), intent(in) :: f(2, 2), p(2, 2)
    real(8) :: s(2, 2)
    s = product2(f, product2(p, flipped(f)))
  end function
end module
subroutine smoother(nt, noise, obs_noise, f, z, evidence)
  use algebra2
  implicit none
  integer, intent(in) :: nt
  real(8), intent(in) :: noise, obs_noise, f(2, 2), z(nt)
  real(8), intent(out) :: evidence
  real(8) :: x(2, 0:nt), p(2, 2, 0:nt), xp(2, nt), pp(2, 2, nt), gain(2), s, r, g(2, 2), xs(2), ps(2, 2)
  integer :: t
  x(:, 0) = (/0.1d0, 0.2d0/)
  p(:, :, 0) = 0d0
  p(1, 1, 0) = 1d0
  p(2, 2, 0) = 1d0
  evidence = 0d0
  do t = 1, nt
    xp(:, t) = times(f, x(:, t - 1))
    pp(:, :, t) = sandwich(f, p(:, :, t - 1))
    pp(1, 1, t) = pp(1, 1, t) + noise
    pp(2, 2, t) = pp(2, 2, t) + noise
    s = pp(1, 1, t) + obs_noise
    r = z(t) - xp(1, t)
    gain = pp(:, 1, t)/s
    x(:, t) = xp(:, t) + gain*r
    p(:, 1, t) = pp(:, 1, t) - gain*pp(1, 1, t)
    p(:, 2, t) = pp(:, 2, t) - gain*pp(1, 2, t)
    evidence = evidence + r*r/s + log(s)
  end do
  xs = x(:, nt)
  ps = p(:, :, nt)
  do t = nt - 1, 1, -1
    g = product2(p(:, :, t), product2(flipped(f), inverse(pp(:, :, t + 1))))
    xs = x(:, t) + times(g, xs - xp(:, t + 1))
    ps = p(:, :, t) + sandwich(g, ps - pp(:, :, t + 1))
    evidence = evidence + 0.1d0*(xs(1) - z(t))**2 + 0.01d0*ps(1, 1)
  end do
end subroutine
