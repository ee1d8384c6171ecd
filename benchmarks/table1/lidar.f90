! A lidar return by Monte Carlo: photons scatter in a layered cloud; each order of scattering adds what reaches the
! telescope. The random numbers are an integer recurrence. Head: from the extinction profile to the signal's misfit.
module cloud
  implicit none
  integer, parameter :: nlev = 10, nbins = 12
  integer :: state = 4711
contains
  real(8) function uniform()
    state = mod(171*state + 11213, 53125)
    uniform = (state + 0.5d0)/53125.0d0
  end function uniform

  ! Optical depth from the ground to height z, and the extinction there.
  subroutine optics(extinction, z, tau, here)
    real(8), intent(in) :: extinction(nlev), z
    real(8), intent(out) :: tau, here
    real(8) :: dz, part
    integer :: k
    dz = 1.0d0/nlev
    tau = 0.0d0
    here = 0.0d0
    do k = 1, nlev
      part = min(dz, max(0.0d0, z - (k - 1)*dz))
      tau = tau + extinction(k)*part
      if (part > 0.0d0) here = extinction(k)
    end do
  end subroutine optics

  real(8) function phase(mu, g)
    real(8), intent(in) :: mu, g
    phase = 0.5d0*(1.0d0 - g*g)/(1.0d0 + g*g - 2.0d0*g*mu)**1.5d0
  end function phase
end module cloud

! One photon: its path is drawn with constant extinction, its weight corrects for the true one.
subroutine photon(extinction, g, signal)
  use cloud
  implicit none
  real(8), intent(in) :: extinction(nlev), g
  real(8), intent(inout) :: signal(nbins)
  real(8) :: z, mu, weight, length, path, tau, tau0, here, next
  integer :: order, bin
  z = 0.0d0
  mu = 1.0d0
  weight = 1.0d0
  path = 0.0d0
  call optics(extinction, z, tau0, here)
  do order = 1, 6
    length = -log(uniform())/3.0d0
    next = z + mu*length
    if (next <= 0.0d0 .or. next >= 1.0d0) exit
    path = path + length
    call optics(extinction, next, tau, here)
    weight = weight*here*exp(-abs(tau - tau0)/max(abs(mu), 0.05d0))/(3.0d0*exp(-3.0d0*length))
    z = next
    bin = 1 + int(nbins*0.5d0*(path + z)/3.0d0)
    if (bin <= nbins) signal(bin) = signal(bin) + weight*phase(-mu, g)*exp(-tau)
    mu = 2.0d0*uniform() - 1.0d0
    weight = weight*phase(mu, g)*2.0d0
    tau0 = tau
  end do
end subroutine photon

subroutine lidar(extinction, g, nphotons, observed, misfit)
  use cloud
  implicit none
  real(8), intent(in) :: extinction(nlev), g, observed(nbins)
  integer, intent(in) :: nphotons
  real(8), intent(out) :: misfit
  real(8) :: signal(nbins), scaled
  integer :: batch, k
  state = 4711
  signal = 0.0d0
  do batch = 1, 10
    !$AD CHECKPOINT-START
    do k = 1, nphotons
      call photon(extinction, 0.6d0*g, signal)
    end do
    !$AD CHECKPOINT-END
  end do
  misfit = 0.0d0
  do k = 1, nbins
    scaled = signal(k)/(10*nphotons)
    misfit = misfit + (log(scaled + 0.01d0) - log(0.1d0*observed(k)))**2
  end do
end subroutine lidar
