C     A house of rooms with a thermostat: hysteresis, lagged walls kept in
C     COMMON, ducts by a table, backward Euler by sweeps, comfort at the end.
      SUBROUTINE HVAC(NR, NH, TOUT, UA, SETP, PWR, COST)
      INTEGER NR, NH, I, IH, MODE
      DOUBLE PRECISION TOUT(NH), UA(NR), SETP(NR), PWR, COST
      INTEGER MR
      PARAMETER (MR=8)
      DOUBLE PRECISION TA(MR), TW(MR,2), QH(MR), DUCT(5)
      INTEGER ISON(MR)
      COMMON /ROOM/ TA, TW, QH
      COMMON /CTRL/ ISON
      COMMON /TABL/ DUCT
      DOUBLE PRECISION DT, ENER, Q, DISC
      DT = 0.25D0
      DUCT(1) = 1D0
      DO 5 I = 2, 5
        DUCT(I) = DUCT(I-1)*0.9D0
    5 CONTINUE
      DO 10 I = 1, NR
        TA(I) = SETP(I)
        TW(I,1) = 0.5D0*(SETP(I) + TOUT(1))
        TW(I,2) = TOUT(1)
        ISON(I) = 0
   10 CONTINUE
      ENER = 0D0
      COST = 0D0
      DO 50 IH = 1, NH
        CALL THERMO(NR, SETP, MODE)
        IF (MODE .EQ. 0) GOTO 25
        DO 20 I = 1, NR
          CALL SUPPLY(ISON(I), PWR, TA(I), SETP(I), Q)
          QH(I) = Q
          ENER = ENER + Q*DT
   20   CONTINUE
        GOTO 28
   25   DO 27 I = 1, NR
          QH(I) = 0D0
   27   CONTINUE
   28   CONTINUE
        CALL WALLS(NR, TOUT(IH), UA, DT)
        CALL AIR(NR, UA, DT)
        DO 40 I = 1, NR
          DISC = TA(I) - SETP(I)
          IF (DISC .LT. 0D0) THEN
            COST = COST + DISC*DISC
          ELSE
            COST = COST + 0.25D0*DISC*DISC
          END IF
   40   CONTINUE
   50 CONTINUE
      COST = COST + 0.1D0*ENER
      END
      SUBROUTINE THERMO(NR, SETP, MODE)
      INTEGER NR, MODE, I, MR
      DOUBLE PRECISION SETP(NR)
      PARAMETER (MR=8)
      DOUBLE PRECISION TA(MR), TW(MR,2), QH(MR)
      INTEGER ISON(MR)
      COMMON /ROOM/ TA, TW, QH
      COMMON /CTRL/ ISON
      MODE = 0
      DO 10 I = 1, NR
        IF (TA(I) .LT. SETP(I) - 0.05D0) ISON(I) = 1
        IF (TA(I) .GT. SETP(I) + 0.05D0) ISON(I) = 0
        MODE = MODE + ISON(I)
   10 CONTINUE
      END
      SUBROUTINE SUPPLY(ION, PWR, T, TS, Q)
      INTEGER ION, K
      DOUBLE PRECISION PWR, T, TS, Q, DUCT(5), X
      COMMON /TABL/ DUCT
      Q = 0D0
      IF (ION .EQ. 0) RETURN
      X = 10D0*ABS(TS - T)
      K = MIN(4, 1 + INT(X))
      X = MIN(X - (K - 1), 1D0)
      Q = PWR*((1D0 - X)*DUCT(K) + X*DUCT(K+1))*(1D0 + TS - T)
      END
      SUBROUTINE WALLS(NR, TO, UA, DT)
      INTEGER NR, I, MR
      DOUBLE PRECISION TO, UA(NR), DT, F1, F2
      PARAMETER (MR=8)
      DOUBLE PRECISION TA(MR), TW(MR,2), QH(MR)
      COMMON /ROOM/ TA, TW, QH
      DO 10 I = 1, NR
        F1 = UA(I)*(TA(I) - TW(I,1))
        F2 = 0.5D0*UA(I)*(TW(I,1) - TW(I,2))
        TW(I,1) = TW(I,1) + DT*(F1 - F2)
        TW(I,2) = TW(I,2) + DT*(F2 - 0.3D0*(TW(I,2) - TO)
     &            - 1D-2*(TW(I,2)**4 - TO**4))
   10 CONTINUE
      END
      SUBROUTINE AIR(NR, UA, DT)
      INTEGER NR, I, IS, MR, IL, IR
      DOUBLE PRECISION UA(NR), DT, S, D, RES, TN, VENT
      PARAMETER (MR=8)
      DOUBLE PRECISION TA(MR), TW(MR,2), QH(MR), T0(MR)
      COMMON /ROOM/ TA, TW, QH
      DO 5 I = 1, NR
        T0(I) = TA(I)
    5 CONTINUE
      DO 20 IS = 1, 6
        RES = 0D0
        DO 10 I = 1, NR
          IL = MAX(1, I-1)
          IR = MIN(NR, I+1)
          VENT = 0.2D0*SQRT(1D-2 + (TA(IL) - TA(IR))**2)
          S = T0(I) + DT*(QH(I) + UA(I)*TW(I,1)
     &        + VENT*(TA(IL) + TA(IR)))
          D = 1D0 + DT*(UA(I) + 2D0*VENT)
          TN = S/D
          RES = MAX(RES, ABS(TN - TA(I)))
          TA(I) = TN
   10   CONTINUE
        IF (RES .LT. 1D-8) GOTO 30
   20 CONTINUE
   30 RETURN
      END
