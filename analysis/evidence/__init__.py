"""Why a location is saved at a part, or is not: the statements that overwrite it and read it, and the ways to them."""
