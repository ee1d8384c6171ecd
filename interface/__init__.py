"""snapset: what a reverse-mode adjoint must save at each checkpoint."""
