"""An experiment: inputs, gradients of several strategies, measurements, and what is refused."""
