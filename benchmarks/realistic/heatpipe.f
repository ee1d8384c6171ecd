C     A loop heat pipe by the method of lines: all arrays in one workspace, offsets set once at the top, Heun steps,
C     wick saturation and wall temperature, evaporation limited by a capillary threshold.
      SUBROUTINE HPRHS(N, TW, S, Q, DT, DS)
      INTEGER N, I
      DOUBLE PRECISION TW(N), S(N), Q(N), DT(N), DS(N), E, CAP
      DO 10 I = 1, N
        CAP = S(I)**3/(0.1D0 + S(I)**2)
        E = MAX(TW(I) - 0.4D0, 0.0D0)*CAP
        DT(I) = Q(I) - E
        DS(I) = -0.5D0*E
        IF (I .GT. 1) THEN
          DT(I) = DT(I) + 0.8D0*(TW(I-1) - TW(I))
          DS(I) = DS(I) + 0.3D0*(S(I-1)**2 - S(I)**2)
        END IF
        IF (I .LT. N) THEN
          DT(I) = DT(I) + 0.8D0*(TW(I+1) - TW(I))
          DS(I) = DS(I) + 0.3D0*(S(I+1)**2 - S(I)**2)
        END IF
   10 CONTINUE
      DS(1) = DS(1) + 0.4D0*(1.0D0 - S(1))
      END
      SUBROUTINE HPAXPY(N, A, X, Y, Z)
      INTEGER N, I
      DOUBLE PRECISION A, X(N), Y(N), Z(N)
      DO 20 I = 1, N
        Z(I) = Y(I) + A*X(I)
   20 CONTINUE
      END
      SUBROUTINE HPLIM(N, S)
      INTEGER N, I
      DOUBLE PRECISION S(N)
      DO 30 I = 1, N
        IF (S(I) .LT. 0.05D0) S(I) = 0.05D0
        IF (S(I) .GT. 1.0D0) S(I) = 1.0D0
   30 CONTINUE
      END
      SUBROUTINE HEATPIPE(N, NT, T0, Q, H, COST)
      INTEGER N, NT, NMAX
      PARAMETER (NMAX = 20)
      DOUBLE PRECISION T0, Q(N), H, COST
      DOUBLE PRECISION W(8*NMAX), TAU
      INTEGER IT, IS, IDT, IDS, IT1, IS1, IDT1, IDS1, I, K
      IT = 1
      IS = IT + N
      IDT = IS + N
      IDS = IDT + N
      IT1 = IDS + N
      IS1 = IT1 + N
      IDT1 = IS1 + N
      IDS1 = IDT1 + N
      TAU = 0.1D0*H
      DO 40 I = 0, N - 1
        W(IT+I) = T0*(1.0D0 + 0.1D0*I)
        W(IS+I) = 0.9D0
   40 CONTINUE
      DO 60 K = 1, NT
C$AD CHECKPOINT-START
        CALL HPRHS(N, W(IT), W(IS), Q, W(IDT), W(IDS))
        CALL HPAXPY(N, TAU, W(IDT), W(IT), W(IT1))
        CALL HPAXPY(N, TAU, W(IDS), W(IS), W(IS1))
        CALL HPLIM(N, W(IS1))
C$AD CHECKPOINT-END
        CALL HPRHS(N, W(IT1), W(IS1), Q, W(IDT1), W(IDS1))
        DO 50 I = 0, N - 1
          W(IT+I) = W(IT+I) + 0.5D0*TAU*(W(IDT+I) + W(IDT1+I))
          W(IS+I) = W(IS+I) + 0.5D0*TAU*(W(IDS+I) + W(IDS1+I))
   50   CONTINUE
        CALL HPLIM(N, W(IS))
   60 CONTINUE
      COST = 0.0D0
      DO 70 I = 1, N
        COST = COST + (W(IT+I-1) - 0.5D0)**2 + 0.1D0*W(IS+I-1)
   70 CONTINUE
      END
