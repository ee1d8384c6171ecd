! Lorenz 96 by Runge and Kutta's fourth order.
subroutine lorenz96(x0, f, cost, n, nt)
  implicit none
  integer, intent(in) :: n, nt
  real(8), intent(in) :: x0(n), f
  real(8), intent(out) :: cost
  real(8) :: x(n), k(n, 4), w(n)
  real(8), parameter :: c(3) = (/ 0.5d0, 0.5d0, 1d0 /)
  integer :: t, s
  x = x0
  cost = 0d0
  do t = 1, nt
    call tend(x, f, k(:, 1), n)
    do s = 1, 3
      w = x + 0.05d0*c(s)*k(:, s)
      call tend(w, f, k(:, s+1), n)
    end do
    x = x + 0.05d0/6d0*(k(:,1) + 2d0*k(:,2) + 2d0*k(:,3) + k(:,4))
    cost = cost + sum(x**2)
  end do
end subroutine lorenz96
subroutine tend(x, f, d, n)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n), f
  real(8), intent(out) :: d(n)
  integer :: i, im, ip, im2
  do i = 1, n
    im = i - 1
    if (im < 1) im = im + n
    im2 = i - 2
    if (im2 < 1) im2 = im2 + n
    ip = i + 1
    if (ip > n) ip = 1
    d(i) = (x(ip) - x(im2))*x(im) - x(i) + f
  end do
end subroutine tend
