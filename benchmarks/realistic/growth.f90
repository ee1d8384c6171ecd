! Value iteration of a growth model: a grid of capital, a policy found by search, values between grid points by linear
! interpolation, a Markov chain of shocks; then a simulation with the policy.
module economy
  implicit none
  integer, parameter :: nk = 7, ns = 2
  real(8) :: grid(nk), value(nk, ns), next(nk, ns), policy(nk, ns), chain(ns, ns) = &
    reshape([0.8d0, 0.3d0, 0.2d0, 0.7d0], [ns, ns])
  real(8) :: shock(ns) = [0.9d0, 1.15d0]
contains
  subroutine locate(x, at, w)
    real(8), intent(in) :: x
    integer, intent(out) :: at
    real(8), intent(out) :: w
    integer :: lo, hi, mid
    lo = 1
    hi = nk
    do while (hi - lo > 1)
      mid = (lo + hi)/2
      if (grid(mid) > x) then
        hi = mid
      else
        lo = mid
      end if
    end do
    at = lo
    w = (x - grid(lo))/(grid(lo+1) - grid(lo))
  end subroutine locate

  real(8) function expected(k, s)
    real(8), intent(in) :: k
    integer, intent(in) :: s
    integer :: at, z
    real(8) :: w
    call locate(k, at, w)
    expected = 0d0
    do z = 1, ns
      expected = expected + chain(s, z)*((1d0 - w)*value(at, z) + w*value(at+1, z))
    end do
  end function expected

  subroutine improve(alpha, beta, s)
    real(8), intent(in) :: alpha, beta
    integer, intent(in) :: s
    integer :: i, j
    real(8) :: have, best, save, tryk, worth
    do i = 1, nk
      have = shock(s)*grid(i)**alpha + 0.5d0*grid(i)
      best = -1d30
      save = 0d0
      do j = 1, 5
        tryk = have*(0.15d0 + 0.15d0*j)
        worth = log(have - tryk) + beta*expected(tryk, s)
        if (worth > best) then
          best = worth
          save = tryk
        end if
      end do
      next(i, s) = best
      policy(i, s) = save
    end do
  end subroutine improve

  subroutine sweep(alpha, beta)
    real(8), intent(in) :: alpha, beta
    integer :: s
    do s = 1, ns
      call improve(alpha, beta, s)
    end do
    value = next
  end subroutine sweep
end module economy

subroutine grow(alpha, beta, top, cost)
  use economy
  implicit none
  real(8), intent(in) :: alpha, beta, top
  real(8), intent(out) :: cost
  integer :: it, i, at, s
  real(8) :: k, w
  do i = 1, nk
    grid(i) = 0.1d0 + top*(real(i - 1, 8)/(nk - 1))**2
  end do
  do i = 1, nk
    value(i, :) = log(grid(i))
  end do
  do it = 1, 5
    call sweep(alpha, beta)
  end do
  k = grid(3)
  cost = 0d0
  do it = 1, 6
    s = mod(it, 2) + 1
    call locate(k, at, w)
    k = (1d0 - w)*policy(at, s) + w*policy(at+1, s)
    cost = cost + k**2
  end do
  cost = cost + sum(value)
end subroutine grow
