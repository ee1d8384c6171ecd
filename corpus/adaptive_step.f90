! The time step follows the error: how many steps a run takes only the run tells. A step that is too coarse is
! thrown away and tried again with half its length.
subroutine decay(x, y)
  real(8) :: x, y, t, h, whole, half, error
  t = 0
  h = 0.5d0
  y = x
  do while (t < 1)
    if (t + h > 1) h = 1 - t
    call advance(y, h, whole)
    call advance(y, h/2, half)
    call advance((half), h/2, half)
    error = abs(whole - half)
    if (error > 1d-3) then
      h = h/2
    else
      y = half
      t = t + h
      h = h*1.5d0
    end if
  end do
end subroutine decay

subroutine advance(before, h, after)
  real(8) :: before, h, after
  after = before - h*before*before
end subroutine advance
