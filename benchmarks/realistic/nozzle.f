C     Quasi one-dimensional nozzle flow by MacCormack's method with
C     Jameson's dissipation, characteristic boundaries, local time steps.
      SUBROUTINE NOZZLE(AREA, PT, TT, PB, THRUST, NSTEP)
      INTEGER IM, NSTEP
      PARAMETER (IM=8)
      DOUBLE PRECISION AREA(IM), PT, TT, PB, THRUST
      DOUBLE PRECISION Q(3,IM), QB(3,IM), F(3,IM), S(3,IM)
      DOUBLE PRECISION U(IM), P(IM), C(IM), DTL(IM), RES(IM)
      DOUBLE PRECISION GAM, GM1, CFL, EM
      INTEGER I, M, N
      COMMON /GAS/ GAM, GM1
      COMMON /FLOW/ U, P, C
      GAM = 1.4D0
      GM1 = GAM - 1D0
      CFL = 0.5D0
      DO 10 I = 1, IM
        EM = 0.3D0 + 0.02D0*I
        P(I) = PT/(1D0 + 0.5D0*GM1*EM**2)**3.5D0
        Q(1,I) = P(I)/TT*(1D0 + 0.5D0*GM1*EM**2)
        U(I) = EM*DSQRT(GAM*P(I)/Q(1,I))
        Q(2,I) = Q(1,I)*U(I)
        Q(3,I) = P(I)/GM1 + 0.5D0*Q(1,I)*U(I)**2
   10 CONTINUE
      DO 100 N = 1, NSTEP
        CALL PRIM(Q, IM)
        DO 20 I = 1, IM
          DTL(I) = CFL*0.5D0/(DABS(U(I)) + C(I))
          RES(I) = 0D0
   20   CONTINUE
        CALL FLUX(Q, AREA, F, S, IM)
        DO 40 I = 2, IM - 1
          DO 30 M = 1, 3
            QB(M,I) = Q(M,I) - DTL(I)/AREA(I)*(F(M,I+1) - F(M,I)
     1                - S(M,I))
   30     CONTINUE
   40   CONTINUE
        DO 45 M = 1, 3
          QB(M,1) = Q(M,1)
          QB(M,IM) = Q(M,IM)
   45   CONTINUE
        CALL PRIM(QB, IM)
        CALL FLUX(QB, AREA, F, S, IM)
        DO 60 I = 2, IM - 1
          DO 50 M = 1, 3
            QB(M,I) = 0.5D0*(Q(M,I) + QB(M,I) - DTL(I)/AREA(I)
     1                *(F(M,I) - F(M,I-1) - S(M,I)))
   50     CONTINUE
          RES(I) = QB(1,I) - Q(1,I)
   60   CONTINUE
        CALL PRIM(Q, IM)
        CALL SMOOTH(Q, QB, IM)
        DO 80 I = 2, IM - 1
          DO 70 M = 1, 3
            Q(M,I) = QB(M,I)
   70     CONTINUE
   80   CONTINUE
        CALL BOUND(Q, PT, TT, PB, IM)
  100 CONTINUE
      CALL PRIM(Q, IM)
      THRUST = Q(2,IM)*U(IM)*AREA(IM) + (P(IM) - PB)*AREA(IM)
      END
      SUBROUTINE PRIM(Q, IM)
      INTEGER IM, I
      DOUBLE PRECISION Q(3,IM), U(8), P(8), C(8), GAM, GM1
      COMMON /GAS/ GAM, GM1
      COMMON /FLOW/ U, P, C
      DO 10 I = 1, IM
        U(I) = Q(2,I)/Q(1,I)
        P(I) = GM1*(Q(3,I) - 0.5D0*Q(2,I)*U(I))
        IF (P(I) .LT. 1D-3) P(I) = 1D-3
        C(I) = DSQRT(GAM*P(I)/Q(1,I))
   10 CONTINUE
      END
      SUBROUTINE FLUX(Q, AREA, F, S, IM)
      INTEGER IM, I, IP, IL
      DOUBLE PRECISION Q(3,IM), AREA(IM), F(3,IM), S(3,IM)
      DOUBLE PRECISION U(8), P(8), C(8)
      COMMON /FLOW/ U, P, C
      DO 10 I = 1, IM
        F(1,I) = Q(2,I)*AREA(I)
        F(2,I) = (Q(2,I)*U(I) + P(I))*AREA(I)
        F(3,I) = (Q(3,I) + P(I))*U(I)*AREA(I)
        IP = MIN0(I+1, IM)
        IL = MAX0(I-1, 1)
        S(1,I) = 0D0
        S(2,I) = P(I)*(AREA(IP) - AREA(IL))/(IP - IL)
        S(3,I) = 0D0
   10 CONTINUE
      END
      SUBROUTINE SMOOTH(Q, QB, IM)
      INTEGER IM, I, M
      DOUBLE PRECISION Q(3,IM), QB(3,IM), SW
      DOUBLE PRECISION U(8), P(8), C(8)
      COMMON /FLOW/ U, P, C
      DO 20 I = 2, IM - 1
        SW = 0.5D0*DABS(P(I+1) - 2D0*P(I) + P(I-1))
     1       /(P(I+1) + 2D0*P(I) + P(I-1))
        DO 10 M = 1, 3
          QB(M,I) = QB(M,I) + SW*(Q(M,I+1) - 2D0*Q(M,I) + Q(M,I-1))
   10   CONTINUE
   20 CONTINUE
      END
      SUBROUTINE BOUND(Q, PT, TT, PB, IM)
      INTEGER IM
      DOUBLE PRECISION Q(3,IM), PT, TT, PB, R, UI, CI, T, EM2, PI
      DOUBLE PRECISION GAM, GM1, UE, CE
      COMMON /GAS/ GAM, GM1
      UI = Q(2,2)/Q(1,2)
      CI = DSQRT(GAM*TT)
      EM2 = (UI/CI)**2
      T = TT/(1D0 + 0.5D0*GM1*EM2)
      PI = PT*(T/TT)**3.5D0
      R = PI/T
      Q(1,1) = R
      Q(2,1) = R*UI
      Q(3,1) = PI/GM1 + 0.5D0*R*UI**2
      UE = Q(2,IM-1)/Q(1,IM-1)
      PI = GM1*(Q(3,IM-1) - 0.5D0*Q(2,IM-1)*UE)
      CE = DSQRT(GAM*DABS(PI)/Q(1,IM-1))
      Q(1,IM) = Q(1,IM-1)
      IF (UE .GE. CE) GOTO 10
      PI = 0.5D0*(PI + 0.7D0*PB)
   10 Q(2,IM) = Q(1,IM)*UE
      Q(3,IM) = PI/GM1 + 0.5D0*Q(1,IM)*UE**2
      END
