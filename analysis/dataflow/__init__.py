"""The framework of data-flow problems: bit sets, graphs, the solver, dominators, control dependence."""
