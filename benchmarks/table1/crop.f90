! A crop on a layered soil, day by day: rain, runoff, infiltration through the layers, evaporation, transpiration
! with water stress, growth of leaves, roots and grain. Head: from soil and plant parameters to the yield.
module field
  implicit none
  integer, parameter :: layers = 6
  type soil
    real(8) :: water(layers), capacity(layers), wilting(layers), thickness(layers)
  end type soil
  type plant
    real(8) :: leaves, roots, grain, biomass, heat
    integer :: stage
  end type plant
contains
  ! Each layer keeps what it can hold; the rest flows down. Returns what leaves the profile.
  subroutine infiltrate(s, rain, drained)
    type(soil), intent(inout) :: s
    real(8), intent(in) :: rain
    real(8), intent(out) :: drained
    real(8) :: flow, room
    integer :: k
    flow = rain
    do k = 1, layers
      room = s%capacity(k)*s%thickness(k) - s%water(k)
      if (flow <= room) then
        s%water(k) = s%water(k) + flow
        flow = 0.0d0
        exit
      end if
      s%water(k) = s%capacity(k)*s%thickness(k)
      flow = flow - room
    end do
    drained = flow
  end subroutine infiltrate

  ! Roots take water where there is some; stress is the share of the demand that was met.
  subroutine transpire(s, depth, demand, stress)
    type(soil), intent(inout) :: s
    real(8), intent(in) :: depth, demand
    real(8), intent(out) :: stress
    real(8) :: top, share, free, taken, total
    integer :: k
    top = 0.0d0
    total = 0.0d0
    do k = 1, layers
      if (top >= depth) exit
      share = min(s%thickness(k), depth - top)/depth
      free = max(0.0d0, s%water(k) - s%wilting(k)*s%thickness(k))
      taken = demand*share*free/(free + 4.0d0)
      s%water(k) = s%water(k) - taken
      total = total + taken
      top = top + s%thickness(k)
    end do
    stress = total/(demand + 1.0d-6)
  end subroutine transpire

  subroutine grow(p, light, temperature, stress, efficiency)
    type(plant), intent(inout) :: p
    real(8), intent(in) :: light, temperature, stress, efficiency
    real(8) :: intercepted, gain
    p%heat = p%heat + max(0.0d0, temperature - 6.0d0)
    select case (p%stage)
    case (1)
      if (p%heat > 120.0d0) p%stage = 2
    case (2)
      if (p%heat > 700.0d0) p%stage = 3
    case default
      continue
    end select
    intercepted = light*(1.0d0 - exp(-0.6d0*p%leaves))
    gain = efficiency*intercepted*stress
    p%biomass = p%biomass + gain
    if (p%stage == 1) then
      p%leaves = p%leaves + 0.01d0
      p%roots = p%roots + 8.0d0
    else if (p%stage == 2) then
      p%leaves = p%leaves + 0.02d0*gain*stress
      p%roots = min(p%roots + 12.0d0*stress, 900.0d0)
    else
      p%leaves = p%leaves*(1.0d0 - 0.01d0*(2.0d0 - stress))
      p%grain = p%grain + 0.6d0*gain
    end if
  end subroutine grow
end module field

subroutine crop(capacity, efficiency, reserve, ndays, yield, lost)
  use field
  implicit none
  real(8), intent(in) :: capacity(layers), efficiency, reserve
  integer, intent(in) :: ndays
  real(8), intent(out) :: yield, lost
  type(soil) :: s
  type(plant) :: p
  real(8) :: rain, light, temperature, drained, evaporated, stress, demand, runoff
  integer :: day, k
  do k = 1, layers
    s%capacity(k) = 0.3d0*capacity(k)
    s%wilting(k) = 0.08d0 + 0.02d0*capacity(k)
    s%thickness(k) = 100.0d0 + 30.0d0*k
    s%water(k) = (s%wilting(k) + reserve*0.1d0)*s%thickness(k)
  end do
  p%leaves = 0.1d0
  p%roots = 60.0d0
  p%grain = 0.0d0
  p%biomass = 0.0d0
  p%heat = 0.0d0
  p%stage = 1
  lost = 0.0d0
  do day = 1, ndays
    temperature = 14.0d0 + 8.0d0*sin(0.017d0*day)
    light = 9.0d0 + 4.0d0*sin(0.017d0*day + 0.3d0)
    rain = 0.0d0
    if (mod(day, 5) == 0) rain = 14.0d0
    if (mod(day, 17) == 0) rain = 45.0d0
    !$AD CHECKPOINT-START
    runoff = 0.0d0
    if (rain > 20.0d0) runoff = 0.1d0*(rain - 20.0d0)**2/(rain + 20.0d0)
    call infiltrate(s, rain - runoff, drained)
    evaporated = 0.3d0*light*exp(-0.5d0*p%leaves)*s%water(1)/(s%capacity(1)*s%thickness(1))
    s%water(1) = s%water(1) - evaporated
    demand = 0.6d0*light*(1.0d0 - exp(-0.5d0*p%leaves))
    call transpire(s, p%roots, demand, stress)
    call grow(p, light, temperature, stress, efficiency)
    lost = lost + runoff + drained + evaporated
    !$AD CHECKPOINT-END
  end do
  yield = p%grain
end subroutine crop
