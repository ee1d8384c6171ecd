"""Programs whose parts allocate, deallocate and reallocate what outlives them, by name, all with the same inputs."""

from __future__ import annotations

GIVEN = {"n": 4, "x": [0.7, 1.1, 1.4, 0.9]}
PROGRAMS = {
    "a growing mesh": """module mesh
  implicit none
  real(8), allocatable :: u(:), h(:)
contains
subroutine s(n, x, y)
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  integer :: k
  u = x
  h = [(1d0/k, k = 1, n)]
  do k = 1, 3
    call refine(x(k))
    call relax(y)
  end do
  y = y + sum(u*h)
end subroutine s
subroutine refine(a)
  real(8), intent(in) :: a
  u = [u, a*u(size(u))]
  h = [h, 0.5d0*h(size(h))]
end subroutine refine
subroutine relax(y)
  real(8), intent(out) :: y
  integer :: i
  do i = 2, size(u)
    u(i) = u(i) + h(i)*sin(u(i - 1))
  end do
  y = sum(u*u)
end subroutine relax
end module mesh
""",
    "an adaptive grid": """module grids
  implicit none
  type grid
    integer :: n = 0
    real(8), allocatable :: v(:), c(:)
  end type
contains
subroutine s(n, x, y)
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  type(grid) :: g
  real(8), allocatable :: old(:)
  integer :: k, i, m
  g%n = n
  allocate (g%v(n), g%c(0:n))
  g%v = x
  g%c = 1
  do k = 1, 3
    !$AD CHECKPOINT-START
    if (k /= 2) then
      old = g%v
      m = size(old)
      deallocate (g%v, g%c)
      allocate (g%v(2*m - 1), g%c(0:2*m - 1))
      do i = 1, m
        g%v(2*i - 1) = old(i)
      end do
      do i = 1, m - 1
        g%v(2*i) = 0.5d0*old(i)*old(i + 1)
      end do
      g%c = sum(old)
      g%n = size(g%v)
    end if
    !$AD CHECKPOINT-END
    !$AD CHECKPOINT-START
    do i = 1, g%n
      g%v(i) = g%v(i) + 0.1d0*sin(g%v(i))*g%c(i - 1)
    end do
    !$AD CHECKPOINT-END
  end do
  y = sum(g%v) + g%c(0)*g%c(ubound(g%c, 1))
end subroutine s
end module grids
""",
    "a work array that the first call allocates": """module work
  implicit none
  real(8), allocatable, save :: w(:), z(:, :)
contains
subroutine s(n, x, y)
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  integer :: k
  y = 1
  if (allocated(w)) deallocate (w)
  if (allocated(z)) deallocate (z)
  do k = 1, 3
    call step(x, y)
  end do
  deallocate (z)
end subroutine s
subroutine step(x, y)
  real(8), intent(in) :: x(:)
  real(8), intent(inout) :: y
  logical :: first
  first = .not. allocated(w)
  if (first) allocate (w(size(x)))
  if (.not. allocated(z)) allocate (z(0:1, size(x)))
  if (first) w = 1
  z(0, :) = x*w
  z(1, :) = sin(z(0, :))
  w = w + z(1, :)*y
  y = y*sum(w*x)
end subroutine step
end module work
""",
    "a list of allocatable components": """module lists
  implicit none
  type cell
    real(8), allocatable :: q(:)
  end type
contains
subroutine s(n, x, y)
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  type(cell) :: c(3)
  integer :: k
  do k = 1, 3
    call fill(c(k), x, k)
  end do
  call fill(c(2), x, 4)
  y = 0
  do k = 1, 3
    if (allocated(c(k)%q)) call add(c(k)%q, y)
  end do
end subroutine s
subroutine fill(one, x, k)
  type(cell), intent(inout) :: one
  real(8), intent(in) :: x(:)
  integer, intent(in) :: k
  if (allocated(one%q)) then
    one%q = [one%q*x(1), x(2)]
  else
    allocate (one%q(k))
    one%q = x(k)*x(1)
  end if
end subroutine fill
subroutine add(q, y)
  real(8), intent(inout) :: q(:)
  real(8), intent(inout) :: y
  q = q*q
  y = y + sum(q)*q(1)
end subroutine add
end module lists
""",
    "growing by MOVE_ALLOC": """module stacks
  implicit none
contains
subroutine s(n, x, y)
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8), allocatable :: a(:)
  integer :: used, k
  allocate (a(1))
  used = 0
  do k = 1, n
    call push(a, used, x(k)*x(k))
  end do
  y = 0
  do k = 1, used
    y = y + a(k)*sin(a(k))
  end do
  call trim_to(a, used - 1)
  y = y*sum(a)
end subroutine s
subroutine push(a, used, v)
  real(8), allocatable, intent(inout) :: a(:)
  integer, intent(inout) :: used
  real(8), intent(in) :: v
  real(8), allocatable :: more(:)
  if (used == size(a)) then
    allocate (more(2*size(a)))
    more = 0
    more(1:used) = a*v
    call move_alloc(more, a)
  end if
  used = used + 1
  a(used) = v
end subroutine push
subroutine trim_to(a, m)
  real(8), allocatable, intent(inout) :: a(:)
  integer, intent(in) :: m
  real(8), allocatable :: less(:)
  less = a(:m)*a(1)
  call move_alloc(from=less, to=a)
end subroutine trim_to
end module stacks
""",
    "allocated in a step, deallocated at its end": """module steps
  implicit none
  real(8), allocatable :: flux(:)
contains
subroutine s(n, x, y)
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8) :: u(n)
  integer :: k
  u = x
  do k = 1, 3
    call step(u, n)
  end do
  y = sum(u*x)
end subroutine s
subroutine step(u, n)
  integer, intent(in) :: n
  real(8), intent(inout) :: u(n)
  allocate (flux(0:n))
  call fluxes(u, n)
  u = u - 0.1d0*(flux(1:n) - flux(0:n - 1))*u
  deallocate (flux)
end subroutine step
subroutine fluxes(u, n)
  integer, intent(in) :: n
  real(8), intent(in) :: u(n)
  flux(0) = 0
  flux(1:n) = u*u
  flux(n) = flux(n)*flux(1)
end subroutine fluxes
end module steps
""",
    "a function with an allocatable result": """module results
  implicit none
contains
subroutine s(n, x, y)
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8), allocatable :: a(:)
  integer :: k
  a = x(1:2)
  do k = 1, 3
    a = longer(a, x(k))
    y = sum(a*a)
    if (y > 1d3) a = shorter(a)
  end do
  y = y + product(a)
end subroutine s
function longer(a, v) result(r)
  real(8), intent(in) :: a(:), v
  real(8), allocatable :: r(:)
  allocate (r(size(a) + 1))
  r(1:size(a)) = a*v
  r(size(r)) = v*v
end function longer
function shorter(a) result(r)
  real(8), intent(in) :: a(:)
  real(8), allocatable :: r(:)
  r = a(:1)
end function shorter
end module results
""",
    "a CLASS object that gets another type": """module shapes
  implicit none
  type, abstract :: shape
  contains
    procedure(area_of), deferred :: area
  end type
  type, extends(shape) :: square
    real(8) :: a
  contains
    procedure :: area => square_area
  end type
  type, extends(shape) :: disc
    real(8) :: r, f(2)
  contains
    procedure :: area => disc_area
  end type
  abstract interface
    real(8) function area_of(self)
      import shape
      class(shape), intent(in) :: self
    end function
  end interface
contains
real(8) function square_area(self)
  class(square), intent(in) :: self
  square_area = self%a**2
end function
real(8) function disc_area(self)
  class(disc), intent(in) :: self
  disc_area = 3*self%r**2 + sum(self%f)
end function
subroutine s(n, x, y)
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  class(shape), allocatable :: one
  integer :: k
  allocate (one, source=square(x(1)))
  y = 0
  do k = 1, 3
    call turn(one, x(k), k)
    y = y + one%area()*x(k)
  end do
end subroutine s
subroutine turn(one, v, k)
  class(shape), allocatable, intent(inout) :: one
  real(8), intent(in) :: v
  integer, intent(in) :: k
  real(8) :: before
  before = one%area()
  if (k == 2) return
  deallocate (one)
  if (k == 1) allocate (one, source=disc(v*before, [v, before]))
  if (k == 3) allocate (one, source=square(v*before))
end subroutine turn
end module shapes
""",
    "steps of a loop that grow an array": """module st
  implicit none
contains
subroutine s(n, x, y)
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8), allocatable :: a(:), w(:)
  integer :: k
  a = x
  y = 0
  do k = 1, 4
    allocate (w(k))
    w = sin(a(1))*k
    a = [a*w(k), w(1)]
    y = y + sum(a*a)
    deallocate (w)
  end do
  y = y*sum(a)
end subroutine s
end module st
""",
}
