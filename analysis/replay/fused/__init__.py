"""Blocks of statements fused into single functions, for speed."""
