! Fitting a decay curve inside the model: limited-memory BFGS with a backtracking line search, gradients by hand.
module fit
  implicit none
  integer, parameter :: np = 4, mem = 3
contains
  real(8) function inner(n, a, b)
    integer, intent(in) :: n
    real(8), intent(in) :: a(n), b(n)
    integer :: i
    inner = 0d0
    do i = 1, n
      inner = inner + a(i)*b(i)
    end do
  end function inner
  subroutine objective(nd, t, y, p, f, g)
    integer, intent(in) :: nd
    real(8), intent(in) :: t(nd), y(nd), p(np)
    real(8), intent(out) :: f, g(np)
    real(8) :: e1, e2, r
    integer :: i
    f = 0d0
    g = 0d0
    do i = 1, nd
      e1 = exp(-p(2)*t(i))
      e2 = exp(-p(4)*t(i))
      r = p(1)*e1 + p(3)*e2 - y(i)
      f = f + 0.5d0*r*r
      g(1) = g(1) + r*e1
      g(2) = g(2) - r*p(1)*t(i)*e1
      g(3) = g(3) + r*e2
      g(4) = g(4) - r*p(3)*t(i)*e2
    end do
    do i = 1, np
      f = f + 0.005d0*p(i)**2
      g(i) = g(i) + 0.01d0*p(i)
    end do
  end subroutine objective
  subroutine two_loop(nk, s, y, rho, g, d)
    integer, intent(in) :: nk
    real(8), intent(in) :: s(np, mem), y(np, mem), rho(mem), g(np)
    real(8), intent(out) :: d(np)
    real(8) :: a(mem), b, gam
    integer :: k, j
    d = -g
    do k = nk, max(1, nk - mem + 1), -1
      j = mod(k - 1, mem) + 1
      a(j) = rho(j)*inner(np, s(:, j), d)
      d = d - a(j)*y(:, j)
    end do
    if (nk > 0) then
      j = mod(nk - 1, mem) + 1
      gam = inner(np, s(:, j), y(:, j))/inner(np, y(:, j), y(:, j))
      d = gam*d
    end if
    do k = max(1, nk - mem + 1), nk
      j = mod(k - 1, mem) + 1
      b = rho(j)*inner(np, y(:, j), d)
      d = d + (a(j) - b)*s(:, j)
    end do
  end subroutine two_loop
end module fit
subroutine lbfgs(nd, data, p0, out)
  use fit
  implicit none
  integer, intent(in) :: nd
  real(8), intent(in) :: data(nd), p0(np)
  real(8), intent(out) :: out
  real(8) :: t(nd), p(np), pn(np), g(np), gn(np), d(np), s(np, mem), y(np, mem), rho(mem), sv(np), yv(np)
  real(8) :: f, fn, step, slope
  integer :: it, i, j, nk, ls
  do i = 1, nd
    t(i) = 0.3d0*i
  end do
  p = p0
  p(4) = 0.3d0*p0(4)
  call objective(nd, t, data, p, f, g)
  nk = 0
  do it = 1, 6
    call two_loop(nk, s, y, rho, g, d)
    slope = inner(np, g, d)
    if (slope >= 0d0) then
      d = -g
      slope = -inner(np, g, g)
      nk = 0
    end if
    step = 1d0
    if (nk == 0) step = 0.2d0
    do ls = 1, 6
      pn = p + step*d
      call objective(nd, t, data, pn, fn, gn)
      if (fn <= f + 1d-4*step*slope) exit
      step = 0.5d0*step
    end do
    sv = pn - p
    yv = gn - g
    if (inner(np, yv, sv) > 1d-10) then
      nk = nk + 1
      j = mod(nk - 1, mem) + 1
      s(:, j) = sv
      y(:, j) = yv
      rho(j) = 1d0/inner(np, s(:, j), y(:, j))
    end if
    p = pn
    g = gn
    f = fn
    if (inner(np, g, g) < 1d-12) exit
  end do
  out = f + p(2)
end subroutine lbfgs
