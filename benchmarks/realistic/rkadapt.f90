! Embedded Bogacki-Shampine steps with error control and rejection for a chain of reactors: the step size adapts, the
! loop is left when the end is reached; rate constants, feed and temperatures are the controls.
module reactors_mod
  implicit none
  integer, parameter :: ns = 3
contains
  subroutine rates(c, t, k, feed, dc, n)
    integer, intent(in) :: n
    real(8), intent(in) :: c(ns,n), t(n), k(ns), feed(ns)
    real(8), intent(out) :: dc(ns,n)
    real(8) :: r1, r2, r3, arr
    integer :: j, s
    do j = 1, n
      arr = exp(-1d0/t(j))
      r1 = k(1)*arr*c(1,j)*c(2,j)
      r2 = k(2)*arr*c(3,j)
      r3 = k(3)*c(2,j)**2/(1d0 + c(2,j))
      dc(1,j) = -r1 + r2
      dc(2,j) = -r1 + r2 - r3
      dc(3,j) = r1 - r2
      do s = 1, ns
        if (j == 1) then
          dc(s,j) = dc(s,j) + 0.5d0*(feed(s) - c(s,j))
        else
          dc(s,j) = dc(s,j) + 0.5d0*(c(s,j-1) - c(s,j))
        end if
      end do
    end do
  end subroutine rates
  function scaled_error(c, cnew, err, n) result(e)
    integer, intent(in) :: n
    real(8), intent(in) :: c(ns,n), cnew(ns,n), err(ns,n)
    real(8) :: e
    integer :: j, s
    e = 0d0
    do j = 1, n
      do s = 1, ns
        e = max(e, abs(err(s,j))/(1d-3 + 1d-2*max(abs(c(s,j)), abs(cnew(s,j)))))
      end do
    end do
  end function scaled_error
end module reactors_mod
subroutine rkadapt(n, mstep, tend, k, feed, t, cost)
  use reactors_mod
  implicit none
  integer, intent(in) :: n, mstep
  real(8), intent(in) :: tend, k(ns), feed(ns), t(n)
  real(8), intent(out) :: cost
  real(8) :: c(ns,n), cnew(ns,n), k1(ns,n), k2(ns,n), k3(ns,n), k4(ns,n), w(ns,n), err(ns,n), time, h, e
  integer :: step, j, s
  c = 0.2d0
  call rates(c, t, k, feed, k1, n)
  time = 0d0
  h = 0.4d0
  cost = 0d0
  do step = 1, mstep
    if (time + h > tend) h = tend - time
    w = c + 0.5d0*h*k1
    call rates(w, t, k, feed, k2, n)
    w = c + 0.75d0*h*k2
    call rates(w, t, k, feed, k3, n)
    cnew = c + h*(2d0*k1 + 3d0*k2 + 4d0*k3)/9d0
    call rates(cnew, t, k, feed, k4, n)
    err = h*(-5d0*k1/72d0 + k2/12d0 + k3/9d0 - k4/8d0)
    e = scaled_error(c, cnew, err, n)
    if (e <= 1d0) then
      time = time + h
      do j = 1, n
        do s = 1, ns
          cost = cost + 0.5d0*h*(c(s,j)**2 + cnew(s,j)**2)
        end do
      end do
      c = cnew
      k1 = k4
      if (time >= tend - 1d-12) exit
    end if
    h = h*min(2d0, max(0.3d0, 0.9d0*(1d0/max(e, 1d-6))**(1d0/3d0)))
  end do
  cost = cost + c(3,n)**2
end subroutine rkadapt
