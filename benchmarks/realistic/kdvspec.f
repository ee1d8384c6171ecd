C     Korteweg-de Vries by a pseudospectral method: radix-2 transform in place with twiddles in COMMON, 3/2 rule left out,
C     integrating factor and classical Runge-Kutta steps; initial wave and dispersion are the controls.
      SUBROUTINE TWIDDL
      INTEGER N, I
      PARAMETER (N = 16)
      DOUBLE PRECISION CW, SW
      COMMON /TWID/ CW(N), SW(N)
      DO 10 I = 1, N
        CW(I) = COS(6.283185307179586D0*(I - 1)/N)
        SW(I) = SIN(6.283185307179586D0*(I - 1)/N)
   10 CONTINUE
      RETURN
      END
      SUBROUTINE FFT2(A, B, ISGN)
      INTEGER N, I, J, K, M, L, ISTEP, ISGN, IW
      PARAMETER (N = 16)
      DOUBLE PRECISION A(N), B(N), T, TR, TI, WR, WI, CW, SW
      COMMON /TWID/ CW(N), SW(N)
      J = 1
      DO 20 I = 1, N
        IF (J .GT. I) THEN
          T = A(J)
          A(J) = A(I)
          A(I) = T
          T = B(J)
          B(J) = B(I)
          B(I) = T
        END IF
        M = N/2
   10   IF (M .GE. 2 .AND. J .GT. M) THEN
          J = J - M
          M = M/2
          GOTO 10
        END IF
        J = J + M
   20 CONTINUE
      L = 1
   30 IF (L .LT. N) THEN
        ISTEP = 2*L
        DO 50 K = 1, L
          IW = (K - 1)*(N/ISTEP) + 1
          WR = CW(IW)
          WI = ISGN*SW(IW)
          DO 40 I = K, N, ISTEP
            TR = WR*A(I+L) - WI*B(I+L)
            TI = WR*B(I+L) + WI*A(I+L)
            A(I+L) = A(I) - TR
            B(I+L) = B(I) - TI
            A(I) = A(I) + TR
            B(I) = B(I) + TI
   40     CONTINUE
   50   CONTINUE
        L = ISTEP
        GOTO 30
      END IF
      RETURN
      END
      SUBROUTINE NONLIN(VR, VI, T, DISP, FR, FI)
      INTEGER N, I, K
      PARAMETER (N = 16)
      DOUBLE PRECISION VR(N), VI(N), T, DISP, FR(N), FI(N), UR(N), UI(N)
      DOUBLE PRECISION PH, XK
      DO 10 I = 1, N
        K = I - 1
        IF (I .GT. N/2) K = K - N
        XK = K
        PH = DISP*XK**3*T
        UR(I) = (VR(I)*COS(PH) - VI(I)*SIN(PH))/N
        UI(I) = (VR(I)*SIN(PH) + VI(I)*COS(PH))/N
   10 CONTINUE
      CALL FFT2(UR, UI, 1)
      DO 20 I = 1, N
        UR(I) = 0.5D0*UR(I)**2
        UI(I) = 0.D0
   20 CONTINUE
      CALL FFT2(UR, UI, -1)
      DO 30 I = 1, N
        K = I - 1
        IF (I .GT. N/2) K = K - N
        XK = K
        IF (I .EQ. N/2 + 1) XK = 0.D0
        PH = DISP*XK**3*T
        FR(I) = XK*(UI(I)*COS(PH) - UR(I)*SIN(PH))
        FI(I) = -XK*(UR(I)*COS(PH) + UI(I)*SIN(PH))
   30 CONTINUE
      RETURN
      END
      SUBROUTINE KDVSPEC(NT, U0, DISP, COST)
      INTEGER N, NT, IT, I, S
      PARAMETER (N = 16)
      DOUBLE PRECISION U0(N), DISP, COST, VR(N), VI(N), WR(N), WI(N)
      DOUBLE PRECISION FR(N,4), FI(N,4), T, DT, A(4)
      CALL TWIDDL
      DT = 0.05D0
      A(1) = 0.D0
      A(2) = 0.5D0
      A(3) = 0.5D0
      A(4) = 1.D0
      DO 10 I = 1, N
        VR(I) = U0(I)
        VI(I) = 0.D0
   10 CONTINUE
      CALL FFT2(VR, VI, -1)
      T = 0.D0
      COST = 0.D0
      DO 50 IT = 1, NT
        DO 30 S = 1, 4
          DO 20 I = 1, N
            WR(I) = VR(I)
            WI(I) = VI(I)
            IF (S .GT. 1) THEN
              WR(I) = WR(I) + A(S)*DT*FR(I,S-1)
              WI(I) = WI(I) + A(S)*DT*FI(I,S-1)
            END IF
   20     CONTINUE
          CALL NONLIN(WR, WI, T + A(S)*DT, 0.1D0*DISP, FR(1,S), FI(1,S))
   30   CONTINUE
        DO 40 I = 1, N
          VR(I) = VR(I) + DT*(FR(I,1) + 2.D0*FR(I,2) + 2.D0*FR(I,3)
     &          + FR(I,4))/6.D0
          VI(I) = VI(I) + DT*(FI(I,1) + 2.D0*FI(I,2) + 2.D0*FI(I,3)
     &          + FI(I,4))/6.D0
   40   CONTINUE
        T = T + DT
        COST = COST + VR(3)**2 + VI(2)**2
   50 CONTINUE
      RETURN
      END
