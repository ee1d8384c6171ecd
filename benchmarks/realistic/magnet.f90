! Micromagnetics of a thin film: Landau-Lifshitz-Gilbert on a plane with halo cells, exchange, anisotropy, thin-film
! demagnetisation, applied pulse; Heun's method with renormalisation; array-valued cross product.
module llg
  implicit none
  integer, parameter :: nx = 4, ny = 3
contains
  function cross(a, b) result(c)
    real(8), intent(in) :: a(3), b(3)
    real(8) :: c(3)
    c(1) = a(2)*b(3) - a(3)*b(2)
    c(2) = a(3)*b(1) - a(1)*b(3)
    c(3) = a(1)*b(2) - a(2)*b(1)
  end function cross
  subroutine halo(m)
    real(8), intent(inout) :: m(3, 0:nx+1, 0:ny+1)
    integer :: i, j
    do j = 1, ny
      m(:, 0, j) = m(:, 1, j)
      m(:, nx+1, j) = m(:, nx, j)
    end do
    do i = 1, nx
      m(:, i, 0) = m(:, i, ny)
      m(:, i, ny+1) = m(:, i, 1)
    end do
  end subroutine halo
  subroutine field(m, aex, ku, hz, h)
    real(8), intent(in) :: m(3, 0:nx+1, 0:ny+1), aex, ku, hz
    real(8), intent(out) :: h(3, nx, ny)
    integer :: i, j
    do j = 1, ny
      do i = 1, nx
        h(:, i, j) = aex*(m(:, i+1, j) + m(:, i-1, j) + m(:, i, j+1) + m(:, i, j-1) - 4d0*m(:, i, j))
        h(1, i, j) = h(1, i, j) + ku*m(1, i, j)
        h(3, i, j) = h(3, i, j) - m(3, i, j) + hz
      end do
    end do
  end subroutine field
  subroutine torque(m, h, alpha, t)
    real(8), intent(in) :: m(3, 0:nx+1, 0:ny+1), h(3, nx, ny), alpha
    real(8), intent(out) :: t(3, nx, ny)
    real(8) :: p(3)
    integer :: i, j
    do j = 1, ny
      do i = 1, nx
        p = cross(m(:, i, j), h(:, i, j))
        t(:, i, j) = -(p + alpha*cross(m(:, i, j), p))/(1d0 + alpha**2)
      end do
    end do
  end subroutine torque
  subroutine normalise(m)
    real(8), intent(inout) :: m(3, 0:nx+1, 0:ny+1)
    real(8) :: s
    integer :: i, j
    do j = 1, ny
      do i = 1, nx
        s = sqrt(m(1, i, j)**2 + m(2, i, j)**2 + m(3, i, j)**2)
        m(1, i, j) = m(1, i, j)/s
        m(2, i, j) = m(2, i, j)/s
        m(3, i, j) = m(3, i, j)/s
      end do
    end do
  end subroutine normalise
end module llg
subroutine magnet(nt, angle, aex, ku, alpha, pulse, mz)
  use llg
  implicit none
  integer, intent(in) :: nt
  real(8), intent(in) :: angle(nx, ny), aex, ku, alpha, pulse
  real(8), intent(out) :: mz
  real(8) :: m(3, 0:nx+1, 0:ny+1), mp(3, 0:nx+1, 0:ny+1), h(3, nx, ny), t1(3, nx, ny), t2(3, nx, ny), dt
  integer :: i, j, it
  dt = 0.1d0
  m = 0d0
  do j = 1, ny
    do i = 1, nx
      m(1, i, j) = cos(angle(i, j))
      m(2, i, j) = 0.1d0
      m(3, i, j) = sin(angle(i, j))
    end do
  end do
  call normalise(m)
  mp = 0d0
  do it = 1, nt
    !$AD CHECKPOINT-START
    call halo(m)
    call field(m, aex, ku, pulse*exp(-0.2d0*it), h)
    call torque(m, h, 0.1d0*alpha, t1)
    mp(:, 1:nx, 1:ny) = m(:, 1:nx, 1:ny) + dt*t1
    call normalise(mp)
    !$AD CHECKPOINT-END
    call halo(mp)
    call field(mp, aex, ku, pulse*exp(-0.2d0*(it + 1)), h)
    call torque(mp, h, 0.1d0*alpha, t2)
    m(:, 1:nx, 1:ny) = m(:, 1:nx, 1:ny) + 0.5d0*dt*(t1 + t2)
    call normalise(m)
  end do
  mz = sum(m(3, 1:nx, 1:ny)) + sum(m(1, 2, 1:ny)**2)
end subroutine magnet
