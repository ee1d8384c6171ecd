"""Results as SVG and Graphviz pictures."""
