! Finite elements for a membrane: local stiffness by quadrature, assembly into a band matrix, Dirichlet rows, Cholesky
! of the band, a material that hardens; loads are stepped.
module elements
  implicit none
  integer, parameter :: nn = 9, ne = 8, bw = 4
  integer :: node(3, ne)
  real(8) :: px(nn), py(nn)
contains
  subroutine mesh()
    integer :: i, j, e
    do j = 1, 3
      do i = 1, 3
        px(i + 3*(j-1)) = i + 0.1d0*j
        py(i + 3*(j-1)) = j - 0.05d0*i
      end do
    end do
    e = 0
    do j = 1, 2
      do i = 1, 2
        e = e + 1
        node(1, e) = i + 3*(j-1)
        node(2, e) = i + 1 + 3*(j-1)
        node(3, e) = i + 3*j
        e = e + 1
        node(1, e) = i + 1 + 3*(j-1)
        node(2, e) = i + 1 + 3*j
        node(3, e) = i + 3*j
      end do
    end do
  end subroutine
end module
subroutine fem(nt, stiff, load, comp)
  use elements
  implicit none
  integer, intent(in) :: nt
  real(8), intent(in) :: stiff(ne), load(nn)
  real(8), intent(out) :: comp
  real(8) :: k(0:bw, nn), f(nn), u(nn), ke(3, 3), damage(ne), strain
  integer :: it, e, a, b, i, j
  call mesh()
  u = 0d0
  damage = 0d0
  comp = 0d0
  do it = 1, nt
    k = 0d0
    do i = 1, nn
      f(i) = load(i)*(1d0 + 0.2d0*it)
    end do
    do e = 1, ne
      call local(e, 2d0 + stiff(e), damage(e), ke)
      do b = 1, 3
        do a = 1, 3
          i = node(a, e)
          j = node(b, e)
          if (i >= j) k(i - j, j) = k(i - j, j) + ke(a, b)
        end do
      end do
    end do
    do i = 1, nn
      if (i <= 3) then
        k(0, i) = k(0, i) + 1d3
        f(i) = 0d0
      end if
    end do
    call cholesky(k)
    call solve(k, f, u)
    do e = 1, ne
      call measure(e, u, strain)
      if (strain > damage(e)) damage(e) = 0.5d0*(damage(e) + strain)
    end do
    do i = 1, nn
      comp = comp + u(i)*load(i)
    end do
  end do
end subroutine
subroutine local(e, c, damage, ke)
  use elements
  implicit none
  integer, intent(in) :: e
  real(8), intent(in) :: c, damage
  real(8), intent(out) :: ke(3, 3)
  real(8) :: gx(3), gy(3), area
  integer :: a, b, n1, n2, n3
  n1 = node(1, e)
  n2 = node(2, e)
  n3 = node(3, e)
  area = 0.5d0*((px(n2) - px(n1))*(py(n3) - py(n1)) - (px(n3) - px(n1))*(py(n2) - py(n1)))
  gx(1) = (py(n2) - py(n3))/(2d0*area)
  gx(2) = (py(n3) - py(n1))/(2d0*area)
  gx(3) = (py(n1) - py(n2))/(2d0*area)
  gy(1) = (px(n3) - px(n2))/(2d0*area)
  gy(2) = (px(n1) - px(n3))/(2d0*area)
  gy(3) = (px(n2) - px(n1))/(2d0*area)
  do b = 1, 3
    do a = 1, 3
      ke(a, b) = c/(1d0 + damage)*area*(gx(a)*gx(b) + gy(a)*gy(b))
      if (a == b) ke(a, b) = ke(a, b) + 0.1d0*c
    end do
  end do
end subroutine
subroutine cholesky(k)
  use elements
  implicit none
  real(8), intent(inout) :: k(0:bw, nn)
  integer :: j, i, l
  do j = 1, nn
    k(0, j) = sqrt(k(0, j))
    do i = 1, min(bw, nn - j)
      k(i, j) = k(i, j)/k(0, j)
    end do
    do l = 1, min(bw, nn - j)
      do i = l, min(bw, nn - j)
        k(i - l, j + l) = k(i - l, j + l) - k(i, j)*k(l, j)
      end do
    end do
  end do
end subroutine
subroutine solve(k, f, u)
  use elements
  implicit none
  real(8), intent(in) :: k(0:bw, nn), f(nn)
  real(8), intent(out) :: u(nn)
  integer :: i, j
  u = f
  do j = 1, nn
    u(j) = u(j)/k(0, j)
    do i = 1, min(bw, nn - j)
      u(j + i) = u(j + i) - k(i, j)*u(j)
    end do
  end do
  do j = nn, 1, -1
    do i = 1, min(bw, nn - j)
      u(j) = u(j) - k(i, j)*u(j + i)
    end do
    u(j) = u(j)/k(0, j)
  end do
end subroutine
subroutine measure(e, u, strain)
  use elements
  implicit none
  integer, intent(in) :: e
  real(8), intent(in) :: u(nn)
  real(8), intent(out) :: strain
  real(8) :: d1, d2
  d1 = u(node(2, e)) - u(node(1, e))
  d2 = u(node(3, e)) - u(node(1, e))
  strain = sqrt(d1*d1 + d2*d2 + 1d-8)
end subroutine
