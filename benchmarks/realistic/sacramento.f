C     A soil moisture accounting model in the manner of the seventies: tension and free water in two zones, percolation,
C     interflow, a unit hydrograph and a linear channel; parameters, states and fluxes stand in COMMON blocks.
      SUBROUTINE SACRUN(PAR, RAIN, PET, NT, OBS, ERR)
      IMPLICIT NONE
      INTEGER NT, IT, I
      REAL*8 PAR(10), RAIN(NT), PET(NT), OBS(NT), ERR
      REAL*8 UZTWM, UZFWM, LZTWM, LZFSM, LZFPM, UZK, LZSK, LZPK,
     &  ZPERC, REXP
      COMMON /SPARM/ UZTWM, UZFWM, LZTWM, LZFSM, LZFPM, UZK, LZSK,
     &  LZPK, ZPERC, REXP
      REAL*8 UZTWC, UZFWC, LZTWC, LZFSC, LZFPC
      COMMON /SSTAT/ UZTWC, UZFWC, LZTWC, LZFSC, LZFPC
      REAL*8 SURF, SINT, BASE, EVAP
      COMMON /SFLUX/ SURF, SINT, BASE, EVAP
      REAL*8 UH(6), QUE(6), QCH, KCH
      COMMON /ROUT/ UH, QUE, QCH, KCH
      UZTWM = 0.5D0 + PAR(1)
      UZFWM = 0.4D0 + PAR(2)
      LZTWM = 1.5D0*PAR(3)
      LZFSM = 0.8D0*PAR(4)
      LZFPM = 1.2D0*PAR(5)
      UZK = 0.3D0*PAR(6)
      LZSK = 0.1D0*PAR(7)
      LZPK = 0.02D0*PAR(8)
      ZPERC = 4.0D0*PAR(9)
      REXP = 1.0D0 + PAR(10)
      UZTWC = 0.5D0*UZTWM
      UZFWC = 0.2D0*UZFWM
      LZTWC = 0.6D0*LZTWM
      LZFSC = 0.3D0*LZFSM
      LZFPC = 0.5D0*LZFPM
      CALL UNIT
      ERR = 0.0D0
      DO 10 IT = 1, NT
        CALL EVAPO(PET(IT))
        CALL ZONES(RAIN(IT))
        CALL ROUTE
        ERR = ERR + (DSQRT(QCH + 1.0D-3) - DSQRT(OBS(IT)))**2
   10 CONTINUE
      DO 20 I = 1, 6
        ERR = ERR + 1.0D-2*QUE(I)**2
   20 CONTINUE
      END
C     Triangle of the unit hydrograph
      SUBROUTINE UNIT
      IMPLICIT NONE
      REAL*8 UH(6), QUE(6), QCH, KCH, S
      COMMON /ROUT/ UH, QUE, QCH, KCH
      INTEGER I
      S = 0.0D0
      DO 10 I = 1, 6
        UH(I) = DMIN1(DBLE(I), 7.0D0 - I)
        S = S + UH(I)
        QUE(I) = 0.0D0
   10 CONTINUE
      DO 20 I = 1, 6
        UH(I) = UH(I)/S
   20 CONTINUE
      QCH = 0.1D0
      KCH = 0.6D0
      END
C     Evaporation from the upper, then the lower zone
      SUBROUTINE EVAPO(PE)
      IMPLICIT NONE
      REAL*8 PE, E1, E2, E3, RED, R1, R2, DEL
      REAL*8 UZTWM, UZFWM, LZTWM, LZFSM, LZFPM, UZK, LZSK, LZPK,
     &  ZPERC, REXP
      COMMON /SPARM/ UZTWM, UZFWM, LZTWM, LZFSM, LZFPM, UZK, LZSK,
     &  LZPK, ZPERC, REXP
      REAL*8 UZTWC, UZFWC, LZTWC, LZFSC, LZFPC
      COMMON /SSTAT/ UZTWC, UZFWC, LZTWC, LZFSC, LZFPC
      REAL*8 SURF, SINT, BASE, EVAP
      COMMON /SFLUX/ SURF, SINT, BASE, EVAP
      E2 = 0.0D0
      E1 = 0.3D0*PE*UZTWC/UZTWM
      IF (E1 .GT. UZTWC) THEN
        E1 = UZTWC
        UZTWC = 0.0D0
        RED = 0.3D0*PE - E1
        E2 = DMIN1(RED, UZFWC)
        UZFWC = UZFWC - E2
      ELSE
        UZTWC = UZTWC - E1
      END IF
      R1 = UZTWC/UZTWM
      R2 = UZFWC/UZFWM
      IF (R1 .LT. R2) THEN
        DEL = (UZTWC + UZFWC)/(UZTWM + UZFWM)
        UZTWC = UZTWM*DEL
        UZFWC = UZFWM*DEL
      END IF
      E3 = (0.3D0*PE - E1 - E2)*LZTWC/(UZTWM + LZTWM)
      E3 = DMIN1(E3, LZTWC)
      LZTWC = LZTWC - E3
      EVAP = E1 + E2 + E3
      END
C     Water through the zones in four increments
      SUBROUTINE ZONES(PX)
      IMPLICIT NONE
      REAL*8 PX, TW, DT, DEFR, PERCM, PERC, FR, XS, BF
      INTEGER I
      REAL*8 UZTWM, UZFWM, LZTWM, LZFSM, LZFPM, UZK, LZSK, LZPK,
     &  ZPERC, REXP
      COMMON /SPARM/ UZTWM, UZFWM, LZTWM, LZFSM, LZFPM, UZK, LZSK,
     &  LZPK, ZPERC, REXP
      REAL*8 UZTWC, UZFWC, LZTWC, LZFSC, LZFPC
      COMMON /SSTAT/ UZTWC, UZFWC, LZTWC, LZFSC, LZFPC
      REAL*8 SURF, SINT, BASE, EVAP
      COMMON /SFLUX/ SURF, SINT, BASE, EVAP
      SURF = 0.0D0
      SINT = 0.0D0
      BASE = 0.0D0
      TW = PX + UZTWC - UZTWM
      IF (TW .LE. 0.0D0) THEN
        UZTWC = UZTWC + PX
        TW = 0.0D0
      ELSE
        UZTWC = UZTWM
      END IF
      DT = 0.25D0
      DO 30 I = 1, 4
        BF = LZFPC*LZPK*DT
        LZFPC = LZFPC - BF
        BASE = BASE + BF
        BF = LZFSC*LZSK*DT
        LZFSC = LZFSC - BF
        BASE = BASE + BF
        PERC = 0.0D0
        IF (UZFWC .GT. 1.0D-2) THEN
          PERCM = LZFPM*LZPK + LZFSM*LZSK
          DEFR = 1.0D0 - (LZTWC + LZFPC + LZFSC)/(LZTWM + LZFPM + LZFSM)
          DEFR = DMAX1(DEFR, 1.0D-4)
          PERC = PERCM*(1.0D0 + ZPERC*DEFR**REXP)*UZFWC/UZFWM*DT
          IF (PERC .GT. UZFWC) PERC = UZFWC
          UZFWC = UZFWC - PERC
          BF = UZFWC*UZK*DT
          SINT = SINT + BF
          UZFWC = UZFWC - BF
        END IF
        FR = 0.3D0*PERC
        XS = LZTWC + PERC - FR - LZTWM
        IF (XS .GT. 0.0D0) THEN
          LZTWC = LZTWM
          FR = FR + XS
        ELSE
          LZTWC = LZTWC + PERC - 0.3D0*PERC
        END IF
        XS = FR*(1.0D0 - LZFPC/LZFPM)
        LZFPC = LZFPC + XS
        LZFSC = LZFSC + FR - XS
        IF (LZFSC .GT. LZFSM) THEN
          SINT = SINT + LZFSC - LZFSM
          LZFSC = LZFSM
        END IF
        UZFWC = UZFWC + DT*TW
        IF (UZFWC .GT. UZFWM) THEN
          SURF = SURF + UZFWC - UZFWM
          UZFWC = UZFWM
        END IF
   30 CONTINUE
      END
C     Unit hydrograph and channel
      SUBROUTINE ROUTE
      IMPLICIT NONE
      REAL*8 SURF, SINT, BASE, EVAP
      COMMON /SFLUX/ SURF, SINT, BASE, EVAP
      REAL*8 UH(6), QUE(6), QCH, KCH, X
      COMMON /ROUT/ UH, QUE, QCH, KCH
      INTEGER I
      X = SURF + 0.5D0*SINT
      DO 10 I = 1, 5
        QUE(I) = QUE(I+1) + UH(I)*X
   10 CONTINUE
      QUE(6) = UH(6)*X
      QCH = KCH*QCH + (1.0D0 - KCH)*(QUE(1) + 0.5D0*SINT + BASE)
      QCH = QCH*(1.0D0 + 0.01D0*DSQRT(QCH))
      END
