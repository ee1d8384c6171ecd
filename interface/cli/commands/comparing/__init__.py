"""Generated adjoints judged."""
