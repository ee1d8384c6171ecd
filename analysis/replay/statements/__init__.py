"""Statements as functions of generated code, forward and backward."""
