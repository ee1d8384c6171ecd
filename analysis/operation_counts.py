"""How long it takes to compute something once more: what takes longer than some additions is saved instead.

`0.1*(a + b)/a` takes four, `exp(x)` eight. A procedure that does no more than that, such as

    real(8) function speed(q, depth)
      real(8), intent(in) :: q, depth
      speed = 0
      if (depth > dry) speed = q/depth
    end function

can be called once more; how long it takes is its *effort*.
"""

from __future__ import annotations

from collections.abc import Callable

from snapset.frontend import ir
from snapset.frontend.base.deep_recursion import deep
from snapset.frontend.ir.expression_queries import walk
from snapset.frontend.ir.intrinsic_table import ELEMENTARY
from snapset.frontend.ir.intrinsics import record

MOST_OPERATIONS = 24  # of an expression: three exponentials; what takes longer is taped
_CHEAP_OPERATORS = frozenset(("+", "-", "*", "/", ".not.", ".and.", ".or.", ".eqv.", ".neqv.",
                              "==", "/=", "<", "<=", ">", ">="))
TOO_MANY = MOST_OPERATIONS + 1
_NUMBERS = ("integer", "real", "logical")


def effort(procedure: ir.Procedure, of_callee: Callable[[str], int]) -> int:
    """What a call takes, in additions, arguments not counted; too many of a procedure that does more than compute
    scalars. ``of_callee``: the effort of what it calls.

    This is all that is asked here. Whether a call gives once more what it gave, its effects tell, whatever it takes
    (:func:`snapset.analysis.adjoint.available_expressions.repeatable`)."""
    return TOO_MANY if procedure.opaque is not None else _block(procedure.body, of_callee)


@deep
def _block(block: ir.Block, of_callee: Callable[[str], int]) -> int:
    """Counted until it is too many."""
    count = 0
    for stmt in block:
        count += _statement(stmt, of_callee)
        if count > MOST_OPERATIONS:
            break
    return count


def _statement(stmt: ir.Stmt, of_callee: Callable[[str], int]) -> int:
    match stmt:
        case ir.Assign() if stmt.target.rank == 0 and stmt.target.type.kind in _NUMBERS:
            return operations(stmt.value)
        case ir.If():
            return operations(stmt.cond) + max(_block(stmt.then, of_callee), _block(stmt.orelse, of_callee))
        case ir.Do() if (trips := _trips(stmt)) is not None:
            return trips*(1 + _block(stmt.body, of_callee))
        case ir.Call():
            return call_effort(stmt, of_callee)
        case ir.Continue() | ir.Return():
            return 0
        case _:
            return TOO_MANY


def _trips(stmt: ir.Do) -> int | None:
    """How often a loop runs, where constants say so."""
    match stmt.start, stmt.stop, stmt.step:
        case (ir.Literal_(value=int() as start), ir.Literal_(value=int() as stop),
              None | ir.Literal_(value=1)) if stmt.kind == "do":
            return max(0, stop - start + 1)
    return None


def call_effort(stmt: ir.Call, of_callee: Callable[[str], int]) -> int:
    """What a call takes, its arguments included."""
    if len(stmt.targets) != 1 or stmt.alternates:  # one of several, or what may go round
        return TOO_MANY
    passed = sum(operations(one.value) for one in stmt.args)
    return of_callee(stmt.targets[0]) + passed if passed <= MOST_OPERATIONS else passed


def operations(value: ir.Expr, extent: Callable[[ir.Ref], int] = lambda ref: TOO_MANY) -> int:
    """What computing an expression takes, in additions, for each element; too many where one is not to be computed
    again. Subscripts are free. ``extent``: how many elements a reference selects, at most."""
    match value:
        case ir.Literal_():
            return 0
        case ir.Ref():
            return 0
        case ir.Unary() if value.op in ("-", "+", ".not."):
            return 1 + operations(value.operand, extent)
        case ir.Binary() if value.op in _CHEAP_OPERATORS:
            return 1 + operations(value.left, extent) + operations(value.right, extent)
        case ir.Binary() if value.op == "**":
            return _power(value.right) + operations(value.left, extent) + operations(value.right, extent)
        case ir.Intrinsic() if record(value).effort:
            return _intrinsic(value, extent)
        case ir.ArrayConstructor():
            return sum(operations(one, extent) for one in value.items)
        case _:
            return TOO_MANY


def _power(exponent: ir.Expr) -> int:
    """By a small constant: so many multiplications."""
    match exponent:
        case ir.Literal_(value=int() as number) if number < 2**MOST_OPERATIONS:
            return max(1, 2*number.bit_length() - 3)
        case _:
            return ELEMENTARY


def _intrinsic(value: ir.Intrinsic, extent: Callable[[ir.Ref], int]) -> int:
    facts, inside = record(value), sum(operations(a.value, extent) for a in value.args)
    if facts.shape == "elemental":
        return facts.effort + inside
    refs = (ref for a in value.args for ref in walk(a.value) if isinstance(ref, ir.Ref) and ref.rank)
    return (facts.effort + inside)*max((extent(ref) for ref in refs), default=TOO_MANY)
