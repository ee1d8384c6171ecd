C     Pulses in an optical fibre: split steps between dispersion (discrete Fourier sums in one complex work array) and Kerr
C     and Raman effects, an amplifier that saturates, an error test on the step's length; blocks of COMMON, complex numbers.
      SUBROUTINE FBTABL
      INTEGER NT
      PARAMETER (NT=8)
      COMPLEX*16 EK(0:NT-1)
      DOUBLE PRECISION OM(NT)
      COMMON /FBTAB/ EK, OM
      INTEGER K
      DO 10 K = 0, NT - 1
        EK(K) = DCMPLX(COS(6.2831853D0*K/NT), -SIN(6.2831853D0*K/NT))
        OM(K+1) = 0.8D0*K
        IF (K .GT. NT/2) OM(K+1) = 0.8D0*(K - NT)
   10 CONTINUE
      END
      SUBROUTINE DFT(ISGN, A, W)
      INTEGER ISGN, NT, J, K
      PARAMETER (NT=8)
      COMPLEX*16 A(NT), W(NT), S
      COMPLEX*16 EK(0:NT-1)
      DOUBLE PRECISION OM(NT)
      COMMON /FBTAB/ EK, OM
      DO 30 K = 1, NT
        S = (0.0D0, 0.0D0)
        DO 20 J = 1, NT
          IF (ISGN .GT. 0) THEN
            S = S + A(J)*EK(MOD((J-1)*(K-1), NT))
          ELSE
            S = S + A(J)*CONJG(EK(MOD((J-1)*(K-1), NT)))
          END IF
   20   CONTINUE
        W(K) = S
   30 CONTINUE
      DO 40 K = 1, NT
        A(K) = W(K)
        IF (ISGN .LT. 0) A(K) = A(K)/NT
   40 CONTINUE
      END
      SUBROUTINE LINSTP(A, W, B2, B3, GAIN, H)
      INTEGER NT, K
      PARAMETER (NT=8)
      COMPLEX*16 A(NT), W(NT), PH
      DOUBLE PRECISION B2, B3, GAIN, H, P
      COMPLEX*16 EK(0:NT-1)
      DOUBLE PRECISION OM(NT)
      COMMON /FBTAB/ EK, OM
      CALL DFT(1, A, W)
      DO 50 K = 1, NT
        P = H*(0.5D0*B2*OM(K)**2 + B3*OM(K)**3/6.0D0)
        PH = EXP(DCMPLX(H*(GAIN - 0.05D0*OM(K)**2), P))
        A(K) = A(K)*PH
   50 CONTINUE
      CALL DFT(-1, A, W)
      END
      SUBROUTINE KERR(A, GAM, TR, H)
      INTEGER NT, K, KM
      PARAMETER (NT=8)
      COMPLEX*16 A(NT)
      DOUBLE PRECISION GAM, TR, H, P(NT), Q
      DO 60 K = 1, NT
        P(K) = DBLE(A(K))**2 + AIMAG(A(K))**2
   60 CONTINUE
      DO 70 K = 1, NT
        KM = K - 1
        IF (KM .LT. 1) KM = NT
        Q = GAM*H*(P(K) - TR*(P(K) - P(KM)))
        A(K) = A(K)*DCMPLX(COS(Q), SIN(Q))
   70 CONTINUE
      END
      SUBROUTINE FIBRE(NZ, A0, CHIRP, B2, GAM, G0, OUT)
      INTEGER NZ, IZ, K, NT
      PARAMETER (NT=8)
      DOUBLE PRECISION A0(NT), CHIRP, B2, GAM, G0, OUT, H, E, GAIN
      DOUBLE PRECISION TOP, P
      COMPLEX*16 A(NT), W(NT)
      CALL FBTABL
      H = 0.2D0
      DO 80 K = 1, NT
        E = 0.4D0*(K - 4)
        A(K) = A0(K)*EXP(-E*E)*DCMPLX(COS(CHIRP*E*E), SIN(CHIRP*E*E))
   80 CONTINUE
      OUT = 0.0D0
      DO 110 IZ = 1, NZ
        E = 0.0D0
        TOP = 0.0D0
        DO 90 K = 1, NT
          P = DBLE(A(K))**2 + AIMAG(A(K))**2
          E = E + P
          TOP = MAX(TOP, P)
   90   CONTINUE
        GAIN = 0.3D0*G0/(1.0D0 + E)
        IF (GAM*TOP*H .GT. 0.1D0) THEN
          H = MAX(0.5D0*H, 0.05D0)
        ELSE
          H = MIN(1.2D0*H, 0.3D0)
        END IF
        CALL LINSTP(A, W, B2, 0.1D0, GAIN, 0.5D0*H)
        CALL KERR(A, GAM, 0.1D0, H)
        CALL LINSTP(A, W, B2, 0.1D0, GAIN, 0.5D0*H)
        DO 100 K = 1, NT
          OUT = OUT + H*DBLE(A(K))**2*K/NT
  100   CONTINUE
  110 CONTINUE
      END
