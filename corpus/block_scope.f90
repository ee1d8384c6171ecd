! BLOCK with names of its own: module variables under other names, and local ones that hide the procedure's.
module levels
  implicit none
  real(8) :: level = 2.0d0
  integer, parameter :: dp = 8
contains
  subroutine raised(a)
    real(8), intent(inout) :: a
    a = a*a*level
    level = level + a
  end subroutine raised
end module levels

subroutine lifted(x, cost)
  implicit none
  real(8), intent(in) :: x
  real(8), intent(out) :: cost
  real(8) :: level, t
  level = x
  t = 3.0d0*x
  cost = x
  block
    use levels, only: dp, height => level, raised
    real(dp) :: t
    height = x
    t = cost*height
    call raised(t)
    block
      use levels
      t = t*level
    end block
    cost = t*level
  end block
  cost = cost*level*t
end subroutine lifted
