! A heat shield that chars: in-depth conduction with pyrolysis of two components, surface energy balance by Newton,
! recession with the grid moved along and values carried over, layers of virgin, char by density; blowing cuts the heat.
module shield
  implicit none
  integer, parameter :: n = 7
  type material
    real(8) :: kv, kc, cv, cc, rv, rc, a(2), e(2)
  end type material
contains
  function mix(x, v, c) result(m)
    real(8), intent(in) :: x, v, c
    real(8) :: m
    m = x*v + (1d0 - x)*c
  end function mix
  subroutine pyrolysis(mt, t, rho, dt, gas)
    type(material), intent(in) :: mt
    real(8), intent(in) :: t(n), dt
    real(8), intent(inout) :: rho(n, 2)
    real(8), intent(out) :: gas(n+1)
    real(8) :: rate, low
    integer :: i, c
    gas(n+1) = 0d0
    do i = n, 1, -1
      gas(i) = gas(i+1)
      do c = 1, 2
        low = 0.5d0*mt%rc
        if (rho(i, c) <= low) cycle
        rate = mt%a(c)*exp(-mt%e(c)/t(i))*(rho(i, c) - low)
        rate = min(rate, (rho(i, c) - low)/dt)
        rho(i, c) = rho(i, c) - dt*rate
        gas(i) = gas(i) + rate/n
      end do
    end do
  end subroutine pyrolysis
  subroutine surface(mt, t1, kk, dz, heat, gas, ts, mdot)
    type(material), intent(in) :: mt
    real(8), intent(in) :: t1, kk, dz, heat, gas
    real(8), intent(inout) :: ts
    real(8), intent(out) :: mdot
    real(8) :: f, df, blow, db
    integer :: k
    do k = 1, 6
      db = 0d0
      mdot = 0d0
      if (ts > 1.2d0) then
        mdot = 0.2d0*(ts - 1.2d0)**2
        db = 0.4d0*(ts - 1.2d0)
      end if
      blow = 1d0/(1d0 + 0.5d0*(gas + mdot))
      f = heat*blow*(2d0 - ts) - 0.2d0*ts**4 - mdot*mt%cc - kk*(ts - t1)/dz
      df = -heat*blow - 0.5d0*heat*blow**2*db*(2d0 - ts) - 0.8d0*ts**3 - db*mt%cc - kk/dz
      ts = ts - f/df
      if (abs(f) < 1d-8) exit
    end do
  end subroutine surface
  subroutine conduct(mt, rho, gas, ts, dz, dt, t)
    type(material), intent(in) :: mt
    real(8), intent(in) :: rho(n, 2), gas(n+1), ts, dz, dt
    real(8), intent(inout) :: t(n)
    real(8) :: k(n), c(n), x, q(0:n), lo(n), di(n), up(n), m
    integer :: i
    do i = 1, n
      x = min(max((sum(rho(i, :)) - mt%rc)/(mt%rv - mt%rc), 0d0), 1d0)
      k(i) = mix(x, mt%kv, mt%kc)
      c(i) = mix(x, mt%cv, mt%cc)*sum(rho(i, :))
    end do
    q(0) = 2d0*k(1)/dz
    do i = 1, n - 1
      q(i) = 2d0*k(i)*k(i+1)/(k(i) + k(i+1))/dz
    end do
    q(n) = 0d0
    do i = 1, n
      lo(i) = -dt*q(i-1)/dz
      up(i) = -dt*q(i)/dz - dt*gas(i+1)*0.3d0
      di(i) = c(i) - lo(i) - up(i)
      t(i) = c(i)*t(i)
    end do
    t(1) = t(1) - lo(1)*ts
    do i = 2, n
      m = lo(i)/di(i-1)
      di(i) = di(i) - m*up(i-1)
      t(i) = t(i) - m*t(i-1)
    end do
    t(n) = t(n)/di(n)
    do i = n - 1, 1, -1
      t(i) = (t(i) - up(i)*t(i+1))/di(i)
    end do
  end subroutine conduct
  subroutine recede(frac, q)
    real(8), intent(in) :: frac
    real(8), intent(inout) :: q(n)
    integer :: i
    do i = 1, n - 1
      q(i) = q(i) + frac*(1d0 - dble(i - 1)/n)*(q(i+1) - q(i))
    end do
  end subroutine recede
end module shield
subroutine ablate(nt, heat, kv, act, thick0, back)
  use shield
  implicit none
  integer, intent(in) :: nt
  real(8), intent(in) :: heat(nt), kv, act(2), thick0
  real(8), intent(out) :: back
  type(material) :: mt
  real(8) :: t(n), rho(n, 2), gas(n+1), ts, mdot, thick, dz, dt, s
  integer :: it, c
  mt%kv = 0.1d0*kv
  mt%kc = 0.3d0
  mt%cv = 1d0
  mt%cc = 1.4d0
  mt%rv = 1.6d0
  mt%rc = 0.8d0
  mt%a = (/2d0, 3d0/)
  mt%e = 1.5d0 + act
  t = 0.4d0
  rho = 0.8d0
  ts = 0.5d0
  thick = 0.5d0 + 0.5d0*thick0
  dt = 0.1d0
  back = 0d0
  do it = 1, nt
    dz = thick/n
    !$AD CHECKPOINT-START
    call pyrolysis(mt, t, rho, dt, gas)
    call surface(mt, t(1), 0.3d0, dz, heat(it), gas(1), ts, mdot)
    call conduct(mt, rho, gas, ts, dz, dt, t)
    !$AD CHECKPOINT-END
    if (mdot > 0d0) then
      s = dt*mdot/mt%rc
      call recede(s/dz, t)
      do c = 1, 2
        call recede(s/dz, rho(:, c))
      end do
      thick = thick - s
    end if
    back = back + t(n)**2 + 0.01d0*(1d0 - thick)
  end do
end subroutine ablate
