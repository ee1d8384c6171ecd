C  ENTRY points are procedures that begin in the middle of the same statements; SAVEd variables are shared.
      subroutine walked(x, n, cost)
      integer n
      real*8 x, cost, y, w(n)
      y = x
      call setk(2d0*x)
      w = x*x
      w(1) = x
      call apply(y, w, n)
      call apply(y, w, n)
      cost = y*y*w(1)
      end
      subroutine state(dummy)
      real*8 dummy, a, v, k, s
      integer n, i
      dimension v(n)
      save k
      k = dummy
      entry setk(a)
      k = a*a
      return
      entry apply(s, v, n)
      do 10 i = 1, n
      s = s*v(i)*k*0.1d0
      v(i) = v(i) + s
   10 continue
      k = k*s
      end
