"""What the vertices of a graph are called in pictures: by what they are, ``growth*q``, not ``q from 13.4``.

A value that a variable holds is called by it, and by its line where the section computes it (``q, line 13``); what
an operation within an expression gives by its formula; a partial by both, ``∂(growth*q)/∂q``, with a prime where it is
a product along several ways.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from snapset.analysis.dag.fortran.flattening import STANDS_FOR, rebuilt
from snapset.analysis.memory.references import operands
from snapset.frontend import ir
from snapset.frontend.ir.pretty_print import expr as text

if TYPE_CHECKING:
    from snapset.analysis.dag.fortran.flattened_sections import Flattened

LONGEST, DEEPEST = 28, 4


def labels(names: Iterable[str], section: Flattened | None) -> Mapping[str, str]:
    """A label for each vertex of a graph; two that would have the same one keep their names."""
    names = list(names)
    formulas = {} if section is None else section.formulas
    found = {name: label(name, formulas) + "'" * (len(name) - len(name.rstrip("'"))) for name in names}
    often = Counter(found.values())
    return {name: name if often[one] > 1 else one for name, one in found.items()}


def label(name: str, formulas: Mapping[str, ir.Expr]) -> str:
    """Of one vertex, by its name."""
    name = name.rstrip("'")
    if name.startswith("∂") and "/∂" in name:
        of, _, by = name[1:].partition("/∂")
        above, below = label(of, formulas), label(by, formulas)
        return f"∂{_closed(above)}/∂{_closed(below)}"
    variable, _, place = name.partition(" from ")
    if not place:
        return name.partition(" at ")[0]
    if "." not in place:
        return f"{variable}, line {place}"
    formula = _expression(name, formulas, DEEPEST)
    if formula is None:
        return name
    whole = _infix(formula)[0]
    return whole if len(whole) <= LONGEST else whole[:LONGEST - 1] + "…"


_BINDING = {"+": 1, "-": 1, "*": 2, "/": 2, "**": 3}
_ATOM = 9


def _infix(formula: ir.Expr) -> tuple[str, int]:
    """As one writes it, with the parentheses that it needs; how tightly its operator binds."""
    if isinstance(formula, ir.Binary) and formula.op in _BINDING:
        mine = _BINDING[formula.op]
        (left, before), (right, behind) = _infix(formula.left), _infix(formula.right)
        left = f"({left})" if before < mine or (mine == 3 == before) else left
        right = f"({right})" if behind < mine or (behind == mine and formula.op in ("-", "/")) else right
        return f"{left}{formula.op}{right}", mine
    if isinstance(formula, ir.Intrinsic):
        return f"{formula.name}({', '.join(_infix(one)[0] for one in operands(formula))})", _ATOM
    return text(formula).replace(" ", ""), _ATOM


def _closed(one: str) -> str:
    """In parentheses, unless it is a name."""
    return one if one.replace("_", "").replace("%", "").isalnum() else f"({one})"


def _expression(name: str, formulas: Mapping[str, ir.Expr], depth: int) -> ir.Expr | None:
    """The formula of a vertex over the variables that hold its arguments; None where it has none, or is too deep."""
    formula = formulas.get(name)
    if formula is None or not depth:
        return None
    return _over_variables(formula, formulas, depth)


def _over_variables(formula: ir.Expr, formulas: Mapping[str, ir.Expr], depth: int) -> ir.Expr:
    if isinstance(formula, ir.Ref):
        if not formula.name.startswith(STANDS_FOR):
            return formula
        vertex = formula.name[len(STANDS_FOR):]
        inner = " from " in vertex and "." in vertex.partition(" from ")[2]
        found = _expression(vertex, formulas, depth - 1) if inner else None
        held = vertex.partition(" at ")[0].partition(" from ")[0]
        return found or ir.Ref((ir.PartRef(held if not inner else "..."),), formula.type)
    if isinstance(formula, ir.Unary | ir.Binary | ir.Intrinsic):
        return rebuilt(formula, tuple(_over_variables(one, formulas, depth) for one in operands(formula)))
    return formula
