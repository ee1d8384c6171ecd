! A bending plate of triangles: element stiffness, assembly through a connectivity table, springs,
! a load increment loop with thickness degrading where the curvature is high, static condensation by Gauss elimination.
module plates
  implicit none
  integer, parameter :: ne = 4, nn = 6, nd = 3
  integer, parameter :: con(nd, ne) = reshape((/1, 2, 3, 2, 4, 3, 3, 4, 5, 4, 6, 5/), (/nd, ne/))
  real(8) :: xy(2, nn) = reshape((/0d0, 0d0, 1d0, 0d0, 0d0, 1d0, 1d0, 1.1d0, 0.1d0, 2d0, 1.2d0, 2.1d0/), (/2, nn/))
contains
  subroutine bmat(e, b, area)
    integer, intent(in) :: e
    real(8), intent(out) :: b(2, nd), area
    real(8) :: p(2, nd)
    integer :: i, j, k
    p = xy(:, con(:, e))
    area = 0.5d0*abs((p(1, 2) - p(1, 1))*(p(2, 3) - p(2, 1)) - (p(1, 3) - p(1, 1))*(p(2, 2) - p(2, 1)))
    do i = 1, nd
      j = mod(i, nd) + 1
      k = mod(j, nd) + 1
      b(1, i) = (p(2, j) - p(2, k))/(2d0*area)
      b(2, i) = (p(1, k) - p(1, j))/(2d0*area)
    end do
  end subroutine bmat
  function moduli(h, nu) result(d)
    real(8), intent(in) :: h, nu
    real(8) :: d(2, 2), c
    c = h**3/(12d0*(1d0 - 0.09d0*nu**2))
    d(1, :) = (/c, 0.3d0*nu*c/)
    d(2, :) = (/0.3d0*nu*c, c/)
  end function moduli
  subroutine stiffness(e, h, nu, ke, b)
    integer, intent(in) :: e
    real(8), intent(in) :: h, nu
    real(8), intent(out) :: ke(nd, nd), b(2, nd)
    real(8) :: area, db(2, nd), d(2, 2)
    integer :: i, j
    call bmat(e, b, area)
    d = moduli(h, nu)
    do j = 1, nd
      db(1, j) = d(1, 1)*b(1, j) + d(1, 2)*b(2, j)
      db(2, j) = d(2, 1)*b(1, j) + d(2, 2)*b(2, j)
      do i = 1, nd
        ke(i, j) = area*sum(b(:, i)*db(:, j))
      end do
    end do
  end subroutine stiffness
  subroutine solve(a, x)
    real(8), intent(inout) :: a(nn, nn), x(nn)
    integer :: k, i
    do k = 1, nn - 1
      do i = k + 1, nn
        a(i, k) = a(i, k)/a(k, k)
        x(i) = x(i) - a(i, k)*x(k)
        a(i, k+1:) = a(i, k+1:) - a(i, k)*a(k, k+1:)
      end do
    end do
    do k = nn, 1, -1
      x(k) = (x(k) - sum(a(k, k+1:)*x(k+1:)))/a(k, k)
    end do
  end subroutine solve
end module plates
subroutine plate(nl, h0, nu, found, load, work)
  use plates
  implicit none
  integer, intent(in) :: nl
  real(8), intent(in) :: h0(ne), nu, found, load(nn)
  real(8), intent(out) :: work
  real(8) :: h(ne), k(nn, nn), w(nn), ke(nd, nd), b(2, nd, ne), kap(2), we(nd), c
  integer :: il, e, i, j
  h = h0
  work = 0d0
  do il = 1, nl
    k = 0d0
    do e = 1, ne
      call stiffness(e, h(e), nu, ke, b(:, :, e))
      do j = 1, nd
        do i = 1, nd
          k(con(i, e), con(j, e)) = k(con(i, e), con(j, e)) + ke(i, j)
        end do
      end do
    end do
    do i = 1, nn
      k(i, i) = k(i, i) + 0.3d0*found
      w(i) = load(i)*il/real(nl, 8)
    end do
    call solve(k, w)
    do e = 1, ne
      we = w(con(:, e))
      kap(1) = sum(b(1, :, e)*we)
      kap(2) = sum(b(2, :, e)*we)
      c = kap(1)**2 + kap(2)**2
      if (c > 0.05d0) h(e) = h(e)*(1d0 - 0.1d0*c/(1d0 + c))
    end do
    work = work + sum(w*load)
  end do
end subroutine plate
