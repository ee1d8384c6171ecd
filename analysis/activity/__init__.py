"""What is varied and useful below a head, in which calling contexts, and the adjoint codes that follow."""
