! Shallow water on triangles, edge by edge: gradients by Green-Gauss over an edge table, limited reconstruction at the edges,
! HLL fluxes gathered to both cells, friction, two-stage time steps.
module trimesh
  implicit none
  integer, parameter :: mc = 60, me = 120
  integer :: nc, ne, left(me), right(me)
  real(8) :: nx(me), ny(me), len(me), xe(me), ye(me), xc(mc), yc(mc), area(mc)
contains
  subroutine build(n)
    integer, intent(in) :: n
    integer :: i
    nc = 2*n
    ne = 0
    do i = 1, nc
      xc(i) = 0.5d0*i + 0.1d0*mod(i, 3)
      yc(i) = 0.3d0*mod(i, 2)
      area(i) = 0.5d0 + 0.05d0*mod(i, 4)
    end do
    do i = 1, nc
      call add(i, mod(i, nc) + 1, 1d0)
      if (mod(i, 3) == 0) call add(i, mod(i + 2, nc) + 1, 0.4d0)
    end do
    call add(1, 0, 0.7d0)
  end subroutine build
  subroutine add(l, r, length)
    integer, intent(in) :: l, r
    real(8), intent(in) :: length
    ne = ne + 1
    left(ne) = l
    right(ne) = r
    len(ne) = length
    nx(ne) = cos(0.7d0*ne)
    ny(ne) = sin(0.7d0*ne)
    xe(ne) = xc(l) + 0.2d0
    ye(ne) = yc(l) + 0.1d0
  end subroutine add
end module trimesh
subroutine gradients(q, g)
  use trimesh
  implicit none
  real(8), intent(in) :: q(3, mc)
  real(8), intent(out) :: g(2, 3, mc)
  integer :: e, l, r, k
  real(8) :: f
  g = 0d0
  do e = 1, ne
    l = left(e)
    r = right(e)
    do k = 1, 3
      if (r > 0) then
        f = 0.5d0*(q(k, l) + q(k, r))
        g(1, k, r) = g(1, k, r) - f*nx(e)*len(e)/area(r)
        g(2, k, r) = g(2, k, r) - f*ny(e)*len(e)/area(r)
      else
        f = q(k, l)
      end if
      g(1, k, l) = g(1, k, l) + f*nx(e)*len(e)/area(l)
      g(2, k, l) = g(2, k, l) + f*ny(e)*len(e)/area(l)
    end do
  end do
end subroutine gradients
subroutine side(q, g, c, e, u)
  use trimesh
  implicit none
  real(8), intent(in) :: q(3, mc), g(2, 3, mc)
  integer, intent(in) :: c, e
  real(8), intent(out) :: u(3)
  real(8) :: d, lim
  integer :: k
  do k = 1, 3
    d = g(1, k, c)*(xe(e) - xc(c)) + g(2, k, c)*(ye(e) - yc(c))
    lim = 1d0/(1d0 + d*d)
    u(k) = q(k, c) + 0.1d0*lim*d
  end do
  if (u(1) < 0.05d0) u(1) = 0.05d0
end subroutine side
subroutine hll(ul, ur, anx, any_, f)
  implicit none
  real(8), intent(in) :: ul(3), ur(3), anx, any_
  real(8), intent(out) :: f(3)
  real(8) :: unl, unr, cl, cr, sl, sr, fl(3), fr(3)
  unl = (ul(2)*anx + ul(3)*any_)/ul(1)
  unr = (ur(2)*anx + ur(3)*any_)/ur(1)
  cl = sqrt(9.81d0*ul(1))
  cr = sqrt(9.81d0*ur(1))
  sl = min(unl - cl, unr - cr)
  sr = max(unl + cl, unr + cr)
  fl(1) = ul(1)*unl
  fl(2) = ul(2)*unl + 4.905d0*ul(1)**2*anx
  fl(3) = ul(3)*unl + 4.905d0*ul(1)**2*any_
  if (sl > 0d0) then
    f = fl
    return
  end if
  fr(1) = ur(1)*unr
  fr(2) = ur(2)*unr + 4.905d0*ur(1)**2*anx
  fr(3) = ur(3)*unr + 4.905d0*ur(1)**2*any_
  if (sr < 0d0) then
    f = fr
  else
    f = (sr*fl - sl*fr + sl*sr*(ur - ul))/(sr - sl)
  end if
end subroutine hll
subroutine residual(q, man, res)
  use trimesh
  implicit none
  real(8), intent(in) :: q(3, mc), man
  real(8), intent(out) :: res(3, mc)
  real(8) :: g(2, 3, mc), ul(3), ur(3), f(3), speed
  integer :: e, l, r, c
  call gradients(q, g)
  res = 0d0
  do e = 1, ne
    l = left(e)
    r = right(e)
    call side(q, g, l, e, ul)
    if (r > 0) then
      call side(q, g, r, e, ur)
    else
      ur = ul
      ur(2) = -ul(2)
      ur(3) = -ul(3)
    end if
    call hll(ul, ur, nx(e), ny(e), f)
    res(:, l) = res(:, l) - f*len(e)/area(l)
    if (r > 0) res(:, r) = res(:, r) + f*len(e)/area(r)
  end do
  do c = 1, nc
    speed = sqrt(q(2, c)**2 + q(3, c)**2 + 1d-6)/q(1, c)
    res(2, c) = res(2, c) - 9.81d0*man**2*speed*q(2, c)/q(1, c)**(4d0/3d0)
    res(3, c) = res(3, c) - 9.81d0*man**2*speed*q(3, c)/q(1, c)**(4d0/3d0)
  end do
end subroutine residual
subroutine edgeswe(n, nt, h0, man, dt, depth)
  use trimesh
  implicit none
  integer, intent(in) :: n, nt
  real(8), intent(in) :: h0(2*n), man, dt
  real(8), intent(out) :: depth
  real(8) :: q(3, mc), q1(3, mc), res(3, mc)
  integer :: it
  call build(n)
  q = 1d0
  q(1, 1:nc) = h0
  q(2:3, 1:nc) = 0.1d0
  do it = 1, nt
    call residual(q, 0.03d0*man, res)
    q1 = q
    q1(:, 1:nc) = q(:, 1:nc) + 0.01d0*dt*res(:, 1:nc)
    call residual(q1, 0.03d0*man, res)
    q(:, 1:nc) = 0.5d0*(q(:, 1:nc) + q1(:, 1:nc) + 0.01d0*dt*res(:, 1:nc))
  end do
  depth = sum(q(1, 1:nc)**2)
end subroutine edgeswe
