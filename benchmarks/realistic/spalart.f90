! Turbulent channel flow with the one-equation model of Spalart and Allmaras: damping functions, production, destruction,
! implicit diffusion, wall distance from the grid.
module sa
  implicit none
  real(8), parameter :: cb1 = 0.1355d0, cb2 = 0.622d0, sig = 2d0/3d0, kap = 0.41d0
  real(8), parameter :: cv1 = 7.1d0, cw2 = 0.3d0, cw3 = 2d0
  real(8), parameter :: cw1 = cb1/kap**2 + (1d0 + cb2)/sig
contains
  pure real(8) function fv1(chi)
    real(8), intent(in) :: chi
    fv1 = chi**3/(chi**3 + cv1**3)
  end function fv1
  subroutine source(nut, nu, s, d, prod, dest)
    real(8), intent(in) :: nut, nu, s, d
    real(8), intent(out) :: prod, dest
    real(8) :: chi, f1, f2, st, r, g, fw
    chi = nut/nu
    f1 = fv1(chi)
    f2 = 1d0 - chi/(1d0 + chi*f1)
    st = s + nut/(kap*d)**2*f2
    st = max(st, 0.3d0*s)
    r = min(nut/(st*(kap*d)**2 + 1d-10), 10d0)
    g = r + cw2*(r**6 - r)
    fw = g*((1d0 + cw3**6)/(g**6 + cw3**6))**(1d0/6d0)
    prod = cb1*st*nut
    dest = cw1*fw*(nut/d)**2
  end subroutine source
  subroutine thomas(n, a, b, c, d, x)
    integer, intent(in) :: n
    real(8), intent(in) :: a(n), b(n), c(n), d(n)
    real(8), intent(out) :: x(n)
    real(8) :: bet, gam(n)
    integer :: j
    bet = b(1)
    x(1) = d(1)/bet
    do j = 2, n
      gam(j) = c(j-1)/bet
      bet = b(j) - a(j)*gam(j)
      x(j) = (d(j) - a(j)*x(j-1))/bet
    end do
    do j = n - 1, 1, -1
      x(j) = x(j) - gam(j+1)*x(j+1)
    end do
  end subroutine thomas
end module sa
subroutine spalart(n, nt, nu, dpdx, stretch, nut0, ubulk)
  use sa
  implicit none
  integer, intent(in) :: n, nt
  real(8), intent(in) :: nu, dpdx, stretch, nut0(n)
  real(8), intent(out) :: ubulk
  real(8) :: y(0:n), u(0:n), nut(0:n), a(n), b(n), c(n), d(n), x(n), mt(0:n)
  real(8) :: dt, hm, hp, h, s, prod, dest, vm, vp, dn, nl
  integer :: j, it
  y(0) = 0d0
  do j = 1, n
    y(j) = y(j-1) + 0.1d0*(1d0 + 0.1d0*stretch)**j
  end do
  nl = 0.05d0*nu
  u(0) = 0d0
  nut(0) = 0d0
  do j = 1, n
    u(j) = y(j)
    nut(j) = nut0(j)*nl*3d0
  end do
  dt = 0.2d0
  do it = 1, nt
    do j = 0, n
      mt(j) = nl + nut(j)*fv1(nut(j)/nl)
    end do
    do j = 1, n
      hm = y(j) - y(j-1)
      if (j < n) then
        hp = y(j+1) - y(j)
        vp = 0.5d0*(mt(j) + mt(j+1))
      else
        hp = hm
        vp = 0d0
      end if
      vm = 0.5d0*(mt(j-1) + mt(j))
      h = 0.5d0*(hm + hp)
      a(j) = -dt*vm/(hm*h)
      c(j) = -dt*vp/(hp*h)
      b(j) = 1d0 - a(j) - c(j)
      d(j) = u(j) + dt*dpdx
    end do
    call thomas(n, a, b, c, d, x)
    u(1:n) = x
    do j = 1, n
      hm = y(j) - y(j-1)
      hp = hm
      if (j < n) hp = y(j+1) - y(j)
      s = abs((u(j) - u(j-1))/hm) + 1d-6
      call source(nut(j), nl, s, y(j), prod, dest)
      vm = (nl + 0.5d0*(nut(j-1) + nut(j)))/sig
      vp = 0d0
      dn = 0d0
      if (j < n) then
        vp = (nl + 0.5d0*(nut(j) + nut(j+1)))/sig
        dn = (nut(j+1) - nut(j-1))/(hm + hp)
      end if
      h = 0.5d0*(hm + hp)
      a(j) = -dt*vm/(hm*h)
      c(j) = -dt*vp/(hp*h)
      b(j) = 1d0 - a(j) - c(j) + dt*dest/nut(j)
      d(j) = nut(j) + dt*(prod + cb2/sig*dn**2)
    end do
    call thomas(n, a, b, c, d, x)
    do j = 1, n
      nut(j) = max(x(j), 1d-6)
    end do
  end do
  ubulk = 0d0
  do j = 1, n
    ubulk = ubulk + 0.5d0*(u(j) + u(j-1))*(y(j) - y(j-1))
  end do
  ubulk = ubulk/y(n)
end subroutine spalart
