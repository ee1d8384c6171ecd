"""What is changed: ``Changes(3).visit(tree)`` makes the fourth small change of a module, ``Changes()`` only counts."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from benchmarks.mutants.rooms import Room

OTHER: dict[type[ast.AST], type[ast.AST]] = {
    ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd, ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult, ast.LShift: ast.RShift, ast.RShift: ast.LShift, ast.And: ast.Or, ast.Or: ast.And,
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is}


@dataclass(frozen=True)
class Mutant:
    """The ``number``-th change in a module: in the outermost function or method of this name, at this line."""

    room: str
    module: str
    number: int
    function: str
    line: int
    statement: int
    what: str

    @property
    def place(self) -> str:
        """Which statement of which function: what a test has to run to notice it."""
        return f"{self.module} {self.function} {self.statement}"

    def __str__(self) -> str:
        return f"{self.module}:{self.line} {self.function}: {self.what}"


class Changes(ast.NodeTransformer):
    """Walks over a module's functions; changes the place ``chosen`` and notes all places."""

    def __init__(self, chosen: int = -1) -> None:
        self.chosen = chosen
        self.places: list[tuple[str, int, int, str]] = []
        self.statement = 0  # the line of the innermost statement
        self.names: list[str] = []
        self.depth = 0
        self.alike: Counter[tuple[str, str]] = Counter()

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        self.names.append(node.name)
        node.body = [self.visit(one) if isinstance(one, ast.FunctionDef | ast.ClassDef) else one for one in node.body]
        self.names.pop()
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        self.depth += 1
        if self.depth == 1:
            self.names.append(node.name)
        node.body = [self.visit(one) for one in node.body]
        if self.depth == 1:
            self.names.pop()
        self.depth -= 1
        return node

    def visit_Raise(self, node: ast.Raise) -> ast.AST:
        return node  # texts of messages

    def visit_Assert(self, node: ast.Assert) -> ast.AST:
        return node  # whatever is wrong in it, any test that gets there fails

    def visit_keyword(self, node: ast.keyword) -> ast.AST:
        return node if node.arg == "strict" else self.generic_visit(node)  # zip's, an assertion of equal lengths

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        outer, self.statement = self.statement, node.lineno
        if node.value is not None:
            node.value = self.visit(node.value)
        self.statement = outer
        return node

    def generic_visit(self, node: ast.AST) -> ast.AST:
        outer = self.statement
        if isinstance(node, ast.stmt):
            self.statement = node.lineno
        super().generic_visit(node)
        found = self.changed(node) if self.depth else node
        self.statement = outer
        return found

    def here(self, node: ast.AST, what: str) -> bool:
        """Is this place the chosen one? The second alike in a function is ``1 is 2 (2)``."""
        name = ".".join(self.names)
        self.alike[name, what] += 1
        number = self.alike[name, what]
        self.places.append((name, getattr(node, "lineno", 0), self.statement,
                            what if number == 1 else f"{what} ({number})"))
        return len(self.places) - 1 == self.chosen

    def changed(self, node: ast.AST) -> ast.AST:
        """The node, or what stands in its place."""
        match node:
            case ast.BinOp() | ast.BoolOp() | ast.AugAssign() if type(node.op) in OTHER:
                other = OTHER[type(node.op)]
                if self.here(node, f"{type(node.op).__name__} is {other.__name__} in `{ast.unparse(node)[:70]}`"):
                    node.op = other()  # type: ignore[assignment]
            case ast.Compare(ops=[op]) if type(op) in OTHER:
                other = OTHER[type(op)]
                if self.here(node, f"{type(op).__name__} is {other.__name__} in `{ast.unparse(node)[:70]}`"):
                    node.ops = [other()]  # type: ignore[list-item]
            case ast.UnaryOp(op=ast.Invert() | ast.Not()):
                if self.here(node, f"`{ast.unparse(node)[:70]}` without {type(node.op).__name__}"):
                    return node.operand
            case ast.Constant(value=bool() as old):
                if self.here(node, f"{old} is {not old}"):
                    return ast.copy_location(ast.Constant(not old), node)
            case ast.Constant(value=int() as number):
                if self.here(node, f"{number} is {number + 1}"):
                    return ast.copy_location(ast.Constant(number + 1), node)
            case ast.If() | ast.IfExp() if not isinstance(node.test, ast.Compare):
                if self.here(node.test, f"`{ast.unparse(node.test)[:70]}` is turned round"):
                    node.test = ast.copy_location(ast.UnaryOp(ast.Not(), node.test), node.test)
            case ast.Expr(value=ast.Call()):
                if self.here(node, f"without `{ast.unparse(node)[:70]}`"):
                    return ast.copy_location(ast.Pass(), node)
            case ast.Break() | ast.Continue():
                if self.here(node, f"without {type(node).__name__}"):
                    return ast.copy_location(ast.Pass(), node)
        return node


def mutants_of(room: Room) -> Iterator[Mutant]:
    """All mutants of a room."""
    for module, path in room.modules:
        walk = Changes()
        walk.visit(ast.parse(path.read_text()))
        for number, (function, line, statement, what) in enumerate(walk.places):
            yield Mutant(room.name, module, number, function, line, statement, what)
