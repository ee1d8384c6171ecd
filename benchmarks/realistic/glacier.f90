! Ice flow along a line: thickness, flux with a power of the slope, surface mass balance.
subroutine glacier(bed, acc, vol, nx, nt)
  implicit none
  integer, intent(in) :: nx, nt
  real(8), intent(in) :: bed(nx), acc(nx)
  real(8), intent(out) :: vol
  real(8) :: h(nx), s(nx), d(nx), work(nx, 6), tol, err, rate
  integer :: t, it
  h = 0.5d0
  do t = 1, nt
    work(:, 6) = h
    do it = 1, 4
      call surface(h, bed, s, nx)
      call diffusivity(h, s, d, nx)
      call assemble(d, work(1, 1), work(1, 2), work(1, 3), nx)
      work(:, 4) = work(:, 6) + 0.1d0*acc
      call sweep(work(1, 1), work(1, 2), work(1, 3), work(1, 4), work(1, 5), nx)
      err = maxval(abs(work(:, 5) - h))
      h = max(work(:, 5), 0.01d0)
      if (err < 1d-3) exit
    end do
    call melt(h, s, nx)
  end do
  vol = sum(h) + sum(h**2)
end subroutine glacier
subroutine surface(h, b, s, n)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: h(n), b(n)
  real(8), intent(out) :: s(n)
  s = h + b
end subroutine surface
subroutine diffusivity(h, s, d, n)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: h(n), s(n)
  real(8), intent(out) :: d(n)
  real(8) :: slope, hm
  integer :: i
  d(1) = 0d0
  do i = 2, n
    slope = s(i) - s(i-1)
    hm = 0.5d0*(h(i) + h(i-1))
    d(i) = 0.3d0*hm**5*slope**2 + 0.01d0
  end do
end subroutine diffusivity
subroutine assemble(d, a, b, c, n)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: d(n)
  real(8), intent(out) :: a(n), b(n), c(n)
  integer :: i
  do i = 1, n
    a(i) = -d(i)
    if (i < n) then
      c(i) = -d(i+1)
    else
      c(i) = 0d0
    end if
    b(i) = 1d0 - a(i) - c(i)
  end do
end subroutine assemble
subroutine sweep(a, b, c, r, x, n)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: a(n), c(n)
  real(8), intent(inout) :: b(n), r(n)
  real(8), intent(out) :: x(n)
  integer :: i
  real(8) :: m
  do i = 2, n
    m = a(i)/b(i-1)
    b(i) = b(i) - m*c(i-1)
    r(i) = r(i) - m*r(i-1)
  end do
  x(n) = r(n)/b(n)
  do i = n-1, 1, -1
    x(i) = (r(i) - c(i)*x(i+1))/b(i)
  end do
end subroutine sweep
subroutine melt(h, s, n)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: h(n)
  real(8), intent(in) :: s(n)
  integer :: i
  do i = 1, n
    if (s(i) < 1d0) then
      h(i) = h(i) - 0.02d0*(1d0 - s(i))**2
    else
      h(i) = h(i)*0.99d0
    end if
  end do
end subroutine melt
