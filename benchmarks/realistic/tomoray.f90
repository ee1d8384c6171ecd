! Travel-time tomography: slowness on cells, rays traced cell by cell with a small bend, row-action (Kaczmarz) updates,
! non-negativity by WHERE, smoothing by shifted sections.
module rays
  implicit none
  integer, parameter :: maxseg = 20
  integer :: nseg
  integer :: cell(maxseg)
  real(8) :: length(maxseg)
contains
  subroutine trace(n, s, y0, slope, bend)
    integer, intent(in) :: n
    real(8), intent(in) :: s(n, n), y0, slope, bend
    real(8) :: y, yn, m, d
    integer :: i, j, jn
    y = y0
    m = slope
    nseg = 0
    do i = 1, n
      j = max(1, min(n, int(y) + 1))
      yn = y + m
      jn = max(1, min(n, int(yn) + 1))
      d = sqrt(1d0 + m*m)
      if (jn == j) then
        nseg = nseg + 1
        cell(nseg) = i + n*(j - 1)
        length(nseg) = d
      else
        nseg = nseg + 1
        cell(nseg) = i + n*(j - 1)
        length(nseg) = 0.5d0*d
        nseg = nseg + 1
        cell(nseg) = i + n*(jn - 1)
        length(nseg) = 0.5d0*d
      end if
      m = m + bend*(s(i, j) - s(i, jn)) - 0.02d0*bend*s(i, j)
      y = yn
      if (y < 0d0 .or. y > n) exit
    end do
  end subroutine trace
  subroutine time_of(s, t)
    real(8), intent(in) :: s(*)
    real(8), intent(out) :: t
    integer :: k
    t = 0d0
    do k = 1, nseg
      t = t + length(k)*s(cell(k))
    end do
  end subroutine time_of
  subroutine project(s, dt, relax)
    real(8), intent(inout) :: s(*)
    real(8), intent(in) :: dt, relax
    real(8) :: norm
    integer :: k
    norm = sum(length(1:nseg)**2)
    do k = 1, nseg
      s(cell(k)) = s(cell(k)) + relax*dt*length(k)/norm
    end do
  end subroutine project
  subroutine smooth(n, s, w)
    integer, intent(in) :: n
    real(8), intent(inout) :: s(n, n)
    real(8), intent(in) :: w
    real(8) :: a(n, n), b(n, n)
    a = 0d0
    b = 0d0
    a(1:n-1, :) = s(2:n, :)
    a(2:n, :) = a(2:n, :) + s(1:n-1, :)
    b(:, 1:n-1) = s(:, 2:n)
    b(:, 2:n) = b(:, 2:n) + s(:, 1:n-1)
    where (s > 0.2d0)
      s = (1d0 - w)*s + 0.25d0*w*(a + b)
    elsewhere
      s = 0.2d0 + 0.1d0*s*s
    end where
  end subroutine smooth
end module rays
subroutine tomoray(n, nray, niter, obs, prior, bend, relax, misfit)
  use rays
  implicit none
  integer, intent(in) :: n, nray, niter
  real(8), intent(in) :: obs(nray), prior(n), bend, relax
  real(8), intent(out) :: misfit
  real(8) :: s(n, n), t
  integer :: it, ir
  s = spread(prior, 1, n)
  misfit = 0d0
  do it = 1, niter
    do ir = 1, nray
      call trace(n, s, ir - 0.5d0, 0.3d0*(mod(ir, 3) - 1), 0.2d0*bend)
      call time_of(s, t)
      call project(s, n*obs(ir) - t, 0.5d0*relax)
      if (it == niter) misfit = misfit + (n*obs(ir) - t)**2
    end do
    call smooth(n, s, 0.2d0)
  end do
  misfit = misfit + 0.1d0*sum(s**2)
end subroutine tomoray
