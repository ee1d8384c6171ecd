! Bodies under gravity: kicks and drifts by calls for columns.
subroutine nbody(m, pos0, energy, n, nt)
  implicit none
  integer, intent(in) :: n, nt
  real(8), intent(in) :: m(n), pos0(3, n)
  real(8), intent(out) :: energy
  real(8) :: pos(3, n), vel(3, n), acc(3, n)
  integer :: t, i
  pos = pos0
  vel = 0d0
  call forces(m, pos, acc, n)
  do t = 1, nt
    do i = 1, n
      call kick(vel(:, i), acc(1, i))
      call drift(pos(1, i), vel(1, i))
    end do
    call forces(m, pos, acc, n)
    do i = 1, n
      call kick(vel(1, i), acc(1, i))
    end do
  end do
  energy = 0d0
  do i = 1, n
    energy = energy + 0.5d0*m(i)*sum(vel(:, i)**2) + pos(1, i)*pos(2, i)
  end do
end subroutine nbody
subroutine kick(v, a)
  implicit none
  real(8), intent(inout) :: v(3)
  real(8), intent(in) :: a(3)
  v = v*(1d0 - 0.001d0*v**2) + 0.005d0*a
end subroutine kick
subroutine drift(p, v)
  implicit none
  real(8), intent(inout) :: p(3)
  real(8), intent(in) :: v(3)
  p = p + 0.01d0*v
  if (p(1) > 1.2d0) p(1) = p(1) - 0.2d0*p(1)**2
end subroutine drift
subroutine forces(m, p, a, n)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: m(n), p(3, n)
  real(8), intent(out) :: a(3, n)
  real(8) :: d(3), r2, w
  integer :: i, j
  a = 0d0
  do i = 1, n
    do j = 1, n
      if (i == j) cycle
      d = p(:, j) - p(:, i)
      r2 = sum(d**2) + 0.1d0
      w = m(j)/(r2*sqrt(r2))
      a(:, i) = a(:, i) + w*d
    end do
  end do
end subroutine forces
