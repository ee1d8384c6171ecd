! A network of dense layers whose weights lie in one vector, run on a few samples; the activations of all layers lie in
! one vector, too; softmax loss with the largest taken off; weights are moved by one step of their own gradient rule.
module network
  implicit none
  integer, parameter :: layers = 3
  integer :: width(0:layers) = [4, 6, 5, 3]
contains
  subroutine dense(w, b, x, y, nin, nout, last)
    integer, intent(in) :: nin, nout
    real(8), intent(in) :: w(nin, nout), b(nout), x(nin)
    real(8), intent(out) :: y(nout)
    logical, intent(in) :: last
    integer :: j
    do j = 1, nout
      y(j) = b(j) + sum(w(:, j)*x)
      if (.not. last) then
        if (y(j) > 0d0) then
          y(j) = tanh(y(j))
        else
          y(j) = 0.1d0*y(j)
        end if
      end if
    end do
  end subroutine dense

  subroutine forward(weights, a, loss, label)
    real(8), intent(in) :: weights(83)
    real(8), intent(inout) :: a(18)
    real(8), intent(inout) :: loss
    integer, intent(in) :: label
    integer :: l, at, from, to
    real(8) :: top, total, p(3)
    at = 1
    from = 1
    do l = 1, layers
      to = from + width(l-1)
      call dense(weights(at), weights(at + width(l-1)*width(l)), a(from), a(to), width(l-1), width(l), l == layers)
      at = at + (width(l-1) + 1)*width(l)
      from = to
    end do
    top = max(a(from), a(from+1), a(from+2))
    p = exp(a(from:from+2) - top)
    total = sum(p)
    loss = loss - log(p(label)/total)
  end subroutine forward
end module network

subroutine train(w0, data, cost)
  use network
  implicit none
  real(8), intent(in) :: w0(83), data(4, 5)
  real(8), intent(out) :: cost
  real(8) :: w(83), a(18), decay
  integer :: sample, epoch
  w = w0
  cost = 0d0
  decay = 0.02d0
  do epoch = 1, 3
    do sample = 1, 5
      a(1:4) = data(:, sample)
      call forward(w, a, cost, mod(sample, 3) + 1)
      w = w*(1d0 - decay*a(18)**2)
    end do
    decay = decay*0.5d0
  end do
  cost = cost + 0.01d0*sum(w*w)
end subroutine train
