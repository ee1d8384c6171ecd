! A machine of four states, all of GOTOs: there is no loop to put a checkpoint at.
subroutine automaton(n, x, y)
  integer :: n, k
  real(8) :: x, y
  k = 0
  y = x
10 continue
  if (y > 2) goto 30
  y = y*1.5d0
  goto 20
20 continue
  k = k + 1
  if (k >= n) goto 40
  if (mod(k, 3) == 0) goto 30
  goto 10
30 y = y*y/(1 + y*x)
  goto 20
40 y = y + x
end subroutine automaton
