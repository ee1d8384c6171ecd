C     Alternate return: the caller goes on at label 10, past the write of b.
      subroutine alt(a, x, *)
      double precision a, x
      a = a*x
      if (a .gt. 1.0d0) return 1
      a = a + x
      end
      subroutine caller(x, y)
      double precision x, y, a, b
      a = x
      b = x
      call alt(a, x, *10)
      b = 2.0d0*a
   10 y = a*b
      end
