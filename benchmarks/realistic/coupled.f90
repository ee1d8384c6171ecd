! Atmosphere and ocean boxes, coupled: marked stretches within marked stretches, three deep, and calls among them.
module coupler_state
  implicit none
  integer, parameter :: nb = 4
  real(8) :: ta(nb), to(nb), qa(nb), flux(nb), evap(nb)
end module coupler_state
subroutine coupled(t0, emiss, mixing, cost, nday)
  use coupler_state
  implicit none
  integer, intent(in) :: nday
  real(8), intent(in) :: t0(nb), emiss, mixing
  real(8), intent(out) :: cost
  integer :: day, sub
  ta = 2d0 + 0.1d0*t0
  to = 2.1d0
  qa = 0.2d0
  cost = 0d0
  do day = 1, nday
    !$AD CHECKPOINT-START
    do sub = 1, 3
      !$AD CHECKPOINT-START
      call exchange()
      call atmosphere(emiss, 0.1d0)
      !$AD CHECKPOINT-END
    end do
    call ocean(mixing, 0.3d0)
    !$AD CHECKPOINT-END
    cost = cost + sum((ta - 2d0)**2) + 0.2d0*to(1)*to(nb)
  end do
end subroutine coupled
subroutine exchange()
  use coupler_state
  implicit none
  integer :: i
  do i = 1, nb
    flux(i) = 0.3d0*(to(i) - ta(i)) + 0.05d0*(to(i)**4 - ta(i)**4)
    evap(i) = 0.1d0*max(0d0, 0.05d0*to(i)**2 - 0.5d0*qa(i))
  end do
end subroutine exchange
subroutine atmosphere(emiss, dt)
  use coupler_state
  implicit none
  real(8), intent(in) :: emiss, dt
  integer :: i
  real(8) :: cond, rad(nb)
  call radiation(ta, qa, emiss, rad)
  do i = 1, nb
    cond = 0d0
    if (qa(i) > 0.05d0*ta(i)**2) cond = 0.5d0*(qa(i) - 0.05d0*ta(i)**2)
    qa(i) = qa(i) + dt*(evap(i) - cond)
    ta(i) = ta(i) + dt*(flux(i) - rad(i) + 2d0*cond)
  end do
  !$AD CHECKPOINT-START
  call transport(ta, 0.2d0, dt)
  call transport(qa, 0.4d0, dt)
  !$AD CHECKPOINT-END
end subroutine atmosphere
subroutine radiation(t, q, emiss, rad)
  use coupler_state, only: nb
  implicit none
  real(8), intent(in) :: t(nb), q(nb), emiss
  real(8), intent(out) :: rad(nb)
  rad = 0.02d0*emiss*t**4*(1d0 - 0.4d0*q/(0.3d0 + q)) - 0.2d0
end subroutine radiation
subroutine transport(x, k, dt)
  use coupler_state, only: nb
  implicit none
  real(8), intent(inout) :: x(nb)
  real(8), intent(in) :: k, dt
  real(8) :: f(0:nb)
  integer :: i
  f(0) = 0d0
  f(nb) = 0d0
  do i = 1, nb - 1
    f(i) = k*(x(i) - x(i+1))*abs(x(i) - x(i+1) + 0.1d0)
  end do
  do i = 1, nb
    x(i) = x(i) - dt*(f(i) - f(i-1))
  end do
end subroutine transport
subroutine ocean(mixing, dt)
  use coupler_state
  implicit none
  real(8), intent(in) :: mixing, dt
  integer :: i
  to = to - 0.2d0*dt*flux - dt*evap
  do i = 2, nb
    if (to(i) > to(i-1)) then
      to(i) = to(i) - 0.1d0*mixing*(to(i) - to(i-1))**2
      to(i-1) = to(i-1) + 0.1d0*mixing*(to(i) - to(i-1))**2
    end if
  end do
end subroutine ocean
