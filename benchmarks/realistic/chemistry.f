C     Photochemistry in layers: a quasi steady state solver with GOTO,
C     rates in COMMON, vertical mixing by explicit steps.
      SUBROUTINE CHEM(NL, NT, EMIS, SUN, TEMP, C0, OZONE)
      INTEGER NL, NT, IT, L, S
      DOUBLE PRECISION EMIS(3), SUN(NT), TEMP(NL), C0(3, NL), OZONE
      DOUBLE PRECISION C(3, 20), P(3), Q(3)
      DOUBLE PRECISION RK(5), TAU
      COMMON /RATES/ RK, TAU
      DO 10 L = 1, NL
         DO 10 S = 1, 3
            C(S, L) = C0(S, L)
   10 CONTINUE
      TAU = 0.2D0
      OZONE = 0D0
      DO 50 IT = 1, NT
         DO 40 L = 1, NL
            CALL SETRK(TEMP(L), SUN(IT))
            CALL SOLVE(C(1, L), P, Q)
   40    CONTINUE
         DO 45 S = 1, 3
            C(S, 1) = C(S, 1) + TAU*EMIS(S)
   45    CONTINUE
         CALL MIX(NL, C)
         OZONE = OZONE + C(3, 1)
   50 CONTINUE
      END
      SUBROUTINE SETRK(T, S)
      DOUBLE PRECISION T, S, RK(5), TAU
      COMMON /RATES/ RK, TAU
      RK(1) = 0.5D0*S
      RK(2) = 1.8D0*EXP(-1.4D0/T)
      RK(3) = 0.3D0*EXP(-0.5D0/T)
      RK(4) = 0.1D0*S*S/(1D0 + S)
      RK(5) = 0.05D0
      END
      SUBROUTINE SOLVE(C, P, Q)
      DOUBLE PRECISION C(3), P(3), Q(3), RK(5), TAU, OLD(3), X, DIFF
      INTEGER K, ITER
      COMMON /RATES/ RK, TAU
      ITER = 0
      DO 5 K = 1, 3
         OLD(K) = C(K)
    5 CONTINUE
   10 ITER = ITER + 1
      P(1) = RK(2)*C(2)*C(3)
      Q(1) = RK(1) + RK(3)*C(1)
      P(2) = RK(1)*C(1)
      Q(2) = RK(2)*C(3)
      P(3) = RK(1)*C(1)
      Q(3) = RK(2)*C(2) + RK(4)
      DIFF = 0D0
      DO 20 K = 1, 3
         X = C(K)
         IF (Q(K)*TAU .LT. 0.01D0) THEN
            C(K) = OLD(K) + TAU*(P(K) - Q(K)*OLD(K))
         ELSE
            C(K) = P(K)/Q(K) + (OLD(K) - P(K)/Q(K))*EXP(-Q(K)*TAU)
         END IF
         DIFF = MAX(DIFF, ABS(C(K) - X))
   20 CONTINUE
      IF (DIFF .GT. 1D-4 .AND. ITER .LT. 4) GOTO 10
      END
      SUBROUTINE MIX(NL, C)
      INTEGER NL, L, S
      DOUBLE PRECISION C(3, NL), FLUX, RK(5), TAU
      COMMON /RATES/ RK, TAU
      DO 20 S = 1, 3
         DO 10 L = 1, NL - 1
            FLUX = TAU*RK(5)*(C(S, L) - C(S, L + 1))*(1D0 + C(S, L))
            C(S, L) = C(S, L) - FLUX
            C(S, L + 1) = C(S, L + 1) + FLUX
   10    CONTINUE
   20 CONTINUE
      END
