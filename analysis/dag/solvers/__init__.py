"""Algorithms for the store-or-recompute problem: cuts, descent, annealing, the integer program."""
