! Burgers by Fourier modes kept as two real arrays; products in physical space; integrating factor Runge-Kutta 2.
module modes
  implicit none
  integer, parameter :: k = 4, m = 12
  real(8) :: cosine(m, 0:k), sine(m, 0:k)
contains
  subroutine tables
    integer :: i, j
    do j = 0, k
      do i = 1, m
        cosine(i, j) = cos(6.283185307179586d0*i*j/m)
        sine(i, j) = sin(6.283185307179586d0*i*j/m)
      end do
    end do
  end subroutine
  subroutine to_space(a, b, f)
    real(8), intent(in) :: a(0:k), b(0:k)
    real(8), intent(out) :: f(m)
    integer :: i, j
    do i = 1, m
      f(i) = 0d0
      do j = 0, k
        f(i) = f(i) + cosine(i, j)*a(j) + sine(i, j)*b(j)
      end do
    end do
  end subroutine
  subroutine to_modes(f, a, b)
    real(8), intent(in) :: f(m)
    real(8), intent(out) :: a(0:k), b(0:k)
    integer :: i, j
    do j = 0, k
      a(j) = 0d0
      b(j) = 0d0
      do i = 1, m
        a(j) = a(j) + 2d0/m*cosine(i, j)*f(i)
        b(j) = b(j) + 2d0/m*sine(i, j)*f(i)
      end do
    end do
    a(0) = 0.5d0*a(0)
    b(0) = 0d0
  end subroutine
  subroutine nonlinear(a, b, da, db)
    real(8), intent(in) :: a(0:k), b(0:k)
    real(8), intent(out) :: da(0:k), db(0:k)
    real(8) :: u(m), ux(m), ga(0:k), gb(0:k)
    integer :: j
    do j = 0, k
      ga(j) = j*b(j)
      gb(j) = -j*a(j)
    end do
    call to_space(a, b, u)
    call to_space(ga, gb, ux)
    ux = -u*ux
    call to_modes(ux, da, db)
  end subroutine
end module
subroutine fourier(nt, nu, a0, b0, energy)
  use modes
  implicit none
  integer, intent(in) :: nt
  real(8), intent(in) :: nu, a0(0:4), b0(0:4)
  real(8), intent(out) :: energy
  real(8) :: a(0:k), b(0:k), a1(0:k), b1(0:k), da(0:k), db(0:k), decay(0:k), dt
  integer :: it, j
  call tables
  dt = 0.02d0
  do j = 0, k
    decay(j) = exp(-nu*j*j*dt)
  end do
  a = a0
  b = b0
  b(0) = 0d0
  do it = 1, nt
    call nonlinear(a, b, da, db)
    a1 = decay*(a + dt*da)
    b1 = decay*(b + dt*db)
    a = decay*(a + 0.5d0*dt*da)
    b = decay*(b + 0.5d0*dt*db)
    call nonlinear(a1, b1, da, db)
    a = a + 0.5d0*dt*da
    b = b + 0.5d0*dt*db
  end do
  energy = a(0)**2
  do j = 1, k
    energy = energy + 0.5d0*(a(j)**2 + b(j)**2)
  end do
end subroutine
