"""The equations proved: formulas of the paper as logic over one location's memberships, claims, counterexamples.

Sets of locations with ∪, ∩ and \\ are pointwise: whether a formula holds is decided location by location.
So a formula is a Boolean function of which sets one location is in, and a claim about all programs is a
theorem of propositional logic. This package needs sympy; nothing of it is imported by the analyses.
"""
