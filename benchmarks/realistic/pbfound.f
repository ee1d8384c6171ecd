C     Plate strip on an elastic foundation that stiffens with settlement: banded Cholesky in LAPACK's lower band storage
C     (unblocked), a modified Newton loop, and one step of iterative refinement with a work array cut by offsets.
      SUBROUTINE PBFND(N, NSTEP, EI, Q, FK, ALPHA, ENERGY)
      INTEGER N, NSTEP
      DOUBLE PRECISION EI(N), Q(N), FK, ALPHA, ENERGY
      INTEGER KD, LDAB, NMAX
      PARAMETER (KD=2, LDAB=4, NMAX=40)
      DOUBLE PRECISION AB(LDAB,NMAX), WORK(4*NMAX)
      INTEGER I, IT, INFO, IU, IR, IS
      IU = 1
      IR = IU + N
      IS = IR + N
      DO 10 I = 1, N
         WORK(IU+I-1) = 0.0D0
   10 CONTINUE
      DO 50 IT = 1, NSTEP
         CALL BANDK(N, EI, FK, ALPHA, WORK(IU), AB, LDAB)
         CALL RESID(N, EI, FK, ALPHA, Q, WORK(IU), WORK(IR))
         CALL PBTF2(N, KD, AB, LDAB, INFO)
         IF (INFO .NE. 0) GO TO 90
         CALL PBTRS(N, KD, AB, LDAB, WORK(IR))
         DO 30 I = 1, N
            WORK(IU+I-1) = WORK(IU+I-1) + WORK(IR+I-1)
   30    CONTINUE
         CALL RESID(N, EI, FK, ALPHA, Q, WORK(IU), WORK(IS))
         CALL PBTRS(N, KD, AB, LDAB, WORK(IS))
         DO 40 I = 1, N
            WORK(IU+I-1) = WORK(IU+I-1) + WORK(IS+I-1)
   40    CONTINUE
   50 CONTINUE
   90 ENERGY = 0.0D0
      DO 100 I = 1, N
         ENERGY = ENERGY + Q(I)*WORK(IU+I-1)
  100 CONTINUE
      END
      SUBROUTINE BANDK(N, EI, FK, ALPHA, U, AB, LDAB)
      INTEGER N, LDAB, I, J
      DOUBLE PRECISION EI(N), FK, ALPHA, U(N), AB(LDAB,*)
      DO 10 J = 1, N
         DO 10 I = 1, LDAB
            AB(I,J) = 0.0D0
   10 CONTINUE
      DO 20 J = 1, N
         AB(1,J) = FK*(1.0D0 + 3.0D0*ALPHA*U(J)*U(J)) + 0.1D0
   20 CONTINUE
      DO 30 J = 2, N-1
         AB(1,J-1) = AB(1,J-1) + EI(J)
         AB(1,J) = AB(1,J) + 4.0D0*EI(J)
         AB(1,J+1) = AB(1,J+1) + EI(J)
         AB(2,J-1) = AB(2,J-1) - 2.0D0*EI(J)
         AB(2,J) = AB(2,J) - 2.0D0*EI(J)
         AB(3,J-1) = AB(3,J-1) + EI(J)
   30 CONTINUE
      END
      SUBROUTINE RESID(N, EI, FK, ALPHA, Q, U, R)
      INTEGER N, J
      DOUBLE PRECISION EI(N), FK, ALPHA, Q(N), U(N), R(N), CURV
      DO 10 J = 1, N
         R(J) = Q(J) - FK*(U(J) + ALPHA*U(J)**3) - 0.1D0*U(J)
   10 CONTINUE
      DO 20 J = 2, N-1
         CURV = EI(J)*(U(J-1) - 2.0D0*U(J) + U(J+1))
         R(J-1) = R(J-1) - CURV
         R(J) = R(J) + 2.0D0*CURV
         R(J+1) = R(J+1) - CURV
   20 CONTINUE
      END
      SUBROUTINE PBTF2(N, KD, AB, LDAB, INFO)
      INTEGER N, KD, LDAB, INFO, I, J, K, KN
      DOUBLE PRECISION AB(LDAB,*), AJJ
      INFO = 0
      DO 40 J = 1, N
         AJJ = AB(1,J)
         IF (AJJ .LE. 0.0D0) GO TO 50
         AJJ = SQRT(AJJ)
         AB(1,J) = AJJ
         KN = MIN(KD, N-J)
         DO 10 I = 1, KN
            AB(I+1,J) = AB(I+1,J)/AJJ
   10    CONTINUE
         DO 30 K = 1, KN
            DO 20 I = K, KN
               AB(I-K+1,J+K) = AB(I-K+1,J+K) - AB(I+1,J)*AB(K+1,J)
   20       CONTINUE
   30    CONTINUE
   40 CONTINUE
      RETURN
   50 INFO = J
      END
      SUBROUTINE PBTRS(N, KD, AB, LDAB, B)
      INTEGER N, KD, LDAB, I, J
      DOUBLE PRECISION AB(LDAB,*), B(N), TEMP
      DO 20 J = 1, N
         B(J) = B(J)/AB(1,J)
         TEMP = B(J)
         DO 10 I = J+1, MIN(N, J+KD)
            B(I) = B(I) - TEMP*AB(I-J+1,J)
   10    CONTINUE
   20 CONTINUE
      DO 40 J = N, 1, -1
         TEMP = B(J)
         DO 30 I = MIN(N, J+KD), J+1, -1
            TEMP = TEMP - AB(I-J+1,J)*B(I)
   30    CONTINUE
         B(J) = TEMP/AB(1,J)
   40 CONTINUE
      END
