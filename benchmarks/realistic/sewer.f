C     STORM SEWER NETWORK.  CATCHMENTS WITH HORTON INFILTRATION FEED
C     PIPES; TWO TIME LEVELS OF FLOW AND AREA IN ONE COMMON ARRAY EACH,
C     KINEMATIC ROUTING BY A WEIGHTED BOX, SURCHARGE STORED AT MANHOLES.
      SUBROUTINE SEWINI(DIA, SLOPE)
      INTEGER NP, NS
      PARAMETER (NP = 6, NS = 4)
      DOUBLE PRECISION DIA(NP), SLOPE
      DOUBLE PRECISION Q(NS,2,NP), A(NS,2,NP), STOR(NP)
      COMMON /FLOWS/ Q, A, STOR
      INTEGER NDOWN(NP)
      DOUBLE PRECISION AFUL(NP), QFUL(NP), ALFA(NP), XKN
      COMMON /PIPES/ AFUL, QFUL, ALFA, XKN
      COMMON /TREE/ NDOWN
      INTEGER I, J, L
      DO 30 J = 1, NP
        AFUL(J) = 0.785D0*DIA(J)**2
        QFUL(J) = 0.3117D0/0.013D0*DIA(J)**2.667D0*SQRT(SLOPE)*0.05D0
        ALFA(J) = QFUL(J)/AFUL(J)**1.333D0
        STOR(J) = 0.0D0
        DO 20 L = 1, 2
          DO 10 I = 1, NS
            Q(I,L,J) = 0.01D0
            A(I,L,J) = (0.01D0/ALFA(J))**0.75D0
   10     CONTINUE
   20   CONTINUE
   30 CONTINUE
      XKN = 1.333D0
      NDOWN(1) = 3
      NDOWN(2) = 3
      NDOWN(3) = 6
      NDOWN(4) = 5
      NDOWN(5) = 6
      NDOWN(6) = 0
      RETURN
      END
      SUBROUTINE HORTON(RAIN, F0, FC, W, RUN)
      DOUBLE PRECISION RAIN, F0, FC, W, RUN, F
      F = FC + (F0 - FC)*EXP(-1.5D0*W)
      IF (RAIN .LE. F) GO TO 10
      RUN = RAIN - F
      W = W + F*0.1D0
      RETURN
   10 RUN = 0.02D0*RAIN
      W = W + RAIN*0.098D0
      RETURN
      END
      SUBROUTINE ROUTE(J, QIN, DT, DX)
      INTEGER NP, NS
      PARAMETER (NP = 6, NS = 4)
      INTEGER J, I, IT
      DOUBLE PRECISION QIN, DT, DX, C1, G, DG, AN, RES
      DOUBLE PRECISION Q(NS,2,NP), A(NS,2,NP), STOR(NP)
      COMMON /FLOWS/ Q, A, STOR
      DOUBLE PRECISION AFUL(NP), QFUL(NP), ALFA(NP), XKN
      COMMON /PIPES/ AFUL, QFUL, ALFA, XKN
      Q(1,2,J) = QIN
      A(1,2,J) = (QIN/ALFA(J))**0.75D0
      DO 40 I = 2, NS
        C1 = DT/DX
        RES = A(I,1,J) + 0.4D0*(A(I-1,1,J) - A(I-1,2,J))
     &      + C1*Q(I-1,2,J)
        AN = A(I,1,J)
        DO 20 IT = 1, 10
          G = AN + C1*ALFA(J)*AN**XKN - RES
          DG = 1.0D0 + C1*ALFA(J)*XKN*AN**(XKN - 1.0D0)
          AN = AN - G/DG
          IF (AN .LT. 1.0D-4) AN = 1.0D-4
          IF (ABS(G) .LT. 1.0D-7) GO TO 30
   20   CONTINUE
   30   A(I,2,J) = AN
        Q(I,2,J) = ALFA(J)*AN**XKN
   40 CONTINUE
      RETURN
      END
      SUBROUTINE ADVNCE
      INTEGER NP, NS
      PARAMETER (NP = 6, NS = 4)
      DOUBLE PRECISION Q(NS,2,NP), A(NS,2,NP), STOR(NP)
      COMMON /FLOWS/ Q, A, STOR
      INTEGER I, J
      DO 20 J = 1, NP
        DO 10 I = 1, NS
          Q(I,1,J) = Q(I,2,J)
          A(I,1,J) = A(I,2,J)
   10   CONTINUE
   20 CONTINUE
      RETURN
      END
      SUBROUTINE SEWER(NT, DIA, SLOPE, RAIN, F0, FC, PEAK)
      INTEGER NP, NS, NT
      PARAMETER (NP = 6, NS = 4)
      DOUBLE PRECISION DIA(NP), SLOPE, RAIN(NT), F0, FC, PEAK
      DOUBLE PRECISION Q(NS,2,NP), A(NS,2,NP), STOR(NP)
      COMMON /FLOWS/ Q, A, STOR
      DOUBLE PRECISION AFUL(NP), QFUL(NP), ALFA(NP), XKN
      COMMON /PIPES/ AFUL, QFUL, ALFA, XKN
      INTEGER NDOWN(NP)
      COMMON /TREE/ NDOWN
      DOUBLE PRECISION QL(NP), W(NP), RUN, QTOT
      INTEGER IT, J
      CALL SEWINI(DIA, SLOPE)
      DO 10 J = 1, NP
        W(J) = 0.1D0*J
   10 CONTINUE
      PEAK = 0.0D0
      DO 100 IT = 1, NT
        DO 20 J = 1, NP
          CALL HORTON(RAIN(IT), F0, FC, W(J), RUN)
          QL(J) = 0.2D0*RUN + 0.005D0
   20   CONTINUE
        DO 50 J = 1, NP
          QTOT = QL(J) + STOR(J)*0.5D0
          STOR(J) = 0.5D0*STOR(J)
          IF (QTOT .GT. QFUL(J)) THEN
            STOR(J) = STOR(J) + QTOT - QFUL(J)
            QTOT = QFUL(J)
          END IF
          CALL ROUTE(J, QTOT, 0.5D0, 1.0D0)
          IF (NDOWN(J) .GT. 0) QL(NDOWN(J)) = QL(NDOWN(J)) + Q(NS,2,J)
   50   CONTINUE
        CALL ADVNCE
        PEAK = PEAK + Q(NS,2,NP)**4 + 0.1D0*STOR(3)**2
  100 CONTINUE
      PEAK = PEAK**0.25D0
      RETURN
      END
