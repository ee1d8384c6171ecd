! Pharmacokinetics with doses as events: compartments as objects, an enzyme that is induced, step
! lengths cut at the doses, a fixed-point implicit midpoint rule.
module body
  implicit none
  type compartment
    real(8) :: amount, volume, clear
  end type compartment
  type patient
    type(compartment) :: gut, blood, tissue
    real(8) :: ka, kp, vmax, km, enzyme
  end type patient
contains
  real(8) function conc(self)
    type(compartment), intent(in) :: self
    conc = self%amount/self%volume
  end function conc
  subroutine add_dose(self, x)
    type(compartment), intent(inout) :: self
    real(8), intent(in) :: x
    self%amount = self%amount + x
  end subroutine add_dose
  subroutine rates(self, fg, fb, ft, fe)
    type(patient), intent(in) :: self
    real(8), intent(out) :: fg, fb, ft, fe
    real(8) :: cb, ct, met
    cb = conc(self%blood)
    ct = conc(self%tissue)
    met = self%vmax*self%enzyme*cb/(self%km + cb)
    fg = -self%ka*self%gut%amount
    fb = -fg - met - self%kp*(cb - ct) - self%blood%clear*cb
    ft = self%kp*(cb - ct)
    fe = 0.1d0*cb/(1d0 + cb) - 0.05d0*(self%enzyme - 1d0)
  end subroutine rates
  subroutine advance(self, dt)
    type(patient), intent(inout) :: self
    real(8), intent(in) :: dt
    real(8) :: g0, b0, t0, e0, fg, fb, ft, fe
    integer :: k
    g0 = self%gut%amount
    b0 = self%blood%amount
    t0 = self%tissue%amount
    e0 = self%enzyme
    do k = 1, 3
      call rates(self, fg, fb, ft, fe)
      self%gut%amount = g0 + 0.5d0*dt*fg
      self%blood%amount = b0 + 0.5d0*dt*fb
      self%tissue%amount = t0 + 0.5d0*dt*ft
      self%enzyme = e0 + 0.5d0*dt*fe
    end do
    self%gut%amount = 2d0*self%gut%amount - g0
    self%blood%amount = 2d0*self%blood%amount - b0
    self%tissue%amount = 2d0*self%tissue%amount - t0
    self%enzyme = 2d0*self%enzyme - e0
  end subroutine advance
end module body
subroutine dosing(nd, par, dose, gap, auc, trough)
  use body
  implicit none
  integer, intent(in) :: nd
  real(8), intent(in) :: par(5), dose(nd), gap(nd)
  real(8), intent(out) :: auc, trough
  type(patient) :: p
  real(8) :: t, tnext, dt, c0, c1, h
  integer :: k, n
  p%gut%amount = 0d0
  p%blood%amount = 0d0
  p%tissue%amount = 0d0
  p%blood%volume = par(1)
  p%tissue%volume = 2d0*par(2)
  p%blood%clear = 0.1d0*par(3)
  p%ka = 0.8d0
  p%kp = 0.3d0
  p%vmax = 0.5d0*par(4)
  p%km = par(5)
  p%enzyme = 1d0
  auc = 0d0
  trough = 0d0
  t = 0d0
  h = 0.4d0
  do k = 1, nd
    if (mod(k, 2) == 1) then
      call add_dose(p%gut, dose(k))
    else
      call add_dose(p%blood, 0.5d0*dose(k))
    end if
    tnext = t + gap(k)
    n = 0
    do while (t < tnext - 1d-9 .and. n < 10)
      dt = min(h, tnext - t)
      c0 = conc(p%blood)
      call advance(p, dt)
      c1 = conc(p%blood)
      auc = auc + 0.5d0*dt*(c0 + c1)
      t = t + dt
      n = n + 1
    end do
    trough = trough + max(0d0, 0.3d0 - conc(p%blood))**2
  end do
end subroutine dosing
