! Gas lift in a well: drift flux from the bottom up, regimes by SELECT CASE (bubble, slug, churn, annular), holdup by fixed
! point, gas density by a state equation, heat loss to the ground; the bottom pressure by secant on the wellhead's.
module wellpar
  implicit none
  integer, parameter :: nz = 5
  real(8) :: dz, diam, tres, ugeo
end module wellpar
integer function regime(jl, jg)
  implicit none
  real(8), intent(in) :: jl, jg
  if (jg < 0.25d0*jl + 0.05d0) then
    regime = 1
  else if (jg < 1.2d0*jl + 0.3d0) then
    regime = 2
  else if (jg < 3d0 + jl) then
    regime = 3
  else
    regime = 4
  end if
end function regime
subroutine holdup(jl, jg, alpha)
  implicit none
  real(8), intent(in) :: jl, jg
  real(8), intent(out) :: alpha
  real(8) :: c0, vd, a
  integer, external :: regime
  integer :: k
  alpha = jg/(jg + jl + 0.1d0)
  select case (regime(jl, jg))
  case (1)
    c0 = 1.2d0
    vd = 0.25d0
  case (2)
    c0 = 1.15d0
    vd = 0.35d0
  case (3)
    c0 = 1.05d0
    vd = 0.3d0
  case default
    c0 = 1d0
    vd = 0.1d0
  end select
  do k = 1, 10
    a = jg/(c0*(jl + jg) + vd*(1d0 - alpha)**0.5d0)
    if (abs(a - alpha) < 1d-4) exit
    alpha = 0.5d0*(a + alpha)
  end do
end subroutine holdup
subroutine lift(pb, ql, qg, pt, tt)
  use wellpar
  implicit none
  real(8), intent(in) :: pb, ql, qg
  real(8), intent(out) :: pt, tt
  real(8) :: p, t, rhog, jg, jl, al, rho, f, re
  integer :: i
  p = pb
  t = tres
  do i = 1, nz
    rhog = 0.3d0*p/(t*(1d0 - 0.05d0*p))
    jg = qg/rhog
    jl = ql
    call holdup(jl, jg, al)
    rho = al*rhog + (1d0 - al)
    re = 50d0*rho*(jl + jg)*diam
    if (re < 20d0) then
      f = 16d0/re
    else
      f = 0.9d0*re**(-0.25d0)
    end if
    p = p - dz*(0.5d0*rho + 0.2d0*f*rho*(jl + jg)**2/diam)
    p = max(p, 0.1d0)
    t = t - dz*ugeo*(t - tres + 0.1d0*i)/(rho*(jl + jg) + 0.1d0)
  end do
  pt = p
  tt = t
end subroutine lift
subroutine wellbore(nt, pres, pinj, qgas, pwh, temp, heat, dia, income)
  use wellpar
  implicit none
  integer, intent(in) :: nt
  real(8), intent(in) :: pres, pinj, qgas(nt), pwh, temp, heat, dia
  real(8), intent(out) :: income
  real(8) :: p0, p1, p2, f0, f1, tt, pr, ql
  integer :: it, k
  dz = 0.2d0
  diam = dia
  tres = temp + 0.5d0
  ugeo = 0.1d0*heat
  pr = pres + 2d0
  income = 0d0
  do it = 1, nt
    p0 = 0.8d0*pr
    ql = pinj*(pr - p0)
    call lift(p0, ql, 0.2d0*qgas(it), f0, tt)
    f0 = f0 - pwh
    p1 = 0.7d0*pr
    !$AD CHECKPOINT-START
    do k = 1, 4
      ql = pinj*max(pr - p1, 0.01d0)
      call lift(p1, ql, 0.2d0*qgas(it), f1, tt)
      f1 = f1 - pwh
      if (abs(f1) < 1d-3 .or. abs(f1 - f0) < 1d-6) exit
      p2 = p1 - f1*(p1 - p0)/(f1 - f0)
      p2 = min(max(p2, 0.3d0*pr), 0.95d0*pr)
      p0 = p1
      f0 = f1
      p1 = p2
    end do
    !$AD CHECKPOINT-END
    income = income + ql*tt - 0.1d0*qgas(it)**2
    pr = pr - 0.05d0*ql
  end do
end subroutine wellbore
