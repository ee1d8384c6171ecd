! All steps are in a recursion, as deep as depth: between the two calls a node's own variables stand on the stack.
recursive subroutine grow(depth, x, y)
  integer :: depth
  real(8) :: x, y, left, right
  if (depth < 2) then
    y = sin(x)*x
    return
  end if
  call grow(depth - 1, x*0.9d0, left)
  call grow(depth - 2, x + left, right)
  y = sin(left*right) + x
end subroutine grow
