"""What an adjoint pushes to undo itself by, counts of turns and numbers of branches; POPs that take what is not theirs.
"""
