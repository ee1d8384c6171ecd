C     Unconfined ground water by strongly implicit line relaxation: one big work vector partitioned by pointers kept in
C     COMMON, external conductivity function, iteration by GOTO, alternate RETURN.
      SUBROUTINE SORWRK(NX, NY, NT, K, RCH, HB, SY, OBJ)
      INTEGER NX, NY, NT
      DOUBLE PRECISION K(NX), RCH(NT), HB, SY, OBJ
      INTEGER LW
      PARAMETER (LW=400)
      DOUBLE PRECISION W(LW)
      INTEGER LH, LO, LA, LB, LC, LR
      COMMON /LOCS/ LH, LO, LA, LB, LC, LR
      INTEGER I, J, IT, N, IPOS
      IPOS(I, J) = I + NX*(J-1)
      N = NX*NY
      LH = 1
      LO = LH + N
      LA = LO + N
      LB = LA + NX
      LC = LB + NX
      LR = LC + NX
      DO 10 J = 1, NY
        DO 10 I = 1, NX
          W(LH-1+IPOS(I,J)) = HB + 0.1D0*K(I)
   10 CONTINUE
      OBJ = 0D0
      DO 50 IT = 1, NT
        CALL COPY(N, W(LH), W(LO))
        CALL RELAX(NX, NY, W(LH), W(LO), K, RCH(IT), SY, W(LA), *60)
   30   CALL OBSERV(NX, NY, W(LH), OBJ)
   50 CONTINUE
      RETURN
C     no convergence: half the recharge once more
   60 CALL RELAX(NX, NY, W(LH), W(LO), K, 0.5D0*RCH(NT), SY,
     &  W(LA), *70)
   70 CALL OBSERV(NX, NY, W(LH), OBJ)
      END
      SUBROUTINE COPY(N, A, B)
      INTEGER N, I
      DOUBLE PRECISION A(*), B(*)
      DO 10 I = 1, N
        B(I) = A(I)
   10 CONTINUE
      END
      SUBROUTINE RELAX(NX, NY, H, HO, K, R, SY, W, *)
      INTEGER NX, NY
      DOUBLE PRECISION H(NX,NY), HO(NX,*), K(*), R, SY, W(NX,4)
      INTEGER LH, LO, LA, LB, LC, LR
      COMMON /LOCS/ LH, LO, LA, LB, LC, LR
      DOUBLE PRECISION BIG
      INTEGER IT, J
      IT = 0
   10 IT = IT + 1
      BIG = 0D0
      DO 20 J = 2, NY-1
        CALL LINE(NX, NY, J, H, HO, K, R, SY,
     &            W(1,1), W(1,2), W(1,3), W(1,4))
        CALL TRIDAG(NX, W(1,1), W(1,2), W(1,3), W(1,4))
        CALL TAKE(NX, H(1,J), W(1,4), 1.2D0, BIG)
   20 CONTINUE
      IF (BIG .LT. 1D-5) RETURN
      IF (IT .LT. 6) GOTO 10
      IF (BIG .GT. 1D1) RETURN 1
      END
      DOUBLE PRECISION FUNCTION TRANSM(KA, KB, HA, HB)
      DOUBLE PRECISION KA, KB, HA, HB, T
      T = 2D0*KA*KB/(KA + KB)
      TRANSM = T*0.5D0*(MAX(HA, 0.1D0) + MAX(HB, 0.1D0))
      END
      SUBROUTINE LINE(NX, NY, J, H, HO, K, R, SY, A, B, C, D)
      INTEGER NX, NY, J, I
      DOUBLE PRECISION H(NX,*), HO(NX,*), K(*), R, SY
      DOUBLE PRECISION A(*), B(*), C(*), D(*), TN, TS, TRANSM
      EXTERNAL TRANSM
      DO 10 I = 1, NX
        A(I) = 0D0
        C(I) = 0D0
        IF (I .GT. 1) A(I) = -TRANSM(K(I), K(I-1), H(I,J), H(I-1,J))
        IF (I .LT. NX) C(I) = -TRANSM(K(I), K(I+1), H(I,J), H(I+1,J))
        TN = TRANSM(K(I), K(I), H(I,J), H(I,J+1))
        TS = TRANSM(K(I), K(I), H(I,J), H(I,J-1))
        B(I) = SY - A(I) - C(I) + TN + TS
        D(I) = SY*HO(I,J) + 0.1D0*R + TN*H(I,J+1) + TS*H(I,J-1)
   10 CONTINUE
      END
      SUBROUTINE TRIDAG(N, A, B, C, D)
      INTEGER N, I
      DOUBLE PRECISION A(N), B(N), C(N), D(N), F
      DO 10 I = 2, N
        F = A(I)/B(I-1)
        B(I) = B(I) - F*C(I-1)
        D(I) = D(I) - F*D(I-1)
   10 CONTINUE
      D(N) = D(N)/B(N)
      DO 20 I = N-1, 1, -1
        D(I) = (D(I) - C(I)*D(I+1))/B(I)
   20 CONTINUE
      END
      SUBROUTINE TAKE(N, H, X, OMEGA, BIG)
      INTEGER N, I
      DOUBLE PRECISION H(N), X(N), OMEGA, BIG, D
      DO 10 I = 1, N
        D = OMEGA*(X(I) - H(I))
        H(I) = H(I) + D
        IF (ABS(D) .GT. BIG) BIG = ABS(D)
   10 CONTINUE
      END
      SUBROUTINE OBSERV(NX, NY, H, OBJ)
      INTEGER NX, NY, I
      DOUBLE PRECISION H(NX,NY), OBJ
      DO 10 I = 1, NX
        OBJ = OBJ + (H(I,2) - 1D0)**2
   10 CONTINUE
      END
