"""How the backward sweep finds its way: loops, exits, branches, sides of nonsmooth functions."""
