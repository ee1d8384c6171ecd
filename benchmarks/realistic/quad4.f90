! Nonlinear heat conduction with four-node elements: shape functions at Gauss points, element matrices gathered by
! connectivity, conjugate gradients on the assembled matrix, Picard iteration.
module fe_mesh
  implicit none
  integer, parameter :: nx = 3, ny = 2, nel = nx*ny, nnod = (nx+1)*(ny+1)
  integer :: conn(4, nel)
  real(8) :: xy(2, nnod)
  logical :: fixed(nnod)
contains
  subroutine mesh(stretch)
    real(8), intent(in) :: stretch
    integer :: i, j, e, n
    n = 0
    do j = 0, ny
      do i = 0, nx
        n = n + 1
        xy(1, n) = i + 0.1d0*stretch*i*(nx - i)
        xy(2, n) = j*(1d0 + 0.05d0*i)
        fixed(n) = i == 0
      end do
    end do
    e = 0
    do j = 1, ny
      do i = 1, nx
        e = e + 1
        n = (j - 1)*(nx + 1) + i
        conn(:, e) = (/ n, n + 1, n + nx + 2, n + nx + 1 /)
      end do
    end do
  end subroutine mesh
end module fe_mesh
subroutine shape4(r, s, xe, ye, h, dhx, dhy, det)
  implicit none
  real(8), intent(in) :: r, s, xe(4), ye(4)
  real(8), intent(out) :: h(4), dhx(4), dhy(4), det
  real(8) :: dr(4), ds(4), j11, j12, j21, j22
  integer :: a
  h(1) = 0.25d0*(1d0 - r)*(1d0 - s)
  h(2) = 0.25d0*(1d0 + r)*(1d0 - s)
  h(3) = 0.25d0*(1d0 + r)*(1d0 + s)
  h(4) = 0.25d0*(1d0 - r)*(1d0 + s)
  dr(1) = -0.25d0*(1d0 - s)
  dr(2) = 0.25d0*(1d0 - s)
  dr(3) = 0.25d0*(1d0 + s)
  dr(4) = -0.25d0*(1d0 + s)
  ds(1) = -0.25d0*(1d0 - r)
  ds(2) = -0.25d0*(1d0 + r)
  ds(3) = 0.25d0*(1d0 + r)
  ds(4) = 0.25d0*(1d0 - r)
  j11 = 0d0
  j12 = 0d0
  j21 = 0d0
  j22 = 0d0
  do a = 1, 4
    j11 = j11 + dr(a)*xe(a)
    j12 = j12 + dr(a)*ye(a)
    j21 = j21 + ds(a)*xe(a)
    j22 = j22 + ds(a)*ye(a)
  end do
  det = j11*j22 - j12*j21
  do a = 1, 4
    dhx(a) = (j22*dr(a) - j12*ds(a))/det
    dhy(a) = (-j21*dr(a) + j11*ds(a))/det
  end do
end subroutine shape4
subroutine element(e, t, k0, q, ke, fe)
  use fe_mesh
  implicit none
  integer, intent(in) :: e
  real(8), intent(in) :: t(nnod), k0(nel), q
  real(8), intent(out) :: ke(4, 4), fe(4)
  real(8) :: xe(4), ye(4), te(4), h(4), dhx(4), dhy(4), det, tg, k, g
  integer :: a, b, ir, is
  do a = 1, 4
    xe(a) = xy(1, conn(a, e))
    ye(a) = xy(2, conn(a, e))
    te(a) = t(conn(a, e))
  end do
  ke = 0d0
  fe = 0d0
  g = 0.57735d0
  do is = -1, 1, 2
    do ir = -1, 1, 2
      call shape4(ir*g, is*g, xe, ye, h, dhx, dhy, det)
      tg = 0d0
      do a = 1, 4
        tg = tg + h(a)*te(a)
      end do
      k = k0(e)*(1d0 + 0.3d0*tg + 0.1d0*tg**2)
      do b = 1, 4
        do a = 1, 4
          ke(a, b) = ke(a, b) + k*(dhx(a)*dhx(b) + dhy(a)*dhy(b))*det
        end do
        fe(b) = fe(b) + q*h(b)*det
      end do
    end do
  end do
end subroutine element
subroutine cg(a, b, x)
  use fe_mesh
  implicit none
  real(8), intent(in) :: a(nnod, nnod), b(nnod)
  real(8), intent(inout) :: x(nnod)
  real(8) :: r(nnod), p(nnod), ap(nnod), rr, rn, al
  integer :: it, i, j
  do i = 1, nnod
    r(i) = b(i)
    do j = 1, nnod
      r(i) = r(i) - a(i, j)*x(j)
    end do
    p(i) = r(i)
  end do
  rr = sum(r*r)
  do it = 1, 6
    do i = 1, nnod
      ap(i) = 0d0
      do j = 1, nnod
        ap(i) = ap(i) + a(i, j)*p(j)
      end do
    end do
    al = rr/sum(p*ap)
    x = x + al*p
    r = r - al*ap
    rn = sum(r*r)
    if (rn < 1d-16) exit
    p = r + (rn/rr)*p
    rr = rn
  end do
end subroutine cg
subroutine quad4(k0, q, stretch, tb, peak)
  use fe_mesh
  implicit none
  real(8), intent(in) :: k0(nel), q, stretch, tb
  real(8), intent(out) :: peak
  real(8) :: t(nnod), a(nnod, nnod), f(nnod), ke(4, 4), fe(4)
  integer :: it, e, i, j, n
  call mesh(stretch)
  t = tb
  do it = 1, 3
    a = 0d0
    f = 0d0
    do e = 1, nel
      call element(e, t, k0, q, ke, fe)
      do j = 1, 4
        do i = 1, 4
          a(conn(i, e), conn(j, e)) = a(conn(i, e), conn(j, e)) + ke(i, j)
        end do
        f(conn(j, e)) = f(conn(j, e)) + fe(j)
      end do
    end do
    do n = 1, nnod
      if (fixed(n)) then
        f = f - a(:, n)*tb
        a(:, n) = 0d0
        a(n, :) = 0d0
        a(n, n) = 1d0
        f(n) = tb
      end if
    end do
    call cg(a, f, t)
  end do
  peak = 0d0
  do n = 1, nnod
    peak = peak + t(n)**8
  end do
  peak = peak**0.125d0
end subroutine quad4
