C     Climate of a glasshouse: cover, crop, air, floor and three soil layers in COMMON that the driver never names; long-wave
C     exchange, ventilation by wind and stack, humidity with condensation on the cover, a controller with a dead band.
      SUBROUTINE GHINIT(TSTART)
      DOUBLE PRECISION TSTART
      DOUBLE PRECISION TC, TP, TA, TF, TS(3), XA
      COMMON /GHSTAT/ TC, TP, TA, TF, TS, XA
      DOUBLE PRECISION VENT, HEAT
      COMMON /GHCTRL/ VENT, HEAT
      INTEGER I
      TC = TSTART
      TP = TSTART
      TA = TSTART
      TF = TSTART
      DO 10 I = 1, 3
        TS(I) = TSTART - 0.01D0*I
   10 CONTINUE
      XA = 0.5D0
      VENT = 0.1D0
      HEAT = 0.0D0
      END
      DOUBLE PRECISION FUNCTION SATX(T)
      DOUBLE PRECISION T
      SATX = 0.6D0*EXP(1.7D0*(T - 1.0D0)/(0.8D0 + T))
      END
      SUBROUTINE GHCNTL(SETP)
      DOUBLE PRECISION SETP
      DOUBLE PRECISION TC, TP, TA, TF, TS(3), XA
      COMMON /GHSTAT/ TC, TP, TA, TF, TS, XA
      DOUBLE PRECISION VENT, HEAT
      COMMON /GHCTRL/ VENT, HEAT
      IF (TA .LT. SETP - 0.02D0) THEN
        HEAT = 0.7D0*(SETP - TA)
        VENT = 0.05D0
      ELSE IF (TA .GT. SETP + 0.02D0) THEN
        HEAT = 0.0D0
        VENT = MIN(1.0D0, 0.05D0 + 2.0D0*(TA - SETP))
      END IF
      END
      SUBROUTINE GHFLUX(SUN, TOUT, TRANS)
      DOUBLE PRECISION SUN, TOUT, TRANS, SATX, COND, STACK, EVAP
      DOUBLE PRECISION TC, TP, TA, TF, TS(3), XA
      COMMON /GHSTAT/ TC, TP, TA, TF, TS, XA
      DOUBLE PRECISION VENT, HEAT
      COMMON /GHCTRL/ VENT, HEAT
      DOUBLE PRECISION QC, QP, QA, QF, QX
      COMMON /GHFLX/ QC, QP, QA, QF, QX
      STACK = VENT*SQRT(0.1D0 + ABS(TA - TOUT))
      COND = MAX(0.0D0, XA - SATX(TC))
      EVAP = 0.3D0*MAX(0.0D0, SATX(TP) - XA)*SUN
      QC = (1.0D0 - TRANS)*SUN + 0.4D0*(TP**4 - TC**4)
     &  + 0.6D0*(TA - TC) + 0.5D0*COND - 0.9D0*(TC - TOUT)
      QP = TRANS*SUN - 0.4D0*(TP**4 - TC**4) - 0.7D0*(TP - TA) - EVAP
      QA = HEAT + 0.7D0*(TP - TA) + 0.3D0*(TF - TA) - 0.6D0*(TA
     &  - TC) - STACK*(TA - TOUT)
      QF = 0.2D0*TRANS*SUN - 0.3D0*(TF - TA) - 0.5D0*(TF - TS(1))
      QX = EVAP - COND - STACK*(XA - 0.4D0)
      END
      SUBROUTINE GHSOIL(DT)
      DOUBLE PRECISION DT, F(4)
      DOUBLE PRECISION TC, TP, TA, TF, TS(3), XA
      COMMON /GHSTAT/ TC, TP, TA, TF, TS, XA
      INTEGER I
      F(1) = 0.5D0*(TF - TS(1))
      DO 20 I = 1, 2
        F(I+1) = 0.3D0*(1.0D0 + 0.1D0*TS(I))*(TS(I) - TS(I+1))
   20 CONTINUE
      F(4) = 0.0D0
      DO 30 I = 1, 3
        TS(I) = TS(I) + DT*(F(I) - F(I+1))/I
   30 CONTINUE
      END
      SUBROUTINE GHSTEP(DT)
      DOUBLE PRECISION DT
      DOUBLE PRECISION TC, TP, TA, TF, TS(3), XA
      COMMON /GHSTAT/ TC, TP, TA, TF, TS, XA
      DOUBLE PRECISION QC, QP, QA, QF, QX
      COMMON /GHFLX/ QC, QP, QA, QF, QX
      TC = TC + DT*QC
      TP = TP + DT*QP
      TA = TA + 2.0D0*DT*QA
      TF = TF + 0.5D0*DT*QF
      XA = XA + DT*QX
      END
      SUBROUTINE GHSUM(E)
      DOUBLE PRECISION E
      DOUBLE PRECISION VENT, HEAT
      COMMON /GHCTRL/ VENT, HEAT
      DOUBLE PRECISION TC, TP, TA, TF, TS(3), XA
      COMMON /GHSTAT/ TC, TP, TA, TF, TS, XA
      E = E + HEAT**2 + 0.1D0*(TP - 1.0D0)**2
      END
      SUBROUTINE GLASSHSE(NH, TSTART, SUN, TOUT, TRANS, SETP, ENERGY)
      INTEGER NH, K, L
      DOUBLE PRECISION TC, TP, TA, TF, TS(3), XA
      COMMON /GHSTAT/ TC, TP, TA, TF, TS, XA
      DOUBLE PRECISION VENT, HEAT
      COMMON /GHCTRL/ VENT, HEAT
      DOUBLE PRECISION QC, QP, QA, QF, QX
      COMMON /GHFLX/ QC, QP, QA, QF, QX
      DOUBLE PRECISION TSTART, SUN(NH), TOUT(NH), TRANS, SETP, ENERGY
      CALL GHINIT(TSTART)
      ENERGY = 0.0D0
      DO 60 K = 1, NH
C$AD CHECKPOINT-START
        CALL GHCNTL(SETP)
        DO 50 L = 1, 4
          CALL GHFLUX(SUN(K), TOUT(K), TRANS)
          CALL GHSOIL(0.02D0)
          CALL GHSTEP(0.02D0)
   50   CONTINUE
C$AD CHECKPOINT-END
        CALL GHSUM(ENERGY)
   60 CONTINUE
      END
