"""What a generated adjoint saves, what is superfluous of it, and what it reads and finds changed."""
