! Plankton under a forcing that it does not act on: q' = f1(q, p), p' = f2(p), of which only q is differentiated.
! Going back a step takes the whole state (q and the two of p), or the one partial dq'/dq.
subroutine coupled(q, temperature, light, n)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: q, temperature, light
  real(8), parameter :: dt = 0.05d0
  real(8) :: growth, grazing
  integer :: k
  do k = 1, n
    growth = exp(0.3d0*temperature)*light/(1d0 + light)
    grazing = q/(0.5d0 + q*q)
    q = q + dt*q*(growth*(1d0 - q) - grazing)
    light = 0.5d0 + 0.4d0*sin(3d0*light)
    temperature = temperature + dt*(light*light - temperature)
  end do
end subroutine coupled
