"""Commands' output that is to be pasted into an adjoint."""
