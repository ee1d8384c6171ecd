"""Which files there are, what may be read, and the preprocessor: from a path to lines with their origins."""
