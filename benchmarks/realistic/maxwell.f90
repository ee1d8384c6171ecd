! Maxwell's equations on Yee's grid in two dimensions: a Drude metal with a polarisation current, absorbing margins.
module medium
  implicit none
  integer, parameter :: m = 6
  real(8) :: ca(m, m), cb(m, m), sig(m)
contains
  subroutine prepare(n, eps, cond)
    integer, intent(in) :: n
    real(8), intent(in) :: eps(n, n), cond(n, n)
    integer :: i, j
    real(8) :: loss
    do i = 1, n
      sig(i) = 0d0
      if (i == 1 .or. i == n) sig(i) = 0.8d0
    end do
    do j = 1, n
      do i = 1, n
        loss = 0.1d0*cond(i, j)/(1d0 + eps(i, j))
        ca(i, j) = (1d0 - loss)/(1d0 + loss)
        cb(i, j) = 0.5d0/((1d0 + eps(i, j))*(1d0 + loss))
      end do
    end do
  end subroutine
end module
subroutine maxwell(n, nt, eps, cond, plasma, signal)
  use medium
  implicit none
  integer, intent(in) :: n, nt
  real(8), intent(in) :: eps(n, n), cond(n, n), plasma
  real(8), intent(out) :: signal
  real(8) :: ez(n, n), hx(n, n), hy(n, n), jz(n, n), probe
  integer :: it
  call prepare(n, eps, cond)
  ez = 0d0
  hx = 0d0
  hy = 0d0
  jz = 0d0
  signal = 0d0
  do it = 1, nt
    call update_h(n, ez, hx, hy)
    call current(n, ez, jz, plasma)
    call update_e(n, hx, hy, jz, ez)
    ez(2, 2) = ez(2, 2) + exp(-((it - 3)/2d0)**2)
    call margin(n, ez)
    probe = ez(n-1, n-1)
    signal = signal + probe*probe
  end do
end subroutine
subroutine update_h(n, ez, hx, hy)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: ez(n, n)
  real(8), intent(inout) :: hx(n, n), hy(n, n)
  integer :: i, j
  do j = 1, n - 1
    do i = 1, n - 1
      hx(i, j) = hx(i, j) - 0.5d0*(ez(i, j+1) - ez(i, j))
      hy(i, j) = hy(i, j) + 0.5d0*(ez(i+1, j) - ez(i, j))
    end do
  end do
end subroutine
subroutine current(n, ez, jz, plasma)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: ez(n, n), plasma
  real(8), intent(inout) :: jz(n, n)
  integer :: i, j
  real(8) :: damp
  damp = 1d0/(1d0 + 0.1d0*plasma)
  do j = 3, n
    do i = 3, n
      jz(i, j) = damp*jz(i, j) + 0.1d0*plasma**2*ez(i, j)
    end do
  end do
end subroutine
subroutine update_e(n, hx, hy, jz, ez)
  use medium
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: hx(n, n), hy(n, n), jz(n, n)
  real(8), intent(inout) :: ez(n, n)
  integer :: i, j
  real(8) :: curl
  do j = 2, n
    do i = 2, n
      curl = hy(i, j) - hy(i-1, j) - hx(i, j) + hx(i, j-1) - jz(i, j)
      ez(i, j) = ca(i, j)*ez(i, j) + cb(i, j)*curl
    end do
  end do
end subroutine
subroutine margin(n, ez)
  use medium
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: ez(n, n)
  integer :: i, j
  do j = 1, n
    do i = 1, n
      ez(i, j) = ez(i, j)*(1d0 - 0.5d0*(sig(i) + sig(j)))
    end do
  end do
end subroutine
