"""Formulas for bytes and counts: polynomials with sums and maxima, their text, comparison, reading back."""
