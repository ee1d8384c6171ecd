"""Which elements of an array a capsule holds: sections, where the numbers in subscripts are known."""
