! Finite volumes on an unstructured mesh: fluxes by faces, gathered from and scattered to the cells on both sides.
module mesh
  implicit none
  integer, parameter :: nc = 10, nf = 13, nq = 3
  integer :: left(nf), right(nf)
  real(8) :: area(nf), volume(nc)
contains
  subroutine connect
    integer :: f
    do f = 1, nf
      left(f) = mod(f - 1, nc) + 1
      right(f) = mod(3*f, nc) + 1
      if (right(f) == left(f)) right(f) = mod(left(f), nc) + 1
      area(f) = 0.1d0 + 0.01d0*f
    end do
    do f = 1, nc
      volume(f) = 1.0d0 + 0.05d0*f
    end do
  end subroutine connect

  subroutine riemann(ql, qr, flux)
    real(8), intent(in) :: ql(nq), qr(nq)
    real(8), intent(out) :: flux(nq)
    real(8) :: ul, ur, pl, pr, speed
    integer :: k
    ul = ql(2)/ql(1)
    ur = qr(2)/qr(1)
    pl = 0.4d0*(ql(3) - 0.5d0*ql(1)*ul**2)
    pr = 0.4d0*(qr(3) - 0.5d0*qr(1)*ur**2)
    speed = max(abs(ul), abs(ur)) + 0.5d0
    flux(1) = 0.5d0*(ql(2) + qr(2))
    flux(2) = 0.5d0*(ql(2)*ul + pl + qr(2)*ur + pr)
    flux(3) = 0.5d0*(ul*(ql(3) + pl) + ur*(qr(3) + pr))
    do k = 1, nq
      flux(k) = flux(k) - 0.5d0*speed*(qr(k) - ql(k))
    end do
  end subroutine riemann

  subroutine residuals(q, res)
    real(8), intent(in) :: q(nq, nc)
    real(8), intent(out) :: res(nq, nc)
    real(8) :: flux(nq)
    integer :: f, k
    res = 0.0d0
    do f = 1, nf
      call riemann(q(:, left(f)), q(:, right(f)), flux)
      do k = 1, nq
        res(k, left(f)) = res(k, left(f)) - area(f)*flux(k)
        res(k, right(f)) = res(k, right(f)) + area(f)*flux(k)
      end do
    end do
  end subroutine residuals
end module mesh

subroutine euler(q0, dt, cost)
  use mesh
  implicit none
  real(8), intent(in) :: q0(nq, nc), dt
  real(8), intent(out) :: cost
  real(8) :: q(nq, nc), res(nq, nc), qs(nq, nc)
  integer :: c, k, step
  call connect
  do c = 1, nc
    q(1, c) = 1.0d0 + q0(1, c)
    q(2, c) = 0.1d0*q0(2, c)
    q(3, c) = 2.0d0 + q0(3, c)
  end do
  do step = 1, 3
    call residuals(q, res)
    do c = 1, nc
      do k = 1, nq
        qs(k, c) = q(k, c) + 0.05d0*dt*res(k, c)/volume(c)
      end do
    end do
    call residuals(qs, res)
    do c = 1, nc
      do k = 1, nq
        q(k, c) = 0.5d0*(q(k, c) + qs(k, c) + 0.05d0*dt*res(k, c)/volume(c))
      end do
    end do
  end do
  cost = 0.0d0
  do c = 1, nc
    cost = cost + volume(c)*q(2, c)**2/q(1, c)
  end do
end subroutine euler
