! A truss with large displacements: bars in a corotated frame, a hardening law with a history, tangent stiffness and
! inner forces assembled by freedoms, Gauss' elimination with row exchanges, Newton's method under load steps with a
! line search; areas of the bars are the parameters.
module bars
  implicit none
  integer, parameter :: nn = 6, nb = 9, nf = 2*nn
  type bar
    integer :: a, b
    real(8) :: area, len, plastic, hard
  end type bar
  type(bar) :: member(nb)
  real(8) :: x0(2, nn)
  logical :: fixed(nf)
contains
  subroutine frame(area, offset)
    real(8), intent(in) :: area(nb), offset(nn)
    integer :: k, left(nb), right(nb)
    left = (/1, 1, 2, 3, 3, 4, 2, 5, 4/)
    right = (/2, 3, 4, 4, 5, 6, 3, 6, 5/)
    do k = 1, nn
      x0(1, k) = (k - 1)/2 + 0.02d0*offset(k)
      x0(2, k) = mod(k, 2) - 0.03d0*offset(k)
    end do
    fixed = .false.
    fixed(1:4) = .true.
    do k = 1, nb
      member(k)%a = left(k)
      member(k)%b = right(k)
      member(k)%area = area(k)
      member(k)%len = sqrt(sum((x0(:, right(k)) - x0(:, left(k)))**2))
      member(k)%plastic = 0d0
      member(k)%hard = 0.05d0
    end do
  end subroutine frame

  subroutine law(one, strain, force, tangent, plastic, hard)
    type(bar), intent(in) :: one
    real(8), intent(in) :: strain
    real(8), intent(out) :: force, tangent, plastic, hard
    real(8) :: trial, excess, d
    trial = 10d0*(strain - one%plastic)
    excess = abs(trial) - one%hard
    plastic = one%plastic
    hard = one%hard
    if (excess <= 0d0) then
      force = one%area*trial
      tangent = one%area*10d0
    else
      d = excess/(10d0 + 2d0)
      plastic = plastic + sign(d, trial)
      hard = hard + 2d0*d
      force = one%area*(trial - 10d0*sign(d, trial))
      tangent = one%area*10d0*2d0/12d0
    end if
  end subroutine law

  subroutine inner(u, k, f)
    real(8), intent(in) :: u(2, nn)
    real(8), intent(out) :: k(nf, nf), f(nf)
    real(8) :: d(2), l, n, t, plastic, hard, ke(2, 2)
    integer :: m, i, j, a, b
    k = 0d0
    f = 0d0
    do m = 1, nb
      a = member(m)%a
      b = member(m)%b
      d = x0(:, b) + u(:, b) - x0(:, a) - u(:, a)
      l = sqrt(sum(d*d))
      d = d/l
      call law(member(m), (l - member(m)%len)/member(m)%len, n, t, plastic, hard)
      do i = 1, 2
        f(2*a-2+i) = f(2*a-2+i) - n*d(i)
        f(2*b-2+i) = f(2*b-2+i) + n*d(i)
        do j = 1, 2
          ke(i, j) = (t/member(m)%len - n/l)*d(i)*d(j)
          if (i == j) ke(i, j) = ke(i, j) + n/l
          k(2*a-2+i, 2*a-2+j) = k(2*a-2+i, 2*a-2+j) + ke(i, j)
          k(2*b-2+i, 2*b-2+j) = k(2*b-2+i, 2*b-2+j) + ke(i, j)
          k(2*a-2+i, 2*b-2+j) = k(2*a-2+i, 2*b-2+j) - ke(i, j)
          k(2*b-2+i, 2*a-2+j) = k(2*b-2+i, 2*a-2+j) - ke(i, j)
        end do
      end do
    end do
  end subroutine inner

  subroutine gauss(a, b)
    real(8), intent(inout) :: a(nf, nf), b(nf)
    real(8) :: row(nf), w
    integer :: i, j, p
    do j = 1, nf
      p = j
      do i = j + 1, nf
        if (abs(a(i, j)) > abs(a(p, j))) p = i
      end do
      if (p /= j) then
        row = a(j, :)
        a(j, :) = a(p, :)
        a(p, :) = row
        w = b(j)
        b(j) = b(p)
        b(p) = w
      end if
      do i = j + 1, nf
        w = a(i, j)/a(j, j)
        a(i, j:) = a(i, j:) - w*a(j, j:)
        b(i) = b(i) - w*b(j)
      end do
    end do
    do j = nf, 1, -1
      do i = j + 1, nf
        b(j) = b(j) - a(j, i)*b(i)
      end do
      b(j) = b(j)/a(j, j)
    end do
  end subroutine gauss

  subroutine keep(u)
    real(8), intent(in) :: u(2, nn)
    real(8) :: d(2), n, t, plastic, hard
    integer :: m
    do m = 1, nb
      d = x0(:, member(m)%b) + u(:, member(m)%b) - x0(:, member(m)%a) - u(:, member(m)%a)
      call law(member(m), sqrt(sum(d*d))/member(m)%len - 1d0, n, t, plastic, hard)
      member(m)%plastic = plastic
      member(m)%hard = hard
    end do
  end subroutine keep
end module bars

subroutine crane(nload, area, offset, load, sag)
  use bars
  implicit none
  integer, intent(in) :: nload
  real(8), intent(in) :: area(nb), offset(nn), load(nf)
  real(8), intent(out) :: sag
  real(8) :: u(2, nn), k(nf, nf), f(nf), r(nf), norm, step
  integer :: it, l, i
  call frame(area, offset)
  u = 0d0
  sag = 0d0
  do l = 1, nload
    do it = 1, 3
      call inner(u, k, f)
      norm = 0d0
      do i = 1, nf
        r(i) = 0.03d0*l*load(i) - f(i)
        if (fixed(i)) then
          k(i, :) = 0d0
          k(:, i) = 0d0
          k(i, i) = 1d0
          r(i) = 0d0
        end if
        norm = norm + r(i)**2
      end do
      call gauss(k, r)
      step = 1d0
      if (norm > 0.01d0) step = 0.8d0
      do i = 1, nn
        u(1, i) = u(1, i) + step*r(2*i-1)
        u(2, i) = u(2, i) + step*r(2*i)
      end do
    end do
    call keep(u)
    sag = sag + u(2, nn)**2
  end do
end subroutine crane
