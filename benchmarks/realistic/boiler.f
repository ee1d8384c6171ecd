C     A heat exchanger in Fortran 77: one work array, cut by offsets, and property tables looked up by bisection.
      SUBROUTINE BOILER(TIN, HTC, FLOW, COST, N, NT)
      INTEGER N, NT, IT, I
      DOUBLE PRECISION TIN(N), HTC, FLOW, COST
      DOUBLE PRECISION W(200)
      INTEGER ITG, ITW, ITF, IQ, ISCR
      ITG = 1
      ITW = ITG + N
      ITF = ITW + N
      IQ = ITF + N
      ISCR = IQ + N
      DO 10 I = 1, N
        W(ITG+I-1) = 4.0D0 + TIN(I)
        W(ITW+I-1) = 2.0D0 + 0.1D0*I
        W(ITF+I-1) = 1.0D0
   10 CONTINUE
      COST = 0.0D0
      DO 30 IT = 1, NT
        CALL QGAS(W(ITG), W(ITW), W(IQ), HTC, N)
        CALL WALL(W(ITW), W(IQ), W(ISCR), N)
        CALL FLUID(W(ITF), W(ITW), W(ISCR), FLOW, N)
        CALL GAS(W(ITG), W(IQ), TIN, N)
        DO 20 I = 1, N
          COST = COST + (W(ITF+I-1) - 1.5D0)**2
   20   CONTINUE
   30 CONTINUE
      END
      SUBROUTINE QGAS(TG, TW, Q, HTC, N)
      INTEGER N, I
      DOUBLE PRECISION TG(N), TW(N), Q(N), HTC, TM, CP, PROPTY
      DO 10 I = 1, N
        TM = 0.5D0*(TG(I) + TW(I))
        CP = PROPTY(TM)
        Q(I) = HTC*CP*(TG(I) - TW(I))
   10 CONTINUE
      END
      DOUBLE PRECISION FUNCTION PROPTY(T)
      DOUBLE PRECISION T, X(6), Y(6), R
      INTEGER LO, HI, MID
      DATA X /0.0D0, 1.0D0, 2.0D0, 3.0D0, 4.0D0, 6.0D0/
      DATA Y /0.9D0, 1.0D0, 1.15D0, 1.2D0, 1.22D0, 1.3D0/
      LO = 1
      HI = 6
   10 IF (HI - LO .GT. 1) THEN
        MID = (HI + LO)/2
        IF (X(MID) .GT. T) THEN
          HI = MID
        ELSE
          LO = MID
        END IF
        GO TO 10
      END IF
      R = (T - X(LO))/(X(HI) - X(LO))
      PROPTY = Y(LO) + R*(Y(HI) - Y(LO)) + 0.01D0*R*(1.0D0 - R)
      END
      SUBROUTINE WALL(TW, Q, B, N)
      INTEGER N, I
      DOUBLE PRECISION TW(N), Q(N), B(*)
C     diffusion along the wall, implicit
      DO 10 I = 1, N
        B(I) = TW(I) + 0.1D0*Q(I)
        B(N+I) = 1.4D0 + 0.02D0*TW(I)
   10 CONTINUE
      DO 20 I = 2, N
        B(N+I) = B(N+I) - 0.04D0/B(N+I-1)
        B(I) = B(I) + 0.2D0*B(I-1)/B(N+I-1)
   20 CONTINUE
      TW(N) = B(N)/B(2*N)
      DO 30 I = N - 1, 1, -1
        TW(I) = (B(I) + 0.2D0*TW(I+1))/B(N+I)
   30 CONTINUE
      END
      SUBROUTINE FLUID(TF, TW, S, FLOW, N)
      INTEGER N, I
      DOUBLE PRECISION TF(N), TW(N), S(N), FLOW, H, PROPTY
      DO 10 I = 1, N
        H = 0.3D0*FLOW**0.8D0*PROPTY(TF(I))
        S(I) = H*(TW(I) - TF(I))
   10 CONTINUE
      DO 20 I = N, 2, -1
        TF(I) = TF(I) + 0.1D0*(S(I) - FLOW*(TF(I) - TF(I-1)))
   20 CONTINUE
      TF(1) = TF(1) + 0.1D0*S(1)
      END
      SUBROUTINE GAS(TG, Q, TIN, N)
      INTEGER N, I
      DOUBLE PRECISION TG(N), Q(N), TIN(N)
      DO 10 I = 1, N
        TG(I) = TG(I) - 0.05D0*Q(I)
        IF (TG(I) .LT. 2.0D0) TG(I) = 2.0D0 + 0.1D0*TIN(I)
   10 CONTINUE
      END
