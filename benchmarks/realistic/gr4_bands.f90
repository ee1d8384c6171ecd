! A daily rainfall-runoff model in the manner of GR4: production and routing stores, two unit hydrographs kept as
! shifted arrays, a snow store by elevation bands, several catchments one below the other.
module basin
  implicit none
  integer, parameter :: nb = 3, nh = 6
  type store
    real(8) :: prod, rout
    real(8) :: h1(nh), h2(2*nh)
    real(8) :: pack(nb)
  end type store
contains
  subroutine weights(x4, o1, o2)
    real(8), intent(in) :: x4
    real(8), intent(out) :: o1(nh), o2(2*nh)
    real(8) :: s0, s1
    integer :: k
    s0 = 0d0
    do k = 1, nh
      s1 = min(1d0, (k/x4)**2.5d0)
      o1(k) = s1 - s0
      s0 = s1
    end do
    s0 = 0d0
    do k = 1, 2*nh
      if (k <= x4) then
        s1 = 0.5d0*(k/x4)**2.5d0
      else if (k < 2*x4) then
        s1 = 1d0 - 0.5d0*(2d0 - k/x4)**2.5d0
      else
        s1 = 1d0
      end if
      o2(k) = s1 - s0
      s0 = s1
    end do
  end subroutine weights

  subroutine snowmelt(s, p, t, melt, rain)
    type(store), intent(inout) :: s
    real(8), intent(in) :: p, t, melt
    real(8), intent(out) :: rain
    real(8) :: tb, m
    integer :: b
    rain = 0d0
    do b = 1, nb
      tb = t - 2d0*b
      if (tb < 0d0) then
        s%pack(b) = s%pack(b) + p/nb
      else
        m = min(s%pack(b), melt*tb)
        s%pack(b) = s%pack(b) - m
        rain = rain + m + p/nb
      end if
    end do
  end subroutine snowmelt

  subroutine produce(s, x1, pn, en, pr)
    type(store), intent(inout) :: s
    real(8), intent(in) :: x1, pn, en
    real(8), intent(out) :: pr
    real(8) :: w, ps, es, perc
    w = tanh(pn/x1)
    ps = x1*(1d0 - (s%prod/x1)**2)*w/(1d0 + s%prod/x1*w)
    w = tanh(en/x1)
    es = s%prod*(2d0 - s%prod/x1)*w/(1d0 + (1d0 - s%prod/x1)*w)
    s%prod = s%prod + ps - es
    perc = s%prod*(1d0 - (1d0 + (s%prod/(2.25d0*x1))**4)**(-0.25d0))
    s%prod = s%prod - perc
    pr = perc + pn - ps
  end subroutine produce

  subroutine route(s, x2, x3, pr, o1, o2, q)
    type(store), intent(inout) :: s
    real(8), intent(in) :: x2, x3, pr, o1(nh), o2(2*nh)
    real(8), intent(out) :: q
    real(8) :: f, qr
    integer :: k
    do k = 1, nh - 1
      s%h1(k) = s%h1(k+1) + o1(k)*0.9d0*pr
    end do
    s%h1(nh) = o1(nh)*0.9d0*pr
    do k = 1, 2*nh - 1
      s%h2(k) = s%h2(k+1) + o2(k)*0.1d0*pr
    end do
    s%h2(2*nh) = o2(2*nh)*0.1d0*pr
    f = x2*(s%rout/x3)**3.5d0
    s%rout = max(1d-3, s%rout + s%h1(1) + f)
    qr = s%rout*(1d0 - (1d0 + (s%rout/x3)**4)**(-0.25d0))
    s%rout = s%rout - qr
    q = qr + max(0d0, s%h2(1) + f)
  end subroutine route
end module basin

subroutine gr4(x, melt, rain, temp, cost)
  use basin
  implicit none
  real(8), intent(in) :: x(4), melt, rain(8), temp(8)
  real(8), intent(out) :: cost
  type(store) :: s(2)
  real(8) :: o1(nh), o2(2*nh), p, pr, q, inflow
  integer :: day, c
  call weights(x(4), o1, o2)
  do c = 1, 2
    s(c)%prod = 0.3d0*x(1)
    s(c)%rout = 0.5d0*x(3)
    s(c)%h1 = 0d0
    s(c)%h2 = 0d0
    s(c)%pack = 0.1d0
  end do
  cost = 0d0
  do day = 1, 8
    inflow = 0d0
    do c = 1, 2
      call snowmelt(s(c), rain(day), temp(day), melt, p)
      call produce(s(c), x(1), p, 0.3d0, pr)
      call route(s(c), x(2), x(3), pr + inflow, o1, o2, q)
      inflow = 0.5d0*q
    end do
    cost = cost + (q - 0.2d0)**2
  end do
end subroutine gr4
