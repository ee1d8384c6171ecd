! Lattice Boltzmann with nine velocities: collision with a strain-dependent relaxation, streaming, bounce-back.
module d2q9
  implicit none
  integer, parameter :: q = 9
  integer, parameter :: cx(q) = (/0, 1, 0, -1, 0, 1, -1, -1, 1/)
  integer, parameter :: cy(q) = (/0, 0, 1, 0, -1, 1, 1, -1, -1/)
  integer, parameter :: opp(q) = (/1, 4, 5, 2, 3, 8, 9, 6, 7/)
  real(8), parameter :: wt(q) = (/4d0/9, 1d0/9, 1d0/9, 1d0/9, 1d0/9, 1d0/36, 1d0/36, 1d0/36, 1d0/36/)
end module
subroutine lattice(n, nt, tau, force, solid, flow)
  use d2q9
  implicit none
  integer, intent(in) :: n, nt
  real(8), intent(in) :: tau(n, n), force
  integer, intent(in) :: solid(n, n)
  real(8), intent(out) :: flow
  real(8) :: f(q, n, n), g(q, n, n), rho, ux, uy
  integer :: it, i, j, k
  do j = 1, n
    do i = 1, n
      do k = 1, q
        f(k, i, j) = wt(k)
      end do
    end do
  end do
  do it = 1, nt
    do j = 1, n
      do i = 1, n
        if (mod(solid(i, j), 4) /= 0) then
          call collide(f(:, i, j), 0.8d0 + 0.1d0*tau(i, j), force)
        else
          call bounce(f(:, i, j))
        end if
      end do
    end do
    call stream(n, f, g)
    f = g
  end do
  flow = 0d0
  do j = 1, n
    do i = 1, n
      call moments(f(:, i, j), rho, ux, uy)
      flow = flow + ux*rho
    end do
  end do
end subroutine
subroutine moments(f, rho, ux, uy)
  use d2q9
  implicit none
  real(8), intent(in) :: f(q)
  real(8), intent(out) :: rho, ux, uy
  integer :: k
  rho = 0d0
  ux = 0d0
  uy = 0d0
  do k = 1, q
    rho = rho + f(k)
    ux = ux + cx(k)*f(k)
    uy = uy + cy(k)*f(k)
  end do
  ux = ux/rho
  uy = uy/rho
end subroutine
subroutine collide(f, tau, force)
  use d2q9
  implicit none
  real(8), intent(inout) :: f(q)
  real(8), intent(in) :: tau, force
  real(8) :: rho, ux, uy, usq, cu, eq(q)
  integer :: k
  call moments(f, rho, ux, uy)
  ux = ux + 0.5d0*force/rho
  usq = ux*ux + uy*uy
  do k = 1, q
    cu = cx(k)*ux + cy(k)*uy
    eq(k) = wt(k)*rho*(1d0 + 3d0*cu + 4.5d0*cu*cu - 1.5d0*usq)
  end do
  do k = 1, q
    f(k) = f(k) - (f(k) - eq(k))/tau + 3d0*wt(k)*cx(k)*force
  end do
end subroutine
subroutine bounce(f)
  use d2q9
  implicit none
  real(8), intent(inout) :: f(q)
  real(8) :: t
  integer :: k
  do k = 2, q
    if (opp(k) > k) then
      t = f(k)
      f(k) = f(opp(k))
      f(opp(k)) = t
    end if
  end do
end subroutine
subroutine stream(n, f, g)
  use d2q9
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: f(q, n, n)
  real(8), intent(out) :: g(q, n, n)
  integer :: i, j, k, ii, jj
  do j = 1, n
    do i = 1, n
      do k = 1, q
        ii = mod(i - 1 + cx(k) + n, n) + 1
        jj = mod(j - 1 + cy(k) + n, n) + 1
        g(k, ii, jj) = f(k, i, j)
      end do
    end do
  end do
end subroutine
