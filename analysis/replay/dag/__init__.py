"""Runs of choices of S and U."""
