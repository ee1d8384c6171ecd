C     Soil water and heat of a field with a canopy: F77 with the state in COMMON, a Newton iteration for the surface
C     temperature, Thomas algorithm for the soil, bookkeeping of runoff; forcing and soil parameters are the controls.
      SUBROUTINE SURFT(RAD, TAIR, WIND, RS)
      INTEGER NS, IT
      PARAMETER (NS = 6)
      DOUBLE PRECISION RAD, TAIR, WIND, RS, F, DF, ES, DES, RA
      DOUBLE PRECISION T, W, TSURF, EVAP, HSENS, GFLUX
      COMMON /SOIL/ T(NS), W(NS)
      COMMON /SURF/ TSURF, EVAP, HSENS, GFLUX
      RA = 1.D0/(0.1D0 + 0.2D0*WIND)
      TSURF = TAIR
      DO 10 IT = 1, 4
        ES = EXP(0.6D0*TSURF)
        DES = 0.6D0*ES
        F = RAD - (TSURF - TAIR)/RA - (ES - 0.7D0)/(RA + RS)
     &      - 0.5D0*(TSURF - T(1)) - 0.05D0*TSURF**4
        DF = -1.D0/RA - DES/(RA + RS) - 0.5D0 - 0.2D0*TSURF**3
        TSURF = TSURF - F/DF
        IF (ABS(F) .LT. 1.D-9) GOTO 20
   10 CONTINUE
   20 CONTINUE
      HSENS = (TSURF - TAIR)/RA
      EVAP = MAX((EXP(0.6D0*TSURF) - 0.7D0)/(RA + RS), 0.D0)
      GFLUX = 0.5D0*(TSURF - T(1))
      RETURN
      END
      SUBROUTINE SOILT(DT, COND)
      INTEGER NS, K
      PARAMETER (NS = 6)
      DOUBLE PRECISION DT, COND, A(NS), B(NS), C(NS), D(NS), X, CAP
      DOUBLE PRECISION T, W, TSURF, EVAP, HSENS, GFLUX
      COMMON /SOIL/ T(NS), W(NS)
      COMMON /SURF/ TSURF, EVAP, HSENS, GFLUX
      DO 10 K = 1, NS
        CAP = 1.D0 + 2.D0*W(K)
        X = COND*(0.5D0 + W(K))*DT/CAP
        A(K) = -X
        C(K) = -X
        B(K) = 1.D0 + 2.D0*X
        D(K) = T(K)
        IF (K .EQ. 1) THEN
          B(K) = 1.D0 + X
          D(K) = D(K) + DT*GFLUX/CAP
        END IF
        IF (K .EQ. NS) B(K) = 1.D0 + X
   10 CONTINUE
      DO 20 K = 2, NS
        X = A(K)/B(K-1)
        B(K) = B(K) - X*C(K-1)
        D(K) = D(K) - X*D(K-1)
   20 CONTINUE
      T(NS) = D(NS)/B(NS)
      DO 30 K = NS - 1, 1, -1
        T(K) = (D(K) - C(K)*T(K+1))/B(K)
   30 CONTINUE
      RETURN
      END
      SUBROUTINE SOILW(DT, RAIN, WSAT, BEXP, RUNOFF)
      INTEGER NS, K
      PARAMETER (NS = 6)
      DOUBLE PRECISION DT, RAIN, WSAT, BEXP, RUNOFF, Q(NS+1), S, EXC
      DOUBLE PRECISION T, W, TSURF, EVAP, HSENS, GFLUX
      COMMON /SOIL/ T(NS), W(NS)
      COMMON /SURF/ TSURF, EVAP, HSENS, GFLUX
      Q(1) = RAIN - 0.2D0*EVAP
      DO 10 K = 1, NS
        S = W(K)/WSAT
        Q(K+1) = 0.3D0*S**(2.D0*BEXP + 1.D0)
   10 CONTINUE
      DO 20 K = 1, NS
        W(K) = W(K) + DT*(Q(K) - Q(K+1))
        W(K) = MAX(W(K), 0.02D0)
   20 CONTINUE
      DO 30 K = NS, 2, -1
        EXC = MAX(W(K) - WSAT, 0.D0)
        W(K) = W(K) - EXC
        W(K-1) = W(K-1) + EXC
   30 CONTINUE
      EXC = MAX(W(1) - WSAT, 0.D0)
      W(1) = W(1) - EXC
      RUNOFF = RUNOFF + EXC
      RETURN
      END
      SUBROUTINE BUCKETC(NT, RAD, RAIN, PAR, OBS, COST)
      INTEGER NS, NT, IT, K
      PARAMETER (NS = 6)
      DOUBLE PRECISION RAD(NT), RAIN(NT), PAR(4), OBS(NT), COST, RUNOFF
      DOUBLE PRECISION RS, TAIR
      DOUBLE PRECISION T, W, TSURF, EVAP, HSENS, GFLUX
      COMMON /SOIL/ T(NS), W(NS)
      COMMON /SURF/ TSURF, EVAP, HSENS, GFLUX
      DO 10 K = 1, NS
        T(K) = 0.5D0 - 0.02D0*K
        W(K) = 0.3D0 + 0.01D0*K
   10 CONTINUE
      RUNOFF = 0.D0
      COST = 0.D0
      DO 20 IT = 1, NT
        TAIR = 0.5D0 + 0.3D0*SIN(0.5D0*IT)
        RS = 0.5D0*PAR(1)/(W(1) + 0.1D0)
        CALL SURFT(RAD(IT), TAIR, 1.D0 + 0.1D0*IT, RS)
        CALL SOILT(0.3D0, PAR(2))
        CALL SOILW(0.3D0, RAIN(IT), 0.3D0 + 0.1D0*PAR(3), PAR(4),
     &             RUNOFF)
        COST = COST + (TSURF - OBS(IT))**2 + 0.1D0*(W(2) - 0.3D0)**2
   20 CONTINUE
      COST = COST + RUNOFF
      RETURN
      END
