"""The disk cache: its file, seals, packing, fingerprints of what an entry was made from."""
