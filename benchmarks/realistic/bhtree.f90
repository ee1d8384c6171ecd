! Gravity by a tree on a line: cells made by bisection in arrays with a counter, masses and centres summed upwards, a walk
! with a stack and an opening angle, leapfrog with kicks; the tree is made anew each step.
module bh
  implicit none
  integer, parameter :: nb = 6, mc = 40
  integer :: ncell, child(2, mc), body(mc)
  real(8) :: lo(mc), hi(mc), mass(mc), cen(mc), quad(mc)
contains
  subroutine new_cell(a, b, c)
    real(8), intent(in) :: a, b
    integer, intent(out) :: c
    ncell = ncell + 1
    c = ncell
    lo(c) = a
    hi(c) = b
    child(:, c) = 0
    body(c) = 0
    mass(c) = 0d0
    cen(c) = 0d0
    quad(c) = 0d0
  end subroutine new_cell
  subroutine insert(x, i)
    real(8), intent(in) :: x(nb)
    integer, intent(in) :: i
    real(8) :: mid
    integer :: c, k, old, depth
    c = 1
    do depth = 1, 8
      if (child(1, c) == 0 .and. body(c) == 0) then
        body(c) = i
        return
      end if
      mid = 0.5d0*(lo(c) + hi(c))
      if (child(1, c) == 0) then
        call new_cell(lo(c), mid, child(1, c))
        call new_cell(mid, hi(c), child(2, c))
        old = body(c)
        body(c) = 0
        k = 1
        if (x(old) > mid) k = 2
        body(child(k, c)) = old
      end if
      k = 1
      if (x(i) > mid) k = 2
      c = child(k, c)
    end do
  end subroutine insert
  subroutine moments(x, m)
    real(8), intent(in) :: x(nb), m(nb)
    integer :: c, k, d
    do c = ncell, 1, -1
      if (body(c) > 0) then
        mass(c) = m(body(c))
        cen(c) = x(body(c))
      else if (child(1, c) > 0) then
        do k = 1, 2
          d = child(k, c)
          mass(c) = mass(c) + mass(d)
          cen(c) = cen(c) + mass(d)*cen(d)
        end do
        cen(c) = cen(c)/max(mass(c), 1d-10)
        do k = 1, 2
          d = child(k, c)
          quad(c) = quad(c) + quad(d) + mass(d)*(cen(d) - cen(c))**2
        end do
      end if
    end do
  end subroutine moments
  subroutine walk(xi, i, theta, eps, acc)
    real(8), intent(in) :: xi, theta, eps
    integer, intent(in) :: i
    real(8), intent(out) :: acc
    integer :: stack(20), top, c
    real(8) :: d, r
    acc = 0d0
    top = 1
    stack(1) = 1
    do while (top > 0)
      c = stack(top)
      top = top - 1
      if (mass(c) <= 0d0 .or. body(c) == i) cycle
      d = cen(c) - xi
      r = sqrt(d*d + eps*eps)
      if (body(c) > 0 .or. hi(c) - lo(c) < theta*r) then
        acc = acc + mass(c)*d/r**3 + 0.5d0*quad(c)*d/r**5
      else
        stack(top+1) = child(1, c)
        stack(top+2) = child(2, c)
        top = top + 2
      end if
    end do
  end subroutine walk
end module bh
subroutine bhtree(nt, x0, v0, m, eps, energy)
  use bh
  implicit none
  integer, intent(in) :: nt
  real(8), intent(in) :: x0(nb), v0(nb), m(nb), eps
  real(8), intent(out) :: energy
  real(8) :: x(nb), v(nb), acc(nb), dt
  integer :: it, i, root
  do i = 1, nb
    x(i) = 0.7d0*i + 0.2d0*x0(i)
    v(i) = 0.1d0*(v0(i) - 0.5d0)*(-1)**i
  end do
  dt = 0.1d0
  energy = 0d0
  do it = 1, nt
    ncell = 0
    call new_cell(minval(x) - 0.01d0, maxval(x) + 0.01d0, root)
    do i = 1, nb
      call insert(x, i)
    end do
    call moments(x, m)
    do i = 1, nb
      call walk(x(i), i, 0.6d0, eps, acc(i))
    end do
    do i = 1, nb
      v(i) = v(i) + dt*acc(i)
      x(i) = x(i) + dt*v(i)
    end do
    energy = energy + 0.1d0*sum(m*v*v)
  end do
  energy = energy + sum(m*x*x)
end subroutine bhtree
