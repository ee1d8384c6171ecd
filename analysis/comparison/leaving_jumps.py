"""Jumps that leave the statement they stand in: EXIT of a loop around it, GOTO a label elsewhere, RETURN."""

from __future__ import annotations

from snapset.frontend import ir
from snapset.frontend.ir.statement_walk import blocks, statements


def leaves(stmt: ir.Stmt) -> bool:
    """May control leave a statement other than at its end? (STOP ends the run, so nothing comes after it.)"""
    labels = {one.label for one in statements((stmt,)) if one.label is not None}
    pending: list[tuple[ir.Stmt, bool, frozenset[str]]] = [(stmt, False, frozenset())]
    while pending:
        one, looped, names = pending.pop()
        if _jumps_out(one, labels, looped, names):
            return True
        name = getattr(one, "name", None)
        inside = looped or isinstance(one, ir.Do | ir.While)
        within = names | {name} if isinstance(name, str) and blocks(one) else names
        pending += [(inner, inside, within) for block in blocks(one) for inner in block]
    return False


def _jumps_out(stmt: ir.Stmt, labels: set[int], looped: bool, names: frozenset[str]) -> bool:
    match stmt:
        case ir.Return():
            return True
        case ir.Exit(name=name) | ir.Cycle(name=name):
            return not looped if name is None else name not in names
        case ir.Goto(to=to):
            return to not in labels
        case ir.ComputedGoto(labels=to) | ir.IO(labels=to) | ir.Opaque(labels=to):
            return not labels.issuperset(to)
        case ir.ArithmeticIf():
            return not labels.issuperset((stmt.negative, stmt.zero, stmt.positive))
        case ir.Call(alternates=to):
            return not labels.issuperset(to)
        case _:
            return False
