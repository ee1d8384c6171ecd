"""One symbolic arithmetic for bytes, counts and subscripts."""
