! A crop model with its state in a module: init, a day's step, finalize; parameters in a type, stages by SELECT CASE.
module crop_types
  implicit none
  type cultivar
    real(8) :: tbase, tsum1, tsum2, rue, sla
  end type cultivar
  type soil_layer
    real(8) :: water, nitrogen, depth
  end type soil_layer
end module crop_types
module crop_state
  use crop_types
  implicit none
  integer, parameter :: nl = 3
  type(cultivar), save :: cv
  type(soil_layer), save :: layer(nl)
  real(8), save :: tsum, lai, leaf, root, grain, stress
  integer, save :: stage
contains
  subroutine crop_init(par)
    real(8), intent(in) :: par(5)
    integer :: l
    cv%tbase = 0.1d0*par(1)
    cv%tsum1 = 1d0 + par(2)
    cv%tsum2 = 2d0 + par(3)
    cv%rue = 0.5d0*par(4)
    cv%sla = par(5)
    do l = 1, nl
      layer(l)%water = 0.3d0
      layer(l)%nitrogen = 0.5d0/l
      layer(l)%depth = 0.2d0*l
    end do
    tsum = 0d0
    leaf = 0.1d0
    root = 0.1d0
    grain = 0d0
    lai = leaf*cv%sla
    stress = 1d0
    stage = 1
  end subroutine crop_init
  subroutine crop_step(temp, rad, rain)
    real(8), intent(in) :: temp, rad, rain
    real(8) :: growth
    tsum = tsum + max(0d0, temp - cv%tbase)
    stage = 1
    if (tsum > cv%tsum1) stage = 2
    if (tsum > cv%tsum2) stage = 3
    call water_balance(rain)
    call uptake()
    growth = cv%rue*rad*(1d0 - exp(-0.6d0*lai))*stress
    call partition(growth)
    lai = leaf*cv%sla
  end subroutine crop_step
  subroutine water_balance(rain)
    real(8), intent(in) :: rain
    real(8) :: flow, cap
    integer :: l
    flow = 0.1d0*rain
    do l = 1, nl
      layer(l)%water = layer(l)%water + flow/layer(l)%depth*0.1d0
      cap = 0.35d0
      flow = 0d0
      if (layer(l)%water > cap) then
        flow = 0.5d0*(layer(l)%water - cap)
        layer(l)%water = layer(l)%water - flow
        layer(l)%nitrogen = layer(l)%nitrogen*(1d0 - 0.2d0*flow)
      end if
    end do
  end subroutine water_balance
  subroutine uptake()
    real(8) :: demand, supply, u, n
    integer :: l
    demand = 0.05d0*lai/(1d0 + 0.2d0*lai)
    supply = 0d0
    n = 0d0
    do l = 1, nl
      u = demand*root/(root + l)*layer(l)%water/(layer(l)%water + 0.1d0)
      layer(l)%water = layer(l)%water - u
      supply = supply + u
      n = n + u*layer(l)%nitrogen
      layer(l)%nitrogen = layer(l)%nitrogen - 0.1d0*u*layer(l)%nitrogen
    end do
    stress = min(supply/(0.5d0*demand), 1d0)*n/(n + 0.01d0)
  end subroutine uptake
  subroutine partition(growth)
    real(8), intent(in) :: growth
    select case (stage)
    case (1)
      leaf = leaf + 0.6d0*growth
      root = root + 0.4d0*growth
    case (2)
      leaf = leaf + 0.3d0*growth
      root = root + 0.1d0*growth
      grain = grain + 0.6d0*growth
    case default
      grain = grain + growth + 0.05d0*leaf
      leaf = leaf*0.95d0
    end select
  end subroutine partition
end module crop_state
subroutine crop(par, temp, rad, rain, yield, n)
  use crop_state
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: par(5), temp(n), rad(n), rain(n)
  real(8), intent(out) :: yield
  integer :: day
  call crop_init(par)
  do day = 1, n
    call crop_step(temp(day), rad(day), rain(day))
  end do
  yield = grain*(1d0 + 0.1d0*layer(1)%water)
end subroutine crop
