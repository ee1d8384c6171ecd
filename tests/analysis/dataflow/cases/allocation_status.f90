! analysis: allocation-status
! head: s(x)>(y)
! code: s
! boundary: held {n, w, w[], x, y}
subroutine s(x, y, n, w)
  integer, intent(in) :: n
  real(8), intent(inout) :: x, y
  real(8), allocatable, intent(inout) :: w(:)
!$ad checkpoint-start                          !> enter held {n, w, w[], x, y} -> held {n, w, w[], x, y}
  if (.not. allocated(w)) then                 !> test held {n, w, w[], x, y} -> held {n, w, w[], x, y}
    allocate (w(n))                            !> held {n, w[], x, y} -> held {n, w[], x, y}
  end if
  w = x                                        !> held {n, w, w[], x, y} -> held {n, w, w[], x, y}
  y = sum(w*w)                                 !> held {n, w, w[], x, y} -> held {n, w, w[], x, y}
  deallocate (w)                               !> held {n, w, w[], x, y} -> held {n, w[], x, y} gone {w}
!$ad checkpoint-end                            !> leave held {n, w[], x, y} gone {w} -> held {n, w[], x, y} gone {w}
  y = y*y
end subroutine
