C     Love waves in layers: the secular function by layer matrices, its root by bracketing and regula falsi with GOTO, one
C     root for each period, group velocity by differences; the model in COMMON, filled by one routine of two.
      SUBROUTINE DSMODL(VS, H, RHO)
      INTEGER NLAY
      PARAMETER (NLAY=4)
      DOUBLE PRECISION VS(NLAY), H(NLAY), RHO
      DOUBLE PRECISION B(NLAY), D(NLAY), AM(NLAY), VMIN, VMAX
      COMMON /DSEARTH/ B, D, AM, VMIN, VMAX
      INTEGER I
      VMIN = 1.0D10
      VMAX = 0.0D0
      DO 10 I = 1, NLAY
        B(I) = 1.0D0 + 0.3D0*I + 0.1D0*VS(I)
        D(I) = 0.5D0 + 0.5D0*H(I)
        AM(I) = RHO*(1.0D0 + 0.1D0*I)*B(I)**2
        IF (B(I) .LT. VMIN) VMIN = B(I)
        IF (B(I) .GT. VMAX) VMAX = B(I)
   10 CONTINUE
      END
      SUBROUTINE SECULR(C, OM, F)
      INTEGER NLAY
      PARAMETER (NLAY=4)
      DOUBLE PRECISION C, OM, F
      DOUBLE PRECISION B(NLAY), D(NLAY), AM(NLAY), VMIN, VMAX
      COMMON /DSEARTH/ B, D, AM, VMIN, VMAX
      DOUBLE PRECISION U, T, UN, Q, RS, WK, CQ, SQ
      INTEGER I
      WK = OM/C
      U = 1.0D0
      T = AM(NLAY)*WK*SQRT(MAX(1.0D0 - (C/B(NLAY))**2, 1.0D-6))
      DO 20 I = NLAY - 1, 1, -1
        Q = (C/B(I))**2 - 1.0D0
        IF (Q .GT. 1.0D-8) THEN
          RS = SQRT(Q)
          CQ = COS(WK*RS*D(I))
          SQ = SIN(WK*RS*D(I))
          UN = CQ*U + SQ*T/(AM(I)*WK*RS)
          T = -AM(I)*WK*RS*SQ*U + CQ*T
        ELSE IF (Q .LT. -1.0D-8) THEN
          RS = SQRT(-Q)
          CQ = COSH(WK*RS*D(I))
          SQ = SINH(WK*RS*D(I))
          UN = CQ*U + SQ*T/(AM(I)*WK*RS)
          T = AM(I)*WK*RS*SQ*U + CQ*T
        ELSE
          UN = U + D(I)*T/AM(I)
        END IF
        U = UN
   20 CONTINUE
      F = T/(ABS(U) + ABS(T))
      END
      SUBROUTINE ROOTC(OM, C)
      DOUBLE PRECISION OM, C
      INTEGER NLAY
      PARAMETER (NLAY=4)
      DOUBLE PRECISION B(NLAY), D(NLAY), AM(NLAY), VMIN, VMAX
      COMMON /DSEARTH/ B, D, AM, VMIN, VMAX
      DOUBLE PRECISION C1, C2, F1, F2, F
      INTEGER K
      C1 = 1.001D0*VMIN
      CALL SECULR(C1, OM, F1)
      K = 0
   30 C2 = C1 + 0.1D0*(VMAX - VMIN)
      CALL SECULR(C2, OM, F2)
      K = K + 1
      IF (F1*F2 .LT. 0.0D0) GOTO 40
      C1 = C2
      F1 = F2
      IF (K .LT. 9) GOTO 30
   40 K = 0
   50 C = C2 - F2*(C2 - C1)/(F2 - F1)
      CALL SECULR(C, OM, F)
      IF (F*F2 .LT. 0.0D0) THEN
        C1 = C2
        F1 = F2
      ELSE
        F1 = 0.5D0*F1
      END IF
      C2 = C
      F2 = F
      K = K + 1
      IF (ABS(F) .LT. 1.0D-8) GOTO 60
      IF (K .LT. 6) GOTO 50
   60 CONTINUE
      END
      SUBROUTINE DISPER(NP, VS, H, RHO, COBS, CHI)
      INTEGER NP, I
      INTEGER NLAY
      PARAMETER (NLAY=4)
      DOUBLE PRECISION VS(NLAY), H(NLAY), RHO, COBS(NP), CHI
      DOUBLE PRECISION C, CG, OM, OLD, OMO
      CALL DSMODL(VS, H, RHO)
      CHI = 0.0D0
      OLD = 0.0D0
      DO 70 I = 1, NP
        OM = 0.6D0 + 0.3D0*I
        CALL ROOTC(OM, C)
        CHI = CHI + (C - COBS(I))**2
        IF (I .GT. 1) THEN
          CG = (OM - OMO)/(OM/C - OMO/OLD)
          CHI = CHI + 0.1D0*(CG - COBS(I))**2
        END IF
        OLD = C
        OMO = OM
   70 CONTINUE
      END
