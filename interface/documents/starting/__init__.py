"""The documents of commands with which a project begins."""
