"""The document of ``snapset compare``."""
