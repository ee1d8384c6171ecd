! Its adjoint, written by hand; PUSH and POP are called as in Tapenade's.
subroutine rod_b(t, tb, n, steps, cost, costb)
  implicit none
  integer, intent(in) :: n, steps
  real(8) :: t(n), tb(n), cost, costb
  real(8) :: f(n), fb(n), k
  integer :: i, step
  k = 0.1d0
  do step = 1, steps
    call pushreal8array(t, n)
    call pushreal8(k)
    do i = 1, n - 1
      f(i) = k*(t(i)**2 - t(i+1)**2)
    end do
    do i = 1, n - 1
      t(i) = t(i) - f(i)
      t(i+1) = t(i+1) + f(i)
    end do
    call pushreal8(k)
    k = 0.99d0*k
  end do
  tb = tb + 2*t*costb
  do step = steps, 1, -1
    call popreal8(k)
    call popreal8(k)
    call popreal8array(t, n)
    do i = n - 1, 1, -1
      fb(i) = tb(i+1) - tb(i)
    end do
    do i = n - 1, 1, -1
      tb(i) = tb(i) + 2*k*t(i)*fb(i)
      tb(i+1) = tb(i+1) - 2*k*t(i+1)*fb(i)
    end do
  end do
  costb = 0
end subroutine rod_b
