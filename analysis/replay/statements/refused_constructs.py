"""What the machine does not execute, found by trying: so the report names exactly what `snapset replay` refuses.

A READ in a solver, say: the sets of the parts around it are right by analysis, but nobody has executed them. Every
procedure below a head is lowered as for a run, primal and adjoint, but nothing is compiled; what is refused on the way
is kept (:class:`~snapset.analysis.replay.memory.variable_slots.RefusedError`). Something the machine learns to execute
is no longer refused, and so no longer reported: there is no second list.

Most statements are sums and products of references: `a(i) = b(i)*c + 1`. Nothing in them but the references could be
refused, and each reference (`b(i)`, wherever it stands) is tried once. So it is with `call f(x, n - 1, grid)` where the
dummy arguments are of the same types.
"""

from __future__ import annotations

from collections.abc import Mapping

from snapset.analysis.replay.memory.variable_slots import RefusedError
from snapset.analysis.replay.statements.entry_bounds import define_bounds, is_plain
from snapset.analysis.replay.statements.node_functions import NodeFunctions
from snapset.analysis.replay.statements.procedure_entry import check_memory, check_start
from snapset.analysis.replay.statements.unexecuted_constructs import CODE, first
from snapset.frontend import ir
from snapset.frontend.base.diagnostics import Diagnostic
from snapset.frontend.cfg.graph import FlowGraph, Node
from snapset.frontend.ir.argument_binding import BindError, bind
from snapset.frontend.ir.expression_queries import type_of, walk
from snapset.frontend.rules import diagnostic

NUMBERS = ("integer", "real", "logical")
OPERATORS = ("+", "-", "*", "/", "**", "==", "/=", "<", "<=", ">", ">=", ".and.", ".or.", ".not.")


def refused_in(program: ir.Program, procedure: ir.Procedure, flow: FlowGraph,
               shared: Mapping[ir.Area, int]) -> tuple[Diagnostic, ...]:
    """Each kind of construct that the machine refuses in one procedure, at its first place; the message is what.

    ``shared``: the areas that several variables overlay.
    """
    found: list[RefusedError] = []
    lowering = Trial(program, procedure, flow, found)
    try:
        lowering.lower()
        lowering.adjoints(lambda node: _every if _is_worth(flow.nodes[node]) else None, "a")
    except RefusedError as error:
        found.append(error)
    except Exception as error:  # a report must not fail because the machine would
        found.append(RefusedError(f"`{procedure.name}`, on which it fails ({type(error).__name__})", procedure.span))
    for place in lowering.layout.slots:
        try:
            check_memory(place, shared)
        except RefusedError as error:
            found.append(error)
        try:
            check_start(place)
        except RefusedError as error:
            found.append(error)
    return tuple(first(diagnostic(CODE, error.what, error.span) for error in found if error.span is not None))


class Trial(NodeFunctions):
    """Lowers what the machine might refuse, and leaves the rest out."""

    def __init__(self, program: ir.Program, procedure: ir.Procedure, flow: FlowGraph,
                 refused: list[RefusedError]) -> None:
        super().__init__(program, procedure, flow, refused)
        self._tried: set[object] = set()

    def bounds(self) -> None:
        """Try those bounds that are more than numbers; nobody will make a slot."""
        for place in self.layout.slots:  # trying may add some
            ends = (end for dim in place.leaf.dims for end in (dim.lower, dim.upper) if end is not None)
            if not is_plain(place) or not all(map(self.is_ordinary, ends)):
                with self.trying():
                    define_bounds(place, self.code, self.values, self.source)

    def node(self, node: Node) -> None:
        """Lower one node, unless its references are all that could be refused, and are not."""
        stmt = node.stmt
        if isinstance(stmt, ir.Assign) and node.kind == "simple" and node.index not in self.code.foralls \
                and not node.masks and self.is_ordinary(stmt.target) and self.is_ordinary(stmt.value):
            return
        if isinstance(stmt, ir.If) and node.kind == "test" and self.is_ordinary(stmt.cond):
            return
        if isinstance(stmt, ir.Call) and node.kind == "call" and self.is_plain(stmt):
            return
        super().node(node)

    def is_ordinary(self, expr: ir.Expr) -> bool:
        """Is it made of references that the machine executes, of numbers, and of what it does with any numbers?"""
        match expr:
            case ir.Ref():
                return expr.type.kind in NUMBERS and expr.substring is None and self.is_executed(expr)
            case ir.Literal_():
                return expr.type.kind in NUMBERS and self.is_executed(expr)
            case ir.Unary():
                return expr.op in OPERATORS and self.is_ordinary(expr.operand)
            case ir.Binary():
                return expr.op in OPERATORS and expr.type.kind in NUMBERS \
                    and self.is_ordinary(expr.left) and self.is_ordinary(expr.right)
        return False

    def is_plain(self, call: ir.Call) -> bool:
        """Is it a subroutine's by its name, passed numbers and whole objects of the types that it declares?"""
        callee = self.program.procedures.get(call.targets[0]) if len(call.targets) == 1 else None
        if callee is None or callee.elemental or call.via != "name" or call.dispatch is not None \
                or call.result is not None or call.alternates:
            return False
        try:
            passed = bind(call, callee)
        except BindError:
            return False
        return all(actual is None or self.is_taken(actual, callee.variables.get(name))
                   for name, actual in zip(callee.formals, passed, strict=True))

    def is_taken(self, actual: ir.Expr, formal: ir.Variable | None) -> bool:
        """Is an actual argument of the dummy argument's type, and laid out as that?"""
        if formal is None or formal.pointer or formal.polymorphic or type_of(actual) != formal.type:
            return False
        if formal.type.kind in NUMBERS:
            return self.is_ordinary(actual)
        return isinstance(actual, ir.Ref) and len(actual.parts) == 1 and actual.parts[0].subscripts is None \
            and formal.type.kind == "derived" and self.is_laid_out(actual)

    def is_laid_out(self, whole: ir.Ref) -> bool:
        """Is a variable of derived type its components one by one: no pointer, no CLASS?"""
        variable = self.code.procedure.variables.get(whole.name)
        if variable is None or variable.pointer or variable.polymorphic or variable.value is not None:
            return False
        try:
            self.layout.places(whole.name, self.values.span)
        except RefusedError:
            return False
        return True

    def is_executed(self, leaf: ir.Ref | ir.Literal_) -> bool:
        """Has the machine code for a reference or a constant? Where it has not, its statement is lowered, and the
        refusal found there."""
        if leaf not in self._tried:
            try:
                self.values.value(leaf)
            except RefusedError:
                return False
            self._tried.add(leaf)
        return True


def _every(ref: ir.Ref) -> bool:
    return True


def _is_worth(node: Node) -> bool:
    """Might the machine refuse the adjoint? Sums, products and powers of references it has always differentiated."""
    stmt = node.stmt
    if isinstance(stmt, ir.Assign):
        return any(not isinstance(one, ir.Ref | ir.Literal_ | ir.Unary | ir.Binary) for one in walk(stmt.value))
    return isinstance(stmt, ir.Call)
