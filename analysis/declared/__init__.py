"""What the source declares to be saved, judged: what is missing, what is superfluous."""
