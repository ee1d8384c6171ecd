"""Time loops: what restarts a step, what a step's adjoint needs, in locations and bytes."""
