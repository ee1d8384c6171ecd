"""Statements and constructs to IR."""
