! Gas-phase chemistry driven by tables: reactions as records in integer arrays, rates by kind (Arrhenius, fall-off, photolysis)
! with a clock function, production and loss arrays, a two-step QSSA solver with an adaptive inner step that may
! reject and go back, lumped family conserved afterwards.
module mechanism
  implicit none
  integer, parameter :: ns = 5, nr = 6
  integer, save :: kind(nr), left(2, nr), right(2, nr)
  data kind /1, 1, 2, 3, 1, 3/
  data left /1, 2, 2, 3, 1, 3, 4, 0, 4, 5, 5, 0/
  data right /3, 0, 4, 0, 2, 5, 1, 2, 3, 3, 1, 0/
contains
  real(8) function sun(t)
    real(8), intent(in) :: t
    sun = max(0d0, cos(0.5d0*(t - 1d0)))
  end function sun
  subroutine rates(temp, air, t, a, rk)
    real(8), intent(in) :: temp, air, t, a(nr)
    real(8), intent(out) :: rk(nr)
    real(8) :: k0, ki, x
    integer :: i
    do i = 1, nr
      select case (kind(i))
      case (1)
        rk(i) = a(i)*exp(-0.5d0/temp)
      case (2)
        k0 = a(i)*air*temp**(-1.5d0)
        ki = 2d0*a(i)
        x = log10(k0/ki)
        rk(i) = k0/(1d0 + k0/ki)*0.6d0**(1d0/(1d0 + x*x))
      case (3)
        rk(i) = 0.5d0*a(i)*sun(t)
        if (rk(i) == 0d0) cycle
        rk(i) = rk(i)*(1d0 + 0.1d0*temp)
      end select
    end do
  end subroutine rates
  subroutine prodloss(c, rk, p, l)
    real(8), intent(in) :: c(ns), rk(nr)
    real(8), intent(out) :: p(ns), l(ns)
    real(8) :: r
    integer :: i, m
    p = 1d-2
    l = 1d-2
    do i = 1, nr
      r = rk(i)*c(left(1, i))
      if (left(2, i) > 0) r = r*c(left(2, i))
      do m = 1, 2
        if (left(m, i) > 0) l(left(m, i)) = l(left(m, i)) + r/c(left(m, i))
        if (right(m, i) > 0) p(right(m, i)) = p(right(m, i)) + r
      end do
    end do
  end subroutine prodloss
  subroutine qssa(c, p, l, h, cn)
    real(8), intent(in) :: c(ns), p(ns), l(ns), h
    real(8), intent(out) :: cn(ns)
    integer :: i
    do i = 1, ns
      if (l(i)*h > 10d0) then
        cn(i) = p(i)/l(i)
      else if (l(i)*h < 0.01d0) then
        cn(i) = c(i) + h*(p(i) - l(i)*c(i))
      else
        cn(i) = p(i)/l(i) + (c(i) - p(i)/l(i))*exp(-l(i)*h)
      end if
    end do
  end subroutine qssa
  subroutine step(c, t, tend, temp, air, a, nrej)
    real(8), intent(inout) :: c(ns), t
    real(8), intent(in) :: tend, temp, air, a(nr)
    integer, intent(out) :: nrej
    real(8) :: rk(nr), p(ns), l(ns), pn(ns), ln(ns), c1(ns), c2(ns), h, err
    nrej = 0
    h = 0.2d0
    do
      if (t >= tend - 1d-10) exit
      h = min(h, tend - t)
      call rates(temp, air, t, a, rk)
      call prodloss(c, rk, p, l)
      call qssa(c, p, l, h, c1)
      call prodloss(c1, rk, pn, ln)
      p = 0.5d0*(p + pn)
      l = 0.5d0*(l + ln)
      call qssa(c, p, l, h, c2)
      err = maxval(abs(c2 - c1)/(0.1d0 + c2))
      if (err > 0.05d0 .and. h > 0.03d0) then
        h = 0.5d0*h
        nrej = nrej + 1
        cycle
      end if
      c = c2
      t = t + h
      if (err < 0.01d0) h = 2d0*h
    end do
  end subroutine step
end module mechanism
subroutine hydroxyl(nt, c0, a, temp, air, score)
  use mechanism
  implicit none
  integer, intent(in) :: nt
  real(8), intent(in) :: c0(ns), a(nr), temp(nt), air
  real(8), intent(out) :: score
  real(8) :: c(ns), t, fam
  integer :: it, nrej
  c = c0
  t = 0d0
  score = 0d0
  fam = c(1) + c(2) + c(4)
  do it = 1, nt
    call step(c, t, 0.5d0*it, temp(it), air, a, nrej)
    if (c(1) + c(2) + c(4) > 1.5d0*fam) then
      fam = 1.5d0*fam/(c(1) + c(2) + c(4))
      c(1:2) = c(1:2)*fam
      c(4) = c(4)*fam
      fam = (c(1) + c(2) + c(4))/1.5d0
    end if
    score = score + (c(3) - 0.5d0)**2
  end do
end subroutine hydroxyl
