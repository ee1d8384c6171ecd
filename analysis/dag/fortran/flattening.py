"""Assignments to operations: every arithmetic operation a vertex, with the partials its derivative needs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from snapset.analysis.dag.problem.vertex_elimination import ONE, Operation, Partial
from snapset.analysis.derivative_rules import carrying, derivatives, is_number
from snapset.analysis.memory.references import operands
from snapset.frontend import ir
from snapset.frontend.ir.expression_queries import names_in, type_of
from snapset.frontend.ir.intrinsics import record

FLAT_KINDS = frozenset(("real", "integer", "logical"))
STANDS_FOR = "#"  # begins the name of a reference that stands for a vertex, and no variable's


def references(expr: ir.Expr) -> Iterator[ir.Ref]:
    """The references an expression's value is made of, subscripts apart; inquiries read none."""
    if isinstance(expr, ir.Ref):
        yield expr
    elif not (isinstance(expr, ir.Intrinsic) and record(expr).inquiry):
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
            return expr.rank == 0 and not record(expr).inquiry and all(map(scalar, operands(expr)))
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
        formula = rebuilt(expr, tuple(arg if v is None else stand_in(v, type_of(arg))
                                      for v, arg in zip(made, args, strict=True)))
        partials = self.partials(formula, args, made, name) if self.active else {}
        self.add(name, sources, partials, formula)
        self.active = around
        return name

    def add(self, name: str, sources: tuple[str, ...], partials: Mapping[str, Partial], formula: ir.Expr) -> None:
        self.operations.append(Operation(name, sources, partials))
        self.formulas[name] = formula
        self.leaves[name] = frozenset[str]().union(*(self.leaves[v] for v in sources))

    def partials(self, formula: ir.Expr, args: tuple[ir.Expr, ...], made: list[str | None],
                 name: str) -> Mapping[str, Partial]:
        """The derivatives of an operation over vertices, by each of them: the vertices that its closed form reads."""
        assert isinstance(formula, ir.Unary | ir.Binary | ir.Intrinsic)
        found: dict[str, Partial] = {}
        for one in derivatives(formula, stand_in(name, type_of(formula))):
            vertex = made[one.place]
            if vertex is None or not self.passes(args[one.place]):
                continue
            names = frozenset[str]().union(*map(names_in, one.reads))
            reads = frozenset(n[len(STANDS_FOR):] for n in names if n.startswith(STANDS_FOR))
            own = ONE if is_number(one.factor, 1) else Partial(reads)
            found[vertex] = Partial(own.reads | found[vertex].reads) if vertex in found else own  # x*x
        return found
