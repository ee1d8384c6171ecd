! Oil parcels on a C grid: bilinear velocities, a midpoint step, beaching at the shore by reflection, evaporation by
! pseudo-components, concentrations counted on the grid with weights; current amplitudes and decay are the controls.
module slick_mod
  implicit none
  type parcel
    real(8) :: x, y, mass(2)
    logical :: afloat
  end type parcel
contains
  subroutine velocity(x, y, u, v, n, ux, vx)
    integer, intent(in) :: n
    real(8), intent(in) :: x, y, u(n+1,n), v(n,n+1)
    real(8), intent(out) :: ux, vx
    real(8) :: a, b
    integer :: i, j
    i = min(max(int(x) + 1, 1), n)
    j = min(max(int(y + 0.5d0), 1), n - 1)
    a = x - (i - 1)
    b = y - (j - 0.5d0)
    ux = (1d0-b)*((1d0-a)*u(i,j) + a*u(i+1,j)) + b*((1d0-a)*u(i,j+1) + a*u(i+1,j+1))
    i = min(max(int(x + 0.5d0), 1), n - 1)
    j = min(max(int(y) + 1, 1), n)
    a = x - (i - 0.5d0)
    b = y - (j - 1)
    vx = (1d0-b)*((1d0-a)*v(i,j) + a*v(i+1,j)) + b*((1d0-a)*v(i,j+1) + a*v(i+1,j+1))
  end subroutine velocity
  subroutine move(p, u, v, n, dt)
    integer, intent(in) :: n
    type(parcel), intent(inout) :: p
    real(8), intent(in) :: u(n+1,n), v(n,n+1), dt
    real(8) :: ux, vx, xm, ym
    call velocity(p%x, p%y, u, v, n, ux, vx)
    xm = p%x + 0.5d0*dt*ux
    ym = p%y + 0.5d0*dt*vx
    call velocity(xm, ym, u, v, n, ux, vx)
    p%x = p%x + dt*ux
    p%y = p%y + dt*vx
    if (p%x < 0d0) p%x = -p%x
    if (p%x > n) p%x = 2d0*n - p%x
    if (p%y < 0d0) p%y = -p%y
    if (p%y > n - 0.2d0) p%afloat = .false.
  end subroutine move
  subroutine weather(p, k, temp, dt)
    type(parcel), intent(inout) :: p
    real(8), intent(in) :: k(2), temp, dt
    real(8) :: total, frac
    integer :: c
    total = p%mass(1) + p%mass(2)
    do c = 1, 2
      frac = p%mass(c)/total
      p%mass(c) = p%mass(c)*exp(-dt*k(c)*temp*frac)
    end do
  end subroutine weather
end module slick_mod
subroutine oilslick(n, np, nt, amp, k, m0, cost)
  use slick_mod
  implicit none
  integer, intent(in) :: n, np, nt
  real(8), intent(in) :: amp(2), k(2), m0(np)
  real(8), intent(out) :: cost
  type(parcel) :: p(np)
  real(8) :: u(n+1,n), v(n,n+1), conc(n,n), tide
  integer :: it, l, i, j
  do l = 1, np
    p(l)%x = 1d0 + 0.5d0*l
    p(l)%y = 1.2d0 + 0.3d0*l
    p(l)%mass(1) = m0(l)
    p(l)%mass(2) = 0.5d0*m0(l)
    p(l)%afloat = .true.
  end do
  cost = 0d0
  do it = 1, nt
    tide = sin(0.7d0*it)
    do j = 1, n
      do i = 1, n + 1
        u(i,j) = amp(1)*tide*sin(3.1d0*(i-1)/n)*cos(3.1d0*(j-0.5d0)/n)
      end do
    end do
    do j = 1, n + 1
      do i = 1, n
        v(i,j) = -amp(2)*cos(3.1d0*(i-0.5d0)/n)*sin(3.1d0*(j-1)/n)
      end do
    end do
    conc = 0d0
    do l = 1, np
      if (p(l)%afloat) then
        call move(p(l), u, v, n, 0.3d0)
        call weather(p(l), k, 1d0 + 0.1d0*tide, 0.3d0)
      end if
      i = min(max(int(p(l)%x) + 1, 1), n)
      j = min(max(int(p(l)%y) + 1, 1), n)
      conc(i,j) = conc(i,j) + p(l)%mass(1) + p(l)%mass(2)
    end do
    do j = 1, n
      do i = 1, n
        cost = cost + conc(i,j)**2
      end do
    end do
  end do
  do l = 1, np
    cost = cost + 0.1d0*p(l)%x*p(l)%y
  end do
end subroutine oilslick
