C     COMMON storage that only the callees name: /hid/ is overwritten by each step and needed by each adjoint.
      subroutine init(x)
      double precision x, h
      common /hid/ h
      h = x
      end
      subroutine march(x)
      double precision x, h
      common /hid/ h
      h = h*h*x
      end
      subroutine final(r)
      double precision r, h
      common /hid/ h
      r = h*h
      end
      subroutine run(x, y)
      double precision x, y
      call init(x)
      call march(x)
      call final(y)
      end
