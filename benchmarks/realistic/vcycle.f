C     Nonlinear Poisson (Bratu) by full approximation multigrid: all levels of solution, right hand side and residual in one
C     1-D workspace, level offsets by an integer function, smoothing by point Newton Gauss-Seidel.
      SUBROUTINE VCYCLE(NCYC, F, LAM, BC, OBJ)
      INTEGER NCYC
      DOUBLE PRECISION F(33), LAM, BC(2), OBJ
      INTEGER NLEV, LW
      PARAMETER (NLEV=3, LW=300)
      DOUBLE PRECISION W(LW)
      INTEGER I, IC, N, IU, IB, IR, IOFF, NPTS, L
      EXTERNAL IOFF, NPTS
      DO 10 I = 1, LW
         W(I) = 0.0D0
   10 CONTINUE
      N = NPTS(NLEV)
      IU = IOFF(NLEV, 1)
      IB = IOFF(NLEV, 2)
      DO 20 I = 1, N
         W(IB+I) = F(I)
         W(IU+I) = BC(1) + (BC(2) - BC(1))*(I-1)/(N-1)
   20 CONTINUE
      DO 60 IC = 1, NCYC
         DO 30 L = NLEV, 2, -1
            N = NPTS(L)
            CALL SMOOTH(N, W(IOFF(L,1)+1), W(IOFF(L,2)+1), LAM, 2)
            CALL RESIDU(N, W(IOFF(L,1)+1), W(IOFF(L,2)+1),
     &                  W(IOFF(L,3)+1), LAM)
            CALL COARSE(N, W(IOFF(L,1)+1), W(IOFF(L,3)+1),
     &                  W(IOFF(L-1,1)+1), W(IOFF(L-1,2)+1),
     &                  W(IOFF(L-1,4)+1), LAM)
   30    CONTINUE
         CALL SMOOTH(NPTS(1), W(IOFF(1,1)+1), W(IOFF(1,2)+1), LAM, 6)
         DO 40 L = 2, NLEV
            N = NPTS(L)
            CALL PROLNG(N, W(IOFF(L,1)+1), W(IOFF(L-1,1)+1),
     &                  W(IOFF(L-1,4)+1))
            CALL SMOOTH(N, W(IOFF(L,1)+1), W(IOFF(L,2)+1), LAM, 1)
   40    CONTINUE
   60 CONTINUE
      OBJ = 0.0D0
      N = NPTS(NLEV)
      IU = IOFF(NLEV, 1)
      DO 70 I = 2, N-1
         OBJ = OBJ + W(IU+I)**2/N
   70 CONTINUE
      END
      INTEGER FUNCTION NPTS(L)
      INTEGER L
      NPTS = 2**(L+1) + 1
      END
      INTEGER FUNCTION IOFF(L, K)
      INTEGER L, K, I, NPTS
      IOFF = 0
      DO 10 I = 1, L-1
         IOFF = IOFF + 4*NPTS(I)
   10 CONTINUE
      IOFF = IOFF + (K-1)*NPTS(L)
      END
      SUBROUTINE SMOOTH(N, U, B, LAM, NS)
      INTEGER N, NS, I, IS
      DOUBLE PRECISION U(N), B(N), LAM, H2, EX, R, D
      H2 = 1.0D0/DBLE(N-1)**2
      DO 20 IS = 1, NS
         DO 10 I = 2, N-1
            EX = 0.2D0*LAM*EXP(U(I))
            R = B(I) - (2.0D0*U(I) - U(I-1) - U(I+1))/H2 + EX
            D = 2.0D0/H2 - EX
            U(I) = U(I) + R/D
   10    CONTINUE
   20 CONTINUE
      END
      SUBROUTINE RESIDU(N, U, B, R, LAM)
      INTEGER N, I
      DOUBLE PRECISION U(N), B(N), R(N), LAM, H2
      H2 = 1.0D0/DBLE(N-1)**2
      R(1) = 0.0D0
      R(N) = 0.0D0
      DO 10 I = 2, N-1
         R(I) = B(I) - (2.0D0*U(I) - U(I-1) - U(I+1))/H2
     &          + 0.2D0*LAM*EXP(U(I))
   10 CONTINUE
      END
      SUBROUTINE COARSE(N, UF, RF, UC, BC, UO, LAM)
      INTEGER N, NC, I, J
      DOUBLE PRECISION UF(N), RF(N), UC(*), BC(*), UO(*), LAM, H2
      NC = (N-1)/2 + 1
      H2 = 1.0D0/DBLE(NC-1)**2
      DO 10 I = 1, NC
         UC(I) = UF(2*I-1)
         UO(I) = UC(I)
   10 CONTINUE
      DO 20 I = 2, NC-1
         J = 2*I-1
         BC(I) = 0.25D0*(RF(J-1) + 2.0D0*RF(J) + RF(J+1))
     &           + (2.0D0*UC(I) - UC(I-1) - UC(I+1))/H2
     &           - 0.2D0*LAM*EXP(UC(I))
   20 CONTINUE
      END
      SUBROUTINE PROLNG(N, UF, UC, UO)
      INTEGER N, NC, I
      DOUBLE PRECISION UF(N), UC(*), UO(*), E0, E1
      NC = (N-1)/2 + 1
      DO 10 I = 1, NC-1
         E0 = UC(I) - UO(I)
         E1 = UC(I+1) - UO(I+1)
         UF(2*I-1) = UF(2*I-1) + E0
         UF(2*I) = UF(2*I) + 0.5D0*(E0 + E1)
   10 CONTINUE
      END
