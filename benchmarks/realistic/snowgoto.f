C     Snowpack of layers that are split and merged, fixed form with GOTO, state in COMMON: accumulation, compaction, melt
C     with refreezing, then conduction by the Thomas algorithm; forcing and three parameters are the controls.
      SUBROUTINE COMPCT(DT, PAR)
      INTEGER MX, K, NSN
      PARAMETER (MX = 8)
      DOUBLE PRECISION DT, PAR, SW, RHO, TS, WL, OVER
      COMMON /SNOW/ SW(MX), RHO(MX), TS(MX), WL(MX)
      COMMON /NSNOW/ NSN
      OVER = 0.D0
      K = 1
   10 IF (K .GT. NSN) GOTO 20
        OVER = OVER + 0.5D0*SW(K)
        RHO(K) = RHO(K)*(1.D0 + DT*PAR*OVER*EXP(0.1D0*TS(K) - RHO(K)))
        IF (RHO(K) .GT. 0.9D0) RHO(K) = 0.9D0
        OVER = OVER + 0.5D0*SW(K)
        K = K + 1
      GOTO 10
   20 RETURN
      END
      SUBROUTINE MELTSN(ENER, RUN)
      INTEGER MX, K, NSN
      PARAMETER (MX = 8)
      DOUBLE PRECISION ENER, RUN, SW, RHO, TS, WL, E, FL, COLD, FRZ, CAP
      COMMON /SNOW/ SW(MX), RHO(MX), TS(MX), WL(MX)
      COMMON /NSNOW/ NSN
      E = ENER
      FL = 0.D0
      DO 30 K = 1, NSN
        IF (E .LE. 0.D0) GOTO 10
        COLD = MIN(E, -TS(K)*SW(K)*0.5D0)
        TS(K) = TS(K) + COLD/(0.5D0*SW(K))
        E = E - COLD
        IF (E .LE. 0.D0) GOTO 10
        FRZ = MIN(E, 0.8D0*SW(K))
        SW(K) = SW(K) - FRZ
        WL(K) = WL(K) + FRZ
        E = E - FRZ
   10   CONTINUE
        WL(K) = WL(K) + FL
        IF (TS(K) .GE. 0.D0) GOTO 20
        FRZ = MIN(WL(K), -TS(K)*SW(K)*0.5D0)
        WL(K) = WL(K) - FRZ
        SW(K) = SW(K) + FRZ
        TS(K) = TS(K) + FRZ/(0.5D0*SW(K))
   20   CAP = 0.1D0*SW(K)*(1.D0 - RHO(K))
        FL = MAX(WL(K) - CAP, 0.D0)
        WL(K) = WL(K) - FL
   30 CONTINUE
      RUN = FL
      RETURN
      END
      SUBROUTINE LAYERS(SNOWF)
      INTEGER MX, K, NSN
      PARAMETER (MX = 8)
      DOUBLE PRECISION SNOWF, SW, RHO, TS, WL, W
      COMMON /SNOW/ SW(MX), RHO(MX), TS(MX), WL(MX)
      COMMON /NSNOW/ NSN
      W = SW(1) + SNOWF
      RHO(1) = (RHO(1)*SW(1) + 0.1D0*SNOWF)/W
      SW(1) = W
      IF (SW(1) .LT. 0.8D0 .OR. NSN .GE. MX) GOTO 20
      DO 10 K = NSN, 1, -1
        SW(K+1) = SW(K)
        RHO(K+1) = RHO(K)
        TS(K+1) = TS(K)
        WL(K+1) = WL(K)
   10 CONTINUE
      NSN = NSN + 1
      SW(1) = 0.4D0*SW(1)
      SW(2) = 0.6D0*SW(2)
      WL(1) = 0.4D0*WL(1)
      WL(2) = 0.6D0*WL(2)
   20 RETURN
      END
      SUBROUTINE CONDUC(DT, TA, CON)
      INTEGER MX, K, NSN
      PARAMETER (MX = 8)
      DOUBLE PRECISION DT, TA, CON, SW, RHO, TS, WL, B(MX), D(MX), UP
      DOUBLE PRECISION G(MX), CC, X
      COMMON /SNOW/ SW(MX), RHO(MX), TS(MX), WL(MX)
      COMMON /NSNOW/ NSN
      UP = CON*RHO(1)**2*2.D0
      X = 0.D0
      DO 10 K = 1, NSN
        CC = 0.5D0*SW(K)/DT
        D(K) = CC*TS(K)
        B(K) = CC + UP
        IF (K .EQ. 1) D(K) = D(K) + UP*MIN(TA, 0.D0)
        IF (K .LT. NSN) THEN
          X = CON*(RHO(K) + RHO(K+1))**2/(SW(K) + SW(K+1))
        ELSE
          X = 0.D0
        END IF
        B(K) = B(K) + X
        G(K) = X
        IF (K .GT. 1) THEN
          B(K) = B(K) - G(K-1)**2/B(K-1)
          D(K) = D(K) + G(K-1)*D(K-1)/B(K-1)
        END IF
        UP = X
   10 CONTINUE
      TS(NSN) = D(NSN)/B(NSN)
      DO 20 K = NSN - 1, 1, -1
        TS(K) = (D(K) + G(K)*TS(K+1))/B(K)
   20 CONTINUE
      RETURN
      END
      SUBROUTINE SNOWGOTO(NT, TA, PREC, PAR, OBS, COST)
      INTEGER MX, NT, IT, K, NSN
      PARAMETER (MX = 8)
      DOUBLE PRECISION TA(NT), PREC(NT), PAR(3), OBS(NT), COST, RUN, T
      DOUBLE PRECISION SW, RHO, TS, WL, DEPTH
      COMMON /SNOW/ SW(MX), RHO(MX), TS(MX), WL(MX)
      COMMON /NSNOW/ NSN
      NSN = 2
      DO 10 K = 1, MX
        SW(K) = 0.6D0
        RHO(K) = 0.2D0 + 0.02D0*K
        TS(K) = -0.5D0 - 0.1D0*K
        WL(K) = 0.D0
   10 CONTINUE
      COST = 0.D0
      DO 30 IT = 1, NT
        T = TA(IT) + SIN(1.3D0*IT) - 0.5D0
        RUN = 0.D0
        IF (T .LT. 0.D0) CALL LAYERS(0.2D0*PREC(IT))
        IF (T .GE. 0.D0) CALL MELTSN(0.1D0*PAR(1)*T, RUN)
        CALL COMPCT(0.3D0, PAR(2))
        CALL CONDUC(0.3D0, T, 0.5D0*PAR(3))
        DEPTH = 0.D0
        DO 20 K = 1, NSN
          DEPTH = DEPTH + SW(K)/RHO(K)
   20   CONTINUE
        COST = COST + 0.01D0*(DEPTH - OBS(IT))**2 + RUN**2
   30 CONTINUE
      RETURN
      END
