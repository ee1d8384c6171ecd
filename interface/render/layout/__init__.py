"""What pages and documents share: figures, tables, the width of a terminal."""
