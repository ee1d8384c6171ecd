"""Lines to program units: fixed and free form, continuation, logical statements, blocks, units that cannot be read."""
