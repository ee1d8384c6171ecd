! head: p(x)>(y)
! given: n=4; x=[0.63, 0.77, 0.56, 0.84]
! ways: plain, recompute
! The subscript of the first argument is needed where the adjoint calls again, and this call changes it.
subroutine turn(v, k, s)
  real(8), intent(inout) :: v, s
  integer, intent(inout) :: k
  v = v*v*s
  !> all: tape v
  k = mod(k, 3) + 1
  s = s*v
end subroutine turn
! The part gives s its values itself, and could compute them again; but the one that s has before, the derivative of
! what precedes the part reads. So it is no scalar of the part alone.
subroutine p(x, n, y)
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8) :: b(n), s
  integer :: i, j, k
  b = x
  y = 1
  s = 0.3d0
  do j = 1, 2
    s = x(1)*x(2) + 0.1d0*s
    y = y + s*s*x(3)
    !$AD CHECKPOINT-START
    !> plain: Snp b, s; Req_C s
    !> recompute: Sbk s; Snp b
    do i = 1, n
      s = x(i)*b(i)
      !> plain: tape s
      b(i) = b(i)*s*s + 0.4d0
      !> recompute: again s = x(i)*b(i)
    end do
    !$AD CHECKPOINT-END
  end do
  k = 2
  do i = 1, 3
    call turn(b(k), k, s)
    !> all: Snp b(k), s, k
    y = y*b(k)*s
    !> all: tape y
  end do
end subroutine p
