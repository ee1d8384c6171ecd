! Light through a voxel cloud: rays step from face to face by a while loop, absorption and single scattering, the phase
! function from a table by interpolation; detectors as cost.
module cloud
  implicit none
  integer, parameter :: n = 5
  real(8) :: sigma(n, n, n), table(9)
contains
  subroutine phase(mu, p)
    real(8), intent(in) :: mu
    real(8), intent(out) :: p
    integer :: at
    real(8) :: x
    x = (mu + 1d0)*4d0 + 1d0
    at = min(8, int(x))
    p = table(at) + (x - at)*(table(at+1) - table(at))
  end subroutine phase

  subroutine face(pos, dir, step)
    real(8), intent(in) :: pos(3), dir(3)
    real(8), intent(out) :: step
    real(8) :: s
    integer :: d
    step = 1d30
    do d = 1, 3
      if (dir(d) > 1d-12) then
        s = (floor(pos(d)) + 1 - pos(d))/dir(d)
      else if (dir(d) < -1d-12) then
        s = (-floor(-pos(d)) - 1 - pos(d))/dir(d)
      else
        s = 1d30
      end if
      step = min(step, s)
    end do
  end subroutine face

  subroutine march(pos, dir, albedo, got)
    real(8), intent(inout) :: pos(3)
    real(8), intent(in) :: dir(3), albedo
    real(8), intent(out) :: got
    real(8) :: tau, step, ext, p, trans
    integer :: i, j, k
    tau = 0d0
    got = 0d0
    do while (all(pos > 0d0) .and. all(pos < n) .and. tau < 8d0)
      i = min(n, int(pos(1)) + 1)
      j = min(n, int(pos(2)) + 1)
      k = min(n, int(pos(3)) + 1)
      call face(pos, dir, step)
      step = step + 1d-6
      ext = sigma(i, j, k)*step
      trans = exp(-tau)
      call phase(dir(3)*0.8d0 + 0.1d0*sin(ext), p)
      got = got + albedo*p*trans*(1d0 - exp(-ext))
      tau = tau + ext
      pos = pos + step*dir
    end do
    got = got + exp(-tau)*0.2d0
  end subroutine march
end module cloud

subroutine image(dense, g, albedo, cost)
  use cloud
  implicit none
  real(8), intent(in) :: dense(5), g, albedo
  real(8), intent(out) :: cost
  real(8) :: pos(3), dir(3), got, norm
  integer :: i, j, k, ray
  do k = 1, n
    do j = 1, n
      do i = 1, n
        sigma(i, j, k) = dense(k)*(1d0 + 0.3d0*sin(0.5d0*i*j))
      end do
    end do
  end do
  do i = 1, 9
    table(i) = (1d0 - g*g)/(1d0 + g*g - 2d0*g*(-1d0 + (i - 1)*0.25d0))**1.5d0
  end do
  cost = 0d0
  do ray = 1, 6
    pos = [0.3d0 + 0.7d0*ray, 0.1d0 + 0.5d0*ray, 4.9d0]
    dir = [0.1d0*ray - 0.3d0, 0.2d0, -1d0]
    norm = sqrt(sum(dir**2))
    dir = dir/norm
    call march(pos, dir, albedo, got)
    cost = cost + (got - 0.3d0)**2 + 1d-3*pos(1)**2
  end do
end subroutine image
