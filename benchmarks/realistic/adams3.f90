! A barotropic channel with Adams-Bashforth's third-order steps: three tendencies in a ring of time levels.
subroutine adams3(n, nt, z0, depth, drag, energy)
  implicit none
  integer, intent(in) :: n, nt
  real(8), intent(in) :: z0(n), depth(n), drag
  real(8), intent(out) :: energy
  real(8) :: z(n), u(n), gz(n, 3), gu(n, 3), c0, c1, c2
  integer :: it, new, old, older, spare, i
  z = 0.1d0*z0
  u = 0d0
  gz = 0d0
  gu = 0d0
  new = 1
  old = 2
  older = 3
  energy = 0d0
  do it = 1, nt
    if (it == 1) then
      c0 = 1d0
      c1 = 0d0
      c2 = 0d0
    else if (it == 2) then
      c0 = 1.5d0
      c1 = -0.5d0
      c2 = 0d0
    else
      c0 = 23d0/12d0
      c1 = -16d0/12d0
      c2 = 5d0/12d0
    end if
    call tendency(n, z, u, depth, drag, gz(1, new), gu(1, new))
    do i = 1, n
      z(i) = z(i) + 0.05d0*(c0*gz(i, new) + c1*gz(i, old) + c2*gz(i, older))
      u(i) = u(i) + 0.05d0*(c0*gu(i, new) + c1*gu(i, old) + c2*gu(i, older))
    end do
    u(1) = 0d0
    call smooth(n, u)
    call budget(n, z, u, depth, energy)
    spare = older
    older = old
    old = new
    new = spare
  end do
end subroutine
subroutine tendency(n, z, u, depth, drag, gz, gu)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: z(n), u(n), depth(n), drag
  real(8), intent(out) :: gz(n), gu(n)
  real(8) :: flux(n+1), up, hu
  integer :: i
  flux(1) = 0d0
  flux(n+1) = 0d0
  do i = 2, n
    if (u(i) > 0d0) then
      hu = 1d0 + depth(i-1) + z(i-1)
    else
      hu = 1d0 + depth(i) + z(i)
    end if
    flux(i) = hu*u(i)
  end do
  do i = 1, n
    gz(i) = flux(i) - flux(i+1)
  end do
  gu(1) = 0d0
  do i = 2, n
    up = u(i) - u(i-1)
    hu = 1d0 + 0.5d0*(depth(i) + depth(i-1) + z(i) + z(i-1))
    gu(i) = -9.81d0*(z(i) - z(i-1)) - u(i)*up - drag*abs(u(i))*u(i)/hu
  end do
end subroutine
subroutine smooth(n, u)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: u(n)
  real(8) :: w(n)
  integer :: i
  do i = 2, n - 1
    w(i) = 0.25d0*(u(i-1) - 2d0*u(i) + u(i+1))
  end do
  do i = 2, n - 1
    u(i) = u(i) + 0.1d0*w(i)
  end do
end subroutine
subroutine budget(n, z, u, depth, energy)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: z(n), u(n), depth(n)
  real(8), intent(inout) :: energy
  integer :: i
  do i = 1, n
    energy = energy + 0.5d0*(9.81d0*z(i)**2 + (1d0 + depth(i))*u(i)**2)
  end do
end subroutine
