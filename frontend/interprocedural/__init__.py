"""Between procedures: call graph, recursive components, procedure pointers, which units a head reaches."""
