! A mountain glacier along its flow line: deformation and sliding, staggered fluxes, mass balance that follows the
! surface, calving at the snout; the thickness is compared with a survey.
subroutine flowline(n, nt, bed, slide, ela, survey, miss)
  implicit none
  integer, intent(in) :: n, nt
  real(8), intent(in) :: bed(n), slide(n), ela, survey(n)
  real(8), intent(out) :: miss
  real(8) :: h(n), s(n), flux(n), b(n), width(n), dt, dx
  integer :: it, i, snout
  dt = 0.05d0
  dx = 1d0
  do i = 1, n
    h(i) = max(1.5d0 - 0.1d0*i, 0d0)
    width(i) = 1d0 + 0.05d0*i
  end do
  miss = 0d0
  do it = 1, nt
    call surface(n, bed, h, s, snout)
    call balance(n, s, ela, b)
    call fluxes(n, h, s, slide, width, dx, flux)
    do i = 2, n - 1
      h(i) = h(i) + dt*(b(i) - (flux(i) - flux(i-1))/(dx*width(i)))
    end do
    h(1) = h(2)
    h(n) = 0d0
    do i = 1, n
      if (h(i) < 0d0) h(i) = 0d0
    end do
    call calve(n, snout, bed, h)
  end do
  do i = 1, n
    miss = miss + (h(i) - survey(i))**2
  end do
end subroutine
subroutine surface(n, bed, h, s, snout)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: bed(n), h(n)
  real(8), intent(out) :: s(n)
  integer, intent(out) :: snout
  integer :: i
  snout = 1
  do i = 1, n
    s(i) = bed(i) + h(i)
    if (h(i) > 0.01d0) snout = i
  end do
end subroutine
subroutine balance(n, s, ela, b)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: s(n), ela
  real(8), intent(out) :: b(n)
  integer :: i
  do i = 1, n
    b(i) = 0.3d0*(s(i) - ela)
    if (b(i) > 0.4d0) b(i) = 0.4d0
  end do
end subroutine
subroutine fluxes(n, h, s, slide, width, dx, flux)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: h(n), s(n), slide(n), width(n), dx
  real(8), intent(out) :: flux(n)
  real(8) :: slope, hm, tau, ud, us, a
  integer :: i
  a = 0.1d0
  flux = 0d0
  do i = 1, n - 1
    hm = 0.5d0*(h(i) + h(i+1))
    slope = (s(i) - s(i+1))/dx
    tau = hm*slope
    ud = 0.4d0*a*hm*tau*tau*tau
    us = slide(i)*tau*abs(tau)
    flux(i) = 0.5d0*(width(i) + width(i+1))*hm*(ud + us)
  end do
end subroutine
subroutine calve(n, snout, bed, h)
  implicit none
  integer, intent(in) :: n, snout
  real(8), intent(in) :: bed(n)
  real(8), intent(inout) :: h(n)
  real(8) :: depth
  depth = max(0d0, 0.4d0 - bed(snout))
  if (depth > 0d0 .and. snout < n) then
    h(snout) = h(snout)/(1d0 + 0.2d0*depth)
  end if
end subroutine
