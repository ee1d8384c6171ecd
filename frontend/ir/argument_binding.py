"""Actual to dummy arguments."""

from __future__ import annotations

from snapset.frontend import ir


class BindError(Exception):
    """A call's arguments do not fit the procedure's: what the call does is not known."""


def bind(call: ir.Call, procedure: ir.Procedure) -> tuple[ir.Expr | None, ...]:
    """The call's actual arguments in the order of the procedure's dummy arguments; None for absent ones.

    A variable that is passed by VALUE stands in unary plus, as one in parentheses does: only its value is passed.
    Raises BindError where they do not fit.
    """
    formals = procedure.formals
    bound: list[ir.Expr | None] = [None] * len(formals)
    for place, argument in enumerate(call.args):
        at = place
        if argument.keyword is not None:
            if argument.keyword not in formals:
                raise BindError(f"`{procedure.name}` has no argument `{argument.keyword}`")
            at = formals.index(argument.keyword)
        if at >= len(formals) or bound[at] is not None:
            raise BindError(f"{len(call.args)} arguments for {len(formals)} of `{procedure.name}`")
        bound[at] = argument.value
    passed: list[ir.Expr | None] = []
    for name, value in zip(formals, bound, strict=True):
        variable = procedure.variables.get(name)
        if value is None and not (name in procedure.absent if variable is None else variable.optional):
            raise BindError(f"argument `{name}` of `{procedure.name}` is missing")
        if variable is not None and variable.by_value and isinstance(value, ir.Ref):
            value = ir.Unary("+", value, value.type)
        passed.append(value)
    return tuple(passed)
