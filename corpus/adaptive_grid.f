c     After Siskind and Pearlmutter's adaptive grid (their Fig. 8), ours:
c     l time steps; the grid of step i has m rows, m = 2**(ilog2(l) -
c     ilog2(1 + int(mod(1013*3**phi*i, l)))): few on most steps, as many
c     as l on some. Each row rotates the pairs (1,2), (3,4) ... and the
c     pairs (2,3), (4,5) ... by angles proportional to the norm.
c     Rotations keep the norm, so y = sum(x**2)/2 of the input, and the
c     gradient of y is x itself.
      subroutine f(n, x, l, phi, y)
      integer n, l, i, j, m
      double precision x(n), phi, y, theta
      do i = 1, l
        m = 2**(ilog2(l) - ilog2(1 + int(mod(1013d0*3d0**phi*i,
     +      dble(l)))))
        do j = 1, m
          call square(n, x, theta)
          theta = sqrt(theta)
          call rotate(n, 1, 1.2d0*theta, x)
          call rotate(n, 2, 1.4d0*theta, x)
        end do
      end do
      call square(n, x, y)
      y = y/2
      end

      integer function ilog2(k)
      integer k, left
      ilog2 = 0
      left = k
      do while (left .gt. 1)
        left = left/2
        ilog2 = ilog2 + 1
      end do
      end

      subroutine square(n, x, y)
      integer n
      double precision x(n), y
      y = sum(x*x)
      end

      subroutine rotate(n, first, angle, x)
      integer n, first, pairs, last
      double precision angle, x(n), c, s, odd(n/2), even(n/2)
      pairs = (n - first + 1)/2
      last = first + 2*pairs - 2
      c = cos(angle)
      s = sin(angle)
      odd(1:pairs) = x(first:last:2)
      even(1:pairs) = x(first+1:last+1:2)
      x(first:last:2) = c*odd(1:pairs) - s*even(1:pairs)
      x(first+1:last+1:2) = s*odd(1:pairs) + c*even(1:pairs)
      end
