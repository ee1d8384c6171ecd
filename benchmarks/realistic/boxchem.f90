! A chemical box through a day: rate constants by temperature and sun, production and loss by reaction tables, a
! three-stage Rosenbrock method with LU factors by hand, steps accepted or shortened by the error's norm, emissions.
module mechanism
  implicit none
  integer, parameter :: ns = 6, nr = 9
  integer :: in1(nr) = (/1, 2, 3, 1, 4, 5, 2, 6, 3/), in2(nr) = (/0, 3, 0, 4, 5, 0, 6, 0, 4/)
  integer :: out1(nr) = (/2, 1, 4, 5, 6, 3, 5, 2, 1/)
  real(8) :: rk(nr)
contains
  subroutine rates(ka, ea, temp, sun)
    real(8), intent(in) :: ka(nr), ea(nr), temp, sun
    integer :: r
    do r = 1, nr
      if (in2(r) == 0) then
        rk(r) = ka(r)*sun*(1d0 + 0.1d0*ea(r))
      else
        rk(r) = ka(r)*exp(-ea(r)*(1d0/temp - 1d0))
      end if
    end do
  end subroutine rates

  subroutine fun(y, emis, dy)
    real(8), intent(in) :: y(ns), emis(ns)
    real(8), intent(out) :: dy(ns)
    integer :: r
    real(8) :: v
    dy = emis
    do r = 1, nr
      v = rk(r)*y(in1(r))
      if (in2(r) > 0) v = v*y(in2(r))
      dy(in1(r)) = dy(in1(r)) - v
      if (in2(r) > 0) dy(in2(r)) = dy(in2(r)) - v
      dy(out1(r)) = dy(out1(r)) + v
    end do
  end subroutine fun

  subroutine jac(y, gh, a)
    real(8), intent(in) :: y(ns), gh
    real(8), intent(out) :: a(ns, ns)
    integer :: r, i
    real(8) :: d1, d2
    a = 0d0
    do i = 1, ns
      a(i, i) = 1d0/gh
    end do
    do r = 1, nr
      d1 = rk(r)
      if (in2(r) > 0) then
        d1 = d1*y(in2(r))
        d2 = rk(r)*y(in1(r))
        a(in1(r), in2(r)) = a(in1(r), in2(r)) + d2
        a(in2(r), in2(r)) = a(in2(r), in2(r)) + d2
        a(out1(r), in2(r)) = a(out1(r), in2(r)) - d2
        a(in2(r), in1(r)) = a(in2(r), in1(r)) + d1
      end if
      a(in1(r), in1(r)) = a(in1(r), in1(r)) + d1
      a(out1(r), in1(r)) = a(out1(r), in1(r)) - d1
    end do
  end subroutine jac

  subroutine lu(a)
    real(8), intent(inout) :: a(ns, ns)
    integer :: i, j, k
    do k = 1, ns - 1
      do i = k + 1, ns
        a(i, k) = a(i, k)/a(k, k)
        do j = k + 1, ns
          a(i, j) = a(i, j) - a(i, k)*a(k, j)
        end do
      end do
    end do
  end subroutine lu

  subroutine solve(a, b)
    real(8), intent(in) :: a(ns, ns)
    real(8), intent(inout) :: b(ns)
    integer :: i, j
    do i = 2, ns
      do j = 1, i - 1
        b(i) = b(i) - a(i, j)*b(j)
      end do
    end do
    do i = ns, 1, -1
      do j = i + 1, ns
        b(i) = b(i) - a(i, j)*b(j)
      end do
      b(i) = b(i)/a(i, i)
    end do
  end subroutine solve

  subroutine ros3(y, emis, h, ynew, err)
    real(8), intent(in) :: y(ns), emis(ns), h
    real(8), intent(out) :: ynew(ns), err
    real(8) :: a(ns, ns), k1(ns), k2(ns), k3(ns), w(ns)
    real(8), parameter :: g = 0.43586652150845967d0
    call jac(y, g*h, a)
    call lu(a)
    call fun(y, emis, k1)
    call solve(a, k1)
    w = y + k1
    call fun(w, emis, k2)
    k3 = k2
    k2 = k2 - 1.0156171083877702d0/h*k1
    call solve(a, k2)
    k3 = k3 + (4.0759956452537699d0*k1 + 9.2076794298330791d0*k2)/h
    call solve(a, k3)
    ynew = y + k1 + 6.1697947043828245d0*k2 - 0.4277225654321857d0*k3
    w = 0.5d0*k1 - 2.9079558716805469d0*k2 + 0.2235406989781156d0*k3
    err = sqrt(sum((w/(0.1d0 + 0.1d0*abs(y)))**2)/ns)
  end subroutine ros3
end module mechanism

subroutine day(nt, y0, ka, ea, emis, ozone)
  use mechanism
  implicit none
  integer, intent(in) :: nt
  real(8), intent(in) :: y0(ns), ka(nr), ea(nr), emis(ns)
  real(8), intent(out) :: ozone
  real(8) :: y(ns), ynew(ns), t, h, err, temp, sun
  integer :: it, tries
  y = y0
  h = 0.2d0
  ozone = 0d0
  do it = 1, nt
    t = 0d0
    temp = 1d0 + 0.05d0*sin(0.6d0*it)
    sun = max(0d0, sin(0.5d0*it))
    call rates(ka, ea, temp, sun)
    tries = 0
    do while (t < 0.5d0 .and. tries < 8)
      tries = tries + 1
      h = min(h, 0.5d0 - t + 1d-6)
      call ros3(y, 0.1d0*emis, h, ynew, err)
      if (err < 1d0) then
        t = t + h
        y = max(ynew, 0d0)
        h = h*min(2d0, 0.9d0/(err + 0.1d0)**(1d0/3d0))
      else
        h = 0.5d0*h
      end if
    end do
    ozone = ozone + y(3)**2 + 0.1d0*y(6)
  end do
end subroutine day
