"""Choosing: the best partition of the choices, its reasons, frontiers of peak against traffic."""
