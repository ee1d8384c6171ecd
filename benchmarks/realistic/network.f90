! A small neural network trained by gradient steps with momentum: the loss after training, by its first weights.
subroutine network(n, nt, w0, x, y, loss)
  implicit none
  integer, intent(in) :: n, nt
  real(8), intent(in) :: w0(n, n), x(n, nt), y(nt)
  real(8), intent(out) :: loss
  real(8) :: w(n, n), v(n), gw(n, n), gv(n), mw(n, n), mv(n), hid(n), o
  integer :: epoch, it, i
  w = 0.3d0*w0
  do i = 1, n
    v(i) = 0.1d0*i
  end do
  mw = 0d0
  mv = 0d0
  do epoch = 1, 2
    do it = 1, nt
      call forward(n, w, v, x(1, it), hid, o)
      call backward(n, v, x(1, it), hid, o - y(it), gw, gv)
      mw = 0.9d0*mw + gw
      mv = 0.9d0*mv + gv
      w = w - 0.05d0*mw
      v = v - 0.05d0*mv
    end do
    call clip(n, v)
  end do
  loss = 0d0
  do it = 1, nt
    call forward(n, w, v, x(1, it), hid, o)
    loss = loss + 0.5d0*(o - y(it))**2
  end do
end subroutine
subroutine forward(n, w, v, x, hid, o)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: w(n, n), v(n), x(n)
  real(8), intent(out) :: hid(n), o
  real(8) :: s
  integer :: i, j
  o = 0d0
  do i = 1, n
    s = 0d0
    do j = 1, n
      s = s + w(i, j)*x(j)
    end do
    hid(i) = tanh(s)
    o = o + v(i)*hid(i)
  end do
end subroutine
subroutine backward(n, v, x, hid, e, gw, gv)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: v(n), x(n), hid(n), e
  real(8), intent(out) :: gw(n, n), gv(n)
  real(8) :: d
  integer :: i, j
  do i = 1, n
    gv(i) = e*hid(i)
    d = e*v(i)*(1d0 - hid(i)*hid(i))
    do j = 1, n
      gw(i, j) = d*x(j)
    end do
  end do
end subroutine
subroutine clip(n, v)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: v(n)
  real(8) :: norm
  norm = sqrt(sum(v*v) + 1d-12)
  if (norm > 1d0) v = v/norm
end subroutine
