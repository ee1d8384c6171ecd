C     Alternate return of a callee in split mode: its forward sweep must say where the caller goes on.
      subroutine alt(a, x, *)
      double precision a, x, b
      b = a*x
      a = sin(b)
      if (a .gt. 0.5d0) return 1
      a = a*b
      end
      subroutine caller(x, y)
      double precision x, y, a, b
      a = x
      b = x
C$AD NOCHECKPOINT
      call alt(a, x, *10)
      b = 2.0d0*a
   10 continue
C$AD CHECKPOINT-START
      y = a*b
C$AD CHECKPOINT-END
      y = y*y
      end
