"""Expressions, references and arguments as generated code, with their partial derivatives."""
