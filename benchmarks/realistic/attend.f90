! A small transformer block on a sequence: layer norm, two attention heads with a causal mask and stable softmax, residuals,
! gelu network, two layers with shared buffers, cross entropy.
subroutine layernorm(d, x, g, b, y)
  implicit none
  integer, intent(in) :: d
  real(8), intent(in) :: x(d), g(d), b(d)
  real(8), intent(out) :: y(d)
  real(8) :: mean, var
  mean = sum(x)/d
  var = sum((x - mean)**2)/d
  y = g*(x - mean)/sqrt(var + 1d-5) + b
end subroutine layernorm
subroutine affine(n, m, w, x, y)
  implicit none
  integer, intent(in) :: n, m
  real(8), intent(in) :: w(n, m), x(m)
  real(8), intent(out) :: y(n)
  integer :: i, j
  y = 0d0
  do j = 1, m
    do i = 1, n
      y(i) = y(i) + w(i, j)*x(j)
    end do
  end do
end subroutine affine
subroutine softmax(n, s)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: s(n)
  real(8) :: top
  integer :: i
  top = s(1)
  do i = 2, n
    top = max(top, s(i))
  end do
  s = exp(s - top)
  s = s/sum(s)
end subroutine softmax
subroutine attention(d, t, wq, wk, wv, x, y)
  implicit none
  integer, intent(in) :: d, t
  real(8), intent(in) :: wq(d, d), wk(d, d), wv(d, d), x(d, t)
  real(8), intent(out) :: y(d, t)
  integer, parameter :: nh = 2
  real(8) :: q(d, t), k(d, t), v(d, t), s(t)
  integer :: i, j, h, l, lo, hi
  do i = 1, t
    call affine(d, d, wq, x(:, i), q(:, i))
    call affine(d, d, wk, x(:, i), k(:, i))
    call affine(d, d, wv, x(:, i), v(:, i))
  end do
  y = 0d0
  do h = 1, nh
    lo = (h - 1)*(d/nh) + 1
    hi = h*(d/nh)
    do i = 1, t
      do j = 1, i
        s(j) = 0d0
        do l = lo, hi
          s(j) = s(j) + q(l, i)*k(l, j)
        end do
        s(j) = s(j)/sqrt(dble(d/nh))
      end do
      call softmax(i, s)
      do j = 1, i
        do l = lo, hi
          y(l, i) = y(l, i) + s(j)*v(l, j)
        end do
      end do
    end do
  end do
end subroutine attention
subroutine attend(t, emb, wq, wk, wv, w1, w2, g, b, loss)
  implicit none
  integer, intent(in) :: t
  integer, parameter :: d = 4, nl = 2
  real(8), intent(in) :: emb(d, t), wq(d, d, nl), wk(d, d, nl), wv(d, d, nl), w1(2*d, d, nl), w2(d, 2*d, nl), g(d, nl), b(d, nl)
  real(8), intent(out) :: loss
  real(8) :: x(d, t), z(d, t), a(d, t), hid(2*d), o(d), p(d)
  integer :: l, i, j, target
  x = emb
  do l = 1, nl
    do i = 1, t
      call layernorm(d, x(:, i), g(:, l), b(:, l), z(:, i))
    end do
    call attention(d, t, wq(:, :, l), wk(:, :, l), wv(:, :, l), z, a)
    x = x + a
    do i = 1, t
      call layernorm(d, x(:, i), g(:, l), b(:, l), o)
      call affine(2*d, d, w1(:, :, l), o, hid)
      do j = 1, 2*d
        hid(j) = 0.5d0*hid(j)*(1d0 + tanh(0.7978845608d0*(hid(j) + 0.044715d0*hid(j)**3)))
      end do
      call affine(d, 2*d, w2(:, :, l), hid, o)
      x(:, i) = x(:, i) + 0.2d0*o
    end do
  end do
  loss = 0d0
  do i = 1, t
    p = x(:, i)
    call softmax(d, p)
    target = mod(i, d) + 1
    loss = loss - log(p(target))
  end do
end subroutine attend
