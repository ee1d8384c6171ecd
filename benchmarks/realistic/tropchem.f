C     Tropospheric box: a small mechanism written out as flat expressions (rates in COMMON, species in COMMON), photolysis
C     by a diurnal cycle, solved by EBI-like iterations with early leave by GOTO, deposition and an hourly average.
      SUBROUTINE TROPCH(NHOUR, E, C0, TEMP, SUN, PEAK)
      INTEGER NHOUR
      DOUBLE PRECISION E(4), C0(8), TEMP(NHOUR), SUN(NHOUR), PEAK
      INTEGER NSPC, NRX
      PARAMETER (NSPC=8, NRX=14)
      DOUBLE PRECISION C, RK
      COMMON /CONC/ C(NSPC)
      COMMON /RATES/ RK(NRX)
      DOUBLE PRECISION EMIS(4), AVO3
      INTEGER I, IH, IS
      DO 10 I = 1, NSPC
         C(I) = C0(I)
   10 CONTINUE
      PEAK = 0.0D0
      DO 50 IH = 1, NHOUR
         CALL RATCON(TEMP(IH), SUN(IH))
         DO 20 I = 1, 4
            EMIS(I) = 0.1D0*E(I)*(1.0D0 + 0.5D0*SUN(IH))
   20    CONTINUE
         AVO3 = 0.0D0
         DO 30 IS = 1, 3
            CALL EBI(0.1D0, EMIS)
            CALL DEPOS(0.1D0)
            AVO3 = AVO3 + C(1)/3.0D0
   30    CONTINUE
         PEAK = PEAK + MAX(AVO3 - 0.5D0, 0.0D0)**2
   50 CONTINUE
      END
      SUBROUTINE RATCON(T, S)
      DOUBLE PRECISION T, S, RK, TI, F
      COMMON /RATES/ RK(14)
      DOUBLE PRECISION TROE
      TI = 1.0D0/T - 1.0D0
      RK(1) = 0.5D0*S
      RK(2) = 1.8D0*EXP(-1.4D0*TI)
      RK(3) = 0.1D0*S**1.5D0
      RK(4) = 0.3D0*S
      RK(5) = 0.2D0*S
      RK(6) = 1.1D0
      RK(7) = 0.9D0*EXP(0.25D0*TI)
      RK(8) = TROE(0.8D0, 1.2D0, T)
      RK(9) = 0.6D0*EXP(0.2D0*TI)
      RK(10) = 0.4D0*EXP(-0.5D0*TI)
      F = 0.7D0*EXP(0.1D0*TI)
      RK(11) = F*(1.0D0 + 0.2D0*T)
      RK(12) = 0.5D0
      RK(13) = TROE(0.5D0, 0.9D0, T)
      RK(14) = 0.25D0*EXP(-1.1D0*TI)
      END
      DOUBLE PRECISION FUNCTION TROE(A, B, T)
      DOUBLE PRECISION A, B, T, R0, RI, X
      R0 = A*T**(-1.5D0)
      RI = B*T**(-0.3D0)
      X = LOG10(R0/RI)
      TROE = R0/(1.0D0 + R0/RI)*0.6D0**(1.0D0/(1.0D0 + X*X))
      END
      SUBROUTINE EBI(DT, EM)
      DOUBLE PRECISION DT, EM(4)
      DOUBLE PRECISION C, RK, CO(8), P, L, ERR, CN, R12, R21, A, B, D
      COMMON /CONC/ C(8)
      COMMON /RATES/ RK(14)
      INTEGER I, IT
      DO 10 I = 1, 8
         CO(I) = C(I)
   10 CONTINUE
      DO 40 IT = 1, 6
         ERR = 0.0D0
C        O3, NO, NO2 as a group
         R12 = RK(2)*C(1)*DT
         R21 = RK(1)*DT
         A = 1.0D0 + R12
         B = CO(2) + EM(1)*DT
         D = CO(3) + (EM(2) + RK(7)*C(5)*C(2) + RK(9)*C(6)*C(2))*DT
         CN = (R21*(B + D) + B)/(A + R21)
         ERR = MAX(ERR, ABS(CN - C(2)))
         C(2) = CN
         CN = (D + R12*C(2))/(1.0D0 + R21 + RK(8)*C(4)*DT)
         C(3) = CN
         P = RK(1)*C(3)
         L = RK(2)*C(2) + RK(3) + RK(10)*C(5) + RK(14)*C(7)
         CN = (CO(1) + P*DT)/(1.0D0 + L*DT)
         ERR = MAX(ERR, ABS(CN - C(1)))
         C(1) = CN
C        OH, HO2, RO2
         P = 2.0D0*RK(3)*C(1) + RK(7)*C(5)*C(2)
         L = RK(8)*C(3) + RK(11)*C(7) + RK(6)*C(8)
         C(4) = (CO(4) + P*DT)/(1.0D0 + L*DT)
         P = 2.0D0*RK(4)*C(8) + RK(9)*C(6)*C(2) + RK(6)*C(8)*C(4)
         L = RK(7)*C(2) + RK(12)*C(5) + RK(10)*C(1)
         C(5) = (CO(5) + P*DT)/(1.0D0 + L*DT)
         P = RK(11)*C(7)*C(4)
         L = RK(9)*C(2) + RK(13)*C(6)
         C(6) = (CO(6) + P*DT)/(1.0D0 + L*DT)
C        VOC, HCHO
         L = RK(11)*C(4) + RK(14)*C(1)
         C(7) = (CO(7) + EM(3)*DT)/(1.0D0 + L*DT)
         P = EM(4) + RK(9)*C(6)*C(2) + RK(14)*C(7)*C(1)
         L = RK(4) + RK(5) + RK(6)*C(4)
         CN = (CO(8) + P*DT)/(1.0D0 + L*DT)
         ERR = MAX(ERR, ABS(CN - C(8)))
         C(8) = CN
         IF (ERR .LT. 1.0D-4) GO TO 50
   40 CONTINUE
   50 CONTINUE
      END
      SUBROUTINE DEPOS(DT)
      DOUBLE PRECISION DT, C, VD(8)
      COMMON /CONC/ C(8)
      INTEGER I
      DATA VD /0.4D0, 0.0D0, 0.1D0, 0.0D0, 0.3D0, 0.3D0, 0.05D0, 0.5D0/
      DO 10 I = 1, 8
         C(I) = C(I)*EXP(-VD(I)*DT)
   10 CONTINUE
      END
