"""Store or recompute (equations.md section 6; Cole-Mullen, Lyons, Utke, "CLU"): which values of straight-line
code the tape holds, and which are recomputed from them.

:mod:`~snapset.analysis.dag.graphs` is the problem: G*_i, R_i and G_b on plain ids, so that any AD tool can build it.
:mod:`~snapset.analysis.dag.cuts` is Algorithm 1, :mod:`~snapset.analysis.dag.algorithm2` Algorithm 2,
:mod:`~snapset.analysis.dag.search` a search with the same moves, :mod:`~snapset.analysis.dag.exact` the optimum.
:mod:`~snapset.analysis.dag.elimination` makes G* from a computational graph.

From Fortran: :mod:`~snapset.analysis.dag.sections` makes the problem of one level of a procedure, out of the sections
that :mod:`~snapset.analysis.dag.chains` finds, :mod:`~snapset.analysis.dag.values` their values,
:mod:`~snapset.analysis.dag.places` G_b. :mod:`snapset.analysis.replay.dag_compare` executes a choice.
"""
