C     A chain of masses by Newmark's method, FORTRAN 77, workspace cut
C     into pieces by the caller.
      SUBROUTINE PENDUL(N, NT, STIFF, DAMP, X0, WORK, TIP)
      INTEGER N, NT
      DOUBLE PRECISION STIFF(N), DAMP, X0(N), WORK(5*N), TIP
      INTEGER IX, IV, IA, IF1, IP, IT, I
      DOUBLE PRECISION DT, BETA, GAM
      IX = 1
      IV = IX + N
      IA = IV + N
      IF1 = IA + N
      IP = IF1 + N
      DT = 0.05D0
      BETA = 0.25D0
      GAM = 0.5D0
      DO 10 I = 1, N
         WORK(IX + I - 1) = X0(I)
         WORK(IV + I - 1) = 0D0
   10 CONTINUE
      CALL FORCES(N, STIFF, DAMP, WORK(IX), WORK(IV), WORK(IA))
      TIP = 0D0
      DO 40 IT = 1, NT
         CALL PREDIC(N, DT, BETA, GAM, WORK(IX), WORK(IV), WORK(IA))
         DO 30 I = 1, 3
            CALL FORCES(N, STIFF, DAMP, WORK(IX), WORK(IV), WORK(IF1))
            CALL CORREC(N, DT, BETA, GAM, WORK(IX), WORK(IV),
     &           WORK(IA), WORK(IF1))
   30    CONTINUE
         TIP = TIP + DT*WORK(IX + N - 1)**2
   40 CONTINUE
      END
      SUBROUTINE FORCES(N, STIFF, DAMP, X, V, F)
      INTEGER N, I
      DOUBLE PRECISION STIFF(N), DAMP, X(N), V(N), F(N), D, T, TOLD
      TOLD = STIFF(1)*X(1)*(1D0 + 0.1D0*X(1)*X(1))
      DO 10 I = 1, N
         IF (I .LT. N) THEN
            D = X(I + 1) - X(I)
            T = STIFF(I + 1)*D
            IF (D .GT. 0D0) T = T*(1D0 + 0.5D0*D)
         ELSE
            T = 0D0
         END IF
         F(I) = T - TOLD - DAMP*V(I)*ABS(V(I))
         TOLD = T
   10 CONTINUE
      END
      SUBROUTINE PREDIC(N, DT, BETA, GAM, X, V, A)
      INTEGER N, I
      DOUBLE PRECISION DT, BETA, GAM, X(N), V(N), A(N)
      DO 10 I = 1, N
         X(I) = X(I) + DT*V(I) + DT*DT*(0.5D0 - BETA)*A(I)
         V(I) = V(I) + DT*(1D0 - GAM)*A(I)
         X(I) = X(I) + BETA*DT*DT*A(I)
         V(I) = V(I) + GAM*DT*A(I)
   10 CONTINUE
      END
      SUBROUTINE CORREC(N, DT, BETA, GAM, X, V, A, F)
      INTEGER N, I
      DOUBLE PRECISION DT, BETA, GAM, X(N), V(N), A(N), F(N), D
      DO 10 I = 1, N
         D = F(I) - A(I)
         A(I) = F(I)
         X(I) = X(I) + BETA*DT*DT*D
         V(I) = V(I) + GAM*DT*D
   10 CONTINUE
      END
