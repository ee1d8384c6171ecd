! The cost function of a variational assimilation: control variables through a recursive filter and a balance to the
! state on a grid, bilinear and vertical interpolation to soundings, refractivity and its bending, winds of a
! scatterometer with quality control by a smooth weight; observations are of several types in one list.
module obs_types
  implicit none
  integer, parameter :: nx = 6, ny = 5, nl = 4, nobs = 8
  type obs
    integer :: kind
    real(8) :: x, y, level, value, err
  end type obs
  type(obs) :: list(nobs)
  real(8) :: psi(nx, ny, nl), tt(nx, ny, nl), uu(nx, ny, nl), vv(nx, ny, nl), qq(nx, ny, nl), ps(nx, ny)
contains
  subroutine place(values)
    real(8), intent(in) :: values(nobs)
    integer :: o
    do o = 1, nobs
      list(o)%kind = 1 + mod(o, 4)
      list(o)%x = 1.3d0 + 0.5d0*o
      list(o)%y = 1.2d0 + 0.4d0*o
      list(o)%level = 1.1d0 + 0.3d0*o
      list(o)%value = values(o)
      list(o)%err = 0.5d0 + 0.05d0*o
    end do
  end subroutine place

  subroutine filter_line(a, n, alpha)
    integer, intent(in) :: n
    real(8), intent(inout) :: a(n)
    real(8), intent(in) :: alpha
    integer :: i
    a(1) = (1d0 - alpha)*a(1)
    do i = 2, n
      a(i) = alpha*a(i-1) + (1d0 - alpha)*a(i)
    end do
    a(n) = a(n)/(1d0 + alpha)
    do i = n - 1, 1, -1
      a(i) = alpha*a(i+1) + (1d0 - alpha)*a(i)
    end do
  end subroutine filter_line

  subroutine smooth(field, alpha)
    real(8), intent(inout) :: field(nx, ny)
    real(8), intent(in) :: alpha
    real(8) :: row(ny)
    integer :: i, j, pass
    do pass = 1, 2
      do j = 1, ny
        call filter_line(field(1, j), nx, alpha)
      end do
      do i = 1, nx
        row = field(i, :)
        call filter_line(row, ny, alpha)
        field(i, :) = row
      end do
    end do
  end subroutine smooth

  subroutine to_state(ctl, bg, alpha)
    real(8), intent(in) :: ctl(nx, ny, nl, 3), bg(nx, ny, nl, 3), alpha
    integer :: i, j, l
    psi = ctl(:, :, :, 1)
    tt = ctl(:, :, :, 2)
    qq = ctl(:, :, :, 3)
    do l = 1, nl
      call smooth(psi(:, :, l), alpha)
      call smooth(tt(:, :, l), alpha)
      call smooth(qq(:, :, l), alpha)
    end do
    do l = 1, nl
      do j = 1, ny
        do i = 1, nx
          uu(i, j, l) = bg(i, j, l, 1) - 0.5d0*(psi(i, min(j+1, ny), l) - psi(i, max(j-1, 1), l))
          vv(i, j, l) = bg(i, j, l, 1) + 0.5d0*(psi(min(i+1, nx), j, l) - psi(max(i-1, 1), j, l))
        end do
      end do
    end do
    tt = tt + bg(:, :, :, 2) + 0.2d0*psi
    qq = bg(:, :, :, 3)*exp(0.3d0*qq)
    ps = 1d0
    do l = 1, nl
      ps = ps + 0.1d0*tt(:, :, l)*l
    end do
  end subroutine to_state

  subroutine at_point(f, o, value)
    real(8), intent(in) :: f(nx, ny, nl)
    type(obs), intent(in) :: o
    real(8), intent(out) :: value
    integer :: i, j, l
    real(8) :: a, b, c
    i = int(o%x)
    j = min(int(o%y), ny - 1)
    l = min(int(o%level), nl - 1)
    a = o%x - i
    b = o%y - j
    c = o%level - l
    value = (1d0 - c)*((1d0 - a)*((1d0 - b)*f(i, j, l) + b*f(i, j+1, l)) &
                       + a*((1d0 - b)*f(i+1, j, l) + b*f(i+1, j+1, l))) &
            + c*((1d0 - a)*((1d0 - b)*f(i, j, l+1) + b*f(i, j+1, l+1)) &
                 + a*((1d0 - b)*f(i+1, j, l+1) + b*f(i+1, j+1, l+1)))
  end subroutine at_point

  subroutine refraction(o, value)
    type(obs), intent(in) :: o
    real(8), intent(out) :: value
    type(obs) :: ray
    real(8) :: t, q, n, path
    integer :: k
    ray = o
    path = 0d0
    do k = 1, 4
      call at_point(tt, ray, t)
      call at_point(qq, ray, q)
      n = 0.776d0*ray%level/(t + 1d0) + 0.373d0*q*ray%level/(t + 1d0)**2
      path = path + n*0.25d0
      ray%x = min(ray%x + 0.2d0 + 0.01d0*n, nx - 0.01d0)
    end do
    value = path
  end subroutine refraction
end module obs_types

subroutine assimilate(ctl, bg, values, alpha, cost)
  use obs_types
  implicit none
  real(8), intent(in) :: ctl(nx, ny, nl, 3), bg(nx, ny, nl, 3), values(nobs), alpha
  real(8), intent(out) :: cost
  real(8) :: h, u, v, d, w
  integer :: o
  call place(values)
  call to_state(ctl, bg, 0.3d0*alpha)
  cost = 0.5d0*sum(ctl**2)
  do o = 1, nobs
    select case (list(o)%kind)
    case (1)
      call at_point(tt, list(o), h)
      d = (h - list(o)%value)/list(o)%err
      cost = cost + 0.5d0*d*d
    case (2)
      call at_point(uu, list(o), u)
      call at_point(vv, list(o), v)
      h = sqrt(u*u + v*v + 1d-3)
      d = (h - list(o)%value)/list(o)%err
      if (abs(d) < 1.5d0) then
        cost = cost + 0.5d0*d*d
      else
        cost = cost + 1.5d0*(abs(d) - 0.75d0)
      end if
    case (3)
      call refraction(list(o), h)
      d = (h - list(o)%value)/list(o)%err
      w = 0.9d0*exp(-0.5d0*d*d) + 0.1d0
      cost = cost - log(w)
    case default
      call at_point(qq, list(o), h)
      h = h*ps(int(list(o)%x), min(int(list(o)%y), ny))
      d = (h - list(o)%value)/list(o)%err
      cost = cost + 0.5d0*d*d
    end select
  end do
end subroutine assimilate
