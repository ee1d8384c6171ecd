! Heat in a rod, implicit: states and work arrays of derived types, Newton's method, LU with pivots.
module rod_state
  implicit none
  integer, parameter :: m = 6
  type state
    real(8) :: t(m), c(m)
    real(8) :: load
    integer :: stage
  end type state
  type work
    real(8) :: a(m, m), r(m)
    integer :: piv(m)
  end type work
contains
  subroutine residual(s, old, p, dt, r)
    type(state), intent(in) :: s, old
    real(8), intent(in) :: p(2), dt
    real(8), intent(out) :: r(m)
    real(8) :: kl, kr, left, right
    integer :: i
    do i = 1, m
      left = 0.0d0
      right = 0.0d0
      if (i > 1) then
        kl = p(1) + p(2)*0.5d0*(s%t(i) + s%t(i-1))
        left = kl*(s%t(i) - s%t(i-1))
      end if
      if (i < m) then
        kr = p(1) + p(2)*0.5d0*(s%t(i+1) + s%t(i))
        right = kr*(s%t(i+1) - s%t(i))
      end if
      r(i) = s%t(i) - old%t(i) - dt*(right - left) - dt*0.1d0*s%c(i)*s%load
    end do
  end subroutine residual

  subroutine jacobian(s, p, dt, a)
    type(state), intent(in) :: s
    real(8), intent(in) :: p(2), dt
    real(8), intent(out) :: a(m, m)
    real(8) :: k, d
    integer :: i
    a = 0.0d0
    do i = 1, m
      a(i, i) = 1.0d0
    end do
    do i = 1, m - 1
      k = p(1) + p(2)*0.5d0*(s%t(i+1) + s%t(i))
      d = p(2)*0.5d0*(s%t(i+1) - s%t(i))
      a(i, i) = a(i, i) + dt*(k - d)
      a(i, i+1) = a(i, i+1) - dt*(k + d)
      a(i+1, i+1) = a(i+1, i+1) + dt*(k + d)
      a(i+1, i) = a(i+1, i) - dt*(k - d)
    end do
  end subroutine jacobian

  subroutine lu_factor(a, piv)
    real(8), intent(inout) :: a(m, m)
    integer, intent(out) :: piv(m)
    real(8) :: big, swap
    integer :: i, j, k
    do k = 1, m
      piv(k) = k
      big = abs(a(k, k))
      do i = k + 1, m
        if (abs(a(i, k)) > big) then
          big = abs(a(i, k))
          piv(k) = i
        end if
      end do
      if (piv(k) /= k) then
        do j = 1, m
          swap = a(k, j)
          a(k, j) = a(piv(k), j)
          a(piv(k), j) = swap
        end do
      end if
      do i = k + 1, m
        a(i, k) = a(i, k)/a(k, k)
        do j = k + 1, m
          a(i, j) = a(i, j) - a(i, k)*a(k, j)
        end do
      end do
    end do
  end subroutine lu_factor

  subroutine lu_solve(a, piv, b)
    real(8), intent(in) :: a(m, m)
    integer, intent(in) :: piv(m)
    real(8), intent(inout) :: b(m)
    real(8) :: swap, acc
    integer :: i, j
    do i = 1, m
      swap = b(i)
      b(i) = b(piv(i))
      b(piv(i)) = swap
    end do
    do i = 2, m
      acc = b(i)
      do j = 1, i - 1
        acc = acc - a(i, j)*b(j)
      end do
      b(i) = acc
    end do
    do i = m, 1, -1
      acc = b(i)
      do j = i + 1, m
        acc = acc - a(i, j)*b(j)
      end do
      b(i) = acc/a(i, i)
    end do
  end subroutine lu_solve

  subroutine implicit_step(s, p, dt)
    type(state), intent(inout) :: s
    real(8), intent(in) :: p(2), dt
    type(state) :: old
    type(work) :: w
    integer :: it, i
    old = s
    do it = 1, 3
      call residual(s, old, p, dt, w%r)
      call jacobian(s, p, dt, w%a)
      call lu_factor(w%a, w%piv)
      call lu_solve(w%a, w%piv, w%r)
      s%t = s%t - w%r
      s%stage = it
    end do
    do i = 1, m
      s%c(i) = s%c(i) + dt*(0.2d0*s%t(i)*(1.0d0 - s%c(i)) - 0.1d0*s%c(i)**2)
    end do
    s%load = s%load*(1.0d0 - 0.1d0*dt*s%t(1))
  end subroutine implicit_step
end module rod_state

subroutine rods(p, t0, cost, nt)
  use rod_state
  implicit none
  integer, intent(in) :: nt
  real(8), intent(in) :: p(2), t0(m)
  real(8), intent(out) :: cost
  type(state) :: s
  integer :: k
  s%t = t0
  s%c = 0.5d0
  s%load = 1.0d0
  s%stage = 0
  cost = 0.0d0
  do k = 1, nt
    call implicit_step(s, p, 0.1d0)
    cost = cost + s%t(m)**2 + s%c(1)*s%load
  end do
end subroutine rods
