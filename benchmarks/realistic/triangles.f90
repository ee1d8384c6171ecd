! Heat in a plate by linear triangles: element matrices with a conductivity that follows the temperature, assembly into
! a skyline, convection on the border's edges, fixed nodes by penalty, factorisation of the skyline and substitution,
! steps of Crank and Nicolson with one correction.
module plate
  implicit none
  integer, parameter :: mx = 3, my = 3, nn = (mx+1)*(my+1), ne = 2*mx*my, nb = mx
  integer :: node(3, ne), edge(2, nb), top(0:nn), size_
  real(8) :: xy(2, nn), sky(nn*(mx+4)), cap(nn)
contains
  subroutine mesh(warp)
    real(8), intent(in) :: warp(nn)
    integer :: i, j, k, e, low
    do j = 0, my
      do i = 0, mx
        k = 1 + i + j*(mx + 1)
        xy(1, k) = i + 0.1d0*warp(k)
        xy(2, k) = j - 0.1d0*warp(k)*i
      end do
    end do
    e = 0
    do j = 1, my
      do i = 1, mx
        k = i + (j - 1)*(mx + 1)
        node(:, e+1) = (/k, k + 1, k + mx + 2/)
        node(:, e+2) = (/k, k + mx + 2, k + mx + 1/)
        e = e + 2
      end do
    end do
    do i = 1, nb
      edge(1, i) = i + my*(mx + 1)
      edge(2, i) = i + 1 + my*(mx + 1)
    end do
    top(0) = 0
    do k = 1, nn
      low = k
      do e = 1, ne
        if (node(1, e) == k .or. node(2, e) == k .or. node(3, e) == k) &
          low = min(low, node(1, e), node(2, e), node(3, e))
      end do
      top(k) = top(k-1) + k - low + 1
    end do
    size_ = top(nn)
  end subroutine mesh

  subroutine element(e, temp, k0, k1, ke, ce)
    integer, intent(in) :: e
    real(8), intent(in) :: temp(nn), k0, k1
    real(8), intent(out) :: ke(3, 3), ce
    real(8) :: b(3), c(3), area, cond
    integer :: i, j, p, q, r
    do i = 1, 3
      p = node(i, e)
      q = node(1 + mod(i, 3), e)
      r = node(1 + mod(i + 1, 3), e)
      b(i) = xy(2, q) - xy(2, r)
      c(i) = xy(1, r) - xy(1, q)
    end do
    area = 0.5d0*abs(b(1)*c(2) - b(2)*c(1))
    cond = k0 + k1*(temp(node(1, e)) + temp(node(2, e)) + temp(node(3, e)))/3d0
    do i = 1, 3
      do j = 1, 3
        ke(i, j) = cond*(b(i)*b(j) + c(i)*c(j))/(4d0*area)
      end do
    end do
    ce = area/3d0
  end subroutine element

  subroutine assemble(temp, k0, k1, film, dt, old, rhs)
    real(8), intent(in) :: temp(nn), k0, k1, film, dt, old(nn)
    real(8), intent(out) :: rhs(nn)
    real(8) :: ke(3, 3), ce, len
    integer :: e, i, j, p, q
    sky(1:size_) = 0d0
    rhs = 0d0
    do e = 1, ne
      call element(e, temp, k0, k1, ke, ce)
      do i = 1, 3
        p = node(i, e)
        sky(top(p)) = sky(top(p)) + ce/dt
        rhs(p) = rhs(p) + ce/dt*old(p)
        do j = 1, 3
          q = node(j, e)
          rhs(p) = rhs(p) - 0.5d0*ke(i, j)*old(q)
          if (q <= p) sky(top(p) - p + q) = sky(top(p) - p + q) + 0.5d0*ke(i, j)
        end do
      end do
    end do
    do e = 1, nb
      p = edge(1, e)
      q = edge(2, e)
      len = sqrt((xy(1, p) - xy(1, q))**2 + (xy(2, p) - xy(2, q))**2)
      sky(top(p)) = sky(top(p)) + 0.5d0*film*len
      sky(top(q)) = sky(top(q)) + 0.5d0*film*len
      rhs(p) = rhs(p) + 0.5d0*film*len*0.2d0
      rhs(q) = rhs(q) + 0.5d0*film*len*0.2d0
    end do
    do i = 1, mx + 1
      sky(top(i)) = sky(top(i)) + 1d4
      rhs(i) = rhs(i) + 1d4*(1d0 + 0.1d0*i)
    end do
  end subroutine assemble

  subroutine decompose()
    integer :: i, j, k, mi, mj
    real(8) :: s
    do i = 1, nn
      mi = i - (top(i) - top(i-1)) + 1
      do j = mi, i
        mj = j - (top(j) - top(j-1)) + 1
        s = sky(top(i) - i + j)
        do k = max(mi, mj), j - 1
          s = s - sky(top(i) - i + k)*sky(top(j) - j + k)
        end do
        if (j < i) then
          sky(top(i) - i + j) = s/sky(top(j))
        else
          sky(top(i)) = sqrt(s)
        end if
      end do
    end do
  end subroutine decompose

  subroutine back(x)
    real(8), intent(inout) :: x(nn)
    integer :: i, k, mi
    do i = 1, nn
      mi = i - (top(i) - top(i-1)) + 1
      do k = mi, i - 1
        x(i) = x(i) - sky(top(i) - i + k)*x(k)
      end do
      x(i) = x(i)/sky(top(i))
    end do
    do i = nn, 1, -1
      x(i) = x(i)/sky(top(i))
      mi = i - (top(i) - top(i-1)) + 1
      do k = mi, i - 1
        x(k) = x(k) - sky(top(i) - i + k)*x(i)
      end do
    end do
  end subroutine back
end module plate

subroutine heating(nt, warp, t0, k0, k1, film, seen, misfit)
  use plate
  implicit none
  integer, intent(in) :: nt
  real(8), intent(in) :: warp(nn), t0(nn), k0, k1, film, seen(nt)
  real(8), intent(out) :: misfit
  real(8) :: t(nn), mid(nn), x(nn)
  integer :: it, pass
  call mesh(warp)
  t = t0
  misfit = 0d0
  do it = 1, nt
    mid = t
    do pass = 1, 2
      call assemble(mid, k0, k1, film, 0.3d0, t, x)
      call decompose()
      call back(x)
      mid = 0.5d0*(t + x)
    end do
    t = x
    misfit = misfit + (t(nn/2) - seen(it))**2
  end do
end subroutine heating
