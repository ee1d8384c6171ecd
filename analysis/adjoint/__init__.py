"""Adjoint liveness: what the backward sweep reads and overwrites, procedure by procedure."""
