C     Floods through a valley: storage routing by reaches with computed GOTO for the reach's kind, a reservoir with gates,
C     iterations by GOTO until the stage fits, breach of a levee; state in COMMON, losses by statement functions.
      SUBROUTINE FRINIT(N, Q0)
      INTEGER N, I
      DOUBLE PRECISION Q0
      DOUBLE PRECISION STO(20), QOUT(20), STG(20), BRW
      COMMON /FRSTAT/ STO, QOUT, STG, BRW
      INTEGER KIND(20)
      COMMON /FRKIND/ KIND
      DO 10 I = 1, N
        STO(I) = 1.0D0 + 0.1D0*I
        QOUT(I) = Q0
        STG(I) = 0.5D0
        KIND(I) = MOD(I, 3) + 1
   10 CONTINUE
      BRW = 0.0D0
      END
      SUBROUTINE CHANNL(I, QIN, ROUGH, DT)
      INTEGER I, K
      DOUBLE PRECISION QIN, ROUGH, DT, Q, F, DF, SN
      DOUBLE PRECISION STO(20), QOUT(20), STG(20), BRW
      COMMON /FRSTAT/ STO, QOUT, STG, BRW
      DOUBLE PRECISION RATING, DRATE, S, C
      RATING(S, C) = S*SQRT(S)/C
      DRATE(S, C) = 1.5D0*SQRT(S)/C
      K = 0
      SN = STO(I)
   20 Q = RATING(SN, ROUGH)
      F = SN - STO(I) - DT*(QIN - 0.5D0*(Q + QOUT(I)))
      DF = 1.0D0 + 0.5D0*DT*DRATE(SN, ROUGH)
      SN = SN - F/DF
      IF (SN .LT. 1.0D-3) SN = 1.0D-3
      K = K + 1
      IF (K .GE. 6) GOTO 30
      IF (ABS(F) .GT. 1.0D-5) GOTO 20
   30 STO(I) = SN
      QOUT(I) = RATING(SN, ROUGH)
      STG(I) = SN**0.6D0
      END
      SUBROUTINE RESERV(I, QIN, GATE, DT)
      INTEGER I, K
      DOUBLE PRECISION QIN, GATE, DT, H, QG
      DOUBLE PRECISION STO(20), QOUT(20), STG(20), BRW
      COMMON /FRSTAT/ STO, QOUT, STG, BRW
      DO 40 K = 1, 3
        H = SQRT(STO(I))
        IF (H .LT. 0.6D0) THEN
          QG = 0.2D0*H
        ELSE IF (H .LT. 1.1D0) THEN
          QG = 0.2D0*H + GATE*(H - 0.6D0)*SQRT(H - 0.6D0)
        ELSE
          QG = 0.2D0*H + GATE*SQRT(H) + 2.0D0*(H - 1.1D0)
        END IF
        STO(I) = MAX(STO(I) + DT*(QIN - QG)/3.0D0, 0.01D0)
   40 CONTINUE
      QOUT(I) = QG
      STG(I) = H
      END
      SUBROUTINE LEVEE(I, QIN, CREST, DT)
      INTEGER I
      DOUBLE PRECISION QIN, CREST, DT, OVER
      DOUBLE PRECISION STO(20), QOUT(20), STG(20), BRW
      COMMON /FRSTAT/ STO, QOUT, STG, BRW
      OVER = STG(I) - CREST
      IF (OVER .LE. 0.0D0) GOTO 50
      BRW = BRW + DT*0.3D0*OVER*(1.0D0 - BRW)
   50 QOUT(I) = QIN*(1.0D0 - 0.4D0*BRW)
      STG(I) = STG(I) + 0.5D0*(SQRT(QIN + 0.1D0) - STG(I))
      END
      SUBROUTINE FLOODRT(N, NT, RAIN, ROUGH, GATE, CREST, Q0, PEAK)
      INTEGER N, NT, I, IT
      DOUBLE PRECISION RAIN(NT), ROUGH(N), GATE, CREST, Q0, PEAK
      DOUBLE PRECISION STO(20), QOUT(20), STG(20), BRW
      COMMON /FRSTAT/ STO, QOUT, STG, BRW
      INTEGER KIND(20)
      COMMON /FRKIND/ KIND
      DOUBLE PRECISION Q, DT
      DT = 0.2D0
      CALL FRINIT(N, Q0)
      PEAK = 0.0D0
      DO 90 IT = 1, NT
        Q = Q0 + RAIN(IT)**2
        DO 80 I = 1, N
          GOTO (60, 65, 70), KIND(I)
   60     CALL CHANNL(I, Q, 0.5D0 + ROUGH(I), DT)
          GOTO 75
   65     CALL RESERV(I, Q, GATE, DT)
          GOTO 75
   70     CALL LEVEE(I, Q, CREST, DT)
   75     Q = QOUT(I) + 0.05D0*RAIN(IT)
   80   CONTINUE
        IF (Q .LT. 0.05D0) GOTO 100
        PEAK = PEAK + Q**3
   90 CONTINUE
  100 CONTINUE
      END
