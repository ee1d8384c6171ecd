"""Checkpointing schedules of a time loop: when to store, restart, advance and reverse, and what that costs."""
