"""Assignments to operations: every arithmetic operation a vertex, with the partials its derivative needs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from snapset.analysis.dag.problem.vertex_elimination import CONSTANT, ONE, Operation, Partial
from snapset.analysis.memory.references import FLAT, INQUIRIES, SIGNS, operands
from snapset.frontend import ir
from snapset.frontend.ir.expression_queries import type_of

# Their derivative is read off their value.
FROM_VALUE = frozenset(("exp", "sqrt", "tan", "tanh", "dexp", "dsqrt", "dtan", "dtanh"))
# One argument, derivative 1.
CONVERSIONS = frozenset(("dble", "real", "sngl", "float", "dfloat"))
FLAT_KINDS = frozenset(("real", "integer", "logical"))
STANDS_FOR = "#"  # begins the name of a reference that stands for a vertex, and no variable's


def references(expr: ir.Expr) -> Iterator[ir.Ref]:
    """The references an expression's value is made of, subscripts apart; inquiries read none."""
    if isinstance(expr, ir.Ref):
        yield expr
    elif not (isinstance(expr, ir.Intrinsic) and expr.name in INQUIRIES):
        for part in operands(expr):
            yield from references(part)


def direct_references(ref: ir.Ref) -> Iterator[ir.Ref]:
    """The references in the subscripts of one, those in their own subscripts left out."""
    for part in ref.parts:
        for subscript in part.subscripts or ():
            if not isinstance(subscript, ir.Range):
                yield from references(subscript)


def subscript_references(ref: ir.Ref) -> Iterator[ir.Ref]:
    """All references in the subscripts of one, those in their own subscripts included."""
    for inner in direct_references(ref):
        yield inner
        yield from subscript_references(inner)


def scalar(expr: ir.Expr) -> bool:
    """Is it scalar arithmetic all through, real, integer or logical, of references and operations known here?"""
    if not isinstance(expr, ir.Literal_ | ir.Ref | ir.Unary | ir.Binary | ir.Intrinsic):
        return False
    if type_of(expr).kind not in FLAT_KINDS:
        return False
    match expr:
        case ir.Ref():
            plain = expr.rank == 0 and expr.substring is None
            subscripts = (s for part in expr.parts for s in part.subscripts or ())
            return plain and all(not isinstance(s, ir.Range) and scalar(s) for s in subscripts)
        case ir.Intrinsic():
            return expr.rank == 0 and expr.name not in INQUIRIES and all(map(scalar, operands(expr)))
        case _:
            return all(map(scalar, operands(expr)))


def stand_in(vertex: str, type_: ir.Type) -> ir.Ref:
    """A reference that stands for a vertex's value in a formula."""
    return ir.Ref((ir.PartRef(STANDS_FOR + vertex),), type_)


def rebuilt(expr: ir.Expr, parts: tuple[ir.Expr, ...]) -> ir.Expr:
    """The expression with other operands."""
    match expr:
        case ir.Unary():
            return replace(expr, operand=parts[0])
        case ir.Binary():
            return replace(expr, left=parts[0], right=parts[1])
        case ir.Intrinsic():
            return replace(expr, args=tuple(replace(a, value=p) for a, p in zip(expr.args, parts, strict=True)))
        case _:
            return expr


def over_vertices(expr: ir.Expr, vertex: Callable[[ir.Ref], str | None]) -> ir.Expr:
    """An expression with the vertices in the place of all references that are not constant."""
    if isinstance(expr, ir.Ref):
        found = vertex(expr)
        return expr if found is None else stand_in(found, expr.type)
    return rebuilt(expr, tuple(over_vertices(part, vertex) for part in operands(expr)))


def addressed(ref: ir.Ref, vertex: Callable[[ir.Ref], str | None]) -> ir.Ref:
    """A reference with the vertices in its subscripts: which memory it is, whatever memory holds."""
    def subscripts(part: ir.PartRef) -> ir.PartRef:
        if part.subscripts is None:
            return part
        return replace(part, subscripts=tuple(s if isinstance(s, ir.Range) else over_vertices(s, vertex)
                                              for s in part.subscripts))

    return replace(ref, parts=tuple(map(subscripts, ref.parts)))


def carrying(expr: ir.Expr) -> range:
    """The operands that a derivative may pass through, by their places: of SIGN's second one only the sign counts."""
    if isinstance(expr, ir.Intrinsic) and expr.name in SIGNS:
        place = next((n for n, argument in enumerate(expr.args) if argument.keyword == "a"), 0)
        return range(place, place + 1)
    return range(len(operands(expr)))


class Flattener:
    """Operations of one assignment. ``vertex`` gives a reference's vertex, None for a constant; ``moves`` whether
    derivatives pass to it. ``formulas``: each result as an expression over its arguments (:func:`stand_in`).
    ``leaves``: the references' vertices each result is made of."""

    def __init__(self, result: str, vertex: Callable[[ir.Ref], str | None], moves: Callable[[ir.Ref], bool]) -> None:
        self.result = result
        self.vertex = vertex
        self.moves = moves
        self.count = 0
        self.active = False
        self.operations: list[Operation] = []
        self.formulas: dict[str, ir.Expr] = {}
        self.leaves: dict[str, frozenset[str]] = {}

    def run(self, value: ir.Expr, type_: ir.Type, active: bool) -> None:
        """Add the operations of ``result = value``, the result of another type perhaps; without partials if the
        assignment is not ``active``."""
        self.active = active
        if isinstance(value, ir.Ref | ir.Literal_) or type_of(value) != type_:
            source = self.of(value)
            if source is None:
                self.add(self.result, (), {}, value)
            else:
                self.add(self.result, (source,), {source: ONE} if self.passes(value) else {},
                         stand_in(source, type_of(value)))
        else:
            self.operation(value, self.result)

    def passes(self, expr: ir.Expr) -> bool:
        if not self.active or type_of(expr).kind not in ("real", "complex"):
            return False
        if isinstance(expr, ir.Intrinsic) and (expr.name in FLAT or expr.name in INQUIRIES):
            return False
        if isinstance(expr, ir.Ref):
            return self.moves(expr)
        args = operands(expr)
        return any(self.passes(args[n]) for n in carrying(expr))

    def of(self, expr: ir.Expr) -> str | None:
        """The vertex of a sub-expression; None for a constant."""
        match expr:
            case ir.Literal_():
                return None
            case ir.Ref():
                vertex = self.vertex(expr)
                if vertex is not None:
                    self.leaves.setdefault(vertex, frozenset({vertex}))
                return vertex
            case _ if all(self.vertex(ref) is None for ref in references(expr)):
                return None
            case _:
                self.count += 1
                return self.operation(expr, f"{self.result}.{self.count}")

    def operation(self, expr: ir.Expr, name: str) -> str:
        around, self.active = self.active, self.passes(expr)
        args = operands(expr)
        made = [self.of(arg) for arg in args]
        sources = tuple(dict.fromkeys(v for v in made if v is not None))
        partials: dict[str, Partial] = {}
        if self.active:
            for n, (v, arg) in enumerate(zip(made, args, strict=True)):
                if v is not None and n in carrying(expr) and self.passes(arg):
                    own = self.partial(expr, n, made, name)
                    partials[v] = Partial(own.reads | partials[v].reads) if v in partials else own  # x*x
        formula = rebuilt(expr, tuple(arg if v is None else stand_in(v, type_of(arg))
                                      for v, arg in zip(made, args, strict=True)))
        self.add(name, sources, partials, formula)
        self.active = around
        return name

    def add(self, name: str, sources: tuple[str, ...], partials: Mapping[str, Partial], formula: ir.Expr) -> None:
        self.operations.append(Operation(name, sources, partials))
        self.formulas[name] = formula
        self.leaves[name] = frozenset[str]().union(*(self.leaves[v] for v in sources))

    def partial(self, expr: ir.Expr, n: int, made: list[str | None], name: str) -> Partial:
        """The derivative by the operand ``n``: what its closed form reads."""
        def reads(*vertices: str | None) -> Partial:
            return Partial(frozenset(v for v in vertices if v is not None))

        match expr:
            case ir.Unary(op=op):
                return ONE if op == "+" else CONSTANT
            case ir.Binary(op="+"):
                return ONE
            case ir.Binary(op="-"):
                return ONE if n == 0 else CONSTANT
            case ir.Binary(op="*"):
                return reads(made[1 - n])
            case ir.Binary(op="/"):
                return reads(made[1]) if n == 0 else reads(*made)
            case ir.Binary(op="**", right=ir.Literal_(value=value)):
                return ONE if value == 1 else reads(made[0])
            case ir.Intrinsic(name=called) if called in FROM_VALUE:
                return reads(name)
            case ir.Intrinsic(name=called) if called in CONVERSIONS:
                return ONE
            case _:
                return reads(*made)
