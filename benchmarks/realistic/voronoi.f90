! Shallow water on an unstructured mesh of cells and edges (C grid): thickness at cells, normal velocity at edges,
! vorticity at vertices; four stages of Runge and Kutta.
module mesh
  implicit none
  integer, parameter :: nc = 6, ne = 9, nv = 4
  integer :: cell(2, ne), vert(2, ne), edge_of(4, nc), count_of(nc)
  real(8) :: sgn(4, nc), dv(ne), dc(ne)
contains
  subroutine build()
    integer :: e, c
    count_of = 0
    sgn = 0d0
    edge_of = 1
    do e = 1, ne
      cell(1, e) = mod(e - 1, nc) + 1
      cell(2, e) = mod(e + e/4, nc) + 1
      if (cell(1, e) == cell(2, e)) cell(2, e) = mod(cell(1, e), nc) + 1
      vert(1, e) = mod(e, nv) + 1
      vert(2, e) = mod(e + 1, nv) + 1
      dv(e) = 1d0 + 0.1d0*mod(e, 3)
      dc(e) = 1d0 + 0.05d0*mod(e, 4)
      do c = 1, 2
        if (count_of(cell(c, e)) < 4) then
          count_of(cell(c, e)) = count_of(cell(c, e)) + 1
          edge_of(count_of(cell(c, e)), cell(c, e)) = e
          sgn(count_of(cell(c, e)), cell(c, e)) = 3d0 - 2d0*c
        end if
      end do
    end do
  end subroutine
end module
subroutine voronoi(nt, h0, u0, topo, cost)
  use mesh
  implicit none
  integer, intent(in) :: nt
  real(8), intent(in) :: h0(nc), u0(ne), topo(nc)
  real(8), intent(out) :: cost
  real(8) :: h(nc), u(ne), hs(nc), us(ne), ha(nc), ua(ne), th(nc), tu(ne)
  real(8) :: a(4), b(4), dt
  integer :: it, k
  call build()
  a = (/0.5d0, 0.5d0, 1d0, 0d0/)
  b = (/1d0/6, 1d0/3, 1d0/3, 1d0/6/)
  dt = 0.02d0
  h = 2d0 + 0.1d0*h0
  u = 0.1d0*u0
  cost = 0d0
  do it = 1, nt
    hs = h
    us = u
    ha = h
    ua = u
    do k = 1, 4
      call tendencies(hs, us, topo, th, tu)
      if (k < 4) then
        hs = h + a(k)*dt*th
        us = u + a(k)*dt*tu
      end if
      ha = ha + b(k)*dt*th
      ua = ua + b(k)*dt*tu
    end do
    h = ha
    u = ua
    cost = cost + sum((h - 2d0)**2)
  end do
end subroutine
subroutine tendencies(h, u, topo, th, tu)
  use mesh
  implicit none
  real(8), intent(in) :: h(nc), u(ne), topo(nc)
  real(8), intent(out) :: th(nc), tu(ne)
  real(8) :: flux(ne), ke(nc), vort(nv), hv(nv), q, he, bern(nc)
  integer :: e, c, k, n
  vort = 0d0
  hv = 0.5d0
  do e = 1, ne
    vort(vert(1, e)) = vort(vert(1, e)) - dc(e)*u(e)
    vort(vert(2, e)) = vort(vert(2, e)) + dc(e)*u(e)
    hv(vert(1, e)) = hv(vert(1, e)) + 0.2d0*h(cell(1, e))
    hv(vert(2, e)) = hv(vert(2, e)) + 0.2d0*h(cell(2, e))
  end do
  do e = 1, ne
    if (u(e) > 0d0) then
      he = h(cell(1, e))
    else
      he = h(cell(2, e))
    end if
    flux(e) = u(e)*he*dv(e)
  end do
  ke = 0d0
  do c = 1, nc
    th(c) = 0d0
    do k = 1, count_of(c)
      n = edge_of(k, c)
      th(c) = th(c) - sgn(k, c)*flux(n)
      ke(c) = ke(c) + 0.25d0*u(n)**2
    end do
    bern(c) = 9.81d0*(h(c) + topo(c)) + ke(c)
  end do
  do e = 1, ne
    q = 0.5d0*((1d0 + vort(vert(1, e)))/hv(vert(1, e)) + (1d0 + vort(vert(2, e)))/hv(vert(2, e)))
    tu(e) = -(bern(cell(2, e)) - bern(cell(1, e)))/dc(e) + 0.1d0*q*flux(e)
  end do
end subroutine
