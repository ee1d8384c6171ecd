"""The pages on generated adjoints."""
