! A plane frame by finite elements: element matrices turned into place by degrees of freedom from a table, profile
! (skyline) Cholesky factorisation in one vector with a pointer array, load steps with geometric stiffening.
module fem
  implicit none
  integer, parameter :: ne = 4, nn = 5, nd = 3*nn
  integer :: con(2, ne), dof(6, ne), diag(nd), fixed(nd)
  real(8) :: x(2, nn), sky(200), load(nd)
contains
  subroutine layout()
    integer :: e, i, j, k, low(nd)
    do e = 1, ne
      con(:, e) = [e, e + 1]
      do k = 1, 3
        dof(k, e) = 3*(e - 1) + k
        dof(k+3, e) = 3*e + k
      end do
    end do
    fixed = 0
    fixed(1:3) = 1
    fixed(nd-2:nd-1) = 1
    do i = 1, nd
      low(i) = i
    end do
    do e = 1, ne
      do i = 1, 6
        do j = 1, 6
          low(dof(i, e)) = min(low(dof(i, e)), dof(j, e))
        end do
      end do
    end do
    diag(1) = 1
    do i = 2, nd
      diag(i) = diag(i-1) + i - low(i) + 1
    end do
  end subroutine layout

  subroutine element(e, ea, ei, axial, k)
    integer, intent(in) :: e
    real(8), intent(in) :: ea, ei, axial
    real(8), intent(out) :: k(6, 6)
    real(8) :: l, c, s, t(6, 6), w(6, 6), d(2)
    integer :: i, j
    d = x(:, con(2, e)) - x(:, con(1, e))
    l = sqrt(d(1)**2 + d(2)**2)
    c = d(1)/l
    s = d(2)/l
    k = 0d0
    k(1, 1) = ea/l
    k(4, 1) = -ea/l
    k(4, 4) = ea/l
    k(2, 2) = 12*ei/l**3 + 1.2d0*axial/l
    k(3, 2) = 6*ei/l**2 + 0.1d0*axial
    k(3, 3) = 4*ei/l
    k(5, 2) = -k(2, 2)
    k(6, 2) = k(3, 2)
    k(5, 3) = -k(3, 2)
    k(6, 3) = 2*ei/l
    k(5, 5) = k(2, 2)
    k(6, 5) = -k(3, 2)
    k(6, 6) = k(3, 3)
    do j = 2, 6
      do i = 1, j - 1
        k(i, j) = k(j, i)
      end do
    end do
    t = 0d0
    t(1, 1) = c
    t(1, 2) = s
    t(2, 1) = -s
    t(2, 2) = c
    t(3, 3) = 1d0
    t(4:6, 4:6) = t(1:3, 1:3)
    do j = 1, 6
      do i = 1, 6
        w(i, j) = sum(k(i, :)*t(:, j))
      end do
    end do
    do j = 1, 6
      do i = 1, 6
        k(i, j) = sum(t(:, i)*w(:, j))
      end do
    end do
  end subroutine element

  subroutine assemble(e, k)
    integer, intent(in) :: e
    real(8), intent(in) :: k(6, 6)
    integer :: i, j, p, q
    do j = 1, 6
      q = dof(j, e)
      do i = 1, 6
        p = dof(i, e)
        if (p <= q) sky(diag(q) - q + p) = sky(diag(q) - q + p) + k(i, j)
      end do
    end do
  end subroutine assemble

  subroutine factor()
    integer :: i, j, k, li, lj
    real(8) :: s
    do j = 1, nd
      lj = 1
      if (j > 1) lj = j - (diag(j) - diag(j-1)) + 1
      do i = lj, j
        li = 1
        if (i > 1) li = i - (diag(i) - diag(i-1)) + 1
        s = sky(diag(j) - j + i)
        do k = max(li, lj), i - 1
          s = s - sky(diag(i) - i + k)*sky(diag(j) - j + k)
        end do
        if (i < j) then
          sky(diag(j) - j + i) = s/sky(diag(i))
        else
          sky(diag(j)) = sqrt(s)
        end if
      end do
    end do
  end subroutine factor

  subroutine solve(b)
    real(8), intent(inout) :: b(nd)
    integer :: i, j, lj
    do j = 1, nd
      lj = 1
      if (j > 1) lj = j - (diag(j) - diag(j-1)) + 1
      do i = lj, j - 1
        b(j) = b(j) - sky(diag(j) - j + i)*b(i)
      end do
      b(j) = b(j)/sky(diag(j))
    end do
    do j = nd, 1, -1
      lj = 1
      if (j > 1) lj = j - (diag(j) - diag(j-1)) + 1
      b(j) = b(j)/sky(diag(j))
      do i = lj, j - 1
        b(i) = b(i) - sky(diag(j) - j + i)*b(j)
      end do
    end do
  end subroutine solve
end module fem

subroutine frame(ea, ei, rise, p, cost)
  use fem
  implicit none
  real(8), intent(in) :: ea(4), ei(4), rise, p
  real(8), intent(out) :: cost
  real(8) :: k(6, 6), u(nd), axial(ne)
  integer :: e, i, it
  call layout()
  do i = 1, nn
    x(1, i) = 1d0*i
    x(2, i) = rise*sin(0.6d0*i)
  end do
  axial = 0d0
  cost = 0d0
  do it = 1, 3
    sky = 0d0
    do e = 1, ne
      call element(e, ea(e), ei(e), axial(e), k)
      call assemble(e, k)
    end do
    do i = 1, nd
      if (fixed(i) == 1) sky(diag(i)) = sky(diag(i)) + 1d6
    end do
    call factor()
    u = 0d0
    u(8) = -p*it
    u(11) = 0.5d0*p
    call solve(u)
    do e = 1, ne
      axial(e) = ea(e)*(u(dof(4, e)) - u(dof(1, e)))
    end do
    cost = cost + sum(u**2)
  end do
end subroutine frame
