C     A turbojet off design: compressor and turbine maps by tables in COMMON,
C     gas properties by polynomials, matching by secant with GOTO, spool lag.
      SUBROUTINE JETRUN(NT, FUEL, DES, ALT, THRUST, TMAX)
      INTEGER NT, IT
      DOUBLE PRECISION FUEL(NT), DES(4), ALT, THRUST, TMAX
      DOUBLE PRECISION PR(6), EF(6), T(5), P(5), W, SPOOL
      COMMON /MAPS/ PR, EF
      COMMON /STAT/ T, P, W, SPOOL
      DOUBLE PRECISION DT, PW, F
      CALL SETMAP(DES)
      SPOOL = 0.7D0
      T(1) = 1D0 - 0.1D0*ALT
      P(1) = (1D0 - 0.1D0*ALT)**5
      THRUST = 0D0
      TMAX = 0D0
      DT = 0.2D0
      DO 10 IT = 1, NT
        CALL COMPR(PW)
        CALL BURN(FUEL(IT), DES(4))
        CALL MATCH(PW, F)
        SPOOL = SPOOL + DT*(F - 0.2D0*SPOOL)
        SPOOL = MAX(0.3D0, MIN(1.1D0, SPOOL))
        CALL NOZZ(F)
        THRUST = THRUST + DT*F
        IF (T(3) .GT. 2D0) TMAX = TMAX + (T(3) - 2D0)**2
   10 CONTINUE
      END
      SUBROUTINE SETMAP(DES)
      DOUBLE PRECISION DES(4), PR(6), EF(6), X
      INTEGER I
      COMMON /MAPS/ PR, EF
      DO 10 I = 1, 6
        X = 0.2D0*I
        PR(I) = 1D0 + (2D0 + DES(1))*X*X
        EF(I) = 0.85D0 - 0.1D0*DES(2)*(X - 0.9D0)**2
   10 CONTINUE
      END
      SUBROUTINE CURVE(TAB, X, Y)
      DOUBLE PRECISION TAB(6), X, Y, S
      INTEGER I
      S = X/0.2D0
      I = MAX(1, MIN(5, INT(S)))
      Y = TAB(I) + (TAB(I+1) - TAB(I))*(S - I)
      END
      SUBROUTINE CPGAS(T, CP, GAM)
      DOUBLE PRECISION T, CP, GAM
      CP = 1D0 + 0.05D0*T + 0.01D0*T*T
      GAM = CP/(CP - 0.2857D0)
      END
      SUBROUTINE COMPR(PW)
      DOUBLE PRECISION PW, PR(6), EF(6), T(5), P(5), W, SPOOL
      COMMON /MAPS/ PR, EF
      COMMON /STAT/ T, P, W, SPOOL
      DOUBLE PRECISION R, E, CP, GAM, TM
      INTEGER K
      CALL CURVE(PR, SPOOL, R)
      CALL CURVE(EF, SPOOL, E)
      P(2) = P(1)*R
      TM = T(1)
      DO 10 K = 1, 3
        CALL CPGAS(TM, CP, GAM)
        T(2) = T(1)*(1D0 + (R**((GAM - 1D0)/GAM) - 1D0)/E)
        TM = 0.5D0*(T(1) + T(2))
   10 CONTINUE
      W = SPOOL*P(1)/SQRT(T(1))
      PW = W*CP*(T(2) - T(1))
      END
      SUBROUTINE BURN(FUEL, ETA)
      DOUBLE PRECISION FUEL, ETA, T(5), P(5), W, SPOOL, CP, GAM, FAR
      COMMON /STAT/ T, P, W, SPOOL
      FAR = 0.3D0*FUEL/W
      IF (FAR .GT. 0.6D0) FAR = 0.6D0 + 0.2D0*(FAR - 0.6D0)
      CALL CPGAS(T(2), CP, GAM)
      T(3) = T(2) + (0.8D0 + 0.1D0*ETA)*FAR*2D0/CP
      P(3) = 0.95D0*P(2)
      END
      SUBROUTINE MATCH(PW, ACC)
      DOUBLE PRECISION PW, ACC, T(5), P(5), W, SPOOL
      COMMON /STAT/ T, P, W, SPOOL
      DOUBLE PRECISION X0, X1, F0, F1, CP, GAM, WT, X
      INTEGER IT
      X0 = 0.9D0
      X1 = 0.8D0
      CALL CPGAS(T(3), CP, GAM)
      F0 = PW - W*CP*T(3)*(1D0 - X0)
      IT = 0
   10 IT = IT + 1
      F1 = PW - W*CP*T(3)*(1D0 - X1)
      IF (ABS(F1) .LT. 1D-9) GOTO 20
      IF (IT .GT. 6) GOTO 20
      X = X1 - F1*(X1 - X0)/(F1 - F0 + 1D-12)
      X0 = X1
      F0 = F1
      X1 = MAX(0.4D0, MIN(0.98D0, X))
      CALL CPGAS(0.5D0*T(3)*(1D0 + X1), CP, GAM)
      GOTO 10
   20 T(4) = T(3)*X1
      P(4) = P(3)*(1D0 - (1D0 - X1)/0.9D0)**(GAM/(GAM - 1D0))
      WT = W*CP*(T(3) - T(4))
      ACC = WT - PW + 0.2D0*T(3) - 0.15D0
      END
      SUBROUTINE NOZZ(F)
      DOUBLE PRECISION F, T(5), P(5), W, SPOOL, V
      COMMON /STAT/ T, P, W, SPOOL
      V = 0D0
      IF (P(4) .GT. P(1)) V = SQRT(2D0*T(4)*(1D0 - P(1)/P(4)))
      F = W*V
      END
