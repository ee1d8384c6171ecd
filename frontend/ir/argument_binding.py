"""Actual to dummy arguments."""

from __future__ import annotations

from collections.abc import Sequence

from snapset.frontend import ir


class BindError(Exception):
    """A call's arguments do not fit the procedure's: what the call does is not known."""


def places(args: Sequence[ir.Argument], formals: Sequence[str]) -> tuple[int, ...]:
    """The place of each actual argument among the dummy arguments, unless its keyword tells another.

    The object that PASS(name) passes stands first, by keyword, before those without: they leave its place free. In
    ``call o%update(s, 2)`` of ``update(s, self, k)`` the places are those of self, s, and k."""
    own = args[0].keyword if args else None
    if own is None or own not in formals or all(one.keyword is not None for one in args):
        return tuple(range(len(args)))
    at = formals.index(own)
    return (at, *(place if place < at else place + 1 for place in range(len(args) - 1)))


def bind(call: ir.Call, procedure: ir.Procedure) -> tuple[ir.Expr | None, ...]:
    """The call's actual arguments in the order of the procedure's dummy arguments; None for absent ones.

    A variable that is passed by VALUE stands in unary plus, as one in parentheses does: only its value is passed.
    Raises BindError where they do not fit.
    """
    formals = procedure.formals
    bound: list[ir.Expr | None] = [None] * len(formals)
    for place, argument in zip(places(call.args, formals), call.args, strict=True):
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
