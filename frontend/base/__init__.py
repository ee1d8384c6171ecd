"""What every room uses: diagnostics, the source model, scanning of text. It knows no Fortran semantics."""
