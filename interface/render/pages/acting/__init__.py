"""What to do with the answer: lines for an adjoint that is written by hand, or made by TAF."""
