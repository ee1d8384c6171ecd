! Aerosol in size sections: coagulation, condensation with moving centres, wet removal by elemental function.
module aerosol_physics
  implicit none
  real(8), parameter :: pi = 3.14159265358979d0
contains
  pure function kernel(a, b) result(k)
    real(8), intent(in) :: a, b
    real(8) :: k
    k = 0.1d0*(a + b)*(1d0/a + 1d0/b)
  end function
  pure function scavenged(d, rain) result(f)
    real(8), intent(in) :: d, rain
    real(8) :: f
    if (d > 1d0) then
      f = 1d0 - exp(-rain*d)
    else
      f = 1d0 - exp(-rain*sqrt(d))
    end if
  end function
end module
subroutine aerosol(nb, nt, n0, growth, rain, mass)
  use aerosol_physics
  implicit none
  integer, intent(in) :: nb, nt
  real(8), intent(in) :: n0(nb), growth, rain
  real(8), intent(out) :: mass
  real(8) :: number(nb), volume(nb), diameter(nb), edge(nb + 1), vapour, dt
  integer :: it, ib
  dt = 0.1d0
  vapour = 1d0
  edge(1) = 0.1d0
  do ib = 1, nb
    edge(ib + 1) = 1.8d0*edge(ib)
    number(ib) = n0(ib)
    volume(ib) = n0(ib)*pi/6d0*(0.5d0*(edge(ib) + edge(ib + 1)))**3
  end do
  do it = 1, nt
    diameter = (6d0*volume/(pi*number))**(1d0/3d0)
    call coagulate(nb, dt, diameter, number, volume)
    call condense(nb, dt, growth, diameter, number, volume, vapour)
    call resize(nb, edge, number, volume)
    do ib = 1, nb
      number(ib) = number(ib)*(1d0 - dt*scavenged(diameter(ib), rain))
      volume(ib) = volume(ib)*(1d0 - dt*scavenged(diameter(ib), rain))
    end do
  end do
  mass = sum(volume) + 0.1d0*vapour
end subroutine
subroutine coagulate(nb, dt, d, number, volume)
  use aerosol_physics
  implicit none
  integer, intent(in) :: nb
  real(8), intent(in) :: dt, d(nb)
  real(8), intent(inout) :: number(nb), volume(nb)
  integer :: i, j
  real(8) :: rate, moved
  do i = 1, nb
    do j = 1, i
      rate = dt*kernel(d(i), d(j))*number(i)*number(j)
      if (i == j) rate = 0.5d0*rate
      rate = min(rate, 0.1d0*number(j))
      if (j < i) then
        moved = rate*volume(j)/number(j)
        volume(i) = volume(i) + moved
        volume(j) = volume(j) - moved
      end if
      number(j) = number(j) - rate
    end do
  end do
end subroutine
subroutine condense(nb, dt, growth, d, number, volume, vapour)
  implicit none
  integer, intent(in) :: nb
  real(8), intent(in) :: dt, growth, d(nb)
  real(8), intent(in) :: number(nb)
  real(8), intent(inout) :: volume(nb), vapour
  real(8) :: sink, taken(nb)
  sink = dt*growth*sum(number*d)
  taken = vapour*(1d0 - exp(-sink))*number*d/sum(number*d)
  volume = volume + taken
  vapour = vapour - sum(taken)
end subroutine
subroutine resize(nb, edge, number, volume)
  use aerosol_physics
  implicit none
  integer, intent(in) :: nb
  real(8), intent(in) :: edge(nb + 1)
  real(8), intent(inout) :: number(nb), volume(nb)
  integer :: i
  real(8) :: d
  do i = nb - 1, 1, -1
    d = (6d0*volume(i)/(pi*number(i)))**(1d0/3d0)
    if (d > edge(i + 1)) then
      number(i + 1) = number(i + 1) + 0.5d0*number(i)
      volume(i + 1) = volume(i + 1) + 0.5d0*volume(i)
      number(i) = 0.5d0*number(i)
      volume(i) = 0.5d0*volume(i)
    end if
  end do
end subroutine
