"""Results of earlier runs, kept under hashes of what they were made from."""
