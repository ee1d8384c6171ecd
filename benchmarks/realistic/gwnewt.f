C     Ground water in the manner of a modular FORTRAN 77 code: IBOUND,
C     conductances, packages for wells, rivers and drains, strongly
C     implicit line sweeps with relaxation, head-dependent thickness.
      SUBROUTINE GWF(HK, RECH, WELQ, RIVC, BALANCE)
      INTEGER NR, NC, NW, NV
      PARAMETER (NR=4, NC=5, NW=2, NV=3)
      DOUBLE PRECISION HK(NC,NR), RECH(NC,NR), WELQ(NW), RIVC(NV)
      DOUBLE PRECISION BALANCE
      DOUBLE PRECISION H(NC,NR), HOLD(NC,NR), CR(NC,NR), CC(NC,NR)
      DOUBLE PRECISION RHS(NC,NR), HCOF(NC,NR), BOT(NC,NR)
      INTEGER IBOUND(NC,NR), I, J, KPER, KITER
      COMMON /FLOW/ H, HOLD, CR, CC, RHS, HCOF, BOT, IBOUND
      DO 20 I = 1, NR
        DO 10 J = 1, NC
          H(J,I) = 2D0 + 0.1D0*J
          BOT(J,I) = 0.05D0*(I + J)
          IBOUND(J,I) = 1
   10   CONTINUE
        IBOUND(1,I) = -1
   20 CONTINUE
      IBOUND(NC,NR) = 0
      BALANCE = 0D0
      DO 100 KPER = 1, 2
        DO 40 I = 1, NR
          DO 30 J = 1, NC
            HOLD(J,I) = H(J,I)
   30     CONTINUE
   40   CONTINUE
        DO 60 KITER = 1, 3
          CALL BCF(HK, NC, NR)
          CALL RCH(RECH, NC, NR)
          CALL WEL(WELQ, NW, NC, NR)
          CALL RIV(RIVC, NV, NC, NR)
          CALL SLV(NC, NR)
   60   CONTINUE
        DO 90 I = 1, NR
          DO 80 J = 1, NC
            IF (IBOUND(J,I) .LE. 0) GOTO 80
            BALANCE = BALANCE + (H(J,I) - HOLD(J,I))**2
   80     CONTINUE
   90   CONTINUE
  100 CONTINUE
      BALANCE = BALANCE + H(3,2)
      END
      SUBROUTINE BCF(HK, NC, NR)
      INTEGER NC, NR, I, J
      DOUBLE PRECISION HK(NC,NR), T(5,4), THCK, T1, T2, SC
      DOUBLE PRECISION H(5,4), HOLD(5,4), CR(5,4), CC(5,4)
      DOUBLE PRECISION RHS(5,4), HCOF(5,4), BOT(5,4)
      INTEGER IBOUND(5,4)
      COMMON /FLOW/ H, HOLD, CR, CC, RHS, HCOF, BOT, IBOUND
      SC = 0.3D0
      DO 20 I = 1, NR
        DO 10 J = 1, NC
          RHS(J,I) = -SC*HOLD(J,I)
          HCOF(J,I) = -SC
          T(J,I) = 0D0
          IF (IBOUND(J,I) .EQ. 0) GOTO 10
          THCK = H(J,I) - BOT(J,I)
          IF (THCK .LT. 0.01D0) THEN
            THCK = 0.01D0
          END IF
          T(J,I) = HK(J,I)*THCK
   10   CONTINUE
   20 CONTINUE
      DO 40 I = 1, NR
        DO 30 J = 1, NC
          CR(J,I) = 0D0
          CC(J,I) = 0D0
          T1 = T(J,I)
          IF (T1 .LE. 0D0) GOTO 30
          IF (J .LT. NC) THEN
            T2 = T(J+1,I)
            IF (T2 .GT. 0D0) CR(J,I) = 2D0*T2*T1/(T1 + T2)
          END IF
          IF (I .LT. NR) THEN
            T2 = T(J,I+1)
            IF (T2 .GT. 0D0) CC(J,I) = 2D0*T2*T1/(T1 + T2)
          END IF
   30   CONTINUE
   40 CONTINUE
      END
      SUBROUTINE RCH(RECH, NC, NR)
      INTEGER NC, NR, I, J
      DOUBLE PRECISION RECH(NC,NR)
      DOUBLE PRECISION H(5,4), HOLD(5,4), CR(5,4), CC(5,4)
      DOUBLE PRECISION RHS(5,4), HCOF(5,4), BOT(5,4)
      INTEGER IBOUND(5,4)
      COMMON /FLOW/ H, HOLD, CR, CC, RHS, HCOF, BOT, IBOUND
      DO 20 I = 1, NR
        DO 10 J = 1, NC
          IF (IBOUND(J,I) .GT. 0) RHS(J,I) = RHS(J,I) - 0.05D0*RECH(J,I)
   10   CONTINUE
   20 CONTINUE
      END
      SUBROUTINE WEL(WELQ, NW, NC, NR)
      INTEGER NW, NC, NR, L, IR, IC
      DOUBLE PRECISION WELQ(NW), Q, AVAIL
      DOUBLE PRECISION H(5,4), HOLD(5,4), CR(5,4), CC(5,4)
      DOUBLE PRECISION RHS(5,4), HCOF(5,4), BOT(5,4)
      INTEGER IBOUND(5,4)
      COMMON /FLOW/ H, HOLD, CR, CC, RHS, HCOF, BOT, IBOUND
      DO 10 L = 1, NW
        IR = L + 1
        IC = 2*L
        IF (IBOUND(IC,IR) .LE. 0) GOTO 10
        Q = 0.3D0*WELQ(L)
        AVAIL = (H(IC,IR) - BOT(IC,IR))/0.5D0
        IF (AVAIL .LT. 1D0) Q = Q*AVAIL*AVAIL*(3D0 - 2D0*AVAIL)
        RHS(IC,IR) = RHS(IC,IR) + Q
   10 CONTINUE
      END
      SUBROUTINE RIV(RIVC, NV, NC, NR)
      INTEGER NV, NC, NR, L, IR, IC
      DOUBLE PRECISION RIVC(NV), STAGE, RBOT
      DOUBLE PRECISION H(5,4), HOLD(5,4), CR(5,4), CC(5,4)
      DOUBLE PRECISION RHS(5,4), HCOF(5,4), BOT(5,4)
      INTEGER IBOUND(5,4)
      COMMON /FLOW/ H, HOLD, CR, CC, RHS, HCOF, BOT, IBOUND
      DO 10 L = 1, NV
        IR = 1
        IC = L + 1
        STAGE = 2.2D0
        RBOT = 1.9D0
        IF (H(IC,IR) .LE. RBOT) THEN
          RHS(IC,IR) = RHS(IC,IR) - 0.5D0*RIVC(L)*(STAGE - RBOT)
        ELSE
          RHS(IC,IR) = RHS(IC,IR) - 0.5D0*RIVC(L)*STAGE
          HCOF(IC,IR) = HCOF(IC,IR) - 0.5D0*RIVC(L)
        END IF
   10 CONTINUE
      END
      SUBROUTINE SLV(NC, NR)
      INTEGER NC, NR, I, J, IS
      DOUBLE PRECISION A(5), B(5), C(5), D(5), E, W
      DOUBLE PRECISION H(5,4), HOLD(5,4), CR(5,4), CC(5,4)
      DOUBLE PRECISION RHS(5,4), HCOF(5,4), BOT(5,4)
      INTEGER IBOUND(5,4)
      COMMON /FLOW/ H, HOLD, CR, CC, RHS, HCOF, BOT, IBOUND
      W = 1.1D0
      DO 100 IS = 1, 2
        DO 90 I = 1, NR
          DO 30 J = 1, NC
            A(J) = 0D0
            C(J) = 0D0
            B(J) = 1D0
            D(J) = H(J,I)
            IF (IBOUND(J,I) .LE. 0) GOTO 30
            E = HCOF(J,I)
            D(J) = RHS(J,I)
            IF (J .GT. 1) THEN
              A(J) = CR(J-1,I)
              E = E - CR(J-1,I)
            END IF
            IF (J .LT. NC) THEN
              C(J) = CR(J,I)
              E = E - CR(J,I)
            END IF
            IF (I .GT. 1) THEN
              E = E - CC(J,I-1)
              D(J) = D(J) - CC(J,I-1)*H(J,I-1)
            END IF
            IF (I .LT. NR) THEN
              E = E - CC(J,I)
              D(J) = D(J) - CC(J,I)*H(J,I+1)
            END IF
            B(J) = E
   30     CONTINUE
          DO 40 J = 2, NC
            E = A(J)/B(J-1)
            B(J) = B(J) - E*C(J-1)
            D(J) = D(J) - E*D(J-1)
   40     CONTINUE
          D(NC) = D(NC)/B(NC)
          DO 50 J = NC - 1, 1, -1
            D(J) = (D(J) - C(J)*D(J+1))/B(J)
   50     CONTINUE
          DO 60 J = 1, NC
            IF (IBOUND(J,I) .GT. 0) H(J,I) = H(J,I) + W*(D(J) - H(J,I))
   60     CONTINUE
   90   CONTINUE
  100 CONTINUE
      END
