C     Lid driven cavity on a staggered grid by SIMPLE: hybrid differencing, momentum by line-free Gauss-Seidel sweeps,
C     pressure correction by point relaxation, under-relaxation, everything in COMMON.
      SUBROUTINE SIMPLE(NOUT, ULID, VISC, FORCE, DRAG)
      INTEGER NOUT
      DOUBLE PRECISION ULID, VISC, FORCE, DRAG
      INTEGER NX, NY
      PARAMETER (NX=6, NY=6)
      DOUBLE PRECISION U(NX,NY), V(NX,NY), P(NX,NY), PP(NX,NY)
      DOUBLE PRECISION AP(NX,NY), AE(NX,NY), AW(NX,NY), AN(NX,NY)
      DOUBLE PRECISION AS(NX,NY), SU(NX,NY), DU(NX,NY), DV(NX,NY)
      COMMON /FIELD/ U, V, P, PP
      COMMON /COEF/ AP, AE, AW, AN, AS, SU
      COMMON /PRES/ DU, DV
      INTEGER I, J, IT
      DO 10 J = 1, NY
         DO 10 I = 1, NX
            U(I,J) = 0.0D0
            V(I,J) = 0.0D0
            P(I,J) = 0.0D0
            PP(I,J) = 0.0D0
            DU(I,J) = 0.0D0
            DV(I,J) = 0.0D0
   10 CONTINUE
      DO 20 I = 2, NX
         U(I,NY) = ULID
   20 CONTINUE
      DO 30 IT = 1, NOUT
         CALL CALCU(VISC, FORCE)
         CALL CALCV(VISC)
         CALL CALCP
   30 CONTINUE
      DRAG = 0.0D0
      DO 40 I = 2, NX
         DRAG = DRAG + VISC*(U(I,NY) - U(I,NY-1))
   40 CONTINUE
      END
      SUBROUTINE HYBRID(F, D, A)
      DOUBLE PRECISION F, D, A
      A = MAX(D - 0.5D0*ABS(F), 0.0D0) + MAX(-F, 0.0D0)
      END
      SUBROUTINE CALCU(VISC, FORCE)
      DOUBLE PRECISION VISC, FORCE
      INTEGER NX, NY
      PARAMETER (NX=6, NY=6)
      DOUBLE PRECISION U(NX,NY), V(NX,NY), P(NX,NY), PP(NX,NY)
      DOUBLE PRECISION AP(NX,NY), AE(NX,NY), AW(NX,NY), AN(NX,NY)
      DOUBLE PRECISION AS(NX,NY), SU(NX,NY), DU(NX,NY), DV(NX,NY)
      COMMON /FIELD/ U, V, P, PP
      COMMON /COEF/ AP, AE, AW, AN, AS, SU
      COMMON /PRES/ DU, DV
      DOUBLE PRECISION FE, FW, FN, FS
      INTEGER I, J
      DO 10 J = 2, NY-1
         DO 10 I = 3, NX-1
            FE = 0.5D0*(U(I+1,J) + U(I,J))
            FW = 0.5D0*(U(I,J) + U(I-1,J))
            FN = 0.5D0*(V(I,J+1) + V(I-1,J+1))
            FS = 0.5D0*(V(I,J) + V(I-1,J))
            CALL HYBRID(FE, VISC, AE(I,J))
            CALL HYBRID(-FW, VISC, AW(I,J))
            CALL HYBRID(FN, VISC, AN(I,J))
            CALL HYBRID(-FS, VISC, AS(I,J))
            AP(I,J) = AE(I,J) + AW(I,J) + AN(I,J) + AS(I,J)
     &                + MAX(FE - FW + FN - FS, 0.0D0)
            AP(I,J) = AP(I,J)/0.7D0
            SU(I,J) = P(I-1,J) - P(I,J) + 0.1D0*FORCE
     &                + 0.3D0*AP(I,J)*U(I,J)
            DU(I,J) = 1.0D0/AP(I,J)
   10 CONTINUE
      CALL SWEEP(U, 3, NX-1, 2, NY-1, 2)
      END
      SUBROUTINE CALCV(VISC)
      DOUBLE PRECISION VISC
      INTEGER NX, NY
      PARAMETER (NX=6, NY=6)
      DOUBLE PRECISION U(NX,NY), V(NX,NY), P(NX,NY), PP(NX,NY)
      DOUBLE PRECISION AP(NX,NY), AE(NX,NY), AW(NX,NY), AN(NX,NY)
      DOUBLE PRECISION AS(NX,NY), SU(NX,NY), DU(NX,NY), DV(NX,NY)
      COMMON /FIELD/ U, V, P, PP
      COMMON /COEF/ AP, AE, AW, AN, AS, SU
      COMMON /PRES/ DU, DV
      DOUBLE PRECISION FE, FW, FN, FS
      INTEGER I, J
      DO 10 J = 3, NY-1
         DO 10 I = 2, NX-1
            FE = 0.5D0*(U(I+1,J) + U(I+1,J-1))
            FW = 0.5D0*(U(I,J) + U(I,J-1))
            FN = 0.5D0*(V(I,J+1) + V(I,J))
            FS = 0.5D0*(V(I,J) + V(I,J-1))
            CALL HYBRID(FE, VISC, AE(I,J))
            CALL HYBRID(-FW, VISC, AW(I,J))
            CALL HYBRID(FN, VISC, AN(I,J))
            CALL HYBRID(-FS, VISC, AS(I,J))
            AP(I,J) = AE(I,J) + AW(I,J) + AN(I,J) + AS(I,J)
     &                + MAX(FE - FW + FN - FS, 0.0D0)
            AP(I,J) = AP(I,J)/0.7D0
            SU(I,J) = P(I,J-1) - P(I,J) + 0.3D0*AP(I,J)*V(I,J)
            DV(I,J) = 1.0D0/AP(I,J)
   10 CONTINUE
      CALL SWEEP(V, 2, NX-1, 3, NY-1, 2)
      END
      SUBROUTINE CALCP
      INTEGER NX, NY
      PARAMETER (NX=6, NY=6)
      DOUBLE PRECISION U(NX,NY), V(NX,NY), P(NX,NY), PP(NX,NY)
      DOUBLE PRECISION AP(NX,NY), AE(NX,NY), AW(NX,NY), AN(NX,NY)
      DOUBLE PRECISION AS(NX,NY), SU(NX,NY), DU(NX,NY), DV(NX,NY)
      COMMON /FIELD/ U, V, P, PP
      COMMON /COEF/ AP, AE, AW, AN, AS, SU
      COMMON /PRES/ DU, DV
      INTEGER I, J
      DO 10 J = 2, NY-1
         DO 10 I = 2, NX-1
            AE(I,J) = DU(I+1,J)
            AW(I,J) = DU(I,J)
            AN(I,J) = DV(I,J+1)
            AS(I,J) = DV(I,J)
            AP(I,J) = AE(I,J) + AW(I,J) + AN(I,J) + AS(I,J) + 1.0D-3
            SU(I,J) = U(I,J) - U(I+1,J) + V(I,J) - V(I,J+1)
            PP(I,J) = 0.0D0
   10 CONTINUE
      CALL SWEEP(PP, 2, NX-1, 2, NY-1, 4)
      DO 20 J = 2, NY-1
         DO 20 I = 2, NX-1
            P(I,J) = P(I,J) + 0.3D0*PP(I,J)
            IF (I .GT. 2) U(I,J) = U(I,J) + DU(I,J)*(PP(I-1,J)-PP(I,J))
            IF (J .GT. 2) V(I,J) = V(I,J) + DV(I,J)*(PP(I,J-1)-PP(I,J))
   20 CONTINUE
      END
      SUBROUTINE SWEEP(PHI, IA, IE, JA, JE, NS)
      INTEGER NX, NY, IA, IE, JA, JE, NS
      PARAMETER (NX=6, NY=6)
      DOUBLE PRECISION PHI(NX,NY)
      DOUBLE PRECISION AP(NX,NY), AE(NX,NY), AW(NX,NY), AN(NX,NY)
      DOUBLE PRECISION AS(NX,NY), SU(NX,NY)
      COMMON /COEF/ AP, AE, AW, AN, AS, SU
      INTEGER I, J, K
      DO 10 K = 1, NS
         DO 10 J = JA, JE
            DO 10 I = IA, IE
               PHI(I,J) = (AE(I,J)*PHI(I+1,J) + AW(I,J)*PHI(I-1,J)
     &            + AN(I,J)*PHI(I,J+1) + AS(I,J)*PHI(I,J-1)
     &            + SU(I,J))/AP(I,J)
   10 CONTINUE
      END
