"""Mixed checkpointing with unequal sizes: the dynamic programmes, and the actions that follow from their choices."""
