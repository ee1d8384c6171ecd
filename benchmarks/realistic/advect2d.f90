! Two-dimensional transport with flux limiters, directions in turn.
subroutine transport(q0, cx, cy, mass, nx, ny, nt)
  implicit none
  integer, intent(in) :: nx, ny, nt
  real(8), intent(in) :: q0(nx, ny), cx(nx, ny), cy(nx, ny)
  real(8), intent(out) :: mass
  real(8) :: q(nx, ny), line(max(nx, ny)), c(max(nx, ny)), fl(max(nx, ny))
  integer :: t, i, j
  q = q0
  do t = 1, nt
    do j = 1, ny
      line(1:nx) = q(:, j)
      c(1:nx) = cx(:, j)
      call sweep1d(line, c, fl, nx)
      q(:, j) = line(1:nx)
    end do
    do i = 1, nx
      line(1:ny) = q(i, :)
      c(1:ny) = cy(i, :)
      call sweep1d(line, c, fl, ny)
      q(i, 1:ny) = line(1:ny)
    end do
    call source(q(2, 1), nx, ny)
  end do
  mass = 0d0
  do j = 1, ny
    mass = mass + sum(q(:, j)*q(:, j))
  end do
end subroutine transport
subroutine sweep1d(q, c, f, n)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: q(n)
  real(8), intent(in) :: c(n)
  real(8), intent(out) :: f(n)
  real(8) :: r, phi, dq
  integer :: i
  f(1) = c(1)*q(1)
  do i = 2, n
    if (i < n) then
      dq = q(i) - q(i-1)
      if (abs(dq) < 1d-8) then
        r = 1d0
      else
        r = (q(i+1) - q(i))/dq
      end if
    else
      r = 0d0
    end if
    phi = max(0d0, min(1d0, r))
    f(i) = 0.3d0*c(i)*(q(i-1) + 0.5d0*phi*(q(i) - q(i-1)))
  end do
  do i = 1, n-1
    q(i) = q(i) - (f(i+1) - f(i))
  end do
end subroutine sweep1d
subroutine source(q, nx, ny)
  implicit none
  integer, intent(in) :: nx, ny
  real(8), intent(inout) :: q(nx, *)
  integer :: j
  do j = 1, ny - 1
    q(1, j) = q(1, j)*exp(-0.1d0*q(1, j))
  end do
end subroutine source
