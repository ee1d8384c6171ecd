C     Lake metabolism in fixed form: statement functions, BLOCK DATA, arithmetic IF, computed GOTO over the
C     weather of the day, work array cut into pieces that are passed with assumed size.
      BLOCK DATA LAKEBD
      DOUBLE PRECISION Q10, PMAX, RESP, SETL
      COMMON /BIOP/ Q10, PMAX, RESP, SETL
      DATA Q10, PMAX, RESP, SETL /2.0D0, 0.6D0, 0.1D0, 0.05D0/
      END
      SUBROUTINE LAKEBI(NZ, ND, T0, P0, SUN, WIND, PAR, SCORE)
      INTEGER NZ, ND
      DOUBLE PRECISION T0(NZ), P0(NZ), SUN(ND), WIND(ND), PAR(4), SCORE
      INTEGER MZ
      PARAMETER (MZ=12)
      DOUBLE PRECISION W(5*MZ), SUM
      DOUBLE PRECISION Q10, PMAX, RESP, SETL
      COMMON /BIOP/ Q10, PMAX, RESP, SETL
      INTEGER I, ID, KIND, IT, IP, IN, IL, IR
      IT = 1
      IP = IT + NZ
      IN = IP + NZ
      IL = IN + NZ
      IR = IL + NZ
      DO 10 I = 1, NZ
        W(IT+I-1) = T0(I) - 0.05D0*I
        W(IP+I-1) = 0.3D0*P0(I)
        W(IN+I-1) = 1D0
   10 CONTINUE
      SCORE = 0D0
      DO 100 ID = 1, ND
        KIND = 1 + MOD(ID, 3)
        GOTO (20, 30, 40), KIND
   20   CALL HEAT(NZ, W(IT), SUN(ID), 0.3D0)
        GOTO 50
   30   CALL HEAT(NZ, W(IT), 0.5D0*SUN(ID), 0.3D0)
        CALL STIR(NZ, W(IT), W(IP), W(IN), WIND(ID), W(IR))
        GOTO 50
   40   CALL STIR(NZ, W(IT), W(IP), W(IN), 2D0*WIND(ID), W(IR))
   50   CALL LIGHT(NZ, SUN(ID), PAR(1), W(IP), W(IL))
        CALL GROW(NZ, W(IT), W(IP), W(IN), W(IL), PAR, 0.1D0)
        CALL SINK(NZ, W(IP), W(IR), 0.1D0)
        SUM = 0D0
        DO 60 I = 1, NZ
          SUM = SUM + W(IP+I-1)
   60   CONTINUE
        SCORE = SCORE + (SUM - 0.2D0*NZ)**2
  100 CONTINUE
      END
      SUBROUTINE HEAT(NZ, T, S, K)
      INTEGER NZ, I
      DOUBLE PRECISION T(*), S, K, F
      F = 0.1D0*S
      DO 10 I = 1, NZ
        T(I) = T(I) + F*(1D0 - EXP(-K))*(1D0 + 0.1D0*T(I))
        F = F*EXP(-K)
   10 CONTINUE
      END
      SUBROUTINE STIR(NZ, T, P, C, U, R)
      INTEGER NZ, I, M
      DOUBLE PRECISION T(*), P(*), C(*), U, R(*), E, S, TM, PM, CM
      E = 0.05D0*U**3
      M = 1
      DO 10 I = 1, NZ
        R(I) = T(I)
   10 CONTINUE
      DO 20 I = 2, NZ
        S = 0.2D0*(R(1) - R(I))*I - E
        IF (S) 15, 15, 30
   15   M = I
   20 CONTINUE
   30 TM = 0D0
      PM = 0D0
      CM = 0D0
      DO 40 I = 1, M
        TM = TM + T(I)/M
        PM = PM + P(I)/M
        CM = CM + C(I)/M
   40 CONTINUE
      DO 50 I = 1, M
        T(I) = TM + 0.01D0*(T(I) - TM)*U
        P(I) = PM
        C(I) = CM
   50 CONTINUE
      END
      SUBROUTINE LIGHT(NZ, S, KD, P, L)
      INTEGER NZ, I
      DOUBLE PRECISION S, KD, P(*), L(*), A
      A = S
      DO 10 I = 1, NZ
        L(I) = A*EXP(-0.5D0*(0.2D0*KD + P(I)))
        A = A*EXP(-(0.2D0*KD + P(I)))
   10 CONTINUE
      END
      SUBROUTINE GROW(NZ, T, P, C, L, PAR, DT)
      INTEGER NZ, I
      DOUBLE PRECISION T(*), P(*), C(*), L(*), PAR(4), DT
      DOUBLE PRECISION Q10, PMAX, RESP, SETL
      COMMON /BIOP/ Q10, PMAX, RESP, SETL
      DOUBLE PRECISION FT, FL, FN, X, Y, G, D
      FT(X) = Q10**(0.1D0*(X - 1D0))
      FL(X, Y) = X/(Y + X)
      FN(X) = X/(X + 0.1D0*PAR(3))
      DO 10 I = 1, NZ
        G = PMAX*PAR(2)*FT(T(I))*FL(L(I), 0.3D0)*FN(C(I))*P(I)
        IF (G*DT .GT. C(I)) G = C(I)/DT
        D = RESP*PAR(4)*FT(T(I))*P(I)
        P(I) = P(I) + DT*(G - D)
        C(I) = C(I) - DT*(G - 0.8D0*D)
   10 CONTINUE
      END
      SUBROUTINE SINK(NZ, P, F, DT)
      INTEGER NZ, I
      DOUBLE PRECISION P(*), F(*), DT
      DOUBLE PRECISION Q10, PMAX, RESP, SETL
      COMMON /BIOP/ Q10, PMAX, RESP, SETL
      DO 10 I = 1, NZ
        F(I) = SETL*P(I)*(1D0 + P(I))
   10 CONTINUE
      P(1) = P(1) - DT*F(1)
      DO 20 I = 2, NZ
        P(I) = P(I) + DT*(F(I-1) - F(I))
   20 CONTINUE
      END
