"""Expressions over the vertices of a section: each a local variable of the generated code."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from snapset.analysis.dag.fortran.flattening import STANDS_FOR
from snapset.analysis.dag.problem.vertex_elimination import Label
from snapset.analysis.derivative_rules import reads_value
from snapset.analysis.replay.codegen.expression_code import ExpressionCode
from snapset.analysis.replay.codegen.partial_derivatives import Partials
from snapset.analysis.replay.memory.variable_slots import Layout, dtype_of
from snapset.frontend import ir
from snapset.frontend.ir.expression_queries import type_of


class Registers(ExpressionCode):
    """Generates code over the local variables ``r0``, ``r1``, ... ``number``: by vertex."""

    def __init__(self, layout: Layout, constants: dict[str, object]) -> None:
        super().__init__(layout, constants)
        self.number: dict[str, int] = {}
        self.formula: ir.Expr | None = None
        self.result = ""

    def of(self, vertex: str) -> str:
        return f"r{self.number.setdefault(vertex, len(self.number))}"

    def reference(self, ref: ir.Ref) -> str:
        return self.of(ref.name[len(STANDS_FOR):]) if ref.name.startswith(STANDS_FOR) else super().reference(ref)

    def value(self, expr: ir.Expr) -> str:
        return self.of(self.result) if expr == self.formula else super().value(expr)

    # ------------------------------------------------------------ one vertex

    def computed(self, formula: ir.Expr, target: ir.Type | None) -> str:
        """Code of an operation's value; ``target``: the type of the variable it is assigned to, if it is."""
        code = self.value(formula)
        if target is None:
            return code
        if target.kind == "logical":
            return f"(({code}) != 0)"
        return code if type_of(formula) == target else f"converted({code}, '{dtype_of(target)}')"

    def address(self, ref: ir.Ref) -> tuple[str, str]:
        """Code of the slot and the index of what holds a vertex."""
        place = self.slot(ref)
        return place.code, self.index(ref, place)

    def label(self, label: Label) -> str:
        return "1.0" if label.one else self.of(label.name)

    def partial(self, formula: ir.Expr, result: str, argument: str) -> tuple[list[str], str]:
        """Lines, and code of an operation's partial derivative by one of its arguments."""
        if reads_value(formula):
            self.formula, self.result = formula, result
        local = _Local(self, argument)
        local.push(formula, "1.0", 0)
        self.formula = None
        return local.lines, " + ".join(local.found) or "0.0"


class _Local(Partials):
    """The derivative of one operation by one argument. ``found``: code of its terms."""

    def __init__(self, values: Registers, argument: str) -> None:
        super().__init__(values, lambda ref: ref.name == STANDS_FOR + argument)
        self.found: list[str] = []

    def push(self, expr: ir.Expr, t: str, rank: int) -> None:
        if not isinstance(expr, ir.Ref):
            super().push(expr, t, rank)
        elif self.moving(expr):
            self.found.append(t)


def converted(value: Any, dtype: str) -> Any:
    """As an assignment to a variable of that type converts."""
    return np.asarray(value).astype(dtype)[()]


def product(one: Any, other: Any) -> Any:
    """A product in which nothing stays nothing, however infinite the other factor."""
    return 0.0 if one == 0 or other == 0 else one * other


NAMES: Mapping[str, object] = {"converted": converted, "product": product}
