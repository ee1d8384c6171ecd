C     A radio ray through a layered ionosphere: electron density by a table
C     and Chapman layers, collision loss, step halving by GOTO, ground range.
      SUBROUTINE IONRAY(NL, FOE, HMX, ELEV, FREQ, RANGE, ALOSS)
      INTEGER NL, IST, IREJ
      DOUBLE PRECISION FOE(NL), HMX(NL), ELEV, FREQ, RANGE, ALOSS
      DOUBLE PRECISION Y(4), YN(4), YH(4), YE(4), H, ERR, HOLD
      INTEGER K
      CALL PREP(NL, FOE, HMX)
      Y(1) = 0D0
      Y(2) = 0D0
      Y(3) = COS(0.5D0 + 0.3D0*ELEV)
      Y(4) = SIN(0.5D0 + 0.3D0*ELEV)
      H = 0.2D0
      ALOSS = 0D0
      IST = 0
   10 IST = IST + 1
      IF (IST .GT. 20) GOTO 90
      IREJ = 0
   20 CALL STEP(Y, H, FREQ, YN)
      CALL STEP(Y, 0.5D0*H, FREQ, YH)
      CALL STEP(YH, 0.5D0*H, FREQ, YE)
      ERR = 0D0
      DO 30 K = 1, 4
        ERR = MAX(ERR, ABS(YE(K) - YN(K)))
   30 CONTINUE
      IF (ERR .GT. 2D-3 .AND. IREJ .LT. 3) THEN
        H = 0.5D0*H
        IREJ = IREJ + 1
        GOTO 20
      END IF
      CALL LOSS(YE(2), FREQ, H, ALOSS)
      IF (YE(2) .LT. 0D0) GOTO 60
      DO 40 K = 1, 4
        Y(K) = YE(K)
   40 CONTINUE
      IF (ERR .LT. 5D-4) H = MIN(0.4D0, 1.5D0*H)
      GOTO 10
   60 HOLD = Y(2)/(Y(2) - YE(2))
      RANGE = Y(1) + HOLD*(YE(1) - Y(1))
      RETURN
   90 RANGE = Y(1) + Y(2)
      END
      SUBROUTINE PREP(NL, FOE, HMX)
      INTEGER NL, I, MT
      PARAMETER (MT=24)
      DOUBLE PRECISION FOE(NL), HMX(NL), TAB(MT), DTAB, Z, S
      COMMON /PROF/ TAB, DTAB
      INTEGER L
      DTAB = 0.15D0
      DO 20 I = 1, MT
        S = 0D0
        DO 10 L = 1, NL
          Z = (DTAB*(I-1) - 0.5D0 - HMX(L) - 0.1D0*L)/0.4D0
          S = S + FOE(L)**2*EXP(0.5D0*(1D0 - Z - EXP(-Z)))
   10   CONTINUE
        TAB(I) = S/NL
   20 CONTINUE
      END
      SUBROUTINE DENS(Z, E, DE)
      DOUBLE PRECISION Z, E, DE, X
      INTEGER MT, I
      PARAMETER (MT=24)
      DOUBLE PRECISION TAB(MT), DTAB
      COMMON /PROF/ TAB, DTAB
      X = Z/DTAB
      IF (X .LT. 0D0) THEN
        E = TAB(1)*EXP(X)
        DE = E/DTAB
        RETURN
      END IF
      I = MIN(MT-2, INT(X))
      X = X - I
      E = (1D0 - X)*TAB(I+1) + X*TAB(I+2)
      DE = (TAB(I+2) - TAB(I+1))/DTAB
      END
      SUBROUTINE STEP(Y, H, FREQ, YOUT)
      DOUBLE PRECISION Y(4), H, FREQ, YOUT(4), E, DE, DK(4), YM(4)
      INTEGER K
      CALL DENS(Y(2), E, DE)
      DK(1) = Y(3)
      DK(2) = Y(4)
      DK(3) = 0D0
      DK(4) = -0.5D0*DE/(1D0 + FREQ)**2
      DO 10 K = 1, 4
        YM(K) = Y(K) + 0.5D0*H*DK(K)
   10 CONTINUE
      CALL DENS(YM(2), E, DE)
      DK(1) = YM(3)
      DK(2) = YM(4)
      DK(4) = -0.5D0*DE/(1D0 + FREQ)**2
      DO 20 K = 1, 4
        YOUT(K) = Y(K) + H*DK(K)
   20 CONTINUE
      END
      SUBROUTINE LOSS(Z, FREQ, H, ALOSS)
      DOUBLE PRECISION Z, FREQ, H, ALOSS, E, DE, COL
      CALL DENS(Z, E, DE)
      COL = EXP(-2D0*Z*Z)
      ALOSS = ALOSS + H*COL*E/(COL*COL + (1D0 + FREQ)**2)
      END
