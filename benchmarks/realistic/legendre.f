C     Barotropic vorticity on the sphere by zonal wave numbers: Legendre functions by recurrence in COMMON, direct and
C     inverse transforms by Gaussian sums, an implicit leapfrog with a filter, orographic forcing; one work array, in cuts.
      SUBROUTINE LGINIT
      INTEGER NL, NM
      PARAMETER (NL=6, NM=4)
      DOUBLE PRECISION PL(NL,NM), HL(NL,NM), GW(NL), SL(NL)
      COMMON /LGPOLY/ PL, HL, GW, SL
      INTEGER J, N
      DO 20 J = 1, NL
        SL(J) = -0.9D0 + 0.36D0*(J - 1)
        GW(J) = 0.333D0*(1.0D0 - 0.1D0*ABS(SL(J)))
        PL(J,1) = 1.0D0
        PL(J,2) = SL(J)
        DO 10 N = 3, NM
          PL(J,N) = ((2*N-3)*SL(J)*PL(J,N-1) - (N-2)*PL(J,N-2))/(N-1)
   10   CONTINUE
        HL(J,1) = 0.0D0
        DO 15 N = 2, NM
          HL(J,N) = (N-1)*(PL(J,N-1) - SL(J)*PL(J,N))
   15   CONTINUE
   20 CONTINUE
      END
      SUBROUTINE DIRECT(G, S)
      INTEGER NL, NM
      PARAMETER (NL=6, NM=4)
      DOUBLE PRECISION PL(NL,NM), HL(NL,NM), GW(NL), SL(NL)
      COMMON /LGPOLY/ PL, HL, GW, SL
      DOUBLE PRECISION G(NL), S(NM), A
      INTEGER J, N
      DO 40 N = 1, NM
        A = 0.0D0
        DO 30 J = 1, NL
          A = A + GW(J)*G(J)*PL(J,N)
   30   CONTINUE
        S(N) = A*(N - 0.5D0)
   40 CONTINUE
      END
      SUBROUTINE INVERS(S, G, P)
      INTEGER NL, NM, J, N
      PARAMETER (NL=6, NM=4)
      DOUBLE PRECISION S(NM), G(NL), P(NL,NM)
      DO 60 J = 1, NL
        G(J) = 0.0D0
        DO 50 N = 1, NM
          G(J) = G(J) + S(N)*P(J,N)
   50   CONTINUE
   60 CONTINUE
      END
      SUBROUTINE TENDEN(ZC, ZS, TC, TS, OROG, DAMP, W)
      INTEGER NL, NM
      PARAMETER (NL=6, NM=4)
      DOUBLE PRECISION PL(NL,NM), HL(NL,NM), GW(NL), SL(NL)
      COMMON /LGPOLY/ PL, HL, GW, SL
      DOUBLE PRECISION ZC(NM), ZS(NM), TC(NM), TS(NM), OROG(NL), DAMP
      DOUBLE PRECISION W(*)
      INTEGER J, N
      CALL INVERS(ZC, W(1), PL)
      CALL INVERS(ZS, W(NL+1), PL)
      DO 70 N = 1, NM
        W(4*NL+N) = -ZC(N)/(N*(N+1))
        W(4*NL+NM+N) = -ZS(N)/(N*(N+1))
   70 CONTINUE
      CALL INVERS(W(4*NL+1), W(2*NL+1), HL)
      CALL INVERS(W(4*NL+NM+1), W(3*NL+1), HL)
      DO 80 J = 1, NL
        W(J) = W(J)*W(3*NL+J) + OROG(J)*W(2*NL+J) - SL(J)*W(3*NL+J)
        W(NL+J) = -W(NL+J)*W(2*NL+J) + OROG(J)*W(3*NL+J)
     &    + SL(J)*W(2*NL+J)
   80 CONTINUE
      CALL DIRECT(W(1), TC)
      CALL DIRECT(W(NL+1), TS)
      DO 90 N = 1, NM
        TC(N) = TC(N) - DAMP*N*N*ZC(N)
        TS(N) = TS(N) - DAMP*N*N*ZS(N)
   90 CONTINUE
      END
      SUBROUTINE LEGENDRE(NT, Z0, OROG, DAMP, FORC, ENERGY)
      INTEGER NT, NL, NM
      PARAMETER (NL=6, NM=4)
      DOUBLE PRECISION Z0(NM,2), OROG(NL), DAMP, FORC, ENERGY
      DOUBLE PRECISION ZO(NM,2), ZN(NM,2), ZP(NM,2), T(NM,2)
      DOUBLE PRECISION W(4*NL+2*NM), DT, RF
      INTEGER IT, N, M
      CALL LGINIT
      DT = 0.1D0
      RF = 0.05D0
      DO 110 M = 1, 2
        DO 100 N = 1, NM
          ZO(N,M) = 0.3D0*Z0(N,M)
          ZN(N,M) = ZO(N,M)*(1.0D0 - 0.01D0*N)
  100   CONTINUE
  110 CONTINUE
      ENERGY = 0.0D0
      DO 150 IT = 1, NT
C$AD CHECKPOINT-START
        CALL TENDEN(ZN(1,1), ZN(1,2), T(1,1), T(1,2), OROG, DAMP, W)
        DO 130 M = 1, 2
          DO 120 N = 1, NM
            ZP(N,M) = (ZO(N,M) + 2.0D0*DT*T(N,M))/(1.0D0 + DAMP*N)
            ZO(N,M) = ZN(N,M) + RF*(ZO(N,M) - 2.0D0*ZN(N,M) + ZP(N,M))
            ZN(N,M) = ZP(N,M)
  120     CONTINUE
  130   CONTINUE
C$AD CHECKPOINT-END
        ZN(2,1) = ZN(2,1) + DT*FORC
        DO 140 N = 1, NM
          ENERGY = ENERGY + (ZN(N,1)**2 + ZN(N,2)**2)/(N*(N+1))
  140   CONTINUE
  150 CONTINUE
      END
