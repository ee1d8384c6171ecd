"""Sections of Fortran programs as store-or-recompute problems."""
