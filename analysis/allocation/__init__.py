"""ALLOCATE and what depends on it: what a procedure allocates, asks and shapes, and what a second run of a part
finds."""
