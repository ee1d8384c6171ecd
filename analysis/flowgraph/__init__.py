"""An AD tool's own flow graph: its nodes say what they read and write, the equations do the rest."""
