! Ray tracing of spheres over a plane with reflections: nearest hit, Lambert and mirror shares, shadow by a second search;
! a render of a small picture, centres, radii and reflectances are the controls, the difference to a photograph the cost.
module tracer_mod
  implicit none
  type ball
    real(8) :: c(3), r, colour, mirror
  end type ball
contains
  subroutine nearest(balls, nb, o, d, t, id)
    integer, intent(in) :: nb
    type(ball), intent(in) :: balls(nb)
    real(8), intent(in) :: o(3), d(3)
    real(8), intent(out) :: t
    integer, intent(out) :: id
    real(8) :: oc(3), b, disc, ti
    integer :: i
    t = 1d3
    id = 0
    if (d(3) < -1d-6) then
      t = -o(3)/d(3)
      id = -1
    end if
    do i = 1, nb
      oc = o - balls(i)%c
      b = sum(oc*d)
      disc = b*b - sum(oc*oc) + balls(i)%r**2
      if (disc <= 0d0) cycle
      ti = -b - sqrt(disc)
      if (ti > 1d-4 .and. ti < t) then
        t = ti
        id = i
      end if
    end do
  end subroutine nearest
  subroutine shade(balls, nb, o, d, sun, light)
    integer, intent(in) :: nb
    type(ball), intent(in) :: balls(nb)
    real(8), intent(inout) :: o(3), d(3)
    real(8), intent(in) :: sun(3)
    real(8), intent(out) :: light
    real(8) :: t, p(3), n(3), share, dn, mirror, ts
    integer :: bounce, id, ids
    light = 0d0
    share = 1d0
    do bounce = 1, 3
      call nearest(balls, nb, o, d, t, id)
      if (id == 0) then
        light = light + share*(0.3d0 + 0.2d0*d(3))
        exit
      end if
      p = o + t*d
      if (id < 0) then
        n = [0d0, 0d0, 1d0]
        mirror = 0.2d0
        dn = 0.5d0
      else
        n = (p - balls(id)%c)/balls(id)%r
        mirror = balls(id)%mirror
        dn = balls(id)%colour
      end if
      call nearest(balls, nb, p, sun, ts, ids)
      if (ids == 0) light = light + share*(1d0 - mirror)*dn*max(sum(n*sun), 0d0)
      share = share*mirror
      d = d - 2d0*sum(d*n)*n
      o = p
    end do
  end subroutine shade
end module tracer_mod
subroutine spheres(nb, nx, ny, centre, radius, colour, mirror, photo, cost)
  use tracer_mod
  implicit none
  integer, intent(in) :: nb, nx, ny
  real(8), intent(in) :: centre(3,nb), radius(nb), colour(nb), mirror(nb), photo(nx,ny)
  real(8), intent(out) :: cost
  type(ball) :: balls(nb)
  real(8) :: o(3), d(3), sun(3), light
  integer :: i, j, b
  do b = 1, nb
    balls(b)%c(1) = 1.5d0*b - 0.75d0*(nb + 1) + 0.1d0*centre(1,b)
    balls(b)%c(2) = 4d0 + 0.5d0*centre(2,b)
    balls(b)%c(3) = 0.8d0 + 0.1d0*centre(3,b)
    balls(b)%r = 0.6d0 + 0.1d0*radius(b)
    balls(b)%colour = colour(b)
    balls(b)%mirror = 0.5d0*mirror(b)
  end do
  sun = [0.48d0, -0.6d0, 0.64d0]
  cost = 0d0
  do j = 1, ny
    do i = 1, nx
      o = [0d0, -2d0, 1.2d0]
      d(1) = 1.2d0*(i - 0.5d0*(nx + 1))/nx
      d(2) = 1d0
      d(3) = 0.6d0*(j - 0.5d0*(ny + 1))/ny - 0.05d0
      d = d/sqrt(sum(d*d))
      call shade(balls, nb, o, d, sun, light)
      cost = cost + (light - photo(i,j))**2
    end do
  end do
end subroutine spheres
