! A tridiagonal solver in a time loop, matrix and right side in one workspace passed from offsets.
subroutine thomas(n, a, b, c, d)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: a(n)
  real(8), intent(inout) :: b(n), c(n), d(n)
  real(8) :: m
  integer :: i
  do i = 2, n
    m = a(i)/b(i - 1)
    b(i) = b(i) - m*c(i - 1)
    d(i) = d(i) - m*d(i - 1)
  end do
  d(n) = d(n)/b(n)
  do i = n - 1, 1, -1
    d(i) = (d(i) - c(i)*d(i + 1))/b(i)
  end do
end subroutine thomas

subroutine assemble(n, t, cond, dt, a, b, c, d)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: t(n), cond, dt
  real(8), intent(out) :: a(n), b(n), c(n), d(n)
  real(8) :: kl, kr
  integer :: i
  do i = 1, n
    kl = 0.0d0
    kr = 0.0d0
    if (i > 1) kl = cond*(1.0d0 + 0.05d0*(t(i - 1) + t(i)))
    if (i < n) kr = cond*(1.0d0 + 0.05d0*(t(i + 1) + t(i)))
    a(i) = -dt*kl
    c(i) = -dt*kr
    b(i) = 1.0d0 + dt*(kl + kr)
    d(i) = t(i)
  end do
end subroutine assemble

subroutine column(n, work, cond, heat, nt)
  implicit none
  integer, intent(in) :: n, nt
  real(8), intent(inout) :: work(5*n)
  real(8), intent(in) :: cond, heat(nt)
  integer :: ia, ib, ic, id, it, i
  ia = n + 1
  ib = 2*n + 1
  ic = 3*n + 1
  id = 4*n + 1
  do it = 1, nt
    work(1) = work(1) + heat(it)
    call assemble(n, work(1), cond, 0.1d0, work(ia), work(ib), work(ic), work(id))
    call thomas(n, work(ia), work(ib), work(ic), work(id))
    do i = 1, n
      work(i) = work(id + i - 1)
    end do
  end do
end subroutine column

subroutine ground(t0, cond, heat, cost)
  implicit none
  integer, parameter :: n = 12, nt = 5
  real(8), intent(in) :: t0(n), cond, heat(nt)
  real(8), intent(out) :: cost
  real(8) :: work(5*n)
  integer :: i
  do i = 1, n
    work(i) = t0(i)
  end do
  call column(n, work, cond, heat, nt)
  cost = 0.0d0
  do i = 1, n
    cost = cost + (work(i) - 1.0d0)**2
  end do
end subroutine ground
