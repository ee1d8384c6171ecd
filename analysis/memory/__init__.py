"""Locations: storage, aliases, references, affine subscripts, array sections, sizes in bytes."""
