! Grains in a shaken box: contacts by a neighbour list that is made anew now and then, normal and tangential springs with
! a history of slip, Coulomb's limit, walls, velocity Verlet with rotation, rolling resistance.
module grain_data
  implicit none
  integer, parameter :: np = 5, mx = 10
  integer :: npair, pa(mx), pb(mx)
  real(8) :: slip(np, np)
  real(8) :: x(2, np), v(2, np), om(np), f(2, np), tq(np), rad(np)
end module grain_data
subroutine pair_list(skin)
  use grain_data
  implicit none
  real(8), intent(in) :: skin
  real(8) :: d
  integer :: i, j
  npair = 0
  do i = 1, np - 1
    do j = i + 1, np
      d = sqrt((x(1, i) - x(1, j))**2 + (x(2, i) - x(2, j))**2)
      if (d < rad(i) + rad(j) + skin) then
        npair = npair + 1
        pa(npair) = i
        pb(npair) = j
      else
        slip(i, j) = 0d0
      end if
    end do
  end do
end subroutine pair_list
subroutine contact(i, j, kn, fric, dt)
  use grain_data
  implicit none
  integer, intent(in) :: i, j
  real(8), intent(in) :: kn, fric, dt
  real(8) :: e(2), d, over, vn, vt, fn, ft, u(2)
  e = x(:, j) - x(:, i)
  d = sqrt(e(1)**2 + e(2)**2)
  over = rad(i) + rad(j) - d
  if (over <= 0d0) then
    slip(i, j) = 0d0
    return
  end if
  e = e/d
  u = v(:, j) - v(:, i)
  vn = u(1)*e(1) + u(2)*e(2)
  vt = -u(1)*e(2) + u(2)*e(1) - rad(i)*om(i) - rad(j)*om(j)
  fn = max(kn*over*sqrt(over) - 0.5d0*vn*sqrt(over), 0d0)
  slip(i, j) = slip(i, j) + vt*dt
  ft = 0.6d0*kn*slip(i, j)
  if (abs(ft) > fric*fn) then
    ft = sign(fric*fn, ft)
    slip(i, j) = ft/(0.6d0*kn)
  end if
  f(1, i) = f(1, i) - fn*e(1) - ft*e(2)
  f(2, i) = f(2, i) - fn*e(2) + ft*e(1)
  f(1, j) = f(1, j) + fn*e(1) + ft*e(2)
  f(2, j) = f(2, j) + fn*e(2) - ft*e(1)
  tq(i) = tq(i) + ft*rad(i)
  tq(j) = tq(j) + ft*rad(j)
end subroutine contact
subroutine walls(kn, floor)
  use grain_data
  implicit none
  real(8), intent(in) :: kn, floor
  real(8) :: over
  integer :: i
  do i = 1, np
    over = rad(i) - (x(2, i) - floor)
    if (over > 0d0) f(2, i) = f(2, i) + kn*over - 0.3d0*v(2, i)
    over = rad(i) - x(1, i)
    if (over > 0d0) f(1, i) = f(1, i) + kn*over
    over = rad(i) - (2d0 - x(1, i))
    if (over > 0d0) f(1, i) = f(1, i) - kn*over
  end do
end subroutine walls
subroutine grains(nt, r0, kn, fric, shake, heap)
  use grain_data
  implicit none
  integer, intent(in) :: nt
  real(8), intent(in) :: r0(np), kn, fric, shake
  real(8), intent(out) :: heap
  real(8) :: dt, m, floor
  integer :: it, i, k
  dt = 0.02d0
  do i = 1, np
    rad(i) = 0.2d0 + 0.1d0*r0(i)
    x(1, i) = 0.4d0 + 0.45d0*mod(i - 1, 3)
    x(2, i) = 0.3d0 + 0.5d0*((i - 1)/3)
    v(:, i) = 0d0
    om(i) = 0.1d0*i
  end do
  f = 0d0
  tq = 0d0
  slip = 0d0
  heap = 0d0
  do it = 1, nt
    if (mod(it, 3) == 1) call pair_list(0.1d0)
    floor = shake*0.05d0*sin(0.7d0*it)
    do i = 1, np
      m = rad(i)**3
      v(:, i) = v(:, i) + 0.5d0*dt*f(:, i)/m
      x(:, i) = x(:, i) + dt*v(:, i)
      om(i) = om(i) + 0.5d0*dt*tq(i)/(0.4d0*m*rad(i)**2)
    end do
    f = 0d0
    tq = 0d0
    do k = 1, npair
      call contact(pa(k), pb(k), 20d0*kn, 0.5d0*fric, dt)
    end do
    call walls(20d0*kn, floor)
    do i = 1, np
      m = rad(i)**3
      f(2, i) = f(2, i) - 1d0*m
      v(:, i) = v(:, i) + 0.5d0*dt*f(:, i)/m
      om(i) = (om(i) + 0.5d0*dt*tq(i)/(0.4d0*m*rad(i)**2))*0.98d0
    end do
    heap = heap + sum(x(2, :)*rad) + 0.1d0*sum(om*om)
  end do
end subroutine grains
