      SUBROUTINE TOP(N, X, Y)
      INTEGER N, K, I
      DOUBLE PRECISION X(N), Y, W(1000)
      DO 10 I = 1, 4*N
         W(I) = X(1 + MOD(I, N))
   10 CONTINUE
      DO 20 K = 1, 3
         CALL TWO(N, W(1 + (K - 1)*N), W(1 + K*N))
   20 CONTINUE
      Y = 0D0
      DO 30 I = 1, 4*N
         Y = Y + W(I)**2
   30 CONTINUE
      END
      SUBROUTINE TWO(N, A, B)
      INTEGER N, I
      DOUBLE PRECISION A(*), B(*)
      DO 10 I = 1, N
         A(I) = A(I)*B(I)
         B(I) = SIN(B(I)*A(I))
   10 CONTINUE
      END
