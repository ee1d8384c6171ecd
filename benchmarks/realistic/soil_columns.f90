! States of derived type, arrays of them passed element by element and component by component.
module soil
  implicit none
  integer, parameter :: nz = 5, ncol = 4
  type layer_state
    real(8) :: theta(nz), head(nz), cond(nz)
    real(8) :: flux(0:nz)
  end type layer_state
  type climate
    real(8) :: rain, demand
  end type climate
contains
  subroutine retention(theta, ks, head, cond)
    real(8), intent(in) :: theta(nz), ks
    real(8), intent(out) :: head(nz), cond(nz)
    integer :: i
    do i = 1, nz
      head(i) = -0.1d0/(theta(i)**2 + 0.01d0)
      cond(i) = ks*theta(i)**3
    end do
  end subroutine retention

  subroutine darcy(s, sky)
    type(layer_state), intent(inout) :: s
    type(climate), intent(in) :: sky
    integer :: i
    s%flux(0) = sky%rain - sky%demand*s%theta(1)
    do i = 1, nz - 1
      s%flux(i) = 0.5d0*(s%cond(i) + s%cond(i + 1))*(1.0d0 - (s%head(i + 1) - s%head(i)))
    end do
    s%flux(nz) = s%cond(nz)
  end subroutine darcy

  subroutine balance(theta, flux, dt)
    real(8), intent(inout) :: theta(nz)
    real(8), intent(in) :: flux(0:nz), dt
    integer :: i
    do i = 1, nz
      theta(i) = theta(i) + dt*(flux(i - 1) - flux(i))
    end do
  end subroutine balance

  subroutine drain(cols, ks, sky, dt)
    type(layer_state), intent(inout) :: cols(ncol)
    real(8), intent(in) :: ks(ncol), dt
    type(climate), intent(in) :: sky
    integer :: c
    do c = 1, ncol
      call retention(cols(c)%theta, ks(c), cols(c)%head, cols(c)%cond)
      call darcy(cols(c), sky)
      call balance(cols(c)%theta, cols(c)%flux, dt)
    end do
    do c = 2, ncol
      cols(c)%theta(nz) = cols(c)%theta(nz) + 0.1d0*dt*cols(c - 1)%flux(nz)
    end do
  end subroutine drain
end module soil

subroutine catchment(theta0, ks, rain, cost)
  use soil
  implicit none
  integer, parameter :: nt = 4
  real(8), intent(in) :: theta0(nz, ncol), ks(ncol), rain(nt)
  real(8), intent(out) :: cost
  type(layer_state) :: cols(ncol)
  type(climate) :: sky
  integer :: i, c, it
  do c = 1, ncol
    do i = 1, nz
      cols(c)%theta(i) = 0.3d0*theta0(i, c)
    end do
  end do
  sky%demand = 0.05d0
  cost = 0.0d0
  do it = 1, nt
    sky%rain = 0.1d0*rain(it)
    call drain(cols, ks, sky, 0.1d0)
    cost = cost + cols(ncol)%flux(nz)**2
  end do
end subroutine catchment
