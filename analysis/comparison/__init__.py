"""A generated adjoint judged: what it saves too much, and what is missing."""
