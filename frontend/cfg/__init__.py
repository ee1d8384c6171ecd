"""Flow graphs of procedures."""
