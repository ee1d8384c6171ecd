"""What the machine does not execute ends a run where the run comes to it, and nowhere else.

`if (broken) call give_up('no convergence')` without the source of give_up: on inputs that converge the program runs,
and its adjoint; on others the run stops there and says the same as if it had been told before.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import NoReturn

from snapset.analysis.replay.codegen.compiled_procedure import CompiledProcedure, Function
from snapset.analysis.replay.memory.variable_slots import RefusedError, refuse
from snapset.frontend import ir
from snapset.frontend.base.diagnostics import Span
from snapset.frontend.cfg.graph import Node
from snapset.frontend.interprocedural.final_procedures import ended_by, ending_variables


def defer(code: CompiledProcedure, node: Node, error: RefusedError) -> None:
    """A node that a run must not reach; whatever is asked of it says why."""
    n, refusing = node.index, raising(error)
    code.refused[n] = error
    for kept in (code.growing, code.messages):
        kept.discard(n)
    if node.kind in ("test", "loop-test"):
        code.choose[n] = refusing
    elif node.kind == "call" and isinstance(node.stmt, ir.Call) and not node.stmt.intrinsic:
        code.binds[n] = refusing
        code.results[n] = code.given[n] = code.alternates[n] = ()
    else:
        code.run[n] = code.spots[n] = refusing
    if node.masks:
        code.masks[n], code.wheres[n] = refusing, ()


def raising(error: RefusedError) -> Function:
    """A function of anything that refuses. Each time the error is a new one: its trace is that run's alone."""
    def refusing(*_: object) -> NoReturn:
        assert error.span is not None
        raise RefusedError(error.what, error.span)
    return refusing


def check_variables(procedure: ir.Procedure, program: ir.Program,
                    trying: Callable[[], AbstractContextManager[None]]) -> None:
    """Refuses variables that end with the procedure by a FINAL one."""
    for variable, key in ending_variables(procedure, program):
        with trying():
            raise _final(key, variable.span)


def check_objects(node: Node, procedure: ir.Procedure, program: ir.Program) -> None:
    """Refuses a statement by which an object ends that has a FINAL procedure."""
    key = ended_by(node.stmt, procedure, program)
    if key is not None:
        raise _final(key, node.span)


def _final(key: str, span: Span) -> RefusedError:
    return refuse(f"the FINAL procedure of `{key.rpartition('::')[2]}`", span)
