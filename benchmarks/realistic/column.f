C     A mixed layer in fixed form: state and mixing in COMMON, one solver for two diffusivities.
      SUBROUTINE COLUMN(NZ, NT, TAU, T0, CHEAT, COST)
      INTEGER NZ, NT, K, IT
      DOUBLE PRECISION TAU(NT), T0(NZ), CHEAT, COST
      DOUBLE PRECISION T(100), U(100), AKV(0:100), AKT(0:100)
      COMMON /STATE/ T, U
      COMMON /MIX/ AKV, AKT
      DO K = 1, NZ
        T(K) = T0(K)
        U(K) = 0D0
      END DO
      COST = 0D0
      DO IT = 1, NT
        CALL MIXING(NZ)
        CALL STEPU(NZ, TAU(IT))
        CALL STEPT(NZ, CHEAT)
        COST = COST + (T(1) - 15D0)**2 + U(1)*U(1)
      END DO
      END
      SUBROUTINE MIXING(NZ)
      INTEGER NZ, K
      DOUBLE PRECISION T(100), U(100), AKV(0:100), AKT(0:100), RI, SH
      COMMON /STATE/ T, U
      COMMON /MIX/ AKV, AKT
      DO K = 1, NZ - 1
        SH = (U(K) - U(K+1))**2 + 1D-4
        RI = 2D-3*(T(K) - T(K+1))/SH
        IF (RI .LT. 0D0) THEN
          AKV(K) = 0.1D0
          AKT(K) = 0.1D0
        ELSE
          AKV(K) = 0.05D0/(1D0 + 5D0*RI)**2 + 1D-4
          AKT(K) = AKV(K)/(1D0 + 5D0*RI) + 1D-5
        END IF
      END DO
      AKV(0) = 0D0
      AKT(0) = 0D0
      AKV(NZ) = 0D0
      AKT(NZ) = 0D0
      END
      SUBROUTINE STEPU(NZ, TAU)
      INTEGER NZ, K
      DOUBLE PRECISION TAU
      DOUBLE PRECISION T(100), U(100), AKV(0:100), AKT(0:100)
      DOUBLE PRECISION B(100), D(100)
      COMMON /STATE/ T, U
      COMMON /MIX/ AKV, AKT
      D(1) = U(1) + 0.1D0*TAU
      DO K = 2, NZ
        D(K) = U(K)*(1D0 - 1D-3*ABS(U(K)))
      END DO
      CALL SOLVE(NZ, AKV, B, D)
      DO K = 1, NZ
        U(K) = D(K)
      END DO
      END
      SUBROUTINE STEPT(NZ, CHEAT)
      INTEGER NZ, K
      DOUBLE PRECISION CHEAT
      DOUBLE PRECISION T(100), U(100), AKV(0:100), AKT(0:100)
      DOUBLE PRECISION B(100), D(100)
      COMMON /STATE/ T, U
      COMMON /MIX/ AKV, AKT
      DO K = 1, NZ
        D(K) = T(K)
      END DO
      D(1) = D(1) + CHEAT*(20D0 - T(1))
      CALL SOLVE(NZ, AKT, B, D)
      DO K = 1, NZ
        T(K) = D(K)
      END DO
      END
      SUBROUTINE SOLVE(NZ, AK, B, D)
      INTEGER NZ, K
      DOUBLE PRECISION AK(0:100), B(100), D(100), W
      DO K = 1, NZ
        B(K) = 1D0 + AK(K-1) + AK(K)
      END DO
      DO K = 2, NZ
        W = AK(K-1)/B(K-1)
        B(K) = B(K) - W*AK(K-1)
        D(K) = D(K) + W*D(K-1)
      END DO
      D(NZ) = D(NZ)/B(NZ)
      DO K = NZ - 1, 1, -1
        D(K) = (D(K) + AK(K)*D(K+1))/B(K)
      END DO
      END
