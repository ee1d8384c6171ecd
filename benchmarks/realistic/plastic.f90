! A bar of elastic-plastic elements: load steps, Newton, return mapping with a history, Thomas solver.
subroutine plastic(n, nl, young, yield0, hard, loads, tip)
  implicit none
  integer, intent(in) :: n, nl
  real(8), intent(in) :: young(n), yield0, hard, loads(nl)
  real(8), intent(out) :: tip
  real(8) :: u(0:n), du(n), eps(n), epsp(n), alpha(n), sig(n), tang(n), res(n), lo(n), di(n), up(n)
  real(8) :: trial_p(n), trial_a(n)
  integer :: il, iter, e
  u = 0d0
  epsp = 0d0
  alpha = 0d0
  do il = 1, nl
    do iter = 1, 4
      do e = 1, n
        eps(e) = u(e) - u(e - 1)
        call return_map(young(e), yield0, hard, eps(e), epsp(e), alpha(e), sig(e), tang(e), trial_p(e), trial_a(e))
      end do
      do e = 1, n
        res(e) = -sig(e)
        di(e) = tang(e)
        up(e) = 0d0
        lo(e) = -tang(e)
        if (e < n) then
          res(e) = res(e) + sig(e + 1)
          di(e) = di(e) + tang(e + 1)
          up(e) = -tang(e + 1)
        else
          res(e) = res(e) + loads(il)
        end if
      end do
      call thomas(n, lo, di, up, res, du)
      u(1:n) = u(1:n) + du
      if (maxval(abs(du)) < 1d-12) exit
    end do
    epsp = trial_p
    alpha = trial_a
  end do
  tip = u(n)**2 + sum(alpha)
end subroutine
subroutine return_map(young, yield0, hard, eps, epsp, alpha, sig, tang, newp, newa)
  implicit none
  real(8), intent(in) :: young, yield0, hard, eps, epsp, alpha
  real(8), intent(out) :: sig, tang, newp, newa
  real(8) :: f, dg
  sig = young*(eps - epsp)
  f = abs(sig) - (yield0 + hard*alpha)
  if (f <= 0d0) then
    tang = young
    newp = epsp
    newa = alpha
  else
    dg = f/(young + hard)
    newp = epsp + dg*sign(1d0, sig)
    newa = alpha + dg
    sig = sig - young*dg*sign(1d0, sig)
    tang = young*hard/(young + hard)
  end if
end subroutine
subroutine thomas(n, lo, di, up, rhs, x)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: lo(n), up(n)
  real(8), intent(inout) :: di(n), rhs(n)
  real(8), intent(out) :: x(n)
  integer :: i
  real(8) :: f
  do i = 2, n
    f = lo(i)/di(i - 1)
    di(i) = di(i) - f*up(i - 1)
    rhs(i) = rhs(i) - f*rhs(i - 1)
  end do
  x(n) = rhs(n)/di(n)
  do i = n - 1, 1, -1
    x(i) = (rhs(i) - up(i)*x(i + 1))/di(i)
  end do
end subroutine
