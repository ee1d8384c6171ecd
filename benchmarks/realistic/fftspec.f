C     Kuramoto-Sivashinsky by a pseudo-spectral method, with the FFT of
C     an old library: bit reversal, butterflies, twiddles in COMMON.
      SUBROUTINE KSRUN(A0, VISC, COST)
      INTEGER N
      PARAMETER (N=16)
      DOUBLE PRECISION A0(N), VISC, COST
      DOUBLE PRECISION UR(N), UI(N), WR(N), WI(N), DT, AK, DEN, E2
      INTEGER I, K, IT
      COMMON /STATE/ UR, UI
      CALL TWID(N)
      DO 10 I = 1, N
        UR(I) = 0.3D0*A0(I)*DCOS(0.392699D0*I)
        UI(I) = 0D0
   10 CONTINUE
      DT = 0.02D0
      CALL FFT(UR, UI, N, 1)
      COST = 0D0
      DO 60 IT = 1, 6
        DO 20 I = 1, N
          WR(I) = UR(I)
          WI(I) = UI(I)
   20   CONTINUE
        CALL FFT(WR, WI, N, -1)
        DO 30 I = 1, N
          WR(I) = WR(I)**2
          WI(I) = 0D0
   30   CONTINUE
        CALL FFT(WR, WI, N, 1)
        CALL DEALI(WR, WI, N)
        DO 40 K = 1, N
          AK = K - 1
          IF (K .GT. N/2) AK = K - 1 - N
          DEN = 1D0 + DT*(VISC*AK**4*0.01D0 - AK**2*0.1D0)
          UR(K) = (UR(K) + 0.5D0*DT*AK*WI(K))/DEN
          UI(K) = (UI(K) - 0.5D0*DT*AK*WR(K))/DEN
   40   CONTINUE
        E2 = 0D0
        DO 50 K = 1, N/2
          E2 = E2 + UR(K)**2 + UI(K)**2
   50   CONTINUE
        COST = COST + DSQRT(E2 + 1D-6)
   60 CONTINUE
      END
      SUBROUTINE TWID(N)
      INTEGER N, I
      DOUBLE PRECISION C(64), S(64)
      COMMON /TRIG/ C, S
      DO 10 I = 1, N
        C(I) = DCOS(6.283185307179586D0*(I-1)/N)
        S(I) = DSIN(6.283185307179586D0*(I-1)/N)
   10 CONTINUE
      END
      SUBROUTINE DEALI(XR, XI, N)
      INTEGER N, K
      DOUBLE PRECISION XR(N), XI(N)
      DO 10 K = N/3 + 1, N - N/3
        XR(K) = 0D0
        XI(K) = 0D0
   10 CONTINUE
      END
      SUBROUTINE FFT(XR, XI, N, ISIGN)
      INTEGER N, ISIGN, I, J, M, LE, LE2, K, IP, IW
      DOUBLE PRECISION XR(N), XI(N), TR, TI, WC, WS, SC
      DOUBLE PRECISION C(64), S(64)
      COMMON /TRIG/ C, S
      J = 1
      DO 30 I = 1, N - 1
        IF (I .GE. J) GOTO 10
        TR = XR(J)
        TI = XI(J)
        XR(J) = XR(I)
        XI(J) = XI(I)
        XR(I) = TR
        XI(I) = TI
   10   M = N/2
   20   IF (M .GE. J) GOTO 25
        J = J - M
        M = M/2
        GOTO 20
   25   J = J + M
   30 CONTINUE
      LE = 1
   40 IF (LE .GE. N) GOTO 70
      LE2 = 2*LE
      DO 60 K = 1, LE
        IW = (K - 1)*(N/LE2) + 1
        WC = C(IW)
        WS = -ISIGN*S(IW)
        DO 50 I = K, N, LE2
          IP = I + LE
          TR = XR(IP)*WC - XI(IP)*WS
          TI = XR(IP)*WS + XI(IP)*WC
          XR(IP) = XR(I) - TR
          XI(IP) = XI(I) - TI
          XR(I) = XR(I) + TR
          XI(I) = XI(I) + TI
   50   CONTINUE
   60 CONTINUE
      LE = LE2
      GOTO 40
   70 IF (ISIGN .EQ. -1) RETURN
      SC = 1D0/N
      DO 80 I = 1, N
        XR(I) = XR(I)*SC
        XI(I) = XI(I)*SC
   80 CONTINUE
      END
