! Keyword arguments out of order, and an optional one that is absent from one call.
module algebra
  implicit none
contains
  subroutine combine(r, a, b, s)
    real(8), intent(out) :: r
    real(8), intent(in) :: a, b
    real(8), intent(in), optional :: s
    r = a*a + b
    if (present(s)) r = r + s
  end subroutine combine

  subroutine keyed(x, y)
    real(8), intent(in) :: x
    real(8), intent(out) :: y
    real(8) :: p, q, t, u
    p = x
    q = 2.0d0*x
    call combine(b=q, a=p, r=t)
    call combine(u, q, s=t, b=p)
    y = u*u*t
  end subroutine keyed
end module algebra
