"""snapset check: the lock file, what changed, and why."""
