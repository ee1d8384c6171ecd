! Lattice Boltzmann with multiple relaxation, streaming by wrapped indices, bounce-back on a mask, drag by momentum exchange,
! a marked time loop body.
module d2q9
  implicit none
  integer, parameter :: nq = 9
  integer, parameter :: cx(nq) = (/0, 1, 0, -1, 0, 1, -1, -1, 1/)
  integer, parameter :: cy(nq) = (/0, 0, 1, 0, -1, 1, 1, -1, -1/)
  integer, parameter :: opp(nq) = (/1, 4, 5, 2, 3, 8, 9, 6, 7/)
  real(8), parameter :: wt(nq) = (/4d0/9d0, 1d0/9d0, 1d0/9d0, 1d0/9d0, 1d0/9d0, 1d0/36d0, 1d0/36d0, 1d0/36d0, 1d0/36d0/)
contains
  subroutine moments(nx, ny, f, rho, u, v)
    integer, intent(in) :: nx, ny
    real(8), intent(in) :: f(nx, ny, nq)
    real(8), intent(out) :: rho(nx, ny), u(nx, ny), v(nx, ny)
    integer :: q
    rho = sum(f, dim=3)
    u = 0d0
    v = 0d0
    do q = 2, nq
      u = u + cx(q)*f(:, :, q)
      v = v + cy(q)*f(:, :, q)
    end do
    u = u/rho
    v = v/rho
  end subroutine moments
  subroutine collide(nx, ny, f, rho, u, v, tau, force)
    integer, intent(in) :: nx, ny
    real(8), intent(inout) :: f(nx, ny, nq)
    real(8), intent(in) :: rho(nx, ny), u(nx, ny), v(nx, ny), tau, force
    real(8) :: cu, uu, feq, s, om
    integer :: i, j, q
    do j = 1, ny
      do i = 1, nx
        uu = u(i, j)**2 + v(i, j)**2
        s = 0d0
        do q = 1, nq
          cu = cx(q)*u(i, j) + cy(q)*v(i, j)
          feq = wt(q)*rho(i, j)*(1d0 + 3d0*cu + 4.5d0*cu*cu - 1.5d0*uu)
          s = s + abs(f(i, j, q) - feq)
        end do
        om = 1d0/(0.5d0 + tau*(1d0 + 0.1d0*s))
        do q = 1, nq
          cu = cx(q)*u(i, j) + cy(q)*v(i, j)
          feq = wt(q)*rho(i, j)*(1d0 + 3d0*cu + 4.5d0*cu*cu - 1.5d0*uu)
          f(i, j, q) = f(i, j, q) - om*(f(i, j, q) - feq) + 3d0*wt(q)*cx(q)*force
        end do
      end do
    end do
  end subroutine collide
  subroutine stream(nx, ny, f, wall, drag)
    integer, intent(in) :: nx, ny
    real(8), intent(inout) :: f(nx, ny, nq)
    logical, intent(in) :: wall(nx, ny)
    real(8), intent(inout) :: drag
    real(8) :: g(nx, ny, nq)
    integer :: i, j, q
    do q = 1, nq
      do j = 1, ny
        do i = 1, nx
          g(mod(i - 1 + cx(q) + nx, nx) + 1, mod(j - 1 + cy(q) + ny, ny) + 1, q) = f(i, j, q)
        end do
      end do
    end do
    do q = 1, nq
      do j = 1, ny
        do i = 1, nx
          if (wall(i, j)) then
            f(i, j, q) = g(i, j, opp(q))
            drag = drag + 2d0*cx(q)*g(i, j, q)
          else
            f(i, j, q) = g(i, j, q)
          end if
        end do
      end do
    end do
  end subroutine stream
end module d2q9
subroutine lbm(nt, rho0, u0, tau, force, drag)
  use d2q9
  implicit none
  integer, parameter :: nx = 5, ny = 4
  integer, intent(in) :: nt
  real(8), intent(in) :: rho0(nx), u0(ny), tau, force
  real(8), intent(out) :: drag
  real(8) :: f(nx, ny, nq), rho(nx, ny), u(nx, ny), v(nx, ny)
  logical :: wall(nx, ny)
  integer :: it, q, i, j
  wall = .false.
  wall(:, 1) = .true.
  wall(3, 2) = .true.
  do q = 1, nq
    do j = 1, ny
      do i = 1, nx
        f(i, j, q) = wt(q)*(rho0(i) + 0.3d0*cx(q)*u0(j))
      end do
    end do
  end do
  drag = 0d0
  do it = 1, nt
    !$AD CHECKPOINT-START
    call moments(nx, ny, f, rho, u, v)
    call collide(nx, ny, f, rho, u, v, 0.5d0*tau, 0.01d0*force)
    call stream(nx, ny, f, wall, drag)
    !$AD CHECKPOINT-END
  end do
  call moments(nx, ny, f, rho, u, v)
  drag = 0.1d0*drag + sum(u**2 + v**2)
end subroutine lbm
