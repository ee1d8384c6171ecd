! Radial transport in a tokamak: electron and ion temperature and density on shells, diffusivities with a critical gradient,
! implicit steps by Picard iterations with a test, equipartition, bremsstrahlung, alpha heating.
module shells
  implicit none
  integer, parameter :: n = 6
  real(8) :: r(0:n), vol(n), area(0:n), dr
contains
  subroutine geometry(minor)
    real(8), intent(in) :: minor
    integer :: i
    dr = minor/n
    do i = 0, n
      r(i) = i*dr
      area(i) = r(i)
    end do
    do i = 1, n
      vol(i) = 0.5d0*(r(i)**2 - r(i-1)**2)
    end do
  end subroutine geometry
  function critical(t, tp) result(chi)
    real(8), intent(in) :: t, tp
    real(8) :: chi, grad
    grad = (t - tp)/(dr*0.5d0*(t + tp))
    chi = 0.2d0
    if (grad > 0.5d0) chi = chi + 0.4d0*(grad - 0.5d0)**1.5d0*sqrt(t)
  end function critical
  subroutine implicit_step(dt, dens, chi, source, edge, old, new)
    real(8), intent(in) :: dt, dens(n), chi(0:n), source(n), edge, old(n)
    real(8), intent(out) :: new(n)
    real(8) :: lo(n), di(n), up(n), rhs(n), m
    integer :: i
    do i = 1, n
      lo(i) = -dt*area(i-1)*chi(i-1)/(dr*vol(i))
      up(i) = -dt*area(i)*chi(i)/(dr*vol(i))
      di(i) = dens(i) - lo(i) - up(i)
      rhs(i) = dens(i)*old(i) + dt*source(i)
    end do
    rhs(n) = rhs(n) - up(n)*edge
    do i = 2, n
      m = lo(i)/di(i-1)
      di(i) = di(i) - m*up(i-1)
      rhs(i) = rhs(i) - m*rhs(i-1)
    end do
    new(n) = rhs(n)/di(n)
    do i = n - 1, 1, -1
      new(i) = (rhs(i) - up(i)*new(i+1))/di(i)
    end do
  end subroutine implicit_step
end module shells
subroutine tokamak(nt, te0, ti0, fuel, power, edge, wth)
  use shells
  implicit none
  integer, intent(in) :: nt
  real(8), intent(in) :: te0, ti0, fuel(n), power, edge
  real(8), intent(out) :: wth
  real(8) :: te(n), ti(n), den(n), tel(n), til(n), ten(n), tin(n), chie(0:n), chii(0:n), qe(n), qi(n), err, dt, ex
  integer :: it, k, i
  call geometry(1d0)
  dt = 0.05d0
  do i = 1, n
    den(i) = 0.5d0 + 0.5d0*fuel(i)*(1d0 - (r(i)/r(n))**2)
    te(i) = edge + te0*(1d0 - (r(i-1)/r(n))**2)
    ti(i) = edge + ti0*(1d0 - (r(i-1)/r(n))**2)
  end do
  do it = 1, nt
    tel = te
    til = ti
    !$AD CHECKPOINT-START
    do k = 1, 6
      chie(0) = 0d0
      chii(0) = 0d0
      do i = 1, n - 1
        chie(i) = critical(tel(i), tel(i+1))
        chii(i) = 0.7d0*critical(til(i), til(i+1)) + 0.3d0*chie(i)
      end do
      chie(n) = chie(n-1)
      chii(n) = chii(n-1)
      do i = 1, n
        ex = 0.3d0*den(i)**2*(tel(i) - til(i))/tel(i)**1.5d0
        qe(i) = power*exp(-4d0*r(i)**2) - ex - 0.05d0*den(i)**2*sqrt(tel(i))
        qi(i) = ex + 0.1d0*den(i)**2*til(i)**2/(1d0 + til(i)**3)
      end do
      call implicit_step(dt, den, chie, qe, edge, te, ten)
      call implicit_step(dt, den, chii, qi, edge, ti, tin)
      err = 0d0
      do i = 1, n
        err = max(err, abs(ten(i) - tel(i)) + abs(tin(i) - til(i)))
      end do
      tel = ten
      til = tin
      if (err < 1d-3) exit
    end do
    !$AD CHECKPOINT-END
    te = max(tel, 0.01d0)
    ti = max(til, 0.01d0)
    if (mod(it, 2) == 0) then
      do i = 1, n
        den(i) = den(i) + dt*(fuel(i)*0.1d0 - 0.05d0*den(i))
      end do
    end if
  end do
  wth = 0d0
  do i = 1, n
    wth = wth + 1.5d0*den(i)*(te(i) + ti(i))*vol(i)
  end do
end subroutine tokamak
