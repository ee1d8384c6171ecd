C     Moist convection in a column: saturation from a lookup table, lifting condensation level by search, an entraining plume
C     upwards with early end at negative buoyancy, closure by CAPE, subsidence by implicit upstream solve, evaporating rain.
      SUBROUTINE TIEDKE(NL, NT, T0, Q0, FLX, ENTR, CPR, RAINT)
      INTEGER NL, NT
      DOUBLE PRECISION T0(NL), Q0(NL), FLX(NT), ENTR, CPR, RAINT
      INTEGER ML, NTAB
      PARAMETER (ML=20, NTAB=60)
      DOUBLE PRECISION T(ML), Q(ML), TU(ML), QU(ML), AM(ML), PR(ML)
      DOUBLE PRECISION ESTAB(NTAB)
      COMMON /SATTAB/ ESTAB
      DOUBLE PRECISION CAPE, RAIN
      INTEGER K, IT, KB, KT
      DO 10 K = 1, NTAB
         ESTAB(K) = 0.02D0*EXP(2.0D0*(0.05D0*DBLE(K) - 1.0D0))
   10 CONTINUE
      DO 20 K = 1, NL
         T(K) = 0.9D0 + 0.1D0*T0(K) - 0.1D0*DBLE(K)
         Q(K) = 0.03D0*Q0(K)/DBLE(K)
   20 CONTINUE
      RAINT = 0.0D0
      DO 60 IT = 1, NT
         T(1) = T(1) + 0.02D0*FLX(IT)
         Q(1) = Q(1) + 0.002D0*FLX(IT)
         CALL CUBASE(NL, T, Q, TU, QU, KB)
         IF (KB .EQ. 0) GO TO 50
         CALL PLUME(NL, KB, T, Q, 0.3D0*ENTR, 0.5D0*CPR, TU, QU, AM,
     &              PR, CAPE, KT)
         IF (CAPE .LE. 0.0D0) GO TO 50
         CALL SUBSID(NL, KB, KT, CAPE, T, Q, TU, QU, AM)
         CALL EVAPOR(NL, KT, T, Q, PR, CAPE, RAIN)
         RAINT = RAINT + RAIN
   50    DO 55 K = 1, NL
            T(K) = T(K) - 0.005D0
   55    CONTINUE
   60 CONTINUE
      DO 70 K = 1, NL
         RAINT = RAINT + 0.01D0*T(K) + Q(K)
   70 CONTINUE
      END
      SUBROUTINE QSATT(T, QS, DQS)
      DOUBLE PRECISION T, QS, DQS, ESTAB, X, W
      COMMON /SATTAB/ ESTAB(60)
      INTEGER I
      X = T/0.05D0
      I = INT(X)
      I = MAX(1, MIN(59, I))
      W = X - DBLE(I)
      QS = ESTAB(I) + W*(ESTAB(I+1) - ESTAB(I))
      DQS = (ESTAB(I+1) - ESTAB(I))/0.05D0
      END
      SUBROUTINE CUBASE(NL, T, Q, TU, QU, KB)
      INTEGER NL, KB, K
      DOUBLE PRECISION T(NL), Q(NL), TU(NL), QU(NL), QS, DQS, C
      KB = 0
      TU(1) = T(1) + 0.02D0
      QU(1) = Q(1)
      DO 10 K = 2, NL
         TU(K) = TU(K-1) - 0.1D0
         QU(K) = QU(K-1)
         CALL QSATT(TU(K), QS, DQS)
         IF (QU(K) .GT. QS) THEN
            C = (QU(K) - QS)/(1.0D0 + 2.0D0*DQS)
            TU(K) = TU(K) + 2.0D0*C
            QU(K) = QU(K) - C
            KB = K
            RETURN
         ENDIF
   10 CONTINUE
      END
      SUBROUTINE PLUME(NL, KB, T, Q, EPS, C0, TU, QU, AM, PR, CAPE, KT)
      INTEGER NL, KB, KT, K, IT
      DOUBLE PRECISION T(NL), Q(NL), EPS, C0, TU(NL), QU(NL), AM(NL)
      DOUBLE PRECISION PR(NL), CAPE, QL, QS, DQS, C, B
      DO 10 K = 1, NL
         AM(K) = 0.0D0
         PR(K) = 0.0D0
   10 CONTINUE
      CAPE = 0.0D0
      QL = 0.0D0
      KT = KB
      AM(KB) = 1.0D0
      DO 30 K = KB+1, NL
         TU(K) = (TU(K-1) - 0.1D0 + EPS*T(K))/(1.0D0 + EPS)
     &           + 0.1D0*EPS/(1.0D0 + EPS)
         QU(K) = (QU(K-1) + EPS*Q(K))/(1.0D0 + EPS)
         QL = QL/(1.0D0 + EPS)
         DO 20 IT = 1, 2
            CALL QSATT(TU(K), QS, DQS)
            C = (QU(K) - QS)/(1.0D0 + 2.0D0*DQS)
            IF (IT .EQ. 1 .AND. C .LT. 0.0D0) C = 0.0D0
            TU(K) = TU(K) + 2.0D0*C
            QU(K) = QU(K) - C
            QL = QL + C
   20    CONTINUE
         B = TU(K)*(1.0D0 + 0.6D0*QU(K) - QL)
     &       - T(K)*(1.0D0 + 0.6D0*Q(K))
         IF (B .LT. -0.05D0) RETURN
         CAPE = CAPE + B
         AM(K) = AM(K-1)*(1.0D0 + EPS)
         PR(K) = AM(K)*C0*MAX(QL, 0.0D0)
         QL = QL - C0*MAX(QL, 0.0D0)
         KT = K
   30 CONTINUE
      END
      SUBROUTINE SUBSID(NL, KB, KT, CAPE, T, Q, TU, QU, AM)
      INTEGER NL, KB, KT, K
      DOUBLE PRECISION CAPE, T(NL), Q(NL), TU(NL), QU(NL), AM(NL), A, F
      F = 0.5D0*CAPE/(1.0D0 + CAPE)
      DO 10 K = KT, 1, -1
         A = F*AM(MAX(K, KB))
         IF (K .LT. KT) THEN
            T(K) = (T(K) + A*(T(K+1) + 0.1D0))/(1.0D0 + A)
            Q(K) = (Q(K) + A*Q(K+1))/(1.0D0 + A)
         ELSE
            T(K) = (T(K) + A*TU(K))/(1.0D0 + A)
            Q(K) = (Q(K) + A*QU(K))/(1.0D0 + A)
         ENDIF
   10 CONTINUE
      END
      SUBROUTINE EVAPOR(NL, KT, T, Q, PR, CAPE, RAIN)
      INTEGER NL, KT, K
      DOUBLE PRECISION T(NL), Q(NL), PR(NL), CAPE, RAIN, QS, DQS, E
      RAIN = 0.0D0
      DO 10 K = KT, 1, -1
         RAIN = RAIN + CAPE*PR(K)
         CALL QSATT(T(K), QS, DQS)
         E = 0.2D0*MAX(QS - Q(K), 0.0D0)*SQRT(RAIN + 1.0D-6)
         E = MIN(E, 0.5D0*RAIN)
         Q(K) = Q(K) + E
         T(K) = T(K) - 2.0D0*E
         RAIN = RAIN - E
   10 CONTINUE
      END
