C     Shortwave radiation in a cloudy column by the two-stream method of delta-Eddington layers and adding; the work
C     arrays stand in COMMON, as the code came from a weather centre; controls: cloud water, effective radius, albedo.
      SUBROUTINE LAYOPT(K, QC, RE)
      INTEGER MAXL
      PARAMETER (MAXL = 12)
      INTEGER K
      DOUBLE PRECISION QC, RE
      DOUBLE PRECISION TAU, SSA, ASY, RDIF, TDIF, RDIR, TDIR, TDB
      COMMON /OPTPRP/ TAU(MAXL), SSA(MAXL), ASY(MAXL)
      COMMON /LAYPRP/ RDIF(MAXL), TDIF(MAXL), RDIR(MAXL), TDIR(MAXL),
     &                TDB(MAXL)
      TAU(K) = 1.5D0*QC/RE + 0.05D0
      SSA(K) = 0.999D0 - 0.01D0*RE
      ASY(K) = 0.85D0 + 0.02D0*RE - 0.005D0*QC
      RETURN
      END
      SUBROUTINE LAYRT(K, XMU)
      INTEGER MAXL
      PARAMETER (MAXL = 12)
      INTEGER K
      DOUBLE PRECISION XMU, F, TP, WP, GP, G1, G2, G3, G4, AK, E, EM
      DOUBLE PRECISION DEN, A1, A2
      DOUBLE PRECISION TAU, SSA, ASY, RDIF, TDIF, RDIR, TDIR, TDB
      COMMON /OPTPRP/ TAU(MAXL), SSA(MAXL), ASY(MAXL)
      COMMON /LAYPRP/ RDIF(MAXL), TDIF(MAXL), RDIR(MAXL), TDIR(MAXL),
     &                TDB(MAXL)
      F = ASY(K)**2
      TP = (1.D0 - SSA(K)*F)*TAU(K)
      WP = (1.D0 - F)*SSA(K)/(1.D0 - SSA(K)*F)
      GP = (ASY(K) - F)/(1.D0 - F)
      G1 = (7.D0 - WP*(4.D0 + 3.D0*GP))/4.D0
      G2 = -(1.D0 - WP*(4.D0 - 3.D0*GP))/4.D0
      G3 = (2.D0 - 3.D0*GP*XMU)/4.D0
      G4 = 1.D0 - G3
      AK = SQRT(MAX(G1**2 - G2**2, 1.D-6))
      E = EXP(AK*TP)
      EM = 1.D0/E
      DEN = (AK + G1)*E + (AK - G1)*EM
      RDIF(K) = G2*(E - EM)/DEN
      TDIF(K) = 2.D0*AK/DEN
      A1 = G1*G4 + G2*G3
      A2 = G1*G3 + G2*G4
      TDB(K) = EXP(-TP/XMU)
      RDIR(K) = WP*(G3*(1.D0 - TDB(K)*TDIF(K)) - A1*XMU*RDIF(K)*0.5D0)
      TDIR(K) = WP*(G4*(TDIF(K) + 0.1D0) - A2*XMU*TDB(K)*0.2D0)
      RETURN
      END
      SUBROUTINE ADDLAY(NL, ALB, FUP, FDN)
      INTEGER MAXL
      PARAMETER (MAXL = 12)
      INTEGER NL, K
      DOUBLE PRECISION ALB, FUP(NL+1), FDN(NL+1), DENOM
      DOUBLE PRECISION RDIF, TDIF, RDIR, TDIR, TDB
      DOUBLE PRECISION RUP(MAXL+1), SRC(MAXL+1), TOP(MAXL+1)
      COMMON /LAYPRP/ RDIF(MAXL), TDIF(MAXL), RDIR(MAXL), TDIR(MAXL),
     &                TDB(MAXL)
      TOP(1) = 1.D0
      DO 10 K = 1, NL
        TOP(K+1) = TOP(K)*TDB(K)
   10 CONTINUE
      RUP(NL+1) = ALB
      SRC(NL+1) = ALB*TOP(NL+1)
      DO 20 K = NL, 1, -1
        DENOM = 1.D0/(1.D0 - RUP(K+1)*RDIF(K))
        RUP(K) = RDIF(K) + TDIF(K)**2*RUP(K+1)*DENOM
        SRC(K) = TOP(K)*RDIR(K)
     &         + TDIF(K)*(SRC(K+1) + RUP(K+1)*TOP(K)*TDIR(K))*DENOM
   20 CONTINUE
      FDN(1) = 0.D0
      DO 30 K = 1, NL
        DENOM = 1.D0/(1.D0 - RUP(K+1)*RDIF(K))
        FUP(K) = RUP(K)*FDN(K) + SRC(K)
        FDN(K+1) = (TDIF(K)*FDN(K) + TOP(K)*TDIR(K)
     &           + RDIF(K)*SRC(K+1))*DENOM
   30 CONTINUE
      FUP(NL+1) = RUP(NL+1)*FDN(NL+1) + SRC(NL+1)
      DO 40 K = 1, NL + 1
        FDN(K) = FDN(K) + TOP(K)
   40 CONTINUE
      RETURN
      END
      SUBROUTINE TWOSTR2(NC, NL, QC, RE, ALB, TOA, HEAT)
      INTEGER NC, NL, IC, K, IT
      DOUBLE PRECISION QC(NL,NC), RE(NC), ALB(NC), TOA, HEAT
      DOUBLE PRECISION FUP(13), FDN(13), XMU, ABSORB, TEMP(12)
      DOUBLE PRECISION TAU, SSA, ASY, RDIF, TDIF, RDIR, TDIR, TDB
      COMMON /OPTPRP/ TAU(12), SSA(12), ASY(12)
      COMMON /LAYPRP/ RDIF(12), TDIF(12), RDIR(12), TDIR(12), TDB(12)
      TOA = 0.D0
      HEAT = 0.D0
      DO 300 IC = 1, NC
        DO 50 K = 1, NL
          TEMP(K) = 1.D0
   50   CONTINUE
        DO 200 IT = 1, 2
          XMU = 0.4D0 + 0.2D0*IT
          DO 100 K = 1, NL
            CALL LAYOPT(K, QC(K,IC)/TEMP(K), RE(IC))
            CALL LAYRT(K, XMU)
  100     CONTINUE
          CALL ADDLAY(NL, ALB(IC), FUP, FDN)
          DO 150 K = 1, NL
            ABSORB = FDN(K) - FUP(K) - FDN(K+1) + FUP(K+1)
            TEMP(K) = TEMP(K) + 0.1D0*ABSORB
            HEAT = HEAT + ABSORB*TEMP(K)
  150     CONTINUE
          TOA = TOA + FUP(1)**2
  200   CONTINUE
  300 CONTINUE
      RETURN
      END
