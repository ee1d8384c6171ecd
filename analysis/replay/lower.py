"""From a procedure's flow graph to Python functions, compiled once.

Every node becomes a function of (slots, frame). What the machine cannot execute is refused here, by line.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

import numpy as np
from snapset.analysis.replay import memory
from snapset.analysis.replay.expressions import Values, cast
from snapset.analysis.replay.layout import Layout, SlotPlace, dtype_of, refuse
from snapset.analysis.replay.partials import Moves, Partials
from snapset.analysis.replay.runtime import NAMES, ReplayError, Slot
from snapset.frontend import ir
from snapset.frontend.exprs import rank_of, type_of
from snapset.frontend.flow import Flow, Node
from snapset.frontend.program import BindError, bind
from snapset.frontend.walk import statements

Function = Callable[..., Any]


@dataclass(slots=True)
class Code:
    """A procedure ready to run.

    By node: ``run`` (None: nothing to do), ``choose`` (the next node, where there are several), ``spots``
    (what an assignment or loop variable writes), ``binds`` (a call's actual arguments), ``masks`` (the
    mask in force at a masked assignment), ``wheres`` (the nodes that evaluate it), ``entry``: how each slot is
    made, in order.
    """

    procedure: ir.Procedure
    flow: Flow
    layout: Layout
    run: dict[int, Function] = field(default_factory=dict)
    choose: dict[int, Function] = field(default_factory=dict)
    spots: dict[int, Function] = field(default_factory=dict)
    binds: dict[int, Function] = field(default_factory=dict)
    masks: dict[int, Function] = field(default_factory=dict)
    wheres: dict[int, tuple[int, ...]] = field(default_factory=dict)
    alternates: dict[int, tuple[int, ...]] = field(default_factory=dict)
    bounds: dict[int, Function] = field(default_factory=dict)
    constants: dict[int, Function] = field(default_factory=dict)
    entry: tuple[SlotPlace, ...] = ()


def only(stmt: ir.Call) -> str:
    """The procedure a call runs. Raises InputError where that is not certain."""
    if stmt.intrinsic:
        raise refuse(f"the intrinsic subroutine {stmt.name}", stmt.span)
    if len(stmt.targets) != 1:
        why = "which has no source here" if not stmt.targets else "which may run several procedures"
        raise refuse(f"the call of {stmt.name}, {why}", stmt.span)
    return stmt.targets[0]


class Lowering:
    """Lowers one procedure. ``program``: for the callees' dummy arguments."""

    def __init__(self, program: ir.Program, procedure: ir.Procedure, flow: Flow) -> None:
        self.program = program
        self.layout = Layout(procedure, program.types)
        self.names: dict[str, object] = {**NAMES, "allocate": memory.allocate, "store_whole": memory.store_whole,
                                         "Slot": Slot, "fresh": memory.fresh, "ReplayError": ReplayError}
        self.values = Values(self.layout, self.names)
        self.code = Code(procedure, flow, self.layout)
        self.flow = flow
        self.labels = self._labels()
        self.polarity = _polarities(procedure.body)
        self.sources: list[str] = []
        self.wanted: list[tuple[dict[int, Function], int, str]] = []
        self.wheres = {id(n.stmt): n.index for n in flow.nodes if isinstance(n.stmt, ir.Where)}

    def lower(self) -> Code:
        """Compile the primal.

        Raises:
            InputError: a statement the machine does not execute.
        """
        if self.code.procedure.opaque is not None:
            raise refuse(self.code.procedure.opaque, self.code.procedure.span)
        for name in self.code.procedure.formals:
            self.layout.places(name, self.code.procedure.span)
        if self.code.procedure.result is not None:
            self.layout.places(self.code.procedure.result, self.code.procedure.span)
        for node in self.flow.nodes:
            self.values.at(node.span)
            self.node(node)
        self.entry_bounds()
        self.compile()
        return self.code

    def define(self, table: dict[int, Function], key: int, name: str, parameters: str, lines: list[str]) -> None:
        body = "\n".join("    " + line for line in lines) or "    pass"
        self.sources.append(f"def {name}({parameters}):\n{body}\n")
        self.wanted.append((table, key, name))

    def compile(self) -> None:
        """Run what was defined since the last time through Python's compiler."""
        exec(compile("\n".join(self.sources), f"<replay {self.code.procedure.key}>", "exec"), self.names)
        for table, key, name in self.wanted:
            function = self.names[name]
            assert callable(function)
            table[key] = function
        self.sources, self.wanted = [], []

    def _labels(self) -> Mapping[int, int]:
        found = {s.label: self.flow.first_node[id(s)] for s in statements(self.code.procedure.body)
                 if s.label is not None and id(s) in self.flow.first_node}
        return MappingProxyType(found)

    # ------------------------------------------------------------ nodes

    def node(self, node: Node) -> None:
        n, stmt, value = node.index, node.stmt, self.values.value
        match node.kind:
            case "join":
                return
            case "stop":
                self.define(self.code.run, n, f"n{n}", "s, f", ["raise ReplayError('STOP was reached')"])
            case "init" | "step" | "loop-test":
                assert isinstance(stmt, ir.Do)
                self.loop(node, stmt)
            case "test":
                self.define(self.code.choose, n, f"c{n}", "s, f", list(self.test(node)))
            case "call":
                assert isinstance(stmt, ir.Call)
                self.call(n, stmt)
            case _:
                self.simple(node)
        if isinstance(stmt, ir.Where):
            self.define(self.code.run, n, f"n{n}", "s, f", [f"f.masks[{n}] = np.array({value(stmt.mask)})"])

    def loop(self, node: Node, stmt: ir.Do) -> None:
        if stmt.kind == "forall" or stmt.var.type.kind != "integer":
            raise refuse("FORALL" if stmt.kind == "forall" else "a DO loop over a real variable", node.span)
        n = node.index
        which = next(x.index for x in self.flow.loops if n in (x.init, x.test, x.step))
        place = self.values.slot(stmt.var)
        var = f"s[{place.number}].values[()]"
        if node.kind == "loop-test":
            inside = self.flow.succs[n][0]
            self.define(self.code.choose, n, f"c{n}", "s, f",
                        [f"return {inside} if f.loops[{which}][0] > 0 else {self.flow.loops[which].end}"])
            return
        if node.kind == "init":
            step = "1" if stmt.step is None else self.values.value(stmt.step)
            lines = [f"first, last, by = int({self.values.value(stmt.start)}), int({self.values.value(stmt.stop)}), "
                     f"int({step})", "if by == 0: raise ReplayError('a DO loop has step zero')",
                     f"f.loops[{which}] = [max(0, (last - first + by) // by), by]", f"{var} = first"]
        else:
            lines = [f"left = f.loops[{which}]", f"{var} += left[1]", "left[0] -= 1"]
        self.define(self.code.run, n, f"n{n}", "s, f", lines)
        self.define(self.code.spots, n, f"w{n}", "s, f", [f"return [(s[{place.number}], ())]"])

    def test(self, node: Node) -> Iterator[str]:
        """Code that gives the next node."""
        n, stmt, succs, value = node.index, node.stmt, self.flow.succs[node.index], self.values.value
        first = self.flow.first_node
        match stmt:
            case ir.If():
                yes = first[id(stmt.then[0])] if stmt.then else None
                no = first[id(stmt.orelse[0])] if stmt.orelse else None
                yes = next((t for t in succs if t != no), succs[0]) if yes is None else yes
                no = next((t for t in succs if t != yes), succs[0]) if no is None else no
                yield f"return {yes} if {value(stmt.cond)} else {no}"
            case ir.While():
                assert stmt.cond is not None
                loop = next(x for x in self.flow.loops if x.test == n)
                inside = next((t for t in succs if t != loop.end), loop.end)
                yield f"return {inside} if {value(stmt.cond)} else {loop.end}"
            case ir.Select():
                yield from self.select(stmt, succs)
            case ir.ArithmeticIf():
                yield f"x = {value(stmt.cond)}"
                yield (f"return {self.labels[stmt.negative]} if x < 0 else {self.labels[stmt.zero]} if x == 0 "
                       f"else {self.labels[stmt.positive]}")
            case ir.ComputedGoto():
                yield f"x = int({value(stmt.selector)})"
                yield f"to = {tuple(self.labels[label] for label in stmt.labels)!r}"
                yield f"return to[x - 1] if 1 <= x <= {len(stmt.labels)} else {succs[0]}"
            case ir.Return() if stmt.alternate is not None:
                yield f"f.alternate = int({value(stmt.alternate)})"
                yield f"return {succs[0]}"
            case _:
                raise refuse("this statement", node.span)

    def select(self, stmt: ir.Select, succs: tuple[int, ...]) -> Iterator[str]:
        bodies = {self.flow.first_node[id(case.body[0])] for case in stmt.cases if case.body}
        end = next((t for t in succs if t not in bodies), -1)
        yield f"x = {self.values.value(stmt.selector)}"
        otherwise = end
        for case in stmt.cases:
            to = self.flow.first_node[id(case.body[0])] if case.body else end
            if case.values is None:
                otherwise = to
                continue
            if not case.values:
                raise refuse("SELECT TYPE", case.span)
            yield f"if {' or '.join(map(self.matches, case.values))}: return {to}"
        yield f"return {otherwise}"

    def matches(self, sub: ir.Subscript) -> str:
        if not isinstance(sub, ir.Range):
            return f"(x == {self.values.value(sub)})"
        low = "True" if sub.lower is None else f"x >= {self.values.value(sub.lower)}"
        high = "True" if sub.upper is None else f"x <= {self.values.value(sub.upper)}"
        return f"({low} and {high})"

    # ------------------------------------------------------------ simple statements

    def simple(self, node: Node) -> None:
        n, stmt = node.index, node.stmt
        match stmt:
            case ir.Assign():
                self.assign(node, stmt)
            case ir.Where():
                return
            case ir.IO(action="write" | "print", writes=(), internal=False):
                return
            case ir.IO():
                raise refuse(f"{stmt.action.upper()}", node.span)
            case ir.Allocate(stat=None, source=None):
                lines = []
                for ref in stmt.objects:
                    place = self.values.slot(replace(ref, parts=(*ref.parts[:-1], ir.Part(ref.parts[-1].name))))
                    bounds = ", ".join(map(self.allocated_bound, ref.parts[-1].subscripts or ()))
                    lines.append(f"allocate(s[{place.number}], '{place.leaf.dtype}', [{bounds}])")
                self.define(self.code.run, n, f"n{n}", "s, f", lines)
                self.define(self.code.spots, n, f"w{n}", "s, f", [self.objects(stmt.objects)])
            case ir.Deallocate(stat=None):
                lines = []
                for ref in stmt.objects:
                    lines.append(f"x = s[{self.values.slot(ref).number}]")
                    lines.append("x.a = x.b = None")
                self.define(self.code.run, n, f"n{n}", "s, f", lines)
                self.define(self.code.spots, n, f"w{n}", "s, f", [self.objects(stmt.objects)])
            case _:
                text = stmt.text.strip() if isinstance(stmt, ir.Opaque) else type(stmt).__name__.upper()
                raise refuse(f"`{text}`", node.span)

    def objects(self, refs: tuple[ir.Ref, ...]) -> str:
        bare = [replace(ref, parts=(*ref.parts[:-1], ir.Part(ref.parts[-1].name))) for ref in refs]
        return f"return [{', '.join(f'(s[{self.values.slot(ref).number}], None)' for ref in bare)}]"

    def allocated_bound(self, sub: ir.Subscript) -> str:
        if isinstance(sub, ir.Range):
            assert sub.upper is not None
            low = "1" if sub.lower is None else f"int({self.values.value(sub.lower)})"
            return f"({low}, int({self.values.value(sub.upper)}))"
        return f"(1, int({self.values.value(sub)}))"

    def pieces(self, stmt: ir.Assign) -> list[ir.Assign]:
        """An assignment of a derived-type value leaf by leaf; any other as it is."""
        if stmt.target.type.kind != "derived":
            return [stmt]
        value = stmt.value
        if not isinstance(value, ir.Ref):
            raise refuse("a derived-type value that is no variable", stmt.span)
        have = len(stmt.target.parts) - 1
        found = []
        for place in self.layout.below(stmt.target, stmt.span):
            rest = tuple(ir.Part(name) for name in place.leaf.path[have:])
            more = sum(place.leaf.ranks[have + 1:])
            target = replace(stmt.target, parts=stmt.target.parts + rest, type=place.leaf.type,
                             rank=stmt.target.rank + more)
            source = replace(value, parts=value.parts + rest, type=place.leaf.type, rank=value.rank + more)
            found.append(replace(stmt, target=target, value=source))
        return found

    def mask(self, node: Node) -> str | None:
        """Code of the mask in force at a masked assignment, from the masks its WHEREs have evaluated."""
        if not node.masks:
            return None
        assert node.stmt is not None
        self.code.wheres[node.index] = tuple(self.wheres[id(where)] for where, _ in self.polarity[id(node.stmt)])
        terms = [f"f.masks[{self.wheres[id(where)]}]" if positive else f"~f.masks[{self.wheres[id(where)]}]"
                 for where, positive in self.polarity[id(node.stmt)]]
        return " & ".join(terms)

    def assign(self, node: Node, stmt: ir.Assign) -> None:
        n, lines, spots = node.index, [], []
        mask = self.mask(node)
        for piece in self.pieces(stmt):
            place = self.values.slot(piece.target)
            index = self.values.index(piece.target, place)
            value = self.values.value(piece.value)
            if type_of(piece.value).kind == "logical":
                value = f"({value}) != 0"
            slot = f"s[{place.number}]"
            whole = place.leaf.allocatable and index == "()" and piece.target.rank > 0
            if mask is not None:
                lines.append(f"masked_store({slot}, {index}, {mask}, {value})")
            elif whole:
                lines.append(f"store_whole({slot}, '{place.leaf.dtype}', {value})")
            else:
                lines.append(f"{slot}.values[{index}] = {value}")
            spots.append(f"({slot}, {'None' if whole else index})")
        self.define(self.code.run, n, f"n{n}", "s, f", lines)
        self.define(self.code.spots, n, f"w{n}", "s, f", [f"return [{', '.join(spots)}]"])
        if mask is not None:
            self.define(self.code.masks, n, f"m{n}", "s, f", [f"return {mask}"])

    # ------------------------------------------------------------ calls

    def bound_args(self, stmt: ir.Call) -> list[tuple[str, ir.Expr | None]]:
        """The callee's dummy arguments (its result last) with what is passed."""
        callee = self.program.procedures[only(stmt)]
        if callee.elemental and any(rank_of(a.value) > 0 for a in stmt.args):
            raise refuse(f"the elemental call of {stmt.name} with arrays", stmt.span)
        try:
            actuals = bind(stmt, callee)
        except BindError as error:
            raise refuse(f"the call of {stmt.name}: {error}", stmt.span) from error
        pairs = list(zip(callee.formals, actuals, strict=True))
        if callee.result is not None:
            pairs.append((callee.result, stmt.result))
        return pairs

    def is_memory(self, expr: ir.Expr) -> bool:
        if not isinstance(expr, ir.Ref):
            return False
        return self.layout.variable(expr.name, self.values.span).value is None

    def call(self, n: int, stmt: ir.Call) -> None:
        callee = self.program.procedures[only(stmt)]
        inner = Layout(callee, self.program.types)
        items = []
        for name, actual in self.bound_args(stmt):
            if actual is None:
                items.append("None")
            elif isinstance(actual, ir.Ref) and self.is_memory(actual):
                items.append(self.passed(actual, inner.places(name, stmt.span), stmt))
            else:
                dtype = dtype_of(type_of(actual))
                if dtype is None or (rank_of(actual) > 0 and callee.variables[name].shape.kind == "scalar"):
                    raise refuse(f"the argument `{name}` of {stmt.name}", stmt.span)
                value = cast(self.values.value(actual), type_of(actual))
                items.append(f"[(temporary({value}), ())]")
        self.names.setdefault("temporary", temporary)
        self.define(self.code.binds, n, f"b{n}", "s, f", [f"return [{', '.join(items)}]"])
        self.code.alternates[n] = tuple(self.labels[label] for label in stmt.alternates)

    def passed(self, actual: ir.Ref, formal: tuple[SlotPlace, ...], stmt: ir.Call) -> str:
        """The memory of an actual argument, one slot and index for each leaf of the dummy argument."""
        have = tuple(p.name for p in actual.parts[1:])
        own = {p.leaf.path: p for p in self.layout.below(actual, stmt.span)}
        found = []
        for leaf in formal:
            place = own.get(have + leaf.leaf.path)
            if place is None or actual.substring is not None:
                raise refuse(f"the argument `{actual.name}` of {stmt.name}", stmt.span)
            found.append(f"(s[{place.number}], {self.values.index(actual, place)})")
        return f"[{', '.join(found)}]"

    # ------------------------------------------------------------ adjoints

    def adjoints(self, moves: Callable[[int], Moves | None], prefix: str) -> dict[int, Function]:
        """Compile the derivative of every node for which ``moves`` says what can carry derivatives.

        An assignment's takes (slots, frame, mask); a call's takes (slots, temporaries) and gives the
        adjoints of expressions that were passed to their operands.
        """
        table: dict[int, Function] = {}
        for node in self.flow.nodes:
            may = moves(node.index)
            if may is None:
                continue
            self.values.at(node.span)
            if isinstance(node.stmt, ir.Assign) and node.kind == "simple":
                self.define(table, node.index, f"{prefix}{node.index}", "s, f, mask",
                            self.assign_adjoint(node.stmt, may))
            elif isinstance(node.stmt, ir.Call):
                self.define(table, node.index, f"{prefix}{node.index}", "s, temps", self.call_adjoint(node.stmt, may))
        self.compile()
        return table

    def assign_adjoint(self, stmt: ir.Assign, may: Moves) -> list[str]:
        partials = Partials(self.values, may)
        for piece in self.pieces(stmt):
            if piece.target.type.kind != "real":
                continue
            place = self.values.slot(piece.target)
            rank = piece.target.rank
            t = partials.hold(f"take(s[{place.number}], {self.values.index(piece.target, place)}, mask)")
            before = len(partials.lines)
            partials.push(piece.value, t, rank)
            inner = partials.lines[before:]
            if inner:
                partials.lines[before:] = [f"if anything({t}):", *("    " + line for line in inner)]
        return partials.lines

    def call_adjoint(self, stmt: ir.Call, may: Moves) -> list[str]:
        partials = Partials(self.values, may)
        for place, (_, actual) in enumerate(self.bound_args(stmt)):
            if actual is not None and not self.is_memory(actual):
                t = partials.hold(f"temps[{place}]")
                before = len(partials.lines)
                partials.push(actual, t, rank_of(actual))
                inner = partials.lines[before:]
                if inner:
                    partials.lines[before:] = [f"if {t} is not None and anything({t}):", *("    " + x for x in inner)]
        return partials.lines

    # ------------------------------------------------------------ entry

    def entry_bounds(self) -> None:
        """Compile the bounds of every slot; asking for one may add others to the layout."""
        done = 0
        while done < len(self.layout.slots):
            place = self.layout.slots[done]
            done += 1
            self.values.at(place.variable.span)
            dims = ", ".join(self.dim(d) for d in place.leaf.dims)
            if place.variable.value is not None:
                code = self.values.value(place.variable.value)
                self.define(self.code.constants, place.number, f"v{place.number}", "s", [f"return {code}"])
            self.define(self.code.bounds, place.number, f"d{place.number}", "s", [f"return [{dims}]"])
        self.code.entry = tuple(sorted(self.layout.slots, key=lambda p: (_phase(p, self.code.procedure), p.number)))

    def dim(self, dim: ir.Dim) -> str:
        low = "1" if dim.lower is None else f"int({self.values.value(dim.lower)})"
        high = "None" if dim.upper is None else f"int({self.values.value(dim.upper)})"
        return f"({low}, {high})"


def temporary(value: Any) -> Slot:
    """Memory for an expression that is passed."""
    a = np.array(value, order="F")
    if a.dtype == np.bool_:
        a = a.astype(np.int32)
    return Slot(a, np.zeros(a.shape, a.dtype, order="F") if a.dtype.kind == "f" else None, (1,) * a.ndim)


def _phase(place: SlotPlace, procedure: ir.Procedure) -> int:
    """Scalars and globals come first, then dummy arrays, then the procedure's own arrays."""
    if place.variable.area.kind in memory.GLOBAL or not place.leaf.dims:
        return 0
    return 1 if place.variable.area.kind == "formal" else 2


def _polarities(block: ir.Block, inside: tuple[tuple[ir.Where, bool], ...] = (),
                ) -> dict[int, tuple[tuple[ir.Where, bool], ...]]:
    """For each statement under a WHERE (by ``id``) the WHEREs around it, and whether it is in their body."""
    found: dict[int, tuple[tuple[ir.Where, bool], ...]] = {}
    for stmt in block if inside else statements(block):
        if inside:
            found[id(stmt)] = inside
        if isinstance(stmt, ir.Where) and (inside or id(stmt) not in found):
            found |= _polarities(stmt.body, (*inside, (stmt, True)))
            found |= _polarities(stmt.elsewhere, (*inside, (stmt, False)))
    return found
