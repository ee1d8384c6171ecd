! An electron wave packet in a laser field: Crank-Nicolson with complex tridiagonal solves, absorbing mask, split nonlinear
! term, ionised charge and dipole recorded over time.
module tridiag
  implicit none
contains
  subroutine solve(n, off, diag, rhs, psi)
    integer, intent(in) :: n
    complex(8), intent(in) :: off, diag(n), rhs(n)
    complex(8), intent(out) :: psi(n)
    complex(8) :: c(n), d(n), m
    integer :: i
    c(1) = off/diag(1)
    d(1) = rhs(1)/diag(1)
    do i = 2, n
      m = diag(i) - off*c(i-1)
      c(i) = off/m
      d(i) = (rhs(i) - off*d(i-1))/m
    end do
    psi(n) = d(n)
    do i = n - 1, 1, -1
      psi(i) = d(i) - c(i)*psi(i+1)
    end do
  end subroutine solve
  subroutine hamiltonian(n, x, v, field, g, psi, h)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n), v(n), field, g
    complex(8), intent(in) :: psi(n)
    real(8), intent(out) :: h(n)
    integer :: i
    do i = 1, n
      h(i) = v(i) - field*x(i) + g*(real(psi(i))**2 + aimag(psi(i))**2)
    end do
  end subroutine hamiltonian
end module tridiag
subroutine tcn(n, nt, depth, width, amp, omega, g, k0, dip)
  use tridiag
  implicit none
  integer, intent(in) :: n, nt
  real(8), intent(in) :: depth, width, amp(nt), omega, g, k0
  real(8), intent(out) :: dip
  integer, parameter :: m = 12
  complex(8) :: psi(m), rhs(m), diag(m), off
  real(8) :: x(m), v(m), h(m), mask(m), norm, scale, dx, dt, field, mean
  integer :: i, it
  dx = 0.5d0
  dt = 0.1d0
  norm = 0d0
  do i = 1, m
    x(i) = (i - 0.5d0*(m + 1))*dx
    v(i) = -depth/sqrt(x(i)**2 + width**2)
    psi(i) = exp(-0.5d0*x(i)**2)*cmplx(cos(k0*x(i)), sin(k0*x(i)), 8)
    norm = norm + (real(psi(i))**2 + aimag(psi(i))**2)*dx
    mask(i) = 1d0
    if (abs(x(i)) > 2d0) mask(i) = cos(0.3d0*(abs(x(i)) - 2d0))**0.125d0
  end do
  scale = 1d0/sqrt(norm)
  do i = 1, m
    psi(i) = scale*psi(i)
  end do
  off = cmplx(0d0, -0.25d0*dt/dx**2, 8)
  dip = 0d0
  do it = 1, nt
    field = amp(it)*sin(omega*it*dt)
    call hamiltonian(m, x, v, field, g, psi, h)
    do i = 1, m
      diag(i) = 1d0 + cmplx(0d0, 0.5d0*dt*(1d0/dx**2 + h(i)), 8)
      rhs(i) = (2d0 - diag(i))*psi(i)
      if (i > 1) rhs(i) = rhs(i) - off*psi(i-1)
      if (i < m) rhs(i) = rhs(i) - off*psi(i+1)
    end do
    call solve(m, off, diag, rhs, psi)
    mean = 0d0
    do i = 1, m
      psi(i) = mask(i)*psi(i)
      mean = mean + x(i)*(real(psi(i))**2 + aimag(psi(i))**2)*dx
    end do
    dip = dip + mean**2 + 0.1d0*mean
  end do
end subroutine tcn
