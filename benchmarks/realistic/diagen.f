C     EARLY DIAGENESIS: OXYGEN, NITRATE AND ORGANIC CARBON IN THE UPPER
C     LAYERS OF A SEA BED.  IMPLICIT IN TIME, NEWTON ON EACH SOLUTE WITH
C     A TRIDIAGONAL SOLVER, COEFFICIENTS FROM A DATA TABLE OF DEPTHS.
      BLOCK DATA SEDDAT
      INTEGER NZ
      PARAMETER (NZ = 7)
      DOUBLE PRECISION Z(NZ), POR(NZ)
      COMMON /SEDGEO/ Z, POR
      DATA Z /0.1D0,0.3D0,0.6D0,1.0D0,1.5D0,2.2D0,3.0D0/
      DATA POR /0.9D0,0.86D0,0.83D0,0.81D0,0.8D0,0.79D0,0.79D0/
      END
      SUBROUTINE TRIDIA(A, B, C, D, N)
      INTEGER N, I
      DOUBLE PRECISION A(N), B(N), C(N), D(N), W
      DO 10 I = 2, N
        W = A(I)/B(I-1)
        B(I) = B(I) - W*C(I-1)
        D(I) = D(I) - W*D(I-1)
   10 CONTINUE
      D(N) = D(N)/B(N)
      DO 20 I = N-1, 1, -1
        D(I) = (D(I) - C(I)*D(I+1))/B(I)
   20 CONTINUE
      RETURN
      END
      SUBROUTINE REACT(KIND, CARB, PAR)
      INTEGER NZ
      PARAMETER (NZ = 7)
      INTEGER KIND, I
      DOUBLE PRECISION CARB(NZ), PAR(4)
      DOUBLE PRECISION CONC(NZ,3), RATE(NZ), DRATE(NZ)
      COMMON /SEDCON/ CONC, RATE, DRATE
      DOUBLE PRECISION Z(NZ), POR(NZ)
      COMMON /SEDGEO/ Z, POR
      DOUBLE PRECISION MONOD, DMONOD, X, HK
      MONOD(X, HK) = X/(X + HK)
      DMONOD(X, HK) = HK/((X + HK)*(X + HK))
      GO TO (100, 200), KIND
  100 DO 110 I = 1, NZ
        RATE(I) = PAR(1)*CARB(I)*MONOD(CONC(I,1), 0.1D0)
        DRATE(I) = PAR(1)*CARB(I)*DMONOD(CONC(I,1), 0.1D0)
  110 CONTINUE
      RETURN
  200 DO 210 I = 1, NZ
        X = 0.05D0/(0.05D0 + CONC(I,1))
        RATE(I) = PAR(2)*CARB(I)*MONOD(CONC(I,2), 0.2D0)*X
     &    - PAR(3)*CONC(I,1)*0.1D0
        DRATE(I) = PAR(2)*CARB(I)*DMONOD(CONC(I,2), 0.2D0)*X
  210 CONTINUE
      RETURN
      END
      SUBROUTINE SOLUTE(KIND, CARB, PAR, TOP, DIFF, DT)
      INTEGER NZ
      PARAMETER (NZ = 7)
      INTEGER KIND, I, IT
      DOUBLE PRECISION CARB(NZ), PAR(4), TOP, DIFF, DT
      DOUBLE PRECISION CONC(NZ,3), RATE(NZ), DRATE(NZ)
      COMMON /SEDCON/ CONC, RATE, DRATE
      DOUBLE PRECISION Z(NZ), POR(NZ)
      COMMON /SEDGEO/ Z, POR
      DOUBLE PRECISION OLD(NZ), A(NZ), B(NZ), C(NZ), D(NZ), F1, F2, ERR
      DO 10 I = 1, NZ
        OLD(I) = CONC(I,KIND)
   10 CONTINUE
      DO 50 IT = 1, 6
        CALL REACT(KIND, CARB, PAR)
        ERR = 0.0D0
        DO 30 I = 1, NZ
          A(I) = 0.0D0
          C(I) = 0.0D0
          F1 = DIFF*POR(I)/Z(1)
          IF (I .EQ. 1) THEN
            D(I) = F1*(TOP - CONC(1,KIND))/Z(1)
          ELSE
            F1 = DIFF*POR(I-1)/(Z(I) - Z(I-1))
            A(I) = -F1*DT/(Z(I) - Z(I-1))
            D(I) = -F1*(CONC(I,KIND) - CONC(I-1,KIND))/(Z(I) - Z(I-1))
          END IF
          B(I) = 1.0D0 + DT*DRATE(I) + DT*F1/Z(1)
          IF (I .LT. NZ) THEN
            F2 = DIFF*POR(I)/(Z(I+1) - Z(I))
            C(I) = -F2*DT/(Z(I+1) - Z(I))
            B(I) = B(I) - C(I)
            D(I) = D(I) + F2*(CONC(I+1,KIND) - CONC(I,KIND))
     &        /(Z(I+1) - Z(I))
          END IF
          D(I) = OLD(I) - CONC(I,KIND) + DT*(D(I) - RATE(I))
   30   CONTINUE
        CALL TRIDIA(A, B, C, D, NZ)
        DO 40 I = 1, NZ
          CONC(I,KIND) = MAX(CONC(I,KIND) + D(I), 1.0D-4)
          ERR = MAX(ERR, ABS(D(I)))
   40   CONTINUE
        IF (ERR .LT. 1.0D-9) GO TO 60
   50 CONTINUE
   60 CONTINUE
      RETURN
      END
      SUBROUTINE DIAGEN(NT, PAR, RAIN, O2TOP, XN3TOP, FLUX)
      INTEGER NZ, NT, IT, I
      PARAMETER (NZ = 7)
      DOUBLE PRECISION PAR(4), RAIN(NT), O2TOP(NT), XN3TOP, FLUX
      DOUBLE PRECISION CONC(NZ,3), RATE(NZ), DRATE(NZ)
      COMMON /SEDCON/ CONC, RATE, DRATE
      DOUBLE PRECISION Z(NZ), POR(NZ)
      COMMON /SEDGEO/ Z, POR
      DOUBLE PRECISION CARB(NZ), MIX
      DO 10 I = 1, NZ
        CONC(I,1) = 0.2D0*EXP(-Z(I))
        CONC(I,2) = 0.1D0*EXP(-0.3D0*Z(I))
        CONC(I,3) = 0.0D0
        CARB(I) = 1.0D0*EXP(-Z(I))
   10 CONTINUE
      FLUX = 0.0D0
      DO 100 IT = 1, NT
        CARB(1) = CARB(1) + 0.1D0*RAIN(IT)
        DO 20 I = 2, NZ
          MIX = PAR(4)*0.1D0*(CARB(I-1) - CARB(I))
          CARB(I) = CARB(I) + MIX
          CARB(I-1) = CARB(I-1) - MIX
   20   CONTINUE
        CALL SOLUTE(1, CARB, PAR, O2TOP(IT), 0.5D0, 0.1D0)
        DO 30 I = 1, NZ
          CARB(I) = CARB(I)*(1.0D0 - 0.05D0*RATE(I))
   30   CONTINUE
        CALL SOLUTE(2, CARB, PAR, XN3TOP, 0.4D0, 0.1D0)
        FLUX = FLUX + (O2TOP(IT) - CONC(1,1))*(1.0D0 + CONC(3,2))
  100 CONTINUE
      RETURN
      END
