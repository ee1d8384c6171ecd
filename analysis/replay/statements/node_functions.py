"""From a procedure's flow graph to Python functions, compiled once: every node one of (slots, frame)."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from types import MappingProxyType
from typing import Any, TypeVar

from snapset.analysis.replay.codegen import confined_code, element_assignments, object_types, pointer_assignments
from snapset.analysis.replay.codegen.actual_arguments import Calls
from snapset.analysis.replay.codegen.compiled_procedure import CompiledProcedure, Function, GeneratedCode
from snapset.analysis.replay.codegen.derived_values import NOTHING, leaf_of
from snapset.analysis.replay.codegen.expression_code import ExpressionCode, cast
from snapset.analysis.replay.codegen.forall import foralls
from snapset.analysis.replay.codegen.partial_derivatives import Moves
from snapset.analysis.replay.codegen.reached_memory import ReachedMemory, single_bytes
from snapset.analysis.replay.memory.dynamic_types import TAG
from snapset.analysis.replay.memory.variable_slots import Layout, RefusedError, refuse
from snapset.analysis.replay.statements import allocation, external_stubs, message_calls, reached_refusals
from snapset.analysis.replay.statements.branch_tests import BranchTests
from snapset.analysis.replay.statements.entry_bounds import entry_bounds, initialising
from snapset.analysis.replay.statements.internal_files import is_internal
from snapset.analysis.replay.statements.known_names import KNOWN
from snapset.analysis.replay.statements.statement_adjoints import assign_adjoint, call_adjoint
from snapset.frontend import ir
from snapset.frontend.base.diagnostics import InputError
from snapset.frontend.cfg.graph import FlowGraph, Node
from snapset.frontend.ir.expression_queries import rank_of, type_of
from snapset.frontend.ir.statement_walk import statements

T = TypeVar("T")


class NodeFunctions:
    """Lowers one procedure. ``program``: for the callees' dummy arguments.

    ``refused``: takes all that the machine does not execute; then nothing is compiled. Without it such a thing ends the
    run that comes to it, and the lowering if it stands in a declaration.
    """

    def __init__(self, program: ir.Program, procedure: ir.Procedure, flow: FlowGraph,
                 refused: list[RefusedError] | None = None) -> None:
        self.program = program
        self.refused = refused
        self.layout = Layout(procedure, program.types)
        self.names: dict[str, object] = dict(KNOWN)
        self.values = ExpressionCode(self.layout, self.names, refused is None)
        self.code = CompiledProcedure(procedure, flow, self.layout)
        self.flow = flow
        self.loops = {n: x.index for x in reversed(flow.loops) for n in (x.init, x.test, x.step)}
        self.control = BranchTests(self.values, flow, self._labels())
        self.calls = Calls(program, self.layout, self.values)
        self.source = GeneratedCode(procedure.key, self.names)
        self._made: dict[str, tuple[object, Any]] = {}
        self.wheres = {n.stmt.id: n.index for n in flow.nodes if isinstance(n.stmt, ir.Where)}

    def lower(self) -> CompiledProcedure:
        """Compile the primal.

        Raises InputError for what the machine does not execute, if no statement says when a run comes to it.
        """
        procedure = self.code.procedure
        if procedure.opaque is not None:
            raise refuse(procedure.opaque, procedure.span)
        with self.trying():
            self.code.foralls = foralls(self.flow, procedure, lambda ref: self.values.slot(ref).number)
        for name in (*procedure.formals, *((procedure.result,) if procedure.result is not None else ())):
            with self.trying():
                if name in procedure.variables:  # else a procedure: its calls know what they run
                    self.layout.places(name, procedure.span)
        reached_refusals.check_variables(procedure, self.program, self.trying)
        self.hosted()
        for node in self.flow.nodes:
            self.values.at(node.span).touched.clear()
            with self.trying(node):
                self.node(node)
            self.code.touched[node.index] = frozenset(self.values.touched)
        self.bounds()
        self.compile()
        return self.code

    def bounds(self) -> None:
        """How each slot is made."""
        entry_bounds(self.code, self.layout, self.values, self.source, self.trying)

    @contextmanager
    def trying(self, node: Node | None = None) -> Iterator[None]:
        """Around what may be refused: the code of a node, or what the whole procedure needs."""
        defined = self.source.defined()
        try:
            yield
        except RefusedError as error:
            if self.refused is not None:
                self.refused.append(error)
            elif node is None:
                raise
            else:
                self.source.forget(defined)
                reached_refusals.defer(self.code, node, error)

    def compile(self) -> None:
        """Raises InputError for an expression that is nested too deeply for Python."""
        if self.refused is None:
            try:
                self.source.compile()
            except confined_code.TooDeepError as error:
                nodes, span = self.code.flow.nodes, self.code.procedure.span
                if error.key is not None and 0 <= error.key < len(nodes):
                    span = nodes[error.key].span
                raise refuse("an expression that is nested too deeply; split it", span) from None

    def hosted(self) -> None:
        """Variables that only internal procedures use live in their host's run too."""
        procedure = self.code.procedure
        for inner in self.program.internal(procedure.key):
            for name, variable in inner.variables.items():
                if variable.area.owner == procedure.key and procedure.variables.get(name) == variable:
                    with suppress(InputError):  # what cannot be laid out is refused where it is used
                        self.layout.places(name, variable.span)
        for variable in initialising(procedure):
            with suppress(InputError):
                self.layout.places(variable.name, variable.span)

    def _labels(self) -> Mapping[int, int]:
        return MappingProxyType({s.label: self.flow.first_node[s.id] for s in statements(self.code.procedure.body)
                                 if s.label is not None and s.id in self.flow.first_node})

    # ------------------------------------------------------------ nodes

    def node(self, node: Node) -> None:
        n, stmt, value = node.index, node.stmt, self.values.value
        reached_refusals.check_objects(node, self.code.procedure, self.program)
        match node.kind:
            case "join":
                return
            case "stop":
                self.source.define(self.code.run, n, f"n{n}", "s, f", ["raise ReplayError('STOP was reached')"])
            case "init" | "step" | "loop-test":
                assert isinstance(stmt, ir.Do)
                self.loop(node, stmt)
            case "test":
                self.source.define(self.code.choose, n, f"c{n}", "s, f", list(self.control.test(node)))
            case "call" if isinstance(stmt, ir.Call) and external_stubs.is_outside(stmt):
                lines = list(external_stubs.call_lines(stmt, self.values))
                self.statement(n, lines, external_stubs.spots(stmt, self.values))
            case "call" if isinstance(stmt, ir.Call) and message_calls.executed(stmt):
                self.code.messages.add(n)
                self.source.define(self.code.run, n, f"n{n}", "s, f", message_calls.call_lines(stmt, self.values))
                self.source.define(self.code.spots, n, f"w{n}", "s, f", message_calls.spots(
                    stmt, self.values, self.code.procedure))
            case "call" if isinstance(stmt, ir.Call) and allocation.is_move(stmt):
                self.code.growing.add(n)
                self.statement(n, list(allocation.move(stmt, self.values)), allocation.spots(stmt, self.values))
            case "call":
                assert isinstance(stmt, ir.Call)
                self.source.define(self.code.binds, n, f"b{n}", "s, f", self.calls.binding(stmt))
                self.code.results[n] = self.calls.made(stmt)
                self.code.given[n] = self.calls.given(stmt)
                self.code.alternates[n] = tuple(self.control.labels[label] for label in stmt.alternates)
            case _:
                self.simple(node)
        if isinstance(stmt, ir.Where):
            self.source.define(self.code.run, n, f"n{n}", "s, f", [f"f.masks[{n}] = np.array({value(stmt.mask)})"])

    def loop(self, node: Node, stmt: ir.Do) -> None:
        if stmt.var.type.kind != "integer":
            raise refuse(f"a DO loop over a variable of type {stmt.var.type.kind}", node.span)
        n = node.index
        forall, which = self.code.foralls.get(n), self.loops[n]
        place = self.values.slot(stmt.var)
        var = f"{place.code}.values[()]"
        if node.kind == "loop-test":
            settled = [f"if f.loops[{which}][0] <= 0: settle(f)"] if forall is not None and forall.test == n else []
            self.source.define(self.code.choose, n, f"c{n}", "s, f", [*settled, self.control.loop_test(which)])
            return
        lines = self.control.loop_start(which, stmt, var) if node.kind == "init" else self.control.loop_step(which, var)
        self.statement(n, lines, f"return [({place.code}, ())]")
        self.single(n, stmt.var, place)

    def single(self, n: int, target: ir.Ref, place: ReachedMemory) -> None:
        if n not in self.code.growing | self.code.foralls.keys() and (size := single_bytes(target, place)):
            self.code.single[n] = size

    # ------------------------------------------------------------ simple statements

    def simple(self, node: Node) -> None:
        n, stmt = node.index, node.stmt
        match stmt:
            case ir.Assign():
                self.assign(node, stmt)
            case ir.Where():
                return
            case ir.PointerAssign() | ir.Nullify():
                self.statement(n, [*pointer_assignments.associating(stmt, self.values)],
                               allocation.spots(stmt, self.values))
            case ir.IO():
                if (lines := list(external_stubs.io_lines(stmt, self.values))):
                    self.statement(n, lines, external_stubs.spots(stmt, self.values))
            case ir.Allocate(source=None):
                self.statement(n, list(allocation.allocate(stmt, self.values)), allocation.spots(stmt, self.values))
            case ir.Deallocate():
                self.statement(n, list(allocation.deallocate(stmt, self.values)), allocation.spots(stmt, self.values))
            case _:
                text = stmt.text.strip() if isinstance(stmt, ir.Opaque) else type(stmt).__name__.upper()
                raise refuse(f"`{text}`", node.span)

    def statement(self, n: int, lines: list[str], spots: str) -> None:
        """Define what a node does, and what it writes."""
        self.source.define(self.code.run, n, f"n{n}", "s, f", lines)
        self.source.define(self.code.spots, n, f"w{n}", "s, f", [spots])

    def pieces(self, stmt: ir.Assign) -> list[ir.Assign]:
        """An assignment of a derived-type value leaf by leaf; any other as it is. Of a pointer component both
        references are to what it is associated with."""
        if stmt.target.type.kind != "derived":
            return [stmt]
        found, values = [], self.values.at(stmt.span)
        dynamic = object_types.tag(stmt.target, values) is not None
        for place in element_assignments.leaves(stmt, values):
            depth, target = len(place.rest), allocation.leaf(stmt.target, place)
            if place.leaf.path == (*place.rest, TAG):
                found += [replace(stmt, target=target)] if dynamic else []
                continue
            if not object_types.has(stmt.value, place.leaf, depth, values):
                found += [replace(stmt, target=target, value=NOTHING)] if dynamic and place.leaf.allocatable else []
                continue
            if not dynamic and not place.leaf.is_in(depth, stmt.target.type.derived):
                continue
            value = leaf_of(stmt.value, place.leaf, len(place.rest), self.program.types, stmt.span)
            found.append(replace(stmt, target=target, value=object_types.there(value, place.leaf, values)))
        return found

    def mask(self, node: Node) -> str | None:
        """Code of the mask in force at a masked assignment, from the masks its WHEREs have evaluated."""
        if not node.masks:
            return None
        self.code.wheres[node.index] = tuple(self.wheres[mask.where] for mask in node.masks)
        return " & ".join(f"{'' if mask.holds else '~'}f.masks[{self.wheres[mask.where]}]" for mask in node.masks)

    def assign(self, node: Node, stmt: ir.Assign) -> None:
        """An assignment, all of its values before the first of its targets."""
        n, values, lines, spots = node.index, list[str](), list[str](), list[str]()
        mask, pieces = self.mask(node), self.pieces(stmt)
        for piece in pieces:
            if piece.target.type.kind in ("association", "procedure"):
                line, spot, grows = pointer_assignments.component_copied(piece, self.values)
                lines, spots = [*lines, line], [*spots, spot]
                self.code.growing |= {n} if grows else set()
                continue
            place = self.values.slot(piece.target)
            if place.leaf.is_tag:
                self.code.growing.add(n)
                lines.append(object_types.given(place.code, piece, self.values))
                spots.append(f"({place.code}, None)")
                continue
            index = self.values.index(piece.target, place)
            whole = place.leaf.allocatable and index == "()" and allocation.is_bare(piece.target)
            if whole:
                self.code.growing.add(n)
                several = len(pieces) > 1 and not isinstance(stmt.value, ir.Ref)
                lines.append(self.whole(place, piece, stmt, values if several else None))
            else:
                there, value = f"{place.code}.is_there()", self.assigned(piece)
                if piece.target.type.kind == "character":
                    value = self.values.stored(piece.target, place, index, value)
                if len(pieces) > 1 and not isinstance(stmt.value, ir.Ref):
                    value = element_assignments.ahead(values, f"np.array({value})")
                line = self.stored(node, place.code, index, piece, value, mask)
                if place.leaf.having:  # the object may be of a type without it
                    line, index = f"if {there}: {line}", f"{index} if {there} else None"
                lines.append(line)
            spots.append(f"({place.code}, {'None' if whole else index})")
        copies, stores, changed, elements = element_assignments.assigned(stmt, self.values)
        if stores:
            self.code.growing.add(n)
        spots += [*changed, *(f"({code})" for _, code in allocation.assigned(stmt, pieces, self.values)), *elements]
        self.statement(n, [*values, *copies, *lines, *stores], f"return [{', '.join(spots)}]")
        if mask is not None:
            self.source.define(self.code.masks, n, f"m{n}", "s, f", [f"return {mask}"])
        elif len(spots) == 1 and pieces[0].target.type.kind != "association":
            self.single(n, pieces[0].target, self.values.slot(pieces[0].target))

    def changed(self, stmt: ir.Assign) -> list[tuple[ir.Ref, bool]]:
        """What an assignment changes, in the order of its spots; whether it is an association or an allocation."""
        pieces = self.pieces(stmt)
        self.values.at(stmt.span)
        elements = element_assignments.element_assignments(stmt, self.values)
        return [*((one.target, one.target.type.kind == "association") for one in pieces),
                *((one.target, False) for one in elements),
                *((ref, True) for ref, _ in allocation.assigned(stmt, pieces, self.values)),
                *((one.target, True) for one in elements)]

    def assigned(self, piece: ir.Assign) -> str:
        """Code of the value of an assignment to a leaf."""
        value = self.values.value(piece.value)
        if type_of(piece.value).kind == "complex" and piece.target.type.kind != "complex":
            return f"np.real({value})"
        if piece.target.type.kind == "character" and piece.target.substring is None:
            return cast(value, piece.target.type)
        return f"({value}) != 0" if type_of(piece.value).kind == "logical" else value

    def stored(self, node: Node, slot: str, index: str, piece: ir.Assign, value: str, mask: str | None) -> str:
        if node.index in self.code.foralls:
            return f"f.pending.append(({slot}, {index}, np.array({value})))"
        if mask is not None:
            return f"masked_store({slot}, {index}, {mask}, {value})"
        vectors = any(not isinstance(sub, ir.Range) and rank_of(sub) > 0
                      for part in piece.target.parts for sub in part.subscripts or ())
        return f"{slot}.values[{f'distinct({index})' if vectors else index}] = {value}"

    def whole(self, place: ReachedMemory, piece: ir.Assign, stmt: ir.Assign, before: list[str] | None) -> str:
        """The statement that gives a whole allocatable variable a value, and memory where it needs another shape.

        ``before``: where its value is put ahead, as in ``r = t(r%w, r%u)``."""
        slot, value = place.code, piece.value
        if isinstance(value, ir.Intrinsic) and value.name == "null":
            return f"deallocate({slot}, False)"
        if (found := allocation.whole_value(value, self.values)) is not None:
            source, alone = found.code, stmt.target.type.kind != "derived"
            if before is not None:
                source = element_assignments.ahead(before, f"copied_slot({source})")
            return f"copy_whole({slot}, '{place.leaf.dtype}', {source}, {alone})"
        assigned, there = self.assigned(piece), ""
        if place.leaf.having and isinstance(value, ir.Ref):
            there = f"{self.values.slot(value).code}.is_there()"
        if before is not None:
            assigned = element_assignments.ahead(before, f"np.array({assigned}) if {there or True} else None")
            there = there and f"{assigned} is not None"
        stored = f"store_whole({slot}, '{place.leaf.dtype}', {assigned})"
        return f"{stored} if {there} else deallocate({slot}, False)" if there else stored

    # ------------------------------------------------------------ adjoints

    def once(self, name: str, of: object, make: Callable[[], T]) -> T:
        """What ``make`` gives, which is made again only for another ``of``."""
        if name not in self._made or self._made[name][0] is not of:
            self._made[name] = of, make()
        found: T = self._made[name][1]
        return found

    def selections(self, node: int, pieces: Mapping[int, Sequence[ir.Ref]]) -> dict[int, Function]:
        """Compile what gives, by reference, its slot and the index it selects: functions of (slots, frame). A dummy
        array may be declared larger than what is passed: a section of that size ends with the array."""
        table: dict[int, Function] = {}
        values, known = self.values.at(self.flow.nodes[node].span), len(self.layout.slots)
        for key, piece in pieces.items():
            found = [f"({place.code}, some({', lambda: '.join((place.code, *values.subscripts(place, there=True)))}))"
                     for place in map(values.slot, piece)]
            self.source.define(table, key, f"r{node}_{key}", "s, f", [f"return ({', '.join(found)},)"])
        assert len(self.layout.slots) == known, "a section of what the procedure does not name itself"
        self.compile()
        return table

    def sides(self, moves: Callable[[int], Moves | None], nodes: Iterable[int]) -> dict[int, Function]:
        """Compile, for assignments that record sides, what gives them: a function of (slots, frame)."""
        table: dict[int, Function] = {}
        for n in sorted({*nodes} - self.code.refused.keys()):
            stmt, may = self.flow.nodes[n].stmt, moves(n)
            assert isinstance(stmt, ir.Assign)
            assert may is not None
            found = assign_adjoint(self.values.at(stmt.span), self.pieces(stmt), may, sided=True).sides
            self.source.define(table, n, f"q{n}", "s, f", [f"return ({' '.join(code + ',' for code in found)})"])
        self.compile()
        return table

    def adjoints(self, moves: Callable[[int], Moves | None], prefix: str,
                 sided: Container[int] = ()) -> dict[int, Function]:
        """Compile the derivative of every node for which ``moves`` says what can carry derivatives.

        An assignment's takes (slots, frame, mask); a call's takes (slots, temporaries) and gives the
        adjoints of expressions that were passed to their operands. ``sided``: assignments that record sides.
        """
        table: dict[int, Function] = {}
        for node in self.flow.nodes:
            may, n = moves(node.index), node.index
            if may is not None and n not in self.code.refused:
                with self.trying(node):
                    self.adjoint(node, may, table, prefix, n in sided)
            if may is not None and n in self.code.refused:
                table[n] = reached_refusals.raising(self.code.refused[n])
        self.compile()
        return table

    def adjoint(self, node: Node, may: Moves, table: dict[int, Function], prefix: str, sided: bool) -> None:
        """The derivative of one node, if it can have one."""
        n, name = node.index, f"{prefix}{node.index}"
        self.values.at(node.span)
        if isinstance(node.stmt, ir.Assign) and node.kind == "simple":
            as_generator = n in self.code.foralls or n in self.code.growing
            lines = assign_adjoint(self.values, self.pieces(node.stmt), may, sided, as_generator, node.stmt).lines
            self.source.define(table, n, name, "s, f, mask", lines)
        elif node.stmt is not None and (external_stubs.is_outside(node.stmt) or is_internal(node.stmt)):
            self.source.define(table, n, name, "s, f, mask", external_stubs.adjoint_lines(node.stmt, self.values))
        elif isinstance(node.stmt, ir.Call) and allocation.is_move(node.stmt):
            self.source.define(table, n, name, "s, f, mask", allocation.move_adjoint(node.stmt, self.values, may))
        elif isinstance(node.stmt, ir.Call) and n not in self.code.messages:
            self.source.define(table, n, name, "s, temps", call_adjoint(self.calls, node.stmt, may))
