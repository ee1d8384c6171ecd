C     Land surface in the style of an old general circulation model:
C     canopy, ground, interception and three soil layers, many scalars,
C     IF chains and GOTOs; diagnostics by statement functions.
      SUBROUTINE SIB(FORC, PARM, NSTEP, RUNOFF)
      INTEGER NSTEP, ISTEP
      DOUBLE PRECISION FORC(5), PARM(6), RUNOFF
      DOUBLE PRECISION TC, TG, TD, W(3), CAPAC(2), SNOW
      DOUBLE PRECISION VCOVER, ZLT, RST0, PHSAT, BEE, SATCO
      COMMON /PROG/ TC, TG, TD, W, CAPAC, SNOW
      COMMON /VEG/ VCOVER, ZLT, RST0, PHSAT, BEE, SATCO
      VCOVER = 0.6D0*PARM(1)
      ZLT = 2D0*PARM(2)
      RST0 = PARM(3)
      PHSAT = -0.2D0*PARM(4)
      BEE = 4D0*PARM(5)
      SATCO = 0.2D0*PARM(6)
      TC = 1D0
      TG = 1.02D0
      TD = 0.98D0
      W(1) = 0.5D0
      W(2) = 0.6D0
      W(3) = 0.7D0
      CAPAC(1) = 0D0
      CAPAC(2) = 0D0
      SNOW = 0D0
      RUNOFF = 0D0
      DO 10 ISTEP = 1, NSTEP
        CALL INTERC(FORC(1)*(1D0 + 0.5D0*DSIN(0.7D0*ISTEP)), RUNOFF)
        CALL FLUXES(FORC(2), FORC(3), FORC(4), FORC(5))
        CALL SOILW(RUNOFF)
   10 CONTINUE
      RUNOFF = RUNOFF + 0.1D0*TG*W(3)
      END
      SUBROUTINE INTERC(PRECIP, RUNOFF)
      DOUBLE PRECISION PRECIP, RUNOFF
      DOUBLE PRECISION TC, TG, TD, W(3), CAPAC(2), SNOW
      DOUBLE PRECISION VCOVER, ZLT, RST0, PHSAT, BEE, SATCO
      DOUBLE PRECISION SATCAP, FPI, P0, XS, XSC, THRU, ROFF
      COMMON /PROG/ TC, TG, TD, W, CAPAC, SNOW
      COMMON /VEG/ VCOVER, ZLT, RST0, PHSAT, BEE, SATCO
      P0 = 0.3D0*PRECIP
      IF (TG .LT. 0.97D0) THEN
        SNOW = SNOW + P0
        GOTO 100
      END IF
      SATCAP = 0.1D0*ZLT
      FPI = VCOVER*(1D0 - DEXP(-0.5D0*ZLT))
      XSC = DMAX1(0D0, CAPAC(1) - SATCAP)
      CAPAC(1) = CAPAC(1) - XSC + FPI*P0
      XS = 0D0
      IF (CAPAC(1) .GT. SATCAP) THEN
        XS = CAPAC(1) - SATCAP
        CAPAC(1) = SATCAP
      END IF
      THRU = (1D0 - FPI)*P0 + XS + XSC
      CAPAC(2) = CAPAC(2) + THRU
      ROFF = 0D0
      IF (CAPAC(2) .LE. 0.2D0) GOTO 50
      ROFF = (CAPAC(2) - 0.2D0)*0.5D0
      CAPAC(2) = CAPAC(2) - ROFF
   50 RUNOFF = RUNOFF + ROFF
      W(1) = W(1) + 0.5D0*CAPAC(2)
      CAPAC(2) = 0.5D0*CAPAC(2)
  100 IF (SNOW .LE. 0D0 .OR. TG .LT. 1D0) RETURN
      XS = DMIN1(SNOW, 0.3D0*(TG - 1D0))
      SNOW = SNOW - XS
      W(1) = W(1) + XS
      TG = TG - 0.5D0*XS
      END
      SUBROUTINE FLUXES(SW, TM, EM, UM)
      DOUBLE PRECISION SW, TM, EM, UM
      DOUBLE PRECISION TC, TG, TD, W(3), CAPAC(2), SNOW
      DOUBLE PRECISION VCOVER, ZLT, RST0, PHSAT, BEE, SATCO
      DOUBLE PRECISION T, E, RA, RB, RD, RC, RG, HC, HG, EC, EG, ETC
      DOUBLE PRECISION ETG, PSI, FT, FW, FE, RADC, RADG, WETC, CCX, X
      DOUBLE PRECISION ESAT, STAB, DEF
      COMMON /PROG/ TC, TG, TD, W, CAPAC, SNOW
      COMMON /VEG/ VCOVER, ZLT, RST0, PHSAT, BEE, SATCO
      ESAT(T) = 0.6D0*DEXP(5D0*(T - 1D0)/(T + 0.2D0))
      STAB(T, E) = 1D0 + 0.3D0*(T - E)/(0.2D0 + DABS(T - E))
      ETC = ESAT(TC)
      ETG = ESAT(TG)
      RA = 1D0/(0.5D0*UM*STAB(TG, TM))
      RB = 0.3D0/DSQRT(UM*ZLT)
      RD = 0.8D0/DSQRT(UM)
      PSI = PHSAT*W(2)**(-BEE)
      FW = DMIN1(1D0, DMAX1(0.05D0, 1D0 + 0.2D0*PSI))
      FT = TC*(2D0 - TC)
      IF (FT .LT. 0.1D0) FT = 0.1D0
      DEF = DMAX1(0D0, ETC - 0.3D0*EM)
      FE = 1D0/(1D0 + 0.5D0*DEF)
      RC = RST0/(ZLT*FW*FT*FE)
      RG = 0.2D0 + DEXP(2D0 - 3D0*W(1))
      WETC = DMIN1(1D0, CAPAC(1)/(0.1D0*ZLT))
      HC = (TC - TM)/(RA + RB)
      HG = (TG - TM)/(RA + RD)
      EC = (ETC - 0.3D0*EM)*(WETC/(RB + RA) + (1D0 - WETC)/(RC + RB))
      EG = (ETG - 0.3D0*EM)/(RG + RD)
      IF (EG .LT. 0D0) EG = 0.1D0*EG
      X = 1D0 - DEXP(-0.5D0*ZLT*VCOVER)
      RADC = SW*X*0.8D0 - 0.5D0*X*(TC**4 - TG**4)
      RADG = SW*(1D0 - X)*0.7D0 + 0.5D0*X*(TC**4 - TG**4)
      IF (SNOW .GT. 0.1D0) RADG = 0.4D0*RADG
      CCX = 0.2D0 + 0.1D0*ZLT + CAPAC(1)
      TC = TC + 0.1D0*(RADC - HC - EC)/CCX
      TG = TG + 0.1D0*(RADG - HG - EG - (TG - TD))/(0.5D0 + W(1))
      TD = TD + 0.02D0*(TG - TD)
      CAPAC(1) = DMAX1(0D0, CAPAC(1) - 0.1D0*EC*WETC)
      W(1) = DMAX1(0.05D0, W(1) - 0.02D0*EG)
      W(2) = DMAX1(0.05D0, W(2) - 0.02D0*EC*(1D0 - WETC))
      END
      SUBROUTINE SOILW(RUNOFF)
      DOUBLE PRECISION RUNOFF
      DOUBLE PRECISION TC, TG, TD, W(3), CAPAC(2), SNOW
      DOUBLE PRECISION VCOVER, ZLT, RST0, PHSAT, BEE, SATCO
      DOUBLE PRECISION Q(2), CON(3), PS(3), DRAIN
      INTEGER I
      COMMON /PROG/ TC, TG, TD, W, CAPAC, SNOW
      COMMON /VEG/ VCOVER, ZLT, RST0, PHSAT, BEE, SATCO
      DO 10 I = 1, 3
        IF (W(I) .GT. 1D0) THEN
          RUNOFF = RUNOFF + W(I) - 1D0
          W(I) = 1D0
        END IF
        PS(I) = PHSAT*W(I)**(-BEE)
        CON(I) = SATCO*W(I)**(2D0*BEE + 3D0)
   10 CONTINUE
      DO 20 I = 1, 2
        Q(I) = 0.5D0*(CON(I) + CON(I+1))*((PS(I) - PS(I+1)) + 1D0)
        Q(I) = DMIN1(Q(I), 0.2D0*W(I))
        Q(I) = DMAX1(Q(I), -0.2D0*W(I+1))
   20 CONTINUE
      DRAIN = 0.1D0*CON(3)
      W(1) = W(1) - Q(1)
      W(2) = W(2) + Q(1) - Q(2)
      W(3) = W(3) + Q(2) - DRAIN
      RUNOFF = RUNOFF + DRAIN
      END
