C     HEAT IN A ROD WITH CONDUCTIVITY THAT FOLLOWS TEMPERATURE: ALL
C     ARRAYS ARE CARVED OUT OF ONE WORKSPACE, AS IN OLD LIBRARIES.
      SUBROUTINE WORK1D(N, NT, T0, COND, W, COST)
      INTEGER N, NT
      DOUBLE PRECISION T0(N), COND(N), W(6*N), COST
      INTEGER IT, LT, LK, LA, LB, LC, LD, I
      LT = 1
      LK = LT + N
      LA = LK + N
      LB = LA + N
      LC = LB + N
      LD = LC + N
      CALL COPYV(N, T0, W(LT))
      COST = 0D0
      DO 10 IT = 1, NT
        CALL CONDUC(N, W(LT), COND, W(LK))
        CALL ASSEMB(N, W(LT), W(LK), W(LA), W(LB), W(LC), W(LD))
        CALL TRIDIA(N, W(LA), W(LB), W(LC), W(LD))
        CALL COPYV(N, W(LD), W(LT))
        W(LT) = W(LT) + 0.1D0*SIN(0.3D0*IT)
        DO 20 I = 1, N
          COST = COST + (W(LT+I-1) - 1D0)**2
   20   CONTINUE
   10 CONTINUE
      END
      SUBROUTINE COPYV(N, X, Y)
      INTEGER N, I
      DOUBLE PRECISION X(N), Y(N)
      DO 10 I = 1, N
        Y(I) = X(I)
   10 CONTINUE
      END
      SUBROUTINE CONDUC(N, T, COND, K)
      INTEGER N, I
      DOUBLE PRECISION T(N), COND(N), K(N), TM
      DO 10 I = 1, N - 1
        TM = 0.5D0*(T(I) + T(I+1))
        K(I) = (1D0 + COND(I))*(1D0 + 0.2D0*TM*TM)
        IF (TM .LT. 0D0) K(I) = K(I)*1.5D0
   10 CONTINUE
      K(N) = 0D0
      END
      SUBROUTINE ASSEMB(N, T, K, A, B, C, D)
      INTEGER N, I
      DOUBLE PRECISION T(N), K(N), A(N), B(N), C(N), D(N), R
      R = 0.3D0
      DO 10 I = 1, N
        A(I) = 0D0
        IF (I .GT. 1) A(I) = -R*K(I-1)
        C(I) = -R*K(I)
        B(I) = 1D0 - A(I) - C(I)
        D(I) = T(I)
   10 CONTINUE
      END
      SUBROUTINE TRIDIA(N, A, B, C, D)
      INTEGER N, I
      DOUBLE PRECISION A(N), B(N), C(N), D(N), F
      DO 10 I = 2, N
        F = A(I)/B(I-1)
        B(I) = B(I) - F*C(I-1)
        D(I) = D(I) - F*D(I-1)
   10 CONTINUE
      D(N) = D(N)/B(N)
      DO 20 I = N - 1, 1, -1
        D(I) = (D(I) - C(I)*D(I+1))/B(I)
   20 CONTINUE
      END
