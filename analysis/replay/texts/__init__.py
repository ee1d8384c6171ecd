"""CHARACTER values, and formats of internal files."""
