! Land surface buckets with sub-steps: a while loop whose step length follows the state.
module soilpar
  implicit none
  real(8), parameter :: porosity = 0.45d0, wilt = 0.1d0, dtmin = 0.05d0
end module soilpar
subroutine bucket(par, rain, pet, obs, cost, n, ns)
  use soilpar
  implicit none
  integer, intent(in) :: n, ns
  real(8), intent(in) :: par(4), rain(n), pet(n), obs(n)
  real(8), intent(out) :: cost
  real(8) :: w(3), q, qsum
  integer :: day
  w = (/ 0.2d0, 0.25d0, 0.3d0 /)
  cost = 0d0
  do day = 1, n
    call one_day(w, par, rain(day), pet(day), qsum)
    q = route(qsum, par(4))
    cost = cost + (q - 0.1d0*obs(day))**2
  end do
contains
  real(8) function route(x, k)
    real(8), intent(in) :: x, k
    route = x*exp(-0.3d0*k) + 0.01d0*x*x
  end function route
end subroutine bucket
subroutine one_day(w, par, rain, pet, qsum)
  use soilpar
  implicit none
  real(8), intent(inout) :: w(3)
  real(8), intent(in) :: par(4), rain, pet
  real(8), intent(out) :: qsum
  real(8) :: t, dt, infil, perc(3), et, rate
  integer :: k
  t = 0d0
  qsum = 0d0
  do while (t < 1d0)
    rate = 0.2d0 + abs(rain - pet)*par(1)
    dt = max(dtmin, 0.3d0/(1d0 + rate))
    if (t + dt > 1d0) dt = 1d0 - t
    call infiltrate(w(1), rain, par, infil)
    qsum = qsum + dt*(rain - infil)
    do k = 1, 3
      perc(k) = par(2)*0.1d0*(w(k)/porosity)**3
    end do
    et = pet*stress(w(1))*0.05d0
    w(1) = w(1) + dt*(infil - perc(1) - et)
    w(2) = w(2) + dt*(perc(1) - perc(2) - 0.5d0*et*stress(w(2)))
    w(3) = w(3) + dt*(perc(2) - perc(3))
    qsum = qsum + dt*perc(3)
    t = t + dt
    if (t > 1d0 - 1d-9) exit
  end do
contains
  real(8) function stress(s)
    real(8), intent(in) :: s
    if (s < wilt) then
      stress = 0d0
    else if (s > 0.3d0) then
      stress = 1d0
    else
      stress = (s - wilt)/(0.3d0 - wilt)
    end if
  end function stress
end subroutine one_day
subroutine infiltrate(w, rain, par, f)
  use soilpar
  implicit none
  real(8), intent(in) :: w, rain, par(4)
  real(8), intent(out) :: f
  real(8) :: cap
  cap = par(3)*(1d0 - (w/porosity)**2) + 0.05d0
  f = 0.1d0*min(rain, cap)
end subroutine infiltrate
