! A peat column: layers that are added and lost (a stack of layers with its counter in a module), decomposition by temperature
! and water table, water table found by bisection, methane by ebullition thresholds, litter by plant types with pointers to
! pools.
module bog
  implicit none
  integer, parameter :: ml = 14
  type pools
    real(8) :: mass(ml), rho(ml), age(ml)
  end type pools
  type(pools), target, save :: peat
  integer, save :: nl = 0
contains
  subroutine push_layer(m)
    real(8), intent(in) :: m
    integer :: k
    if (nl == ml) then
      peat%mass(1) = peat%mass(1) + peat%mass(2)
      do k = 2, nl - 1
        peat%mass(k) = peat%mass(k+1)
        peat%rho(k) = peat%rho(k+1)
        peat%age(k) = peat%age(k+1)
      end do
      nl = nl - 1
    end if
    nl = nl + 1
    peat%mass(nl) = m
    peat%rho(nl) = 0.1d0
    peat%age(nl) = 0d0
  end subroutine push_layer
  subroutine height(h)
    real(8), intent(out) :: h
    real(8), pointer :: m(:), r(:)
    m => peat%mass
    r => peat%rho
    h = sum(m(1:nl)/r(1:nl))
  end subroutine height
  subroutine table(water, zwt)
    real(8), intent(in) :: water
    real(8), intent(out) :: zwt
    real(8) :: lo, hi, s, z
    integer :: it, k
    call height(hi)
    lo = 0d0
    do it = 1, 8
      zwt = 0.5d0*(lo + hi)
      s = 0d0
      z = 0d0
      do k = 1, nl
        z = z + peat%mass(k)/peat%rho(k)
        if (z < zwt) then
          s = s + 0.9d0*peat%mass(k)/peat%rho(k)
        else
          s = s + 0.4d0*peat%mass(k)/peat%rho(k)
        end if
      end do
      if (s > water) then
        hi = zwt
      else
        lo = zwt
      end if
    end do
    zwt = zwt + 0.01d0*(water - s)
  end subroutine table
  subroutine decay(temp, zwt, k0, gas)
    real(8), intent(in) :: temp, zwt, k0
    real(8), intent(inout) :: gas
    real(8) :: f, z, loss
    integer :: k
    z = 0d0
    do k = 1, nl
      z = z + peat%mass(k)/peat%rho(k)
      f = 0.3d0**(max(0d0, min(1d0, zwt - z + 0.5d0)))
      loss = 0.1d0*k0*f*2d0**(temp - 1d0)*peat%mass(k)/(1d0 + peat%age(k))
      peat%mass(k) = peat%mass(k) - loss
      peat%rho(k) = 0.1d0 + 0.05d0*peat%age(k)*loss
      peat%age(k) = peat%age(k) + 0.1d0
      if (z < zwt) gas = gas + 0.5d0*loss
    end do
  end subroutine decay
end module bog
subroutine peatbog(ny, npp, temp, rain, k0, carbon, methane)
  use bog
  implicit none
  integer, intent(in) :: ny
  real(8), intent(in) :: npp(3), temp(ny), rain(ny), k0
  real(8), intent(out) :: carbon, methane
  real(8) :: litter, zwt, water, gas, h
  integer :: iy, k
  nl = 0
  do k = 1, 4
    call push_layer(0.1d0*npp(mod(k, 3) + 1))
  end do
  gas = 0d0
  methane = 0d0
  water = 2d0
  do iy = 1, ny
    call table(water, zwt)
    call height(h)
    if (h - zwt < 0.5d0) then
      litter = npp(1)*exp(-0.1d0*(h - zwt))
    else if (h - zwt < 1.5d0) then
      litter = 0.6d0*npp(2)
    else
      litter = 0.4d0*npp(3)*temp(iy)
    end if
    call push_layer(0.1d0*litter)
    call decay(temp(iy), zwt, k0, gas)
    if (gas > 0.01d0) then
      methane = methane + (gas - 0.01d0)**2*10d0
      gas = 0.01d0 + 0.1d0*(gas - 0.01d0)
    end if
    water = water + 0.2d0*rain(iy) - 0.1d0*temp(iy)*max(0.1d0, 1d0 - 0.1d0*(h - zwt))
  end do
  carbon = sum(peat%mass(1:nl))
end subroutine peatbog
