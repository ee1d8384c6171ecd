C     Multigrid V-cycles for a nonlinear diffusion problem in one dimension, all levels in one array in COMMON with
C     offsets (full approximation scheme without coarse Newton); the conductivities and the source are the controls.
      SUBROUTINE SETLEV(NL, NF)
      INTEGER NL, NF, MAXN, MAXL, L, N, IOFF, NPTS
      PARAMETER (MAXN = 200, MAXL = 6)
      COMMON /MGIDX/ IOFF(MAXL), NPTS(MAXL)
      N = NF
      IOFF(1) = 0
      NPTS(1) = NF
      DO 10 L = 2, NL
        IOFF(L) = IOFF(L-1) + N + 2
        N = (N - 1)/2
        NPTS(L) = N
   10 CONTINUE
      RETURN
      END
      SUBROUTINE RELAX(L, NSWEEP)
      INTEGER L, NSWEEP, MAXN, MAXL, I, S, IOFF, NPTS, J, IC
      PARAMETER (MAXN = 200, MAXL = 6)
      DOUBLE PRECISION U, F, C, D, H2
      COMMON /MGIDX/ IOFF(MAXL), NPTS(MAXL)
      COMMON /MGDAT/ U(MAXN), F(MAXN), C(MAXN), D(MAXN)
      H2 = 4.D0**(L - 1)
      DO 30 S = 1, NSWEEP
        DO 20 IC = 1, 2
          DO 10 I = IC, NPTS(L), 2
            J = IOFF(L) + I + 1
            U(J) = (H2*F(J) + C(J)*U(J+1) + C(J-1)*U(J-1))
     &           /(C(J) + C(J-1) + 0.1D0*H2*U(J)**2)
   10     CONTINUE
   20   CONTINUE
   30 CONTINUE
      RETURN
      END
      SUBROUTINE RESTRC(L)
      INTEGER L, MAXN, MAXL, I, IOFF, NPTS, J, K
      PARAMETER (MAXN = 200, MAXL = 6)
      DOUBLE PRECISION U, F, C, D, H2
      COMMON /MGIDX/ IOFF(MAXL), NPTS(MAXL)
      COMMON /MGDAT/ U(MAXN), F(MAXN), C(MAXN), D(MAXN)
      H2 = 4.D0**(L - 1)
      DO 10 I = 1, NPTS(L)
        J = IOFF(L) + I + 1
        D(J) = F(J) - ((C(J) + C(J-1))*U(J) - C(J)*U(J+1)
     &       - C(J-1)*U(J-1))/H2 - 0.1D0*U(J)**3
   10 CONTINUE
      DO 20 I = 1, NPTS(L+1)
        J = IOFF(L) + 2*I + 1
        K = IOFF(L+1) + I + 1
        F(K) = 0.25D0*(D(J-1) + 2.D0*D(J) + D(J+1))
        C(K) = 0.5D0*(C(J) + C(J+1))
        U(K) = 0.D0
   20 CONTINUE
      C(IOFF(L+1)+1) = C(IOFF(L)+1)
      U(IOFF(L+1)+1) = 0.D0
      U(IOFF(L+1)+NPTS(L+1)+2) = 0.D0
      RETURN
      END
      SUBROUTINE PROLNG(L)
      INTEGER L, MAXN, MAXL, I, IOFF, NPTS, J, K
      PARAMETER (MAXN = 200, MAXL = 6)
      DOUBLE PRECISION U, F, C, D
      COMMON /MGIDX/ IOFF(MAXL), NPTS(MAXL)
      COMMON /MGDAT/ U(MAXN), F(MAXN), C(MAXN), D(MAXN)
      DO 10 I = 1, NPTS(L+1)
        J = IOFF(L) + 2*I + 1
        K = IOFF(L+1) + I + 1
        U(J) = U(J) + U(K)
        U(J-1) = U(J-1) + 0.5D0*(U(K) + U(K-1))
   10 CONTINUE
      I = NPTS(L)
      J = IOFF(L) + I + 1
      U(J) = U(J) + 0.5D0*U(IOFF(L+1)+NPTS(L+1)+1)
      RETURN
      END
      SUBROUTINE MGCYCLE(NB, NCYC, COND, SRC, COST)
      INTEGER NB, NF, NL, NCYC, MAXN, MAXL, I, L, IT, IOFF, NPTS
      PARAMETER (MAXN = 200, MAXL = 6)
      DOUBLE PRECISION COND(8*NB), SRC(8*NB-1), COST, U, F, C, D
      COMMON /MGIDX/ IOFF(MAXL), NPTS(MAXL)
      COMMON /MGDAT/ U(MAXN), F(MAXN), C(MAXN), D(MAXN)
      NF = 8*NB - 1
      NL = 3
      CALL SETLEV(NL, NF)
      DO 10 I = 1, NF + 1
        C(I) = COND(I)
        U(I) = 0.D0
   10 CONTINUE
      U(NF+2) = 0.D0
      DO 20 I = 1, NF
        F(I+1) = SRC(I)
   20 CONTINUE
      DO 50 IT = 1, NCYC
        DO 30 L = 1, NL - 1
          CALL RELAX(L, 2)
          CALL RESTRC(L)
   30   CONTINUE
        CALL RELAX(NL, 4)
        DO 40 L = NL - 1, 1, -1
          CALL PROLNG(L)
          CALL RELAX(L, 1)
   40   CONTINUE
   50 CONTINUE
      COST = 0.D0
      DO 60 I = 1, NF
        COST = COST + (U(I+1) - 0.1D0*I)**2
   60 CONTINUE
      RETURN
      END
