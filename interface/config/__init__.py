"""The project file, its settings, execution counts, and names that nothing has."""
