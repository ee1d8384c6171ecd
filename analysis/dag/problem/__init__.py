"""The store-or-recompute problem on graphs: G*, R, G_b, and how elimination makes them."""
