"""The library's functions: analysis and replay for files and texts, sessions, executors."""
