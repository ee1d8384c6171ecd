C     A seeded cooling crystalliser, GOTO style: size classes by upwind with a limiter as a function, nucleation, growth that
C     depends on size, agglomeration between classes, solute and heat balance, step control by doubling and halving.
      DOUBLE PRECISION FUNCTION PHILIM(R)
      DOUBLE PRECISION R
      PHILIM = 0.0D0
      IF (R .LE. 0.0D0) GOTO 10
      PHILIM = MIN(2.0D0*R, (1.0D0 + 2.0D0*R)/3.0D0, 2.0D0)
   10 RETURN
      END
      SUBROUTINE CRGROW(N, XN, SS, G, DXN)
      INTEGER N, I
      DOUBLE PRECISION XN(N), SS, G, DXN(N), F(0:50), R, GL, PHILIM
      F(0) = 0.0D0
      I = 1
   10 IF (I .GT. N) GOTO 30
      GL = G*SS*(1.0D0 + 0.1D0*I)
      F(I) = GL*XN(I)
      IF (I .EQ. 1 .OR. I .EQ. N) GOTO 20
      R = (XN(I+1) - XN(I))/(XN(I) - XN(I-1) + 1.0D-6)
      F(I) = GL*(XN(I) + 0.5D0*PHILIM(R)*(XN(I) - XN(I-1)))
   20 I = I + 1
      GOTO 10
   30 CONTINUE
      DO 40 I = 1, N
        DXN(I) = F(I-1) - F(I)
   40 CONTINUE
      END
      SUBROUTINE CRAGGL(N, XN, BETA, DXN)
      INTEGER N, I, J, K
      DOUBLE PRECISION XN(N), BETA, DXN(N), RATE
      DO 30 I = 1, N
        DO 20 J = 1, I
          RATE = BETA*XN(I)*XN(J)
          IF (I .EQ. J) RATE = 0.5D0*RATE
          K = I + J
          DXN(I) = DXN(I) - RATE
          DXN(J) = DXN(J) - RATE
          IF (K .LE. N) DXN(K) = DXN(K) + RATE
   20   CONTINUE
   30 CONTINUE
      END
      SUBROUTINE CRYSTAL(N, NMAX, SEED, C0, TEMP, COOL, G, BETA, QUAL)
      INTEGER N, NMAX, I, K, NTRY
      DOUBLE PRECISION SEED(N), C0, TEMP, COOL, G, BETA, QUAL
      DOUBLE PRECISION XN(50), XT(50), D(50), C, T, SS, DT, B0, DM, CSAT
      DOUBLE PRECISION XM1, XM2, ERR
      CSAT(T) = 0.3D0 + 0.4D0*T + 0.2D0*T*T
      DO 10 I = 1, N
        XN(I) = SEED(I)
   10 CONTINUE
      C = C0 + 1.0D0
      T = TEMP
      DT = 0.1D0
      K = 0
      NTRY = 0
   20 K = K + 1
      IF (K .GT. NMAX) GOTO 80
   30 SS = C/CSAT(T) - 1.0D0
      IF (SS .LT. 0.0D0) SS = 0.0D0
C$AD CHECKPOINT-START
      CALL CRGROW(N, XN, SS, G, D)
      CALL CRAGGL(N, XN, 0.05D0*BETA, D)
      B0 = 0.2D0*SS**2
      D(1) = D(1) + B0
      DM = 0.0D0
      ERR = 0.0D0
      DO 40 I = 1, N
        XT(I) = XN(I) + DT*D(I)
        DM = DM + 0.01D0*I**3*D(I)
        IF (XT(I) .LT. 0.0D0) ERR = ERR + 1.0D0
   40 CONTINUE
C$AD CHECKPOINT-END
      IF (ERR .LT. 0.5D0 .OR. NTRY .GE. 3) GOTO 50
      DT = 0.5D0*DT
      NTRY = NTRY + 1
      GOTO 30
   50 DO 60 I = 1, N
        XN(I) = XT(I)
        IF (XN(I) .LT. 0.0D0) XN(I) = 0.0D0
   60 CONTINUE
      C = C - DT*DM
      T = T - DT*(0.5D0*COOL - 0.3D0*DM)
      IF (NTRY .EQ. 0) DT = MIN(0.2D0, 1.5D0*DT)
      NTRY = 0
      GOTO 20
   80 XM1 = 0.0D0
      XM2 = 0.0D0
      DO 90 I = 1, N
        XM1 = XM1 + I*XN(I)
        XM2 = XM2 + I*I*XN(I)
   90 CONTINUE
      QUAL = XM2/XM1 + 0.1D0*C
      END
