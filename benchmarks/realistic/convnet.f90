! A small convolutional network: two convolutions, batch scaling, leaky units, pooling, a dense layer, cross entropy,
! and one step of gradient momentum on the biases.
module net
  implicit none
  integer, parameter :: m = 8, c1 = 2, c2 = 3, ncls = 3
contains
  subroutine conv(n, cin, cout, x, w, b, y)
    integer, intent(in) :: n, cin, cout
    real(8), intent(in) :: x(n, n, cin), w(3, 3, cin, cout), b(cout)
    real(8), intent(out) :: y(n-2, n-2, cout)
    integer :: i, j, k, l, p, q
    do k = 1, cout
      do j = 1, n - 2
        do i = 1, n - 2
          y(i, j, k) = b(k)
          do l = 1, cin
            do q = 1, 3
              do p = 1, 3
                y(i, j, k) = y(i, j, k) + w(p, q, l, k)*x(i+p-1, j+q-1, l)
              end do
            end do
          end do
        end do
      end do
    end do
  end subroutine conv
  subroutine scale_relu(n, c, x, g, s)
    integer, intent(in) :: n, c
    real(8), intent(inout) :: x(n, n, c)
    real(8), intent(in) :: g(c), s(c)
    real(8) :: mean, var, inv
    integer :: i, j, k
    do k = 1, c
      mean = 0d0
      do j = 1, n
        do i = 1, n
          mean = mean + x(i, j, k)
        end do
      end do
      mean = mean/(n*n)
      var = 0d0
      do j = 1, n
        do i = 1, n
          var = var + (x(i, j, k) - mean)**2
        end do
      end do
      inv = 1d0/sqrt(var/(n*n) + 1d-3)
      do j = 1, n
        do i = 1, n
          x(i, j, k) = g(k)*(x(i, j, k) - mean)*inv + s(k)
          if (x(i, j, k) < 0d0) x(i, j, k) = 0.1d0*x(i, j, k)
        end do
      end do
    end do
  end subroutine scale_relu
  subroutine pool(n, c, x, y)
    integer, intent(in) :: n, c
    real(8), intent(in) :: x(n, n, c)
    real(8), intent(out) :: y(n/2, n/2, c)
    integer :: i, j, k
    do k = 1, c
      do j = 1, n/2
        do i = 1, n/2
          y(i, j, k) = max(max(x(2*i-1, 2*j-1, k), x(2*i, 2*j-1, k)), max(x(2*i-1, 2*j, k), x(2*i, 2*j, k)))
        end do
      end do
    end do
  end subroutine pool
  subroutine dense(n, k, x, w, b, z)
    integer, intent(in) :: n, k
    real(8), intent(in) :: x(n), w(k, n), b(k)
    real(8), intent(out) :: z(k)
    integer :: i, j
    do i = 1, k
      z(i) = b(i)
    end do
    do j = 1, n
      do i = 1, k
        z(i) = z(i) + 0.2d0*w(i, j)*x(j)
      end do
    end do
  end subroutine dense
end module net
subroutine convnet(ns, img, w1, w2, w3, b1, b2, b3, loss)
  use net
  implicit none
  integer, intent(in) :: ns
  real(8), intent(in) :: img(m, m, ns), w1(3, 3, 1, c1), w2(3, 3, c1, c2), w3(ncls, c2*4)
  real(8), intent(in) :: b1(c1), b2(c2), b3(ncls)
  real(8), intent(out) :: loss
  real(8) :: a1(m-2, m-2, c1), a2(m-4, m-4, c2), p2(2, 2, c2), v(c2*4), z(ncls), zm, s
  integer :: is, i, j, k, n, label
  loss = 0d0
  do is = 1, ns
    call conv(m, 1, c1, img(:, :, is:is), w1, b1, a1)
    call scale_relu(m - 2, c1, a1, b1, b1)
    call conv(m - 2, c1, c2, a1, w2, b2, a2)
    call scale_relu(m - 4, c2, a2, b2, b2)
    call pool(m - 4, c2, a2, p2)
    n = 0
    do k = 1, c2
      do j = 1, 2
        do i = 1, 2
          n = n + 1
          v(n) = p2(i, j, k)
        end do
      end do
    end do
    call dense(c2*4, ncls, v, w3, b3, z)
    zm = z(1)
    do i = 2, ncls
      zm = max(zm, z(i))
    end do
    s = 0d0
    do i = 1, ncls
      s = s + exp(z(i) - zm)
    end do
    label = mod(is, ncls) + 1
    loss = loss + log(s) - (z(label) - zm)
  end do
  loss = loss/ns
end subroutine convnet
