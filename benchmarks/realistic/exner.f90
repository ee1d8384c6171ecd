! A river bed of several grain sizes: backwater by the standard step method, hiding, transport above a threshold, active
! layer, Exner equation.
module bedload
  implicit none
  integer, parameter :: ng = 3
  real(8), parameter :: grav = 9.81d0, poros = 0.4d0
  real(8) :: dg(ng)
contains
  real(8) function transport(theta, thc)
    real(8), intent(in) :: theta, thc
    real(8) :: ex
    transport = 0d0
    if (theta <= thc) return
    ex = theta - thc
    transport = 8d0*ex*sqrt(ex)
  end function transport
  subroutine backwater(n, dx, q, bed, mann, hdown, h, tau)
    integer, intent(in) :: n
    real(8), intent(in) :: dx, q, bed(n), mann(n), hdown
    real(8), intent(out) :: h(n), tau(n)
    real(8) :: sf, sfd, f, df, u, ud, e
    integer :: i, it
    h(n) = hdown
    u = q/h(n)
    tau(n) = grav*mann(n)**2*u**2/h(n)**(1d0/3d0)
    do i = n - 1, 1, -1
      ud = q/h(i+1)
      sfd = mann(i+1)**2*ud**2/h(i+1)**(4d0/3d0)
      e = bed(i+1) + h(i+1) + ud**2/(2d0*grav)
      h(i) = h(i+1)
      do it = 1, 10
        u = q/h(i)
        sf = mann(i)**2*u**2/h(i)**(4d0/3d0)
        f = bed(i) + h(i) + u**2/(2d0*grav) - e - 0.5d0*dx*(sf + sfd)
        df = 1d0 - u**2/(grav*h(i)) + 5d0/3d0*dx*sf/h(i)
        h(i) = h(i) - f/df
        if (abs(f) < 1d-10) exit
      end do
      u = q/h(i)
      tau(i) = grav*mann(i)**2*u**2/h(i)**(1d0/3d0)
    end do
  end subroutine backwater
end module bedload
subroutine exner(n, nt, bed0, mann0, q0, feed, change)
  use bedload
  implicit none
  integer, intent(in) :: n, nt
  real(8), intent(in) :: bed0(n), mann0(n), q0(nt), feed(ng)
  real(8), intent(out) :: change
  real(8) :: bed(n), mann(n), h(n), tau(n), frac(ng, n), qs(ng, 0:n), dmean(n)
  real(8) :: theta, thc, hide, tot, dz, dx, dt, la, s
  integer :: i, g, it
  dg = (/0.005d0, 0.01d0, 0.02d0/)
  dx = 10d0
  dt = 5d0
  la = 0.1d0
  do i = 1, n
    bed(i) = 1d0 - 0.05d0*i + 0.01d0*bed0(i)
    mann(i) = 0.03d0*mann0(i)
    frac(:, i) = 1d0/ng
  end do
  do it = 1, nt
    call backwater(n, dx, 1.5d0*q0(it), bed, mann, 1d0, h, tau)
    do g = 1, ng
      qs(g, 0) = 2d-3*feed(g)
    end do
    do i = 1, n
      dmean(i) = 0d0
      do g = 1, ng
        dmean(i) = dmean(i) + frac(g, i)*dg(g)
      end do
      do g = 1, ng
        theta = tau(i)/(1.65d0*grav*dg(g))
        hide = (dg(g)/dmean(i))**(-0.6d0)
        thc = 0.04d0*hide
        qs(g, i) = frac(g, i)*transport(theta, thc)*sqrt(1.65d0*grav*dg(g)**3)
      end do
    end do
    do i = 1, n
      tot = 0d0
      do g = 1, ng
        tot = tot + qs(g, i-1) - qs(g, i)
      end do
      dz = dt*tot/(dx*(1d0 - poros))
      bed(i) = bed(i) + dz
      do g = 1, ng
        if (dz > 0d0) then
          s = frac(g, i)
        else
          s = 1d0/ng
        end if
        frac(g, i) = frac(g, i) + (dt*(qs(g, i-1) - qs(g, i))/(dx*(1d0 - poros)) - s*dz)/la
        frac(g, i) = max(frac(g, i), 1d-3)
      end do
      s = sum(frac(:, i))
      frac(:, i) = frac(:, i)/s
    end do
  end do
  change = 0d0
  do i = 1, n
    change = change + (bed(i) - 0.8d0)**2 + 1d-2*frac(1, i)
  end do
end subroutine exner
