! An estuary: depth, flow and salt in a derived type, van Leer fluxes, tide at one end, river at the other.
module estuary_types
  implicit none
  integer, parameter :: nx = 12
  type water
    real(8) :: h(0:nx + 1)
    real(8) :: q(0:nx + 1)
    real(8) :: s(0:nx + 1)
  end type water
  type fluxes
    real(8) :: mass(nx + 1), mom(nx + 1), salt(nx + 1)
  end type fluxes
contains
  subroutine boundary(w, tide, river)
    type(water), intent(inout) :: w
    real(8), intent(in) :: tide, river
    w%h(0) = tide
    w%q(0) = w%q(1)
    w%s(0) = 1.0d0
    w%h(nx + 1) = w%h(nx)
    w%q(nx + 1) = -river
    w%s(nx + 1) = 0.0d0
  end subroutine boundary

  function limited(a, b) result(slope)
    real(8), intent(in) :: a, b
    real(8) :: slope
    if (a*b > 0.0d0) then
      slope = 2.0d0*a*b/(a + b)
    else
      slope = 0.0d0
    end if
  end function limited

  subroutine face_fluxes(w, f, g)
    type(water), intent(in) :: w
    type(fluxes), intent(inout) :: f
    real(8), intent(in) :: g
    real(8) :: ul, ur, c, sl
    integer :: i
    do i = 1, nx + 1
      ul = w%q(i - 1)/w%h(i - 1)
      ur = w%q(i)/w%h(i)
      c = max(abs(ul) + sqrt(g*w%h(i - 1)), abs(ur) + sqrt(g*w%h(i)))
      f%mass(i) = 0.5d0*(w%q(i - 1) + w%q(i)) - 0.5d0*c*(w%h(i) - w%h(i - 1))
      f%mom(i) = 0.5d0*(ul*w%q(i - 1) + ur*w%q(i) + 0.5d0*g*(w%h(i - 1)**2 + w%h(i)**2)) &
        - 0.5d0*c*(w%q(i) - w%q(i - 1))
    end do
    do i = 1, nx + 1
      if (f%mass(i) > 0.0d0) then
        sl = w%s(i - 1)
        if (i > 1) sl = sl + 0.5d0*limited(w%s(i) - w%s(i - 1), w%s(i - 1) - w%s(i - 2))
      else
        sl = w%s(i)
        if (i <= nx) sl = sl - 0.5d0*limited(w%s(i) - w%s(i - 1), w%s(i + 1) - w%s(i))
      end if
      f%salt(i) = f%mass(i)*sl
    end do
  end subroutine face_fluxes

  subroutine update(w, f, lam, rough)
    type(water), intent(inout) :: w
    type(fluxes), intent(in) :: f
    real(8), intent(in) :: lam, rough(nx)
    real(8) :: hs, u
    integer :: i
    do i = 1, nx
      hs = w%h(i)*w%s(i) - lam*(f%salt(i + 1) - f%salt(i))
      w%h(i) = w%h(i) - lam*(f%mass(i + 1) - f%mass(i))
      w%q(i) = w%q(i) - lam*(f%mom(i + 1) - f%mom(i))
      u = w%q(i)/w%h(i)
      w%q(i) = w%q(i)/(1.0d0 + lam*rough(i)*abs(u)/w%h(i))
      w%s(i) = hs/w%h(i)
    end do
  end subroutine update
end module estuary_types

subroutine estuary(rough, tide, river, cost)
  use estuary_types
  implicit none
  real(8), intent(in) :: rough(nx), tide(6), river
  real(8), intent(out) :: cost
  type(water) :: w
  type(fluxes) :: f
  integer :: step, i
  do i = 0, nx + 1
    w%h(i) = 2.0d0 + 0.01d0*i
    w%q(i) = -0.1d0
    w%s(i) = 1.0d0 - 0.06d0*i
  end do
  do step = 1, 6
    call boundary(w, 2.0d0 + 0.1d0*tide(step), river)
    call face_fluxes(w, f, 9.81d0)
    call update(w, f, 0.05d0, rough)
  end do
  cost = sum(w%s(1:nx)**2) + 0.1d0*sum(w%q(1:nx)**2)
end subroutine estuary
