"""One rank of a program, followed without inputs: which calls of MPI it makes, as far as rank and size tell."""
