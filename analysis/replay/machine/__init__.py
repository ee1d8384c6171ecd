"""Runs of programs and their adjoints: plain, store-all, and by a plan with its stack."""
