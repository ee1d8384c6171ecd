C     A reactor network in FORTRAN 77: one work array cut by EQUIVALENCE,
C     state in COMMON, unit models chosen by computed GOTO.
      SUBROUTINE PLANT(FEED, COEF, NPASS, PROFIT)
      INTEGER NPASS
      DOUBLE PRECISION FEED(3), COEF(5), PROFIT
      DOUBLE PRECISION STRM(4,6), UA(6), WORK(60), REV, COST
      DOUBLE PRECISION XIN(4), XOUT(4), PRM(5)
      INTEGER NUNIT, ITYPE(6), IIN(6), IOUT(6), IP, I, J, K
      COMMON /STREAM/ STRM, UA
      COMMON /WRK/ WORK
      EQUIVALENCE (WORK(1), XIN(1)), (WORK(11), XOUT(1))
      EQUIVALENCE (WORK(21), PRM(1))
      DATA ITYPE /1, 2, 3, 2, 4, 1/
      DATA IIN /1, 2, 3, 4, 5, 6/
      DATA IOUT /2, 3, 4, 5, 6, 1/
      NUNIT = 6
      DO 5 K = 1, 6
        UA(K) = 0.2D0*K*COEF(1)
        DO 4 J = 1, 4
          STRM(J,K) = 0.1D0
    4   CONTINUE
    5 CONTINUE
      DO 10 I = 1, 3
        STRM(I,1) = FEED(I)
   10 CONTINUE
      STRM(4,1) = 1D0
      DO 15 I = 1, 5
        PRM(I) = COEF(I)
   15 CONTINUE
      PROFIT = 0D0
      DO 100 IP = 1, NPASS
        DO 90 K = 1, NUNIT
          DO 20 J = 1, 4
            XIN(J) = STRM(J,IIN(K))
   20     CONTINUE
          GOTO (30, 40, 50, 60), ITYPE(K)
   30     CALL MIXER(XIN, XOUT, FEED)
          GOTO 70
   40     CALL REACT(XIN, XOUT, PRM, UA(K))
          GOTO 70
   50     CALL FLASH(XIN, XOUT, PRM(4))
          GOTO 70
   60     CALL HEATX(XIN, XOUT, UA(K), PRM(5))
   70     DO 80 J = 1, 4
            STRM(J,IOUT(K)) = XOUT(J)
   80     CONTINUE
   90   CONTINUE
        REV = STRM(2,4)*2D0 + STRM(3,4)*0.5D0
        COST = 0.1D0*(STRM(4,6) - 1D0)**2
        PROFIT = PROFIT + REV - COST
  100 CONTINUE
      END
      SUBROUTINE MIXER(A, B, F)
      DOUBLE PRECISION A(4), B(4), F(3), WT
      INTEGER I
      WT = 1D0/(F(1) + F(2) + F(3))
      DO 10 I = 1, 3
        B(I) = 0.7D0*A(I) + 0.3D0*F(I)*WT
   10 CONTINUE
      B(4) = 0.6D0*A(4) + 0.4D0
      END
      SUBROUTINE REACT(A, B, P, U)
      DOUBLE PRECISION A(4), B(4), P(5), U, C(2), T, R1, R2, H
      DOUBLE PRECISION ARR, X, Y
      INTEGER I
      ARR(X, Y) = X*DEXP(-1.5D0/Y)
      C(1) = A(1)
      C(2) = A(2)
      T = A(4)
      H = 0.25D0
      B(3) = A(3)
      DO 20 I = 1, 4
        R1 = ARR(P(2), T)*C(1)
        R2 = ARR(0.3D0*P(3), T)*C(2)*C(2)
        C(1) = C(1) - H*R1
        C(2) = C(2) + H*(R1 - R2)
        B(3) = B(3) + H*R2
        T = T + H*(0.5D0*R1 + 0.3D0*R2 - U*(T - 0.8D0))
   20 CONTINUE
      B(1) = C(1)
      B(2) = C(2)
      B(4) = T
      END
      SUBROUTINE FLASH(A, B, P)
      DOUBLE PRECISION A(4), B(4), P, KV(3), V, G, DG, D
      INTEGER I, IT
      KV(1) = 1.6D0*A(4)/P
      KV(2) = 1.1D0*A(4)/P
      KV(3) = 0.5D0*A(4)/P
      V = 0.5D0
      DO 20 IT = 1, 8
        G = 0D0
        DG = 0D0
        DO 10 I = 1, 3
          D = 1D0 + V*(KV(I) - 1D0)
          G = G + A(I)*(KV(I) - 1D0)/D
          DG = DG - A(I)*((KV(I) - 1D0)/D)**2
   10   CONTINUE
        IF (DABS(G) .LT. 1D-9) GOTO 30
        V = V - G/DG
        IF (V .LT. 0.05D0) V = 0.05D0
        IF (V .GT. 0.95D0) V = 0.95D0
   20 CONTINUE
   30 DO 40 I = 1, 3
        B(I) = A(I)/(1D0 + V*(KV(I) - 1D0))
   40 CONTINUE
      B(4) = A(4) - 0.1D0*V
      END
      SUBROUTINE HEATX(A, B, U, Q)
      DOUBLE PRECISION A(4), B(4), U, Q, NTU, EFF
      INTEGER I
      DO 10 I = 1, 3
        B(I) = A(I)
   10 CONTINUE
      NTU = U/(A(1) + A(2) + A(3))
      EFF = 1D0 - DEXP(-NTU)
      B(4) = A(4) + EFF*(Q - A(4))
      END
