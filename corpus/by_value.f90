! A VALUE argument is a copy: what the callee does to it stays in the callee.
module copies
  implicit none
contains
  subroutine blend(n, x, y)
    integer, value :: n
    real(8), value :: x
    real(8), intent(inout) :: y
    n = n + 1
    x = x*x
    y = y*x*n
    x = 0.0d0
  end subroutine blend

  subroutine blended(x, k, cost)
    real(8), intent(in) :: x
    integer, intent(inout) :: k
    real(8), intent(out) :: cost
    real(8) :: y, z
    y = x
    z = 2.0d0*x
    call blend(k, z, y)
    k = k + 1
    cost = y*z*k
  end subroutine blended
end module copies
