"""How the library lets solutions be chosen: strategies as objects, the cheapest of one part."""
