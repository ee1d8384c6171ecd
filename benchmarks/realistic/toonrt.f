C     Shortwave two-stream fluxes of a cloudy column after Toon et al.: delta scaling, gamma coefficients, the banded system
C     by a tridiagonal solver (DTRIDGL), bands in a loop, heating rates and a surface temperature step.
      SUBROUTINE TOONRT(NL, NB, CLD, VAP, ALB, MU0, TS, OUT)
      INTEGER NL, NB
      DOUBLE PRECISION CLD(NL), VAP(NL), ALB, MU0, TS, OUT
      INTEGER MX
      PARAMETER (MX=30)
      DOUBLE PRECISION TAU(MX), W0(MX), G(MX), FUP(MX), FDN(MX)
      DOUBLE PRECISION HEAT(MX), AK, T
      INTEGER K, IB, IT
      T = TS
      DO 40 IT = 1, 3
         DO 10 K = 1, NL
            HEAT(K) = 0.0D0
   10    CONTINUE
         DO 30 IB = 1, NB
            AK = 0.3D0*IB*IB/(NB*T)
            CALL OPTICS(NL, IB, AK, CLD, VAP, TAU, W0, G)
            CALL DELTA(NL, TAU, W0, G)
            CALL TWOSTR(NL, TAU, W0, G, 0.5D0*MU0, 0.3D0*ALB, FUP, FDN)
            DO 20 K = 1, NL
               HEAT(K) = HEAT(K) + (FDN(K) - FUP(K) - FDN(K+1)
     &                   + FUP(K+1))/NB
   20       CONTINUE
            T = T + 0.01D0*(FDN(NL+1) - FUP(NL+1))/NB
   30    CONTINUE
   40 CONTINUE
      OUT = T
      DO 50 K = 1, NL
         OUT = OUT + HEAT(K)**2
   50 CONTINUE
      END
      SUBROUTINE OPTICS(NL, IB, AK, CLD, VAP, TAU, W0, G)
      INTEGER NL, IB, K
      DOUBLE PRECISION AK, CLD(NL), VAP(NL), TAU(30), W0(30), G(30)
      DOUBLE PRECISION TC, TR, TA
      DO 10 K = 1, NL
         TC = 0.0D0
         IF (CLD(K) .GT. 0.8D0) TC = 2.0D0*(CLD(K) - 0.8D0)
         TR = 0.1D0/IB
         TA = AK*VAP(K)
         TAU(K) = TC + TR + TA
         W0(K) = (0.999D0*TC + TR)/TAU(K)
         G(K) = 0.85D0*TC/(TC + TR)
   10 CONTINUE
      END
      SUBROUTINE DELTA(NL, TAU, W0, G)
      INTEGER NL, K
      DOUBLE PRECISION TAU(30), W0(30), G(30), F
      DO 10 K = 1, NL
         F = G(K)*G(K)
         TAU(K) = (1.0D0 - W0(K)*F)*TAU(K)
         W0(K) = (1.0D0 - F)*W0(K)/(1.0D0 - W0(K)*F)
         G(K) = G(K)/(1.0D0 + G(K))
   10 CONTINUE
      END
      SUBROUTINE TWOSTR(NL, TAU, W0, G, U0, RS, FUP, FDN)
      INTEGER NL, MX
      PARAMETER (MX=30)
      DOUBLE PRECISION TAU(30), W0(30), G(30), U0, RS, FUP(30), FDN(30)
      DOUBLE PRECISION G1, G2, G3, LAM, GAM, EP, EM, DEN, CP0, CM0
      DOUBLE PRECISION CPB(MX), CMB(MX), CPT(MX), CMT(MX)
      DOUBLE PRECISION E1(MX), E2(MX), E3(MX), E4(MX), TC(MX)
      DOUBLE PRECISION AF(2*MX), BF(2*MX), CF(2*MX), DF(2*MX), X(2*MX)
      DOUBLE PRECISION S3, SSFC, Y1, Y2
      INTEGER K, L, L2
      S3 = SQRT(3.0D0)
      TC(1) = 0.0D0
      DO 10 K = 1, NL
         G1 = S3*(2.0D0 - W0(K)*(1.0D0 + G(K)))/2.0D0
         G2 = S3*W0(K)*(1.0D0 - G(K))/2.0D0
         G3 = (1.0D0 - S3*G(K)*U0)/2.0D0
         LAM = SQRT(G1*G1 - G2*G2)
         GAM = (G1 - LAM)/G2
         EP = EXP(MIN(LAM*TAU(K), 35.0D0))
         EM = 1.0D0/EP
         E1(K) = EP + GAM*EM
         E2(K) = EP - GAM*EM
         E3(K) = GAM*EP + EM
         E4(K) = GAM*EP - EM
         TC(K+1) = TC(K) + TAU(K)
         DEN = LAM*LAM - 1.0D0/(U0*U0)
         IF (ABS(DEN) .LT. 1.0D-8) DEN = 1.0D-8
         CP0 = W0(K)*((G1 - 1.0D0/U0)*G3 + (1.0D0 - G3)*G2)/DEN
         CM0 = W0(K)*((G1 + 1.0D0/U0)*(1.0D0 - G3) + G2*G3)/DEN
         CPT(K) = CP0*EXP(-TC(K)/U0)
         CPB(K) = CP0*EXP(-TC(K+1)/U0)
         CMT(K) = CM0*EXP(-TC(K)/U0)
         CMB(K) = CM0*EXP(-TC(K+1)/U0)
   10 CONTINUE
      SSFC = RS*U0*EXP(-TC(NL+1)/U0)
      L2 = 2*NL
      AF(1) = 0.0D0
      BF(1) = E1(1)
      CF(1) = -E2(1)
      DF(1) = -CMT(1)
      K = 0
      DO 20 L = 2, L2 - 1, 2
         K = K + 1
         AF(L) = E2(K+1)*E1(K) - E3(K)*E4(K+1)
         BF(L) = E2(K)*E2(K+1) - E4(K)*E4(K+1)
         CF(L) = E1(K+1)*E4(K+1) - E2(K+1)*E3(K+1)
         DF(L) = (CPT(K+1) - CPB(K))*E2(K+1)
     &           - (CMT(K+1) - CMB(K))*E4(K+1)
   20 CONTINUE
      K = 0
      DO 30 L = 3, L2 - 1, 2
         K = K + 1
         AF(L) = E2(K)*E3(K) - E4(K)*E1(K)
         BF(L) = E1(K)*E1(K+1) - E3(K)*E3(K+1)
         CF(L) = E3(K)*E4(K+1) - E1(K)*E2(K+1)
         DF(L) = E3(K)*(CPT(K+1) - CPB(K)) + E1(K)*(CMB(K) - CMT(K+1))
   30 CONTINUE
      AF(L2) = E1(NL) - RS*E3(NL)
      BF(L2) = E2(NL) - RS*E4(NL)
      CF(L2) = 0.0D0
      DF(L2) = SSFC - CPB(NL) + RS*CMB(NL)
      CALL DTRIDG(L2, AF, BF, CF, DF, X)
      DO 40 K = 1, NL
         Y1 = X(2*K-1)
         Y2 = X(2*K)
         FUP(K) = Y1*(E3(K) - E1(K)) + Y2*(E2(K) - E4(K)) + CPT(K)
         FDN(K) = Y1*E1(K) - Y2*E2(K) + CMT(K) + U0*EXP(-TC(K)/U0)
   40 CONTINUE
      FUP(NL+1) = X(L2-1)*E1(NL) + X(L2)*E2(NL) + CPB(NL)
      FDN(NL+1) = X(L2-1)*E3(NL) + X(L2)*E4(NL) + CMB(NL)
     &            + U0*EXP(-TC(NL+1)/U0)
      END
      SUBROUTINE DTRIDG(L, AF, BF, CF, DF, XK)
      INTEGER L, MX, I
      PARAMETER (MX=30)
      DOUBLE PRECISION AF(L), BF(L), CF(L), DF(L), XK(L), X
      DOUBLE PRECISION AS(2*MX), DS(2*MX)
      AS(L) = AF(L)/BF(L)
      DS(L) = DF(L)/BF(L)
      DO 10 I = L - 1, 1, -1
         X = 1.0D0/(BF(I) - CF(I)*AS(I+1))
         AS(I) = AF(I)*X
         DS(I) = (DF(I) - CF(I)*DS(I+1))*X
   10 CONTINUE
      XK(1) = DS(1)
      DO 20 I = 2, L
         XK(I) = DS(I) - AS(I)*XK(I-1)
   20 CONTINUE
      END
