"""An AD tool's own flow graph, analysed without Fortran: ``snapset.flow`` (docs/library.md).

    from snapset import flow
    nodes = {1: flow.Node(out={"w"}, use={"x"}, kill={"w"}, partials={"x": ()}), ...}
    found = flow.adjoint(flow.Graph(nodes, [(1, 2), (2, 3)], entry=1, parts={"step": [2]}), {"x"}, {"y"})
    found.parts["step"].solution.snp, found.taped[3]

:meth:`Graph.of` takes a networkx graph whose nodes have the same as attributes.
"""

from __future__ import annotations

from snapset.analysis.flowgraph.graph_adjoint import GraphAdjoint as Adjoint
from snapset.analysis.flowgraph.graph_adjoint import GraphPart as Part
from snapset.analysis.flowgraph.graph_adjoint import adjoint
from snapset.analysis.flowgraph.own_graph import OwnGraph as Graph
from snapset.analysis.flowgraph.own_graph import OwnNode as Node

__all__ = ["Adjoint", "Graph", "Node", "Part", "adjoint"]
