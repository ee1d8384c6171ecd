"""What a choice costs (equations.md section 4): formulas, the model of the adjoint's stack, and the best choice."""
