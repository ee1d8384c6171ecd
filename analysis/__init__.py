"""Program to sets: data-flow, activity, adjoint liveness, to-be-recorded, the checkpoint equations.

Imports :mod:`snapset.frontend` only.
"""
