! A chain of cells: internal procedures that pass neighbouring elements on to others, and a marked sweep around them.
subroutine nestd(u0, v0, coef, cost, n, nt)
  implicit none
  integer, intent(in) :: n, nt
  real(8), intent(in) :: u0(n), v0(n), coef
  real(8), intent(out) :: cost
  real(8) :: u(n), v(n)
  integer :: it, k
  u = u0
  v = v0
  cost = 0d0
  do it = 1, nt
    do k = 1, n - 1
      call couple(u(k), u(k+1), v(k))
    end do
    do k = n - 1, 1, -1
      call relax(u(k), u(k+1), v(k))
    end do
    call ends(u(1), u(n), v(1), v(n))
    cost = cost + sum(u*v)
  end do
contains
  subroutine couple(a, b, c)
    real(8), intent(inout) :: a, b, c
    call exchange(a, b, c)
    c = c*exp(-0.1d0*coef*(a - b)**2)
    call clip(a)
    call clip(b)
  end subroutine couple
  subroutine exchange(a, b, c)
    real(8), intent(inout) :: a, b
    real(8), intent(in) :: c
    real(8) :: flow
    flow = 0.2d0*c*(a - b)*abs(a - b)
    a = a - flow
    b = b + flow
  end subroutine exchange
  subroutine relax(a, b, c)
    real(8), intent(inout) :: a, c
    real(8), intent(in) :: b
    a = a + 0.1d0*c*(b - a)
    c = c + 0.05d0*source(a, b)
  end subroutine relax
  real(8) function source(a, b)
    real(8), intent(in) :: a, b
    source = sin(a)*b - coef*a*b
  end function source
  subroutine clip(a)
    real(8), intent(inout) :: a
    if (a < 0.1d0) a = 0.1d0 + 0.01d0*a
  end subroutine clip
  subroutine ends(a, b, c, d)
    real(8), intent(inout) :: a, b, c, d
    a = 0.5d0*(a + c)
    b = 0.5d0*(b + d)
    c = c*a
    d = d*b
  end subroutine ends
end subroutine nestd
