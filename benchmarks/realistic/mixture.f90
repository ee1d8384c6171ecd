! A mixture of normal distributions fitted by expectation and maximisation: densities in logarithms with the largest taken
! off, components that starve are put to where the worst sample is, a fit that stops; then classes weigh a regression.
module em_par
  implicit none
  integer, parameter :: ns = 8, nk = 3
contains
  subroutine expectation(x, mu, var, w, resp, loglik, worst)
    real(8), intent(in) :: x(ns), mu(nk), var(nk), w(nk)
    real(8), intent(out) :: resp(ns, nk), loglik
    integer, intent(out) :: worst
    real(8) :: lg(nk), top, s, low
    integer :: i, k
    loglik = 0d0
    low = 1d10
    worst = 1
    do i = 1, ns
      do k = 1, nk
        lg(k) = log(w(k)) - 0.5d0*log(var(k)) - 0.5d0*(x(i) - mu(k))**2/var(k)
      end do
      top = lg(1)
      do k = 2, nk
        top = max(top, lg(k))
      end do
      s = 0d0
      do k = 1, nk
        resp(i, k) = exp(lg(k) - top)
        s = s + resp(i, k)
      end do
      resp(i, :) = resp(i, :)/s
      if (top + log(s) < low) then
        low = top + log(s)
        worst = i
      end if
      loglik = loglik + top + log(s)
    end do
  end subroutine expectation
  subroutine maximisation(x, resp, prior, worst, mu, var, w)
    real(8), intent(in) :: x(ns), resp(ns, nk), prior
    integer, intent(in) :: worst
    real(8), intent(inout) :: mu(nk), var(nk), w(nk)
    real(8) :: nkk, s
    integer :: i, k
    do k = 1, nk
      nkk = sum(resp(:, k))
      if (nkk < 0.1d0) then
        mu(k) = x(worst)
        var(k) = 0.5d0*prior
        w(k) = 0.1d0
        cycle
      end if
      mu(k) = 0d0
      do i = 1, ns
        mu(k) = mu(k) + resp(i, k)*x(i)
      end do
      mu(k) = mu(k)/nkk
      s = prior*0.1d0
      do i = 1, ns
        s = s + resp(i, k)*(x(i) - mu(k))**2
      end do
      var(k) = s/nkk
      w(k) = nkk/ns
    end do
    w = w/sum(w)
  end subroutine maximisation
end module em_par
subroutine mixture(nit, x0, y, prior, spread, err)
  use em_par
  implicit none
  integer, intent(in) :: nit
  real(8), intent(in) :: x0(ns), y(ns), prior, spread
  real(8), intent(out) :: err
  real(8) :: x(ns), mu(nk), var(nk), w(nk), resp(ns, nk), ll, old, a, b, sx, sy, sxx, sxy, sw, d
  integer :: it, i, k, worst
  do i = 1, ns
    x(i) = x0(i) + spread*mod(3*i, 5)
  end do
  do k = 1, nk
    mu(k) = x(2*k)
    var(k) = 0.5d0*spread
    w(k) = 1d0/nk
  end do
  old = -1d10
  do it = 1, nit
    call expectation(x, mu, var, w, resp, ll, worst)
    if (ll - old < 1d-4) exit
    old = ll
    call maximisation(x, resp, prior, worst, mu, var, w)
  end do
  err = -0.1d0*ll
  do k = 1, nk
    sw = 1d-3
    sx = 0d0
    sy = 0d0
    sxx = 0d0
    sxy = 0d0
    do i = 1, ns
      sw = sw + resp(i, k)
      sx = sx + resp(i, k)*x(i)
      sy = sy + resp(i, k)*y(i)
      sxx = sxx + resp(i, k)*x(i)**2
      sxy = sxy + resp(i, k)*x(i)*y(i)
    end do
    d = sw*sxx - sx*sx + 0.1d0*prior
    b = (sw*sxy - sx*sy)/d
    a = (sy - b*sx)/sw
    do i = 1, ns
      err = err + resp(i, k)*(y(i) - a - b*x(i))**2
    end do
  end do
end subroutine mixture
