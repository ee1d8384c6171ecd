! analysis: split-sweep
! head: s(x)>(y)
! code: f split
! options: --split f
! boundary: use {v} out {t}
subroutine s(x, y)
  real(8), intent(inout) :: x, y
  call f(x)
  y = x*x
end subroutine
subroutine f(v)                   !> enter use {v} out {t} -> use {v} out {t}
  real(8), intent(inout) :: v
  real(8) :: t
  t = v*v                         !> use {v} out {t} -> use {t} out {v}
  v = t*t                         !> use {t} out {v} -> use {v} out {t}
end subroutine                    !> leave use {v} out {t} -> use {v} out {t}
