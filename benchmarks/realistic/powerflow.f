C     Newton power flow on a ring of buses: admittances and voltages in
C     COMMON, Gauss elimination, tap changers that hunt, GOTO as in 1975.
      SUBROUTINE PFLOW(NB, PLOAD, QLOAD, X, PLOSS)
      INTEGER NB, I, IT, MODE
      DOUBLE PRECISION PLOAD(NB), QLOAD(NB), X(NB), PLOSS
      INTEGER MAXB
      PARAMETER (MAXB=6)
      DOUBLE PRECISION G(MAXB), B(MAXB), VM(MAXB), VA(MAXB), TAP(MAXB)
      DOUBLE PRECISION DP(2*MAXB), AJ(2*MAXB,2*MAXB)
      COMMON /GRID/ G, B, TAP
      COMMON /VOLT/ VM, VA
      COMMON /WORK/ DP, AJ
      DOUBLE PRECISION ERR, FL
      DO 10 I = 1, NB
        G(I) = 1D0/(1D0 + 4D0*X(I)*X(I))
        B(I) = -4D0*(1D0 + X(I))
        TAP(I) = 1D0
        VM(I) = 1D0
        VA(I) = 0D0
   10 CONTINUE
      MODE = 0
   20 CONTINUE
      IT = 0
   30 IT = IT + 1
      CALL MISMAT(NB, PLOAD, QLOAD, ERR)
      IF (ERR .LT. 1D-6) GOTO 50
      IF (IT .GT. 4) GOTO 50
      CALL JACOB(NB)
      CALL SOLVE(2*NB-2)
      DO 40 I = 2, NB
        VA(I) = VA(I) + DP(I-1)
        VM(I) = VM(I)*(1D0 + DP(NB+I-2))
   40 CONTINUE
      GOTO 30
   50 CONTINUE
      IF (MODE .GE. 2) GOTO 70
      MODE = MODE + 1
      DO 60 I = 2, NB
        IF (VM(I) .LT. 0.97D0) TAP(I) = TAP(I)*(1D0 + 0.05D0*VM(I))
   60 CONTINUE
      GOTO 20
   70 PLOSS = 0D0
      DO 80 I = 1, NB
        CALL FLOW(I, MOD(I,NB)+1, FL)
        PLOSS = PLOSS + FL
        CALL FLOW(MOD(I,NB)+1, I, FL)
        PLOSS = PLOSS + FL
   80 CONTINUE
      END
      SUBROUTINE FLOW(I, J, P)
      INTEGER I, J, MAXB, L
      PARAMETER (MAXB=6)
      DOUBLE PRECISION P, D
      DOUBLE PRECISION G(MAXB), B(MAXB), VM(MAXB), VA(MAXB), TAP(MAXB)
      COMMON /GRID/ G, B, TAP
      COMMON /VOLT/ VM, VA
      L = MIN(I, J)
      IF (ABS(I-J) .GT. 1) L = MAX(I, J)
      D = VA(I) - VA(J)
      P = VM(I)*VM(I)*G(L)
     &  - TAP(L)*VM(I)*VM(J)*(G(L)*COS(D) + B(L)*SIN(D))
      END
      SUBROUTINE MISMAT(NB, PLOAD, QLOAD, ERR)
      INTEGER NB, MAXB, I, K, J, L
      PARAMETER (MAXB=6)
      DOUBLE PRECISION PLOAD(NB), QLOAD(NB), ERR, P, Q, D
      DOUBLE PRECISION G(MAXB), B(MAXB), VM(MAXB), VA(MAXB), TAP(MAXB)
      DOUBLE PRECISION DP(2*MAXB), AJ(2*MAXB,2*MAXB)
      COMMON /GRID/ G, B, TAP
      COMMON /VOLT/ VM, VA
      COMMON /WORK/ DP, AJ
      ERR = 0D0
      DO 20 I = 2, NB
        P = 0D0
        Q = 0D0
        DO 10 K = 1, 2
          J = I - 1
          L = I - 1
          IF (K .EQ. 2) THEN
            J = MOD(I,NB) + 1
            L = I
          END IF
          D = VA(I) - VA(J)
          P = P + VM(I)*VM(I)*G(L)
     &      - TAP(L)*VM(I)*VM(J)*(G(L)*COS(D) + B(L)*SIN(D))
          Q = Q - VM(I)*VM(I)*B(L)
     &      - TAP(L)*VM(I)*VM(J)*(G(L)*SIN(D) - B(L)*COS(D))
   10   CONTINUE
        DP(I-1) = -0.1D0*PLOAD(I) - P
        DP(NB+I-2) = -0.05D0*QLOAD(I) - Q
        ERR = ERR + ABS(DP(I-1)) + ABS(DP(NB+I-2))
   20 CONTINUE
      END
      SUBROUTINE JACOB(NB)
      INTEGER NB, MAXB, I, J, K, L, M
      PARAMETER (MAXB=6)
      DOUBLE PRECISION D, HH, RR, GG, BB
      DOUBLE PRECISION G(MAXB), B(MAXB), VM(MAXB), VA(MAXB), TAP(MAXB)
      DOUBLE PRECISION DP(2*MAXB), AJ(2*MAXB,2*MAXB)
      COMMON /GRID/ G, B, TAP
      COMMON /VOLT/ VM, VA
      COMMON /WORK/ DP, AJ
      M = NB - 1
      DO 10 J = 1, 2*M
        DO 10 I = 1, 2*M
          AJ(I,J) = 0D0
   10 CONTINUE
      DO 30 I = 2, NB
        DO 20 K = 1, 2
          J = I - 1
          L = I - 1
          IF (K .EQ. 2) THEN
            J = MOD(I,NB) + 1
            L = I
          END IF
          D = VA(I) - VA(J)
          GG = TAP(L)*G(L)
          BB = TAP(L)*B(L)
          HH = VM(I)*VM(J)*(GG*SIN(D) - BB*COS(D))
          RR = VM(I)*VM(J)*(GG*COS(D) + BB*SIN(D))
          AJ(I-1,I-1) = AJ(I-1,I-1) + HH
          AJ(I-1,M+I-1) = AJ(I-1,M+I-1) + 2D0*VM(I)**2*G(L) - RR
          AJ(M+I-1,I-1) = AJ(M+I-1,I-1) - RR
          AJ(M+I-1,M+I-1) = AJ(M+I-1,M+I-1) - 2D0*VM(I)**2*B(L) - HH
          IF (J .EQ. 1) GOTO 20
          AJ(I-1,J-1) = AJ(I-1,J-1) - HH
          AJ(I-1,M+J-1) = AJ(I-1,M+J-1) - RR
          AJ(M+I-1,J-1) = AJ(M+I-1,J-1) + RR
          AJ(M+I-1,M+J-1) = AJ(M+I-1,M+J-1) - HH
   20   CONTINUE
   30 CONTINUE
      END
      SUBROUTINE SOLVE(M)
      INTEGER M, MAXB, I, J, K
      PARAMETER (MAXB=6)
      DOUBLE PRECISION DP(2*MAXB), AJ(2*MAXB,2*MAXB), F
      COMMON /WORK/ DP, AJ
      DO 30 K = 1, M-1
        DO 20 I = K+1, M
          F = AJ(I,K)/AJ(K,K)
          DO 10 J = K+1, M
            AJ(I,J) = AJ(I,J) - F*AJ(K,J)
   10     CONTINUE
          DP(I) = DP(I) - F*DP(K)
   20   CONTINUE
   30 CONTINUE
      DO 50 I = M, 1, -1
        DO 40 J = I+1, M
          DP(I) = DP(I) - AJ(I,J)*DP(J)
   40   CONTINUE
        DP(I) = DP(I)/AJ(I,I)
   50 CONTINUE
      END
