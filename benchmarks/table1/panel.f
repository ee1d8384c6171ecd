C     Airfoil: vortex panels on a thickened, cambered section at an angle of attack, Fortran 77 with COMMON.
C     Head: from camber, thickness and angle to lift and to the pressure misfit on the upper side.
C     The influence matrix, its factorisation and the pressures are three checkpointed parts.
      subroutine shape(camber, thick)
      implicit none
      integer mp, np, i
      parameter (mp = 24)
      double precision camber, thick, theta, yt, yc, pi
      double precision x(mp + 1), y(mp + 1), xc(mp), yc2(mp), nx(mp),
     &                 ny(mp), s(mp)
      common /geom/ x, y, xc, yc2, nx, ny, s
      pi = acos(-1.0d0)
      np = mp
      do 10 i = 1, np + 1
        theta = 2.0d0*pi*(i - 1)/np
        x(i) = 0.5d0*(1.0d0 + cos(theta))
        yt = thick*0.2d0*(1.4845d0*sqrt(x(i) + 1.0d-9) - 0.63d0*x(i)
     &       - 1.758d0*x(i)**2 + 1.4215d0*x(i)**3 - 0.5180d0*x(i)**4)
        yc = camber*0.1d0*x(i)*(1.0d0 - x(i))
        if (i .le. np/2) then
          y(i) = yc - yt
        else
          y(i) = yc + yt
        end if
   10 continue
      y(np + 1) = y(1)
      do 20 i = 1, np
        xc(i) = 0.5d0*(x(i) + x(i + 1))
        yc2(i) = 0.5d0*(y(i) + y(i + 1))
        s(i) = sqrt((x(i + 1) - x(i))**2 + (y(i + 1) - y(i))**2)
        nx(i) = (y(i + 1) - y(i))/s(i)
        ny(i) = -(x(i + 1) - x(i))/s(i)
   20 continue
      end

C     Influence of a unit vortex at each panel's quarter point on the normal velocity at each middle.
      subroutine influence(alpha)
      implicit none
      integer mp, i, j
      parameter (mp = 24)
      double precision alpha, dx, dy, r2, px, py
      double precision x(mp + 1), y(mp + 1), xc(mp), yc(mp), nx(mp),
     &                 ny(mp), s(mp), a(mp, mp), b(mp)
      common /geom/ x, y, xc, yc, nx, ny, s
      common /system/ a, b
      do 20 j = 1, mp
        px = 0.75d0*x(j) + 0.25d0*x(j + 1)
        py = 0.75d0*y(j) + 0.25d0*y(j + 1)
        do 10 i = 1, mp
          dx = xc(i) - px
          dy = yc(i) - py
          r2 = dx*dx + dy*dy + 1.0d-4*s(j)**2
          a(i, j) = s(j)*(dy*nx(i) - dx*ny(i))/(6.2831853d0*r2)
   10   continue
   20 continue
      do 30 i = 1, mp
        a(i, i) = a(i, i) + 0.5d0
        b(i) = -(cos(alpha)*nx(i) + sin(alpha)*ny(i))
   30 continue
C     The Kutta condition replaces the last equation.
      do 40 j = 1, mp
        a(mp, j) = 0.0d0
   40 continue
      a(mp, 1) = 1.0d0
      a(mp, mp) = 1.0d0
      b(mp) = 0.0d0
      end

C     Elimination with row exchanges, in place.
      subroutine solve(gamma)
      implicit none
      integer mp, i, j, k, p
      parameter (mp = 24)
      double precision gamma(mp), a(mp, mp), b(mp), f, t
      common /system/ a, b
      do 50 k = 1, mp - 1
        p = k
        do 10 i = k + 1, mp
          if (abs(a(i, k)) .gt. abs(a(p, k))) p = i
   10   continue
        if (p .ne. k) then
          do 20 j = k, mp
            t = a(k, j)
            a(k, j) = a(p, j)
            a(p, j) = t
   20     continue
          t = b(k)
          b(k) = b(p)
          b(p) = t
        end if
        do 40 i = k + 1, mp
          f = a(i, k)/a(k, k)
          if (f .eq. 0.0d0) goto 40
          do 30 j = k + 1, mp
            a(i, j) = a(i, j) - f*a(k, j)
   30     continue
          b(i) = b(i) - f*b(k)
   40   continue
   50 continue
      do 70 i = mp, 1, -1
        t = b(i)
        do 60 j = i + 1, mp
          t = t - a(i, j)*gamma(j)
   60   continue
        gamma(i) = t/a(i, i)
   70 continue
      end

      subroutine airfoil(camber, thick, alpha, target, lift, misfit)
      implicit none
      integer mp, i, angle
      parameter (mp = 24)
      double precision camber, thick, alpha, target(mp), lift, misfit
      double precision gamma(mp), cp, a0
      double precision x(mp + 1), y(mp + 1), xc(mp), yc(mp), nx(mp),
     &                 ny(mp), s(mp), a(mp, mp), b(mp)
      common /geom/ x, y, xc, yc, nx, ny, s
      common /system/ a, b
      lift = 0.0d0
      misfit = 0.0d0
      call shape(camber, thick)
      do 30 angle = 1, 5
        a0 = 0.05d0*alpha*angle
C$AD CHECKPOINT-START
        call influence(a0)
C$AD CHECKPOINT-END
C$AD CHECKPOINT-START
        call solve(gamma)
C$AD CHECKPOINT-END
C$AD CHECKPOINT-START
        do 10 i = 1, mp
          cp = 1.0d0 - gamma(i)**2
          lift = lift + gamma(i)*s(i)
          misfit = misfit + (cp - target(i))**2*s(i)
   10   continue
C$AD CHECKPOINT-END
   30 continue
      end
