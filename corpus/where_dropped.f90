! The values the part gives a and b are not needed, only which elements: so the mask is recorded. Its first
! assignment overwrites what it was computed from and does not run again, but the mask is computed from the right a.
subroutine limiting(x, n, a, b, y)
  implicit none
  integer, intent(in) :: n
  real(8), intent(in) :: x
  real(8), intent(inout) :: a(n), b(n)
  real(8), intent(out) :: y
  a = a + x
  !$AD CHECKPOINT-START
  where (a > 2.0d0)
    a = 2.0d0
    b = 2.0d0*x
  end where
  !$AD CHECKPOINT-END
  y = sum(a) + sum(b)
end subroutine limiting
