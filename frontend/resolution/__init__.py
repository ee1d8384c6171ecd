"""Expressions and references bound to what the names mean: syntax to IR."""
