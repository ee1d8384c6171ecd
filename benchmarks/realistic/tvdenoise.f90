! Image restoration: total variation by a primal-dual iteration, blur by a separable kernel with reflected borders, images
! as records, stopping by relative change, step sizes adapted.
module images
  implicit none
  type image
    real(8) :: p(6, 5)
  end type image
contains
  subroutine blur(a, b, sigma)
    type(image), intent(in) :: a
    type(image), intent(out) :: b
    real(8), intent(in) :: sigma
    real(8) :: k(-1:1), row(6, 5)
    integer :: i, j, s, r
    k(0) = 1d0
    k(1) = exp(-0.5d0/sigma**2)
    k(-1) = k(1)
    k = k/sum(k)
    row = 0d0
    do j = 1, 5
      do i = 1, 6
        do s = -1, 1
          r = i + s
          if (r < 1) r = 1 - r + 1
          if (r > 6) r = 12 - r
          row(i, j) = row(i, j) + k(s)*a%p(r, j)
        end do
      end do
    end do
    b%p = 0d0
    do j = 1, 5
      do s = -1, 1
        r = j + s
        if (r < 1) r = 2 - r
        if (r > 5) r = 10 - r
        b%p(:, j) = b%p(:, j) + k(s)*row(:, r)
      end do
    end do
  end subroutine blur
  subroutine grad(a, gx, gy)
    type(image), intent(in) :: a
    type(image), intent(out) :: gx, gy
    gx%p = 0d0
    gy%p = 0d0
    gx%p(1:5, :) = a%p(2:6, :) - a%p(1:5, :)
    gy%p(:, 1:4) = a%p(:, 2:5) - a%p(:, 1:4)
  end subroutine grad
  subroutine div(gx, gy, d)
    type(image), intent(in) :: gx, gy
    type(image), intent(out) :: d
    d%p = 0d0
    d%p(2:6, :) = gx%p(1:5, :)
    d%p(1:5, :) = d%p(1:5, :) - gx%p(1:5, :)
    d%p(:, 2:5) = d%p(:, 2:5) + gy%p(:, 1:4)
    d%p(:, 1:4) = d%p(:, 1:4) - gy%p(:, 1:4)
    d%p = -d%p
  end subroutine div
  subroutine clip(x, y, r)
    type(image), intent(inout) :: x, y
    real(8), intent(in) :: r
    real(8) :: m
    integer :: i, j
    do j = 1, 5
      do i = 1, 6
        m = sqrt(x%p(i, j)**2 + y%p(i, j)**2 + 1d-6)
        if (m > r) then
          x%p(i, j) = r*x%p(i, j)/m
          y%p(i, j) = r*y%p(i, j)/m
        end if
      end do
    end do
  end subroutine clip
end module images
subroutine tvdenoise(seen, truth, lambda, sigma, err)
  use images
  implicit none
  real(8), intent(in) :: seen(6, 5), truth(6, 5), lambda, sigma
  real(8), intent(out) :: err
  type(image) :: u, ubar, px, py, gx, gy, d, bu, res, corr, old
  real(8) :: tau, change
  integer :: it
  u%p = seen
  ubar = u
  px%p = 0d0
  py%p = 0d0
  tau = 0.2d0
  iterate: do it = 1, 8
    call grad(ubar, gx, gy)
    px%p = px%p + 0.5d0*gx%p
    py%p = py%p + 0.5d0*gy%p
    call clip(px, py, 0.2d0*lambda)
    call div(px, py, d)
    call blur(u, bu, sigma)
    res%p = bu%p - seen
    call blur(res, corr, sigma)
    old = u
    u%p = u%p - tau*(corr%p + d%p)
    ubar%p = 2d0*u%p - old%p
    change = sqrt(sum((u%p - old%p)**2)/sum(old%p**2))
    if (change < 1d-3) exit iterate
    if (mod(it, 3) == 0) tau = 0.8d0*tau/(1d0 + change)
  end do iterate
  err = sum((u%p - truth)**2)
end subroutine tvdenoise
