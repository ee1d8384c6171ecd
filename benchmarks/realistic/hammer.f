C     Water hammer in a penstock by the method of characteristics: reservoir, surge tank, valve closing by a table, column
C     separation at vapour pressure, friction by flow regime, nodes old and new in COMMON.
      SUBROUTINE FRICT(V, RE0, F)
      DOUBLE PRECISION V, RE0, F, RE
      RE = RE0*ABS(V) + 1.0D-3
      IF (RE .LT. 2.0D0) THEN
        F = 0.64D0/RE
      ELSE IF (RE .LT. 4.0D0) THEN
        F = 0.32D0 + 0.02D0*(RE - 2.0D0)
      ELSE
        F = 0.36D0/(0.7D0 + LOG(RE)*0.2D0)
      END IF
      END
      SUBROUTINE INNER(N, B, RE0)
      INTEGER N, I
      DOUBLE PRECISION B, RE0, CP, CM, FA, FB
      DOUBLE PRECISION H(20), Q(20), HN(20), QN(20), VC(20)
      COMMON /PIPE/ H, Q, HN, QN, VC
      DO 10 I = 2, N - 1
        CALL FRICT(Q(I-1), RE0, FA)
        CALL FRICT(Q(I+1), RE0, FB)
        CP = H(I-1) + B*Q(I-1) - 0.1D0*FA*Q(I-1)*ABS(Q(I-1))
        CM = H(I+1) - B*Q(I+1) + 0.1D0*FB*Q(I+1)*ABS(Q(I+1))
        HN(I) = 0.5D0*(CP + CM)
        IF (HN(I) .LT. -0.5D0) THEN
          HN(I) = -0.5D0
          VC(I) = VC(I) + 0.05D0*(CP - CM + 1.0D0)
        ELSE
          VC(I) = 0.9D0*VC(I)
        END IF
        QN(I) = (CP - HN(I))/B - 0.1D0*VC(I)
   10 CONTINUE
      END
      SUBROUTINE ENDS(N, B, RE0, HRES, TAU, CV)
      INTEGER N
      DOUBLE PRECISION B, RE0, HRES, TAU, CV, F, CP, CM, C
      DOUBLE PRECISION H(20), Q(20), HN(20), QN(20), VC(20)
      COMMON /PIPE/ H, Q, HN, QN, VC
      CALL FRICT(Q(2), RE0, F)
      CM = H(2) - B*Q(2) + 0.1D0*F*Q(2)*ABS(Q(2))
      HN(1) = HRES
      QN(1) = (HRES - CM)/B
      CALL FRICT(Q(N-1), RE0, F)
      CP = H(N-1) + B*Q(N-1) - 0.1D0*F*Q(N-1)*ABS(Q(N-1))
      IF (TAU .LE. 0.0D0) THEN
        QN(N) = 0.0D0
        HN(N) = CP
      ELSE
        C = (TAU*CV)**2
        IF (CP .GT. 0.0D0) THEN
          QN(N) = 0.5D0*(-B*C + SQRT((B*C)**2 + 4.0D0*C*CP))
        ELSE
          QN(N) = 0.0D0
        END IF
        HN(N) = CP - B*QN(N)
      END IF
      END
      SUBROUTINE TANK(K, DT, AT, HT)
      INTEGER K
      DOUBLE PRECISION DT, AT, HT, QIN
      DOUBLE PRECISION H(20), Q(20), HN(20), QN(20), VC(20)
      COMMON /PIPE/ H, Q, HN, QN, VC
      QIN = 0.5D0*SIGN(SQRT(ABS(HN(K) - HT) + 1.0D-4), HN(K) - HT)
      HT = HT + DT*QIN/AT
      HN(K) = HN(K) - 0.2D0*QIN
      QN(K) = QN(K) - 0.5D0*QIN
      END
      SUBROUTINE HAMMER(N, NT, HRES, Q0, CV, B, AT, PEAK)
      INTEGER N, NT, I, K, M
      DOUBLE PRECISION HRES, Q0, CV, B, AT, PEAK, HT, TAU, TT(4),
     &  TV(4), S
      DOUBLE PRECISION H(20), Q(20), HN(20), QN(20), VC(20)
      COMMON /PIPE/ H, Q, HN, QN, VC
      DATA TT /0.0D0, 1.0D0, 3.0D0, 6.0D0/
      DATA TV /1.0D0, 0.8D0, 0.2D0, 0.0D0/
      DO 10 I = 1, N
        H(I) = HRES - 0.02D0*I
        Q(I) = Q0
        VC(I) = 0.0D0
   10 CONTINUE
      HT = HRES
      PEAK = 0.0D0
      DO 50 K = 1, NT
        S = DBLE(K)
        M = 1
   20   IF (M .LT. 3 .AND. S .GT. TT(M+1)) THEN
          M = M + 1
          GOTO 20
        END IF
        TAU = TV(M) + (TV(M+1) - TV(M))*(S - TT(M))/(TT(M+1) - TT(M))
C$AD CHECKPOINT-START
        CALL INNER(N, B, 3.0D0)
        CALL ENDS(N, B, 3.0D0, HRES, TAU, CV)
        CALL TANK(3, 0.1D0, AT, HT)
C$AD CHECKPOINT-END
        DO 30 I = 1, N
          H(I) = HN(I)
          Q(I) = QN(I)
   30   CONTINUE
        PEAK = PEAK + H(N)**2
   50 CONTINUE
      PEAK = SQRT(PEAK) + 0.1D0*HT
      END
