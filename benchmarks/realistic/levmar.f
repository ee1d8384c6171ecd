C     Fit of a sum of decaying oscillations by Levenberg-Marquardt: Jacobian by formula, normal equations by Householder QR of
C     the augmented matrix (A(LDA,*), workspace TAU, W), step accepted or refused, damping changed by GOTO.
      SUBROUTINE LEVMAR(NOBS, NIT, T, Y, P0, FIT)
      INTEGER NOBS, NIT
      DOUBLE PRECISION T(NOBS), Y(NOBS), P0(4), FIT
      INTEGER NP, LDA
      PARAMETER (NP=4, LDA=40)
      DOUBLE PRECISION A(LDA,NP), R(LDA), P(NP), PN(NP), W(NP), TAU(NP)
      DOUBLE PRECISION AL, F, FN
      INTEGER I, J, IT, M
      DO 10 J = 1, NP
         P(J) = P0(J)
   10 CONTINUE
      AL = 0.5D0
      CALL RESIDS(NOBS, T, Y, P, R, F)
      IT = 0
   20 IT = IT + 1
      CALL JACOB(NOBS, T, P, A, LDA)
      M = NOBS + NP
      DO 40 J = 1, NP
         DO 30 I = 1, NP
            A(NOBS+I,J) = 0.0D0
   30    CONTINUE
         A(NOBS+J,J) = SQRT(AL)
         R(NOBS+J) = 0.0D0
   40 CONTINUE
      CALL QRFAC(M, NP, A, LDA, TAU)
      CALL QTMUL(M, NP, A, LDA, TAU, R)
      CALL BACK(NP, A, LDA, R, W)
      DO 50 J = 1, NP
         PN(J) = P(J) - W(J)
   50 CONTINUE
      CALL RESIDS(NOBS, T, Y, PN, R, FN)
      IF (FN .LT. F) GO TO 60
      AL = AL*4.0D0
      CALL RESIDS(NOBS, T, Y, P, R, F)
      GO TO 80
   60 AL = AL*0.3D0
      F = FN
      DO 70 J = 1, NP
         P(J) = PN(J)
   70 CONTINUE
   80 IF (IT .LT. NIT) GO TO 20
      FIT = F
      DO 90 J = 1, NP
         FIT = FIT + 0.1D0*P(J)**2
   90 CONTINUE
      END
      SUBROUTINE RESIDS(N, T, Y, P, R, F)
      INTEGER N, I
      DOUBLE PRECISION T(N), Y(N), P(4), R(*), F
      F = 0.0D0
      DO 10 I = 1, N
         R(I) = P(1)*EXP(-P(2)*T(I))*COS(P(3)*T(I) + P(4)) - Y(I)
         F = F + R(I)*R(I)
   10 CONTINUE
      END
      SUBROUTINE JACOB(N, T, P, A, LDA)
      INTEGER N, LDA, I
      DOUBLE PRECISION T(N), P(4), A(LDA,*), E, C, S
      DO 10 I = 1, N
         E = EXP(-P(2)*T(I))
         C = COS(P(3)*T(I) + P(4))
         S = SIN(P(3)*T(I) + P(4))
         A(I,1) = E*C
         A(I,2) = -P(1)*T(I)*E*C
         A(I,3) = -P(1)*T(I)*E*S
         A(I,4) = -P(1)*E*S
   10 CONTINUE
      END
      SUBROUTINE QRFAC(M, N, A, LDA, TAU)
      INTEGER M, N, LDA, I, J, K
      DOUBLE PRECISION A(LDA,*), TAU(*), S, ALPHA, BETA
      DO 60 K = 1, N
         S = 0.0D0
         DO 10 I = K+1, M
            S = S + A(I,K)**2
   10    CONTINUE
         IF (S .EQ. 0.0D0) THEN
            TAU(K) = 0.0D0
            GO TO 60
         ENDIF
         ALPHA = A(K,K)
         BETA = -SIGN(SQRT(ALPHA**2 + S), ALPHA)
         TAU(K) = (BETA - ALPHA)/BETA
         DO 20 I = K+1, M
            A(I,K) = A(I,K)/(ALPHA - BETA)
   20    CONTINUE
         A(K,K) = BETA
         DO 50 J = K+1, N
            S = A(K,J)
            DO 30 I = K+1, M
               S = S + A(I,K)*A(I,J)
   30       CONTINUE
            S = S*TAU(K)
            A(K,J) = A(K,J) - S
            DO 40 I = K+1, M
               A(I,J) = A(I,J) - S*A(I,K)
   40       CONTINUE
   50    CONTINUE
   60 CONTINUE
      END
      SUBROUTINE QTMUL(M, N, A, LDA, TAU, B)
      INTEGER M, N, LDA, I, K
      DOUBLE PRECISION A(LDA,*), TAU(*), B(*), S
      DO 30 K = 1, N
         S = B(K)
         DO 10 I = K+1, M
            S = S + A(I,K)*B(I)
   10    CONTINUE
         S = S*TAU(K)
         B(K) = B(K) - S
         DO 20 I = K+1, M
            B(I) = B(I) - S*A(I,K)
   20    CONTINUE
   30 CONTINUE
      END
      SUBROUTINE BACK(N, A, LDA, B, X)
      INTEGER N, LDA, I, J
      DOUBLE PRECISION A(LDA,*), B(*), X(*)
      DO 20 I = N, 1, -1
         X(I) = B(I)
         DO 10 J = I+1, N
            X(I) = X(I) - A(I,J)*X(J)
   10    CONTINUE
         X(I) = X(I)/A(I,I)
   20 CONTINUE
      END
