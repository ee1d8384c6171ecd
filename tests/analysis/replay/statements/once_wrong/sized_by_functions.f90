! Arrays of a procedure whose bounds are what functions give: these read a module's variables, which others change.
module m7
  implicit none
  integer :: wanted = 2, level = 1
  type :: grid
    integer :: cells = 3
  contains
    procedure :: inner
  end type grid
contains
  pure integer function need(n) result(r)
    integer, intent(in) :: n
    r = min(n, wanted + level)
  end function need
  pure integer function inner(self, k) result(r)
    class(grid), intent(in) :: self
    integer, intent(in) :: k
    r = max(1, self%cells - k)
  end function inner
  subroutine work(g, a, s)
    type(grid), intent(inout) :: g
    real(8), intent(inout) :: a(:), s
    real(8) :: t(need(size(a))), u(0:size(t)), w(g%inner(1), 2)
    integer :: i
    g%cells = 5 - g%cells
    t = a(:size(t))*s
    u = 0.3d0
    u(1:) = t**2
    w = s
    do i = 1, size(t)
      w(1 + mod(i, size(w, 1)), 2) = w(1, 1)*t(i) + u(i - 1)
    end do
    s = 0.4d0*sin(s) + 0.2d0*sum(w) + 0.1d0*sum(t)
    a(1) = 0.5d0*s*u(ubound(u, 1))
    level = mod(level, 2) + 1
  end subroutine work
subroutine p(x, n, m, y)
  integer, intent(in) :: n, m
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8) :: a(4)
  type(grid) :: g
  integer :: i
  a = x(1:4)
  y = x(2)
  level = 1
  do i = 1, m
    wanted = mod(i, 3)
    call work(g, a, y)
    !$AD CHECKPOINT-START
    wanted = wanted + 1
    call work(g, a(2:3), y)
    wanted = 0
    !$AD CHECKPOINT-END
    a(i) = a(i) + 0.1d0*y
  end do
end subroutine p
end module m7
