C     Hill slopes draining into channels: planes passed by their first element, a work vector with sliding offsets, Green and
C     Ampt by Newton, kinematic routing, marked storm.
      SUBROUTINE HILLS(NP, NX, NS, RAIN, KS, ROUGH, PSI, QSUM)
      INTEGER NP, NX, NS
      DOUBLE PRECISION RAIN(NS), KS(NP), ROUGH(NP), PSI, QSUM
      INTEGER MX, MP
      PARAMETER (MX=8, MP=8)
      DOUBLE PRECISION H(MX,MP), Q(MX,MP), F(MX,MP), WRK(3*MX)
      DOUBLE PRECISION CHAN(MX), LAT, DT
      COMMON /TIMING/ DT
      INTEGER IP, IS, I
      DT = 0.1D0
      DO 10 IP = 1, NP
        CALL FILL(NX, H(1,IP), 0.01D0)
        CALL FILL(NX, Q(1,IP), 0D0)
        CALL FILL(NX, F(1,IP), 0.1D0)
   10 CONTINUE
      CALL FILL(NX, CHAN, 0.05D0)
      QSUM = 0D0
      DO 40 IS = 1, NS
C$AD CHECKPOINT-START
        LAT = 0D0
        DO 30 IP = 1, NP
          CALL PLANE(NX, RAIN(IS), KS(IP), ROUGH(IP), PSI,
     &               H(1,IP), Q(1,IP), F(1,IP),
     &               WRK(1), WRK(1+MX), WRK(1+2*MX))
          LAT = LAT + Q(NX,IP)
   30   CONTINUE
C$AD CHECKPOINT-END
        CALL REACH(NX, CHAN, LAT, WRK)
        QSUM = QSUM + CHAN(NX)**2
   40 CONTINUE
      END
      SUBROUTINE FILL(N, A, V)
      INTEGER N, I
      DOUBLE PRECISION A(*), V
      DO 10 I = 1, N
        A(I) = V
   10 CONTINUE
      END
      SUBROUTINE PLANE(N, R, K, ROUGH, PSI, H, Q, F, INF, QN, HN)
      INTEGER N, I
      DOUBLE PRECISION R, K, ROUGH, PSI
      DOUBLE PRECISION H(*), Q(*), F(*), INF(*), QN(*), HN(*), DT
      COMMON /TIMING/ DT
      DO 10 I = 1, N
        CALL GAMPT(R, K, PSI, H(I), F(I), INF(I))
   10 CONTINUE
      DO 20 I = 1, N
        IF (H(I) .LE. 1D-6) THEN
          QN(I) = 0D0
        ELSE
          QN(I) = H(I)**(5D0/3D0)/(0.2D0 + ROUGH)
        END IF
   20 CONTINUE
      HN(1) = H(1) + DT*(R - INF(1) - QN(1))
      DO 30 I = 2, N
        HN(I) = H(I) + DT*(R - INF(I) + QN(I-1) - QN(I))
   30 CONTINUE
      DO 40 I = 1, N
        H(I) = MAX(HN(I), 0D0)
        Q(I) = QN(I)
   40 CONTINUE
      END
      SUBROUTINE GAMPT(R, K, PSI, H, F, RATE)
      DOUBLE PRECISION R, K, PSI, H, F, RATE, DT, FN, G, DG, C
      COMMON /TIMING/ DT
      INTEGER IT
      RATE = 0.3D0*K*(1D0 + PSI/F)
      IF (RATE .GT. R + H/DT) THEN
        RATE = R + H/DT
        F = F + RATE*DT
        RETURN
      END IF
      FN = F + RATE*DT
      C = 0.3D0*K*DT
      DO 10 IT = 1, 10
        G = FN - F - C - PSI*LOG((FN + PSI)/(F + PSI))
        DG = 1D0 - PSI/(FN + PSI)
        FN = FN - G/DG
        IF (ABS(G) .LT. 1D-10) GOTO 20
   10 CONTINUE
   20 RATE = (FN - F)/DT
      F = FN
      END
      SUBROUTINE REACH(N, A, LAT, Q)
      INTEGER N, I
      DOUBLE PRECISION A(N), LAT, Q(N), DT
      COMMON /TIMING/ DT
      DO 10 I = 1, N
        Q(I) = 0.8D0*A(I)**1.3D0
   10 CONTINUE
      A(1) = A(1) + DT*(0.2D0*LAT - Q(1))
      DO 20 I = 2, N
        A(I) = A(I) + DT*(0.2D0*LAT + Q(I-1) - Q(I))
   20 CONTINUE
      END
