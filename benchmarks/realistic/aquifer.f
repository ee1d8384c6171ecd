C     An unconfined aquifer: ADI half steps over rows and columns, the
C     workspace of the solver stands in COMMON, cut in columns.
      SUBROUTINE COEFF(NX, NY, H, K, TX, TY)
      INTEGER NX, NY, I, J
      REAL*8 H(NX,NY), K(NX,NY), TX(NX,NY), TY(NX,NY)
      DO 20 J = 1, NY
      DO 10 I = 1, NX
      IF (I.LT.NX) THEN
        TX(I,J) = 2D0*K(I,J)*K(I+1,J)/(K(I,J)+K(I+1,J))
     &    *0.5D0*(H(I,J)+H(I+1,J))
      ELSE
        TX(I,J) = 0D0
      END IF
      IF (J.LT.NY) THEN
        TY(I,J) = 2D0*K(I,J)*K(I,J+1)/(K(I,J)+K(I,J+1))
     &    *0.5D0*(H(I,J)+H(I,J+1))
      ELSE
        TY(I,J) = 0D0
      END IF
   10 CONTINUE
   20 CONTINUE
      END

      SUBROUTINE ROWS(NX, NY, H, TX, TY, Q, DT)
      INTEGER NX, NY, I, J
      REAL*8 H(NX,NY), TX(NX,NY), TY(NX,NY), Q(NX,NY), DT, F
      REAL*8 W(10,5)
      COMMON /SOLVER/ W
      DO 40 J = 1, NY
      DO 10 I = 1, NX
      W(I,1) = 0D0
      IF (I.GT.1) W(I,1) = -DT*TX(I-1,J)
      W(I,3) = -DT*TX(I,J)
      W(I,2) = 1D0 - W(I,1) - W(I,3)
      F = Q(I,J)
      IF (J.GT.1) F = F + TY(I,J-1)*(H(I,J-1) - H(I,J))
      IF (J.LT.NY) F = F + TY(I,J)*(H(I,J+1) - H(I,J))
      W(I,4) = H(I,J) + DT*F
   10 CONTINUE
      CALL TRI(NX, W(1,1), W(1,2), W(1,3), W(1,4), W(1,5))
      DO 30 I = 1, NX
   30 H(I,J) = W(I,5)
   40 CONTINUE
      END

      SUBROUTINE COLS(NX, NY, H, TX, TY, Q, DT)
      INTEGER NX, NY, I, J
      REAL*8 H(NX,NY), TX(NX,NY), TY(NX,NY), Q(NX,NY), DT, F
      REAL*8 A(10), B(10), C(10), R(10), X(10)
      COMMON /SOLVER/ A, B, C, R, X
      DO 40 I = 1, NX
      DO 10 J = 1, NY
      A(J) = 0D0
      IF (J.GT.1) A(J) = -DT*TY(I,J-1)
      C(J) = -DT*TY(I,J)
      B(J) = 1D0 - A(J) - C(J)
      F = Q(I,J)
      IF (I.GT.1) F = F + TX(I-1,J)*(H(I-1,J) - H(I,J))
      IF (I.LT.NX) F = F + TX(I,J)*(H(I+1,J) - H(I,J))
      R(J) = H(I,J) + DT*F
   10 CONTINUE
      CALL TRI(NY, A, B, C, R, X)
      DO 30 J = 1, NY
   30 H(I,J) = X(J)
   40 CONTINUE
      END

      SUBROUTINE TRI(N, A, B, C, R, X)
      INTEGER N, I
      REAL*8 A(N), B(N), C(N), R(N), X(N), M
      DO 10 I = 2, N
      M = A(I)/B(I-1)
      B(I) = B(I) - M*C(I-1)
      R(I) = R(I) - M*R(I-1)
   10 CONTINUE
      X(N) = R(N)/B(N)
      DO 20 I = N-1, 1, -1
   20 X(I) = (R(I) - C(I)*X(I+1))/B(I)
      END

      SUBROUTINE AQUIFER(K, PUMP, COST)
      INTEGER NX, NY
      PARAMETER (NX=6, NY=5)
      REAL*8 K(NX,NY), PUMP, COST
      REAL*8 H(NX,NY), TX(NX,NY), TY(NX,NY), Q(NX,NY)
      INTEGER I, J, IT
      DO 20 J = 1, NY
      DO 10 I = 1, NX
      H(I,J) = 3D0 + 0.1D0*I - 0.05D0*J
      Q(I,J) = 0D0
   10 CONTINUE
   20 CONTINUE
      Q(3,3) = -PUMP
      DO 30 IT = 1, 3
      CALL COEFF(NX, NY, H, K, TX, TY)
      CALL ROWS(NX, NY, H, TX, TY, Q, 0.1D0)
      CALL COEFF(NX, NY, H, K, TX, TY)
      CALL COLS(NX, NY, H, TX, TY, Q, 0.1D0)
   30 CONTINUE
      COST = 0D0
      DO 40 J = 1, NY
      DO 40 I = 1, NX
   40 COST = COST + (H(I,J) - 3D0)**2
      END
