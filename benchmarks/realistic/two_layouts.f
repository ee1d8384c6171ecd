C     One COMMON block in two layouts: the model names its arrays, the
C     integrator sees one state vector and its tendency.
      subroutine tend
      implicit none
      integer nx
      parameter (nx = 10)
      double precision h(nx), u(nx), q(nx), dh(nx), du(nx), dq(nx)
      common /state/ h, u, q, dh, du, dq
      integer i
      double precision drag
      do 10 i = 2, nx - 1
        dh(i) = -0.5d0*(h(i+1)*u(i+1) - h(i-1)*u(i-1))
        drag = 0.05d0*u(i)*abs(u(i))
        du(i) = -u(i)*(u(i+1) - u(i-1))*0.5d0
     &          - (h(i+1) - h(i-1)) - drag
        dq(i) = -u(i)*(q(i+1) - q(i-1))*0.5d0
   10 continue
      dh(1) = 0.0d0
      du(1) = 0.0d0
      dq(1) = 0.0d0
      dh(nx) = 0.0d0
      du(nx) = 0.0d0
      dq(nx) = 0.0d0
      end

      subroutine advnce(dt)
      implicit none
      integer ns
      parameter (ns = 30)
      double precision s(ns), ds(ns), dt
      common /state/ s, ds
      integer i
      do 20 i = 1, ns
        s(i) = s(i) + dt*ds(i)
   20 continue
      end

      subroutine precip(rain)
      implicit none
      integer nx
      parameter (nx = 10)
      double precision h(nx), u(nx), q(nx), rest(3*nx), rain, over
      common /state/ h, u, q, rest
      integer i
      rain = 0.0d0
      do 30 i = 1, nx
        over = q(i) - 1.0d0
        if (over .gt. 0.0d0) then
          q(i) = q(i) - 0.3d0*over
          h(i) = h(i) + 0.02d0*over*over
          rain = rain + over
        end if
   30 continue
      end

      subroutine shallo(h0, q0, cost)
      implicit none
      integer nx
      parameter (nx = 10)
      double precision h0(nx), q0(nx), cost, rain
      double precision h(nx), u(nx), q(nx), dh(nx), du(nx), dq(nx)
      common /state/ h, u, q, dh, du, dq
      integer i, it
      do 40 i = 1, nx
        h(i) = h0(i)
        u(i) = 0.1d0
        q(i) = q0(i)
   40 continue
      cost = 0.0d0
      do 60 it = 1, 5
        call tend
        call advnce(0.05d0)
        call precip(rain)
        cost = cost + rain*rain
   60 continue
      do 50 i = 1, nx
        cost = cost + h(i)*u(i)**2
   50 continue
      end
