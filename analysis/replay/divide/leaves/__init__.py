"""Leaves that tape what their adjoint needs: from the middle of a procedure to the middle of another."""
