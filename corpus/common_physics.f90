! A column of air: radiation and clouds share a COMMON block, which each of them sees in a layout of its own.
!
! column and radiation name temperature and vapour apart; microphysics has them as the two columns of one array, and
! the constants as another one: reading constants(2), it may read spare, which nobody else names but to keep its place.
! mixing has the first two members as one array and no tail.
subroutine column(temp, vapour, days, rain, outgoing)
  implicit none
  integer, parameter :: levels = 6
  real(8), intent(in) :: temp(levels), vapour(levels)
  integer, intent(in) :: days
  real(8), intent(out) :: rain, outgoing
  real(8) :: t(levels), q(levels), albedo, sun, spare(3), cloud(levels), dt
  integer :: step, calls
  common /phys/ t, q, albedo, sun, spare, cloud, dt, step, calls
  integer :: day
  real(8) :: fallen
  t = temp
  q = vapour
  albedo = 0.3d0
  sun = 1.2d0
  cloud = 0.1d0
  dt = 0.05d0
  calls = 0
  rain = 0.0d0
  outgoing = 0.0d0
  do day = 1, days
    !$AD CHECKPOINT-START
    step = day
    call radiation(outgoing)
    call microphysics(fallen)
    !$AD CHECKPOINT-END
    call mixing
    rain = rain + fallen*t(1)
  end do
end subroutine column

! Short waves warm the ground through the clouds, long waves cool every level.
subroutine radiation(outgoing)
  implicit none
  integer, parameter :: levels = 6
  real(8), intent(inout) :: outgoing
  real(8) :: temperature(levels), humidity(levels), albedo, sun, spare(3), cover(levels), dt
  integer :: step, calls
  common /phys/ temperature, humidity, albedo, sun, spare, cover, dt, step, calls
  real(8) :: down, emitted
  integer :: k
  calls = calls + 1
  down = sun*(1.0d0 - albedo)*(1.0d0 + 0.1d0*sin(dble(step)))
  do k = levels, 1, -1
    down = down*(1.0d0 - 0.5d0*cover(k))
    emitted = 0.1d0*temperature(k)**4
    temperature(k) = temperature(k) - dt*emitted*(1.0d0 - 0.3d0*humidity(k))
    outgoing = outgoing + emitted*exp(-cover(k))
  end do
  temperature(1) = temperature(1) + dt*down
end subroutine radiation

! Vapour above saturation condenses, warms its level, and falls out of thick clouds.
subroutine microphysics(fallen)
  implicit none
  integer, parameter :: n = 6
  real(8), intent(out) :: fallen
  real(8) :: state(n, 2), constants(5), water(n), dt
  integer :: clock(2)
  common /phys/ state, constants, water, dt, clock
  real(8) :: excess, drops
  integer :: k
  fallen = 0.0d0
  do k = 1, n
    excess = state(k, 2) - 0.9d0*exp(0.2d0*(state(k, 1) - 1.0d0))
    if (excess > 0.0d0) then
      state(k, 2) = state(k, 2) - 0.5d0*excess
      state(k, 1) = state(k, 1) + 0.2d0*excess
      water(k) = water(k) + 0.5d0*excess
    end if
    if (water(k) > 0.15d0) then
      drops = (water(k) - 0.15d0)*min(1.0d0, dt*10.0d0*clock(2))
      water(k) = water(k) - drops
      fallen = fallen + drops*constants(2)
    end if
  end do
end subroutine microphysics

! Neighbours mix; the block in a third layout, of which the tail is never named.
subroutine mixing
  implicit none
  integer, parameter :: levels = 6
  real(8) :: both(2*levels)
  common /phys/ both
  real(8) :: before(2*levels)
  integer :: k
  before = both
  do k = 2, levels
    both(k) = 0.8d0*before(k) + 0.2d0*before(k - 1)
    both(levels + k) = 0.8d0*before(levels + k) + 0.2d0*before(levels + k - 1)
  end do
end subroutine mixing
