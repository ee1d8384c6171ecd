"""Which small changes have another value somewhere in a run: an operand that is true and false, ``a | b`` that is not
``a & b``, a constant or a statement that is run. A test that reaches none of these cannot notice the change.

    reached = observed(rooms)
    exact_lines(exact_program("stretches 18"))
    reached      {"snapset.analysis.sections.lost_values 12", ... " 31.0 True", " 31.0 False"}

An operator has its module and number, of a condition there is one for each operand and value.
"""

from __future__ import annotations

import ast
import gc
import importlib
import operator
import sys
from collections.abc import Callable, Iterable
from typing import Any

from benchmarks.mutants.changes import OTHER, Changes
from benchmarks.mutants.live_code import find_functions, parsed, replace
from benchmarks.mutants.rooms import Room

_DOES: dict[type[ast.AST], Callable[[Any, Any], Any]] = {
    ast.BitAnd: operator.and_, ast.BitOr: operator.or_, ast.Add: operator.add, ast.Sub: operator.sub,
    ast.Mult: operator.mul, ast.FloorDiv: operator.floordiv, ast.LShift: operator.lshift, ast.RShift: operator.rshift,
    ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt,
    ast.GtE: operator.ge, ast.In: lambda a, b: a in b, ast.NotIn: lambda a, b: a not in b, ast.Is: operator.is_,
    ast.IsNot: operator.is_not}
_NAMED = {kind.__name__: does for kind, does in _DOES.items()}


class _Weak(Changes):
    """Changes nothing, and lets each place say what it is."""

    def __init__(self, module: str) -> None:
        super().__init__()
        self.module = module
        self.pattern = 0

    def visit_MatchValue(self, node: ast.MatchValue) -> ast.AST:  # noqa: N802
        self.pattern += 1  # no call can stand there
        self.generic_visit(node)
        self.pattern -= 1
        return node

    def changed(self, node: ast.AST) -> ast.AST:
        place = f"{self.module} {len(self.places)}"
        before = len(self.places)
        super().changed(node)
        if len(self.places) == before or self.pattern:
            return node
        match node:
            case ast.BinOp(left=left, op=op, right=right) | ast.Compare(left=left, ops=[op], comparators=[right]):
                kinds = (ast.Constant(kind.__name__) for kind in (type(op), OTHER[type(op)]))
                return _call("weak_", ast.Constant(place), left, right, *kinds)
            case ast.BoolOp():
                node.values = [_call("truth_", ast.Constant(f"{place}.{at}"), one)
                               for at, one in enumerate(node.values)]
            case ast.UnaryOp(operand=inner) | ast.Expr(value=inner):
                seen = _call("seen_", ast.Constant(place), node if isinstance(node, ast.UnaryOp) else inner)
                return seen if isinstance(node, ast.UnaryOp) else ast.Expr(seen)
            case ast.Constant():
                return _call("seen_", ast.Constant(place), node)
            case ast.If() | ast.IfExp():
                node.test = _call("truth_", ast.Constant(place), node.test)
        return node


def _call(name: str, *given: ast.expr) -> ast.Call:
    return ast.Call(ast.Name(name, ast.Load()), list(given), [])


def observed(rooms: Iterable[Room]) -> set[str]:
    """From now on this set is told what is reached; it may be cleared."""
    reached = set[str]()

    def weak(place: str, a: Any, b: Any, does: str, other: str) -> Any:
        found = _NAMED[does](a, b)
        if place not in reached:
            try:
                if does == "LShift" or _NAMED[other](a, b) != found:
                    reached.add(place)
            except Exception:  # whatever another operator makes of these operands, it is noticed
                reached.add(place)
        return found

    def truth(place: str, value: Any) -> Any:
        reached.add(f"{place} {bool(value)}")
        return value

    def seen(place: str, value: Any) -> Any:
        reached.add(place)
        return value

    modules = [module for room in rooms for module, _ in room.modules]
    for module in modules:
        importlib.import_module(module)
    gc.unfreeze()
    find_functions(modules)
    for module in modules:
        walk = _Weak(module)
        tree = walk.visit(parsed(module))
        vars(sys.modules[module]).update(weak_=weak, truth_=truth, seen_=seen)
        replace(module, dict.fromkeys(name for name, *_ in walk.places), tree)
    return reached
