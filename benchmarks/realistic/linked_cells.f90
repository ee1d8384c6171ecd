! Particles in linked cells: lists by index, forces between neighbours, positions in one array.
module cells
  implicit none
  integer, parameter :: np = 12, nc = 5
  integer :: first(nc), next(np)
  real(8) :: pos(2, np), vel(2, np), acc(2, np)
contains
  subroutine build
    integer :: i, c
    first = 0
    do i = np, 1, -1
      c = max(1, min(nc, int(pos(1, i)*nc/2.0d0) + 1))
      next(i) = first(c)
      first(c) = i
    end do
  end subroutine build

  subroutine pair(a, b, fa, fb)
    real(8), intent(in) :: a(2), b(2)
    real(8), intent(inout) :: fa(2), fb(2)
    real(8) :: d(2), r2, w
    d(1) = a(1) - b(1)
    d(2) = a(2) - b(2)
    r2 = d(1)**2 + d(2)**2 + 0.05d0
    w = 0.02d0/(r2*r2)
    fa(1) = fa(1) + w*d(1)
    fa(2) = fa(2) + w*d(2)
    fb(1) = fb(1) - w*d(1)
    fb(2) = fb(2) - w*d(2)
  end subroutine pair

  subroutine forces(spring)
    real(8), intent(in) :: spring
    integer :: c, i, j
    do i = 1, np
      acc(1, i) = -spring*(pos(1, i) - 1.0d0)
      acc(2, i) = -spring*(pos(2, i) - 1.0d0)
    end do
    do c = 1, nc
      i = first(c)
      do while (i /= 0)
        j = next(i)
        do while (j /= 0)
          call pair(pos(:, i), pos(:, j), acc(:, i), acc(:, j))
          j = next(j)
        end do
        i = next(i)
      end do
    end do
  end subroutine forces

  subroutine kick(dt)
    real(8), intent(in) :: dt
    integer :: i
    do i = 1, np
      vel(:, i) = vel(:, i) + dt*acc(:, i)
      pos(:, i) = pos(:, i) + dt*vel(:, i)
    end do
  end subroutine kick
end module cells

subroutine cloud(p0, spring, cost)
  use cells
  implicit none
  real(8), intent(in) :: p0(2, np), spring
  real(8), intent(out) :: cost
  integer :: i, step
  do i = 1, np
    pos(1, i) = p0(1, i)
    pos(2, i) = p0(2, i)
    vel(1, i) = 0.0d0
    vel(2, i) = 0.0d0
  end do
  do step = 1, 5
    call build
    call forces(spring)
    call kick(0.1d0)
  end do
  cost = 0.0d0
  do i = 1, np
    cost = cost + vel(1, i)**2 + vel(2, i)**2 + spring*pos(1, i)*pos(2, i)
  end do
end subroutine cloud
