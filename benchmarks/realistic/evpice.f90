! Sea ice that moves: elastic-viscous-plastic stresses on a staggered grid, subcycles under wind and water drag, ridging
! pressure, transport of thickness and concentration by donor cells, open water closed by WHERE.
module evp_par
  implicit none
  integer, parameter :: nx = 5, ny = 5, nsub = 4
  real(8), parameter :: ecc2 = 0.25d0, dte = 0.05d0, cw = 0.4d0
end module evp_par
module evp_ops
  use evp_par
  implicit none
contains
  subroutine strain(u, v, e11, e22, e12, delta)
    real(8), intent(in) :: u(0:nx, 0:ny), v(0:nx, 0:ny)
    real(8), intent(out) :: e11(nx, ny), e22(nx, ny), e12(nx, ny), delta(nx, ny)
    integer :: i, j
    do j = 1, ny
      do i = 1, nx
        e11(i, j) = 0.5d0*(u(i, j) + u(i, j-1) - u(i-1, j) - u(i-1, j-1))
        e22(i, j) = 0.5d0*(v(i, j) + v(i-1, j) - v(i, j-1) - v(i-1, j-1))
        e12(i, j) = 0.25d0*(u(i, j) + u(i-1, j) - u(i, j-1) - u(i-1, j-1) + v(i, j) + v(i, j-1) - v(i-1, j) - v(i-1, j-1))
        delta(i, j) = sqrt((e11(i, j)**2 + e22(i, j)**2)*(1d0 + ecc2) + 4d0*ecc2*e12(i, j)**2 &
          + 2d0*e11(i, j)*e22(i, j)*(1d0 - ecc2) + 1d-6)
      end do
    end do
  end subroutine strain
  subroutine stress(press, e11, e22, e12, delta, s1, s2, s12)
    real(8), intent(in), dimension(nx, ny) :: press, e11, e22, e12, delta
    real(8), intent(inout), dimension(nx, ny) :: s1, s2, s12
    real(8) :: zeta, r
    integer :: i, j
    do j = 1, ny
      do i = 1, nx
        zeta = press(i, j)/max(delta(i, j), 1d-2)
        r = 1d0/(1d0 + dte/0.3d0)
        s1(i, j) = (s1(i, j) + dte/0.3d0*(zeta*(e11(i, j) + e22(i, j)) - press(i, j)))*r
        s2(i, j) = (s2(i, j) + dte/0.3d0*zeta*(e11(i, j) - e22(i, j))*ecc2)*r
        s12(i, j) = (s12(i, j) + dte/0.3d0*zeta*e12(i, j)*ecc2)*r
      end do
    end do
  end subroutine stress
  subroutine momentum(mass, conc, s1, s2, s12, wx, wy, u, v)
    real(8), intent(in), dimension(nx, ny) :: mass, conc, s1, s2, s12
    real(8), intent(in) :: wx, wy
    real(8), intent(inout) :: u(0:nx, 0:ny), v(0:nx, 0:ny)
    real(8) :: fx, fy, m, c, drag, cca, ccb, un
    integer :: i, j
    do j = 1, ny - 1
      do i = 1, nx - 1
        m = 0.25d0*(mass(i, j) + mass(i+1, j) + mass(i, j+1) + mass(i+1, j+1))
        c = 0.25d0*(conc(i, j) + conc(i+1, j) + conc(i, j+1) + conc(i+1, j+1))
        if (m < 0.02d0) then
          u(i, j) = 0d0
          v(i, j) = 0d0
          cycle
        end if
        fx = 0.25d0*(s1(i+1, j) + s2(i+1, j) - s1(i, j) - s2(i, j) + s12(i, j+1) - s12(i, j))
        fy = 0.25d0*(s1(i, j+1) - s2(i, j+1) - s1(i, j) + s2(i, j) + s12(i+1, j) - s12(i, j))
        drag = c*cw*sqrt(u(i, j)**2 + v(i, j)**2 + 1d-4)
        cca = m/dte + drag
        ccb = 0.1d0*m
        un = (cca*(m/dte*u(i, j) + c*wx + fx) + ccb*(m/dte*v(i, j) + c*wy + fy))/(cca**2 + ccb**2)
        v(i, j) = (m/dte*v(i, j) + c*wy + fy - ccb*un)/cca
        u(i, j) = un
      end do
    end do
  end subroutine momentum
  subroutine carry(u, v, q)
    real(8), intent(in) :: u(0:nx, 0:ny), v(0:nx, 0:ny)
    real(8), intent(inout) :: q(nx, ny)
    real(8) :: f(0:nx), uf
    integer :: i, j
    do j = 1, ny
      f = 0d0
      do i = 1, nx - 1
        uf = 0.5d0*(u(i, j) + u(i, j-1))*0.2d0
        f(i) = max(uf, 0d0)*q(i, j) + min(uf, 0d0)*q(i+1, j)
      end do
      do i = 1, nx
        q(i, j) = q(i, j) - f(i) + f(i-1)
      end do
    end do
    do i = 1, nx
      f = 0d0
      do j = 1, ny - 1
        uf = 0.5d0*(v(i, j) + v(i-1, j))*0.2d0
        f(j) = max(uf, 0d0)*q(i, j) + min(uf, 0d0)*q(i, j+1)
      end do
      do j = 1, ny
        q(i, j) = q(i, j) - f(j) + f(j-1)
      end do
    end do
  end subroutine carry
end module evp_ops
subroutine evpice(nt, h0, a0, strength, wind, cost)
  use evp_ops
  implicit none
  integer, intent(in) :: nt
  real(8), intent(in) :: h0(nx, ny), a0(nx, ny), strength, wind(2, nt)
  real(8), intent(out) :: cost
  real(8), dimension(nx, ny) :: h, a, e11, e22, e12, delta, s1, s2, s12, press, mass
  real(8), dimension(0:nx, 0:ny) :: u, v
  integer :: it, k
  h = 0.5d0*h0
  a = a0/(1d0 + a0)
  u = 0d0
  v = 0d0
  s1 = 0d0
  s2 = 0d0
  s12 = 0d0
  do it = 1, nt
    press = strength*h*exp(-2d0*(1d0 - a))
    mass = 0.9d0*h
    !$AD CHECKPOINT-START
    do k = 1, nsub
      call strain(u, v, e11, e22, e12, delta)
      call stress(press, e11, e22, e12, delta, s1, s2, s12)
      call momentum(mass, a, s1, s2, s12, 0.3d0*wind(1, it), 0.2d0*wind(2, it), u, v)
    end do
    !$AD CHECKPOINT-END
    call carry(u, v, h)
    call carry(u, v, a)
    where (a > 1d0)
      h = h + 0.1d0*(a - 1d0)
      a = 1d0
    elsewhere (a < 0.1d0)
      a = 0.1d0
    end where
  end do
  cost = sum(h*h) + sum(u*u + v*v)
end subroutine evpice
