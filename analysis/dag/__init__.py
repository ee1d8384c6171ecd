"""Store or recompute (equations.md section 6; Cole-Mullen, Lyons, Utke, "CLU"): which values of straight-line
code the tape holds, and which are recomputed from them.

:mod:`~snapset.analysis.dag.problem.graphs` is the problem: G*_i, R_i and G_b on plain ids, so that any AD tool can
build it.
:mod:`~snapset.analysis.dag.solvers.algorithm1_cuts` is Algorithm 1,
:mod:`~snapset.analysis.dag.solvers.algorithm2_descent` Algorithm 2,
:mod:`~snapset.analysis.dag.solvers.annealing` a search with the same moves,
:mod:`~snapset.analysis.dag.solvers.integer_program` the optimum.
:mod:`~snapset.analysis.dag.problem.vertex_elimination` makes G* from a computational graph.

From Fortran: :mod:`~snapset.analysis.dag.fortran.level_problem` makes the problem of one level of a procedure, out of
the sections that :mod:`~snapset.analysis.dag.fortran.straight_line_code` finds,
:mod:`~snapset.analysis.dag.fortran.value_numbering` their values,
:mod:`~snapset.analysis.dag.fortran.overwrite_places` G_b. :mod:`snapset.analysis.replay.dag.dag_experiment` executes a
choice.
"""
