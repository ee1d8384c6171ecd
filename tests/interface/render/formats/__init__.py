"""Findings in the formats of services."""
