C     One-dimensional Lagrangian hydrodynamics after von Neumann and Richtmyer: artificial viscosity, Mie-Grueneisen solid and
C     ideal gas by material number, elastic-plastic deviator, time step by the Courant condition.
      SUBROUTINE LAGRHY(NZ, NCYC, RHO0, E0, UP, G0, Y0, WORKD)
      INTEGER NZ, NCYC
      DOUBLE PRECISION RHO0(NZ), E0(NZ), UP, G0, Y0, WORKD
      INTEGER MZ
      PARAMETER (MZ=50)
      DOUBLE PRECISION X(MZ), U(MZ), ZM(MZ), RHO(MZ), E(MZ), P(MZ)
      DOUBLE PRECISION Q(MZ), S(MZ), SS(MZ), DT, TIME
      INTEGER MAT(MZ), J, N
      COMMON /MESH/ X, U, ZM
      COMMON /THERM/ RHO, E, P, Q, S, SS
      COMMON /MATL/ MAT
      DO 10 J = 1, NZ
         MAT(J) = 1
         IF (J .GT. NZ/2) MAT(J) = 2
         X(J) = DBLE(J-1)
         U(J) = 0.0D0
         RHO(J) = RHO0(J)
         ZM(J) = RHO0(J)
         E(J) = 0.1D0*E0(J)
         Q(J) = 0.0D0
         S(J) = 0.0D0
   10 CONTINUE
      X(NZ+1) = DBLE(NZ)
      U(NZ+1) = 0.0D0
      U(1) = 0.5D0*UP
      TIME = 0.0D0
      CALL EOSALL(NZ, RHO0)
      WORKD = 0.0D0
      DO 30 N = 1, NCYC
         CALL COURAN(NZ, DT)
         CALL ACCEL(NZ, DT)
         CALL MOVE(NZ, DT, RHO0, G0, Y0)
         CALL EOSALL(NZ, RHO0)
         CALL ENERGY(NZ)
         TIME = TIME + DT
         WORKD = WORKD + (P(1) + Q(1) - S(1))*U(1)*DT
   30 CONTINUE
      DO 40 J = 1, NZ
         WORKD = WORKD + 0.1D0*ZM(J)*E(J)
   40 CONTINUE
      END
      SUBROUTINE COURAN(NZ, DT)
      INTEGER NZ, MZ, J
      PARAMETER (MZ=50)
      DOUBLE PRECISION X(MZ), U(MZ), ZM(MZ), RHO(MZ), E(MZ), P(MZ)
      DOUBLE PRECISION Q(MZ), S(MZ), SS(MZ), DT, D, C
      COMMON /MESH/ X, U, ZM
      COMMON /THERM/ RHO, E, P, Q, S, SS
      DT = 1.0D10
      DO 10 J = 1, NZ
         D = X(J+1) - X(J)
         C = SS(J) + 2.0D0*ABS(U(J+1) - U(J))
         IF (0.4D0*D/C .LT. DT) DT = 0.4D0*D/C
   10 CONTINUE
      END
      SUBROUTINE ACCEL(NZ, DT)
      INTEGER NZ, MZ, J
      PARAMETER (MZ=50)
      DOUBLE PRECISION X(MZ), U(MZ), ZM(MZ), RHO(MZ), E(MZ), P(MZ)
      DOUBLE PRECISION Q(MZ), S(MZ), SS(MZ), DT, SL, SR
      COMMON /MESH/ X, U, ZM
      COMMON /THERM/ RHO, E, P, Q, S, SS
      DO 10 J = 2, NZ
         SL = -P(J-1) - Q(J-1) + S(J-1)
         SR = -P(J) - Q(J) + S(J)
         U(J) = U(J) + DT*(SR - SL)/(0.5D0*(ZM(J-1) + ZM(J)))
   10 CONTINUE
      END
      SUBROUTINE MOVE(NZ, DT, RHO0, G0, Y0)
      INTEGER NZ, MZ, J
      PARAMETER (MZ=50)
      DOUBLE PRECISION DT, RHO0(NZ), G0, Y0
      DOUBLE PRECISION X(MZ), U(MZ), ZM(MZ), RHO(MZ), E(MZ), P(MZ)
      DOUBLE PRECISION Q(MZ), S(MZ), SS(MZ), DU, RN, DV, SN, YL
      COMMON /MESH/ X, U, ZM
      COMMON /THERM/ RHO, E, P, Q, S, SS
      INTEGER MAT(MZ)
      COMMON /MATL/ MAT
      DO 10 J = 1, NZ+1
         X(J) = X(J) + DT*U(J)
   10 CONTINUE
      DO 20 J = 1, NZ
         RN = ZM(J)/(X(J+1) - X(J))
         DV = 1.0D0/RN - 1.0D0/RHO(J)
         DU = U(J+1) - U(J)
         IF (DU .LT. 0.0D0) THEN
            Q(J) = RN*(2.0D0*DU*DU - 0.3D0*SS(J)*DU)
         ELSE
            Q(J) = 0.0D0
         ENDIF
         IF (MAT(J) .EQ. 1) THEN
            SN = S(J) + 4.0D0/3.0D0*G0*DV*RN
            YL = 0.1D0*Y0
            IF (ABS(SN) .GT. YL) SN = SIGN(YL, SN)
            S(J) = SN
         ENDIF
         E(J) = E(J) - (P(J) + Q(J) - S(J))*DV
         RHO(J) = RN
   20 CONTINUE
      END
      SUBROUTINE EOSALL(NZ, RHO0)
      INTEGER NZ, MZ, J
      PARAMETER (MZ=50)
      DOUBLE PRECISION RHO0(NZ)
      DOUBLE PRECISION RHO(MZ), E(MZ), P(MZ)
      DOUBLE PRECISION Q(MZ), S(MZ), SS(MZ), ETA, PH
      COMMON /THERM/ RHO, E, P, Q, S, SS
      INTEGER MAT(MZ)
      COMMON /MATL/ MAT
      DO 30 J = 1, NZ
         GO TO (10, 20), MAT(J)
   10    ETA = RHO(J)/RHO0(J) - 1.0D0
         PH = 2.0D0*ETA + 1.5D0*ETA*ETA
         IF (ETA .LT. 0.0D0) PH = 2.0D0*ETA
         P(J) = PH + 0.8D0*RHO(J)*E(J)
         SS(J) = SQRT(ABS(2.0D0 + 3.0D0*ETA + 0.8D0*E(J)) + 0.1D0)
         GO TO 30
   20    P(J) = 0.4D0*RHO(J)*E(J)
         SS(J) = SQRT(1.4D0*P(J)/RHO(J) + 1.0D-6)
   30 CONTINUE
      END
      SUBROUTINE ENERGY(NZ)
      INTEGER NZ, MZ, J
      PARAMETER (MZ=50)
      DOUBLE PRECISION RHO(MZ), E(MZ), P(MZ)
      DOUBLE PRECISION Q(MZ), S(MZ), SS(MZ)
      COMMON /THERM/ RHO, E, P, Q, S, SS
      DO 10 J = 1, NZ
         IF (E(J) .LT. 1.0D-3) E(J) = 1.0D-3
   10 CONTINUE
      END
