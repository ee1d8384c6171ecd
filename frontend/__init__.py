"""Text to program: reading, symbols, lowering to the IR, flow graphs, call graph.

Imports nothing from :mod:`snapset.analysis` or the interface.
"""
