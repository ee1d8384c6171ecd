"""Ranks in one process: what an MPI call does in the machine, forward, again and backwards."""
