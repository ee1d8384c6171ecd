! Shape optimisation of a closed curve: descent on length against enclosed area and obstacles, redistributing the
! points after every step. Head: from the starting shape and the weights to the final energy.
subroutine spacing(n, x, y, length)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x(n), y(n)
  real(8), intent(out) :: length(n)
  integer :: i, next
  do i = 1, n
    next = mod(i, n) + 1
    length(i) = sqrt((x(next) - x(i))**2 + (y(next) - y(i))**2 + 1.0d-12)
  end do
end subroutine spacing

! Force on every point: curvature, pressure that wants the area, repulsion from discs.
subroutine force(n, x, y, weight, ndiscs, discs, fx, fy)
  implicit none
  integer, intent(in) :: n, ndiscs
  real(8), intent(in) :: x(n), y(n), weight(3), discs(3, ndiscs)
  real(8), intent(out) :: fx(n), fy(n)
  real(8) :: length(n), area, pressure, nx, ny, d2, push
  integer :: i, k, next, last
  call spacing(n, x, y, length)
  area = 0.0d0
  do i = 1, n
    next = mod(i, n) + 1
    area = area + 0.5d0*(x(i)*y(next) - x(next)*y(i))
  end do
  pressure = weight(2)*(3.0d0 - area)
  do i = 1, n
    next = mod(i, n) + 1
    last = mod(i + n - 2, n) + 1
    fx(i) = weight(1)*((x(next) - x(i))/length(i) + (x(last) - x(i))/length(last))
    fy(i) = weight(1)*((y(next) - y(i))/length(i) + (y(last) - y(i))/length(last))
    nx = 0.5d0*(y(next) - y(last))
    ny = 0.5d0*(x(last) - x(next))
    fx(i) = fx(i) + pressure*nx
    fy(i) = fy(i) + pressure*ny
    do k = 1, ndiscs
      d2 = (x(i) - discs(1, k))**2 + (y(i) - discs(2, k))**2
      if (d2 < 4.0d0*discs(3, k)**2) then
        push = weight(3)*(4.0d0*discs(3, k)**2 - d2)
        fx(i) = fx(i) + push*(x(i) - discs(1, k))
        fy(i) = fy(i) + push*(y(i) - discs(2, k))
      end if
    end do
  end do
end subroutine force

! Points move along the curve towards equal distances.
subroutine redistribute(n, x, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: x(n), y(n)
  real(8) :: length(n), mean, slide, xnew(n), ynew(n)
  integer :: i, next, last
  call spacing(n, x, y, length)
  mean = sum(length)/n
  do i = 1, n
    next = mod(i, n) + 1
    last = mod(i + n - 2, n) + 1
    slide = 0.25d0*(length(i) - length(last))/mean
    if (slide > 0.0d0) then
      xnew(i) = x(i) + slide*(x(next) - x(i))
      ynew(i) = y(i) + slide*(y(next) - y(i))
    else
      xnew(i) = x(i) - slide*(x(last) - x(i))
      ynew(i) = y(i) - slide*(y(last) - y(i))
    end if
  end do
  x = xnew
  y = ynew
end subroutine redistribute

subroutine curve(radius, weight, n, nsteps, energy)
  implicit none
  integer, intent(in) :: n, nsteps
  real(8), intent(in) :: radius(n), weight(3)
  real(8), intent(out) :: energy
  real(8) :: x(n), y(n), fx(n), fy(n), discs(3, 4), length(n), history(nsteps), t
  integer :: i, k, step
  do k = 1, 4
    discs(1, k) = 1.4d0*cos(1.5707963d0*k + 0.3d0)
    discs(2, k) = 1.4d0*sin(1.5707963d0*k + 0.3d0)
    discs(3, k) = 0.2d0 + 0.02d0*k
  end do
  do i = 1, n
    t = 6.2831853d0*(i - 1)/n
    x(i) = radius(i)*cos(t)
    y(i) = radius(i)*sin(t)
  end do
  do step = 1, nsteps
    !$AD CHECKPOINT-START
    call force(n, x, y, weight, 4, discs, fx, fy)
    do i = 1, n
      x(i) = x(i) + 0.02d0*fx(i)
      y(i) = y(i) + 0.02d0*fy(i)
    end do
    !$AD CHECKPOINT-END
    !$AD CHECKPOINT-START
    call redistribute(n, x, y)
    call spacing(n, x, y, length)
    history(step) = sum(length*length)
    !$AD CHECKPOINT-END
    do k = 1, 4
      discs(3, k) = discs(3, k)*1.002d0
    end do
  end do
  energy = sum(history)/nsteps
  do i = 1, n
    energy = energy + length(i)**2
  end do
end subroutine curve
