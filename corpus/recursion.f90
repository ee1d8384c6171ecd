! Procedures that call each other and themselves: summaries, activity and adjoints are fixpoints.
module towers
  implicit none
  real(8) :: weight
contains
  recursive subroutine rise(n, x, y)
    integer, intent(in) :: n
    real(8), intent(inout) :: x, y
    real(8) :: t
    if (n <= 0) return
    t = x*y
    call fall(n - 1, x, t)
    y = t*x
    x = x + y
  end subroutine rise

  recursive subroutine fall(n, x, y)
    integer, intent(in) :: n
    real(8), intent(inout) :: x, y
    if (n <= 0) return
    weight = weight*y
    call rise(n - 1, y, x)
    x = x*weight
  end subroutine fall

  recursive function doubled(n, x) result(r)
    integer, intent(in) :: n
    real(8), intent(in) :: x
    real(8) :: r
    if (n < 2) then
      r = x
    else
      r = doubled(n - 1, x)
      r = r*doubled(n - 2, x)
    end if
  end function doubled

  subroutine tower(x, cost)
    real(8), intent(in) :: x
    real(8), intent(out) :: cost
    real(8) :: a, b
    weight = 1.0d0
    a = x
    b = 2.0d0*x
    call rise(5, a, b)
    cost = a*b*weight + doubled(6, b)
  end subroutine tower
end module towers
