C     A gantry crane with a hoisted load: BDF2 with fixed-point/Newton corrections, previous states and the matrix in one
C     workspace whose offsets an initial routine puts into COMMON once; the load swings with drag, the rope may go slack.
      SUBROUTINE CRPTR(N)
      INTEGER N, LY, LY1, LY2, LF, LA, LD, LAST
      COMMON /CRADR/ LY, LY1, LY2, LF, LA, LD, LAST
      LY = 1
      LY1 = LY + N
      LY2 = LY1 + N
      LF = LY2 + N
      LD = LF + N
      LA = LD + N
      LAST = LA + N*N
      END
      SUBROUTINE CRRHS(Y, U, P, F)
      DOUBLE PRECISION Y(6), U(2), P(3), F(6), T, S, C
      S = SIN(Y(2))
      C = COS(Y(2))
      T = P(1)*(C + Y(5)**2*Y(3) - U(2))
      IF (T .LT. 0.0D0) T = 0.0D0
      F(1) = Y(4)
      F(2) = Y(5)
      F(3) = Y(6)
      F(4) = (U(1) + T*S - P(2)*Y(4))/(2.0D0 + 0.5D0*S*S)
      F(5) = (-F(4)*C - S - 2.0D0*Y(6)*Y(5) - P(3)*Y(5)*ABS(Y(5)))
     &       /(0.5D0 + Y(3))
      F(6) = U(2) - 0.5D0*Y(6)
      END
      SUBROUTINE CRJAC(N, Y, U, P, F, A, G)
      INTEGER N, I, J
      DOUBLE PRECISION Y(N), U(2), P(3), F(N), A(N,N), G, E, YS, FP(6)
      E = 1.0D-4
      DO 20 J = 1, N
        YS = Y(J)
        Y(J) = YS + E
        CALL CRRHS(Y, U, P, FP)
        Y(J) = YS
        DO 10 I = 1, N
          A(I,J) = -G*(FP(I) - F(I))/E
   10   CONTINUE
        A(J,J) = A(J,J) + 1.0D0
   20 CONTINUE
      END
      SUBROUTINE CRSOLV(N, A, B)
      INTEGER N, I, J, K
      DOUBLE PRECISION A(N,N), B(N), M
      DO 30 K = 1, N - 1
        DO 20 I = K + 1, N
          M = A(I,K)/A(K,K)
          DO 10 J = K + 1, N
            A(I,J) = A(I,J) - M*A(K,J)
   10     CONTINUE
          B(I) = B(I) - M*B(K)
   20   CONTINUE
   30 CONTINUE
      DO 50 I = N, 1, -1
        DO 40 J = I + 1, N
          B(I) = B(I) - A(I,J)*B(J)
   40   CONTINUE
        B(I) = B(I)/A(I,I)
   50 CONTINUE
      END
      SUBROUTINE CRSTEP(K, W, U, P, H)
      INTEGER K, I, IT, N
      DOUBLE PRECISION W(100), U(2), P(3), H, G, ERR
      INTEGER LY, LY1, LY2, LF, LA, LD, LAST
      COMMON /CRADR/ LY, LY1, LY2, LF, LA, LD, LAST
      N = 6
      G = H
      IF (K .GT. 1) G = 2.0D0*H/3.0D0
      DO 40 IT = 1, 5
        CALL CRRHS(W(LY), U, P, W(LF))
        DO 20 I = 0, N - 1
          IF (K .EQ. 1) THEN
            W(LD+I) = -(W(LY+I) - W(LY1+I) - G*W(LF+I))
          ELSE
            W(LD+I) = -(W(LY+I) - (4.0D0*W(LY1+I) - W(LY2+I))/3.0D0
     &                - G*W(LF+I))
          END IF
   20   CONTINUE
        CALL CRJAC(N, W(LY), U, P, W(LF), W(LA), G)
        CALL CRSOLV(N, W(LA), W(LD))
        ERR = 0.0D0
        DO 30 I = 0, N - 1
          W(LY+I) = W(LY+I) + W(LD+I)
          ERR = ERR + W(LD+I)**2
   30   CONTINUE
        IF (ERR .LT. 1.0D-10) GOTO 50
   40 CONTINUE
   50 CONTINUE
      END
      SUBROUTINE CRANE(NT, U1, U2, P, Y0, SWAY)
      INTEGER NT, K, I
      DOUBLE PRECISION U1(NT), U2(NT), P(3), Y0(6), SWAY
      DOUBLE PRECISION W(100), U(2)
      INTEGER LY, LY1, LY2, LF, LA, LD, LAST
      COMMON /CRADR/ LY, LY1, LY2, LF, LA, LD, LAST
      CALL CRPTR(6)
      DO 10 I = 1, 6
        W(LY+I-1) = 0.2D0*Y0(I)
        W(LY1+I-1) = 0.0D0
        W(LY2+I-1) = 0.0D0
   10 CONTINUE
      SWAY = 0.0D0
      DO 30 K = 1, NT
        DO 20 I = 0, 5
          W(LY2+I) = W(LY1+I)
          W(LY1+I) = W(LY+I)
   20   CONTINUE
        U(1) = U1(K)
        U(2) = 0.1D0*U2(K)
C$AD CHECKPOINT-START
        CALL CRSTEP(K, W, U, P, 0.1D0)
C$AD CHECKPOINT-END
        SWAY = SWAY + W(LY+1)**2 + 0.01D0*U(1)**2
   30 CONTINUE
      END
