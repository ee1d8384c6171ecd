"""A flattened section as generated code: its values over registers, forwards and backwards (equations.md section 6).

Forwards, the values that are stored are computed from memory as it is before the section. Backwards, every required
value comes from what is stored (U), from memory that is right again or what was saved of it (S), or is computed again
from these, as the choice has it; the adjoint then follows the remainder graph, whose labels are such values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from snapset.analysis.dag.fortran.level_problem import Flattened
from snapset.analysis.dag.fortran.memory_cells import Cell
from snapset.analysis.dag.problem.vertex_elimination import Label, Operation
from snapset.analysis.replay.codegen.compiled_procedure import Function, GeneratedCode
from snapset.analysis.replay.dag.vertex_registers import NAMES, Registers
from snapset.analysis.replay.statements.node_functions import NodeFunctions
from snapset.frontend.base.frozen_records import frozen

Lines = list[str]


@frozen
class Write:
    """An assignment of a section that runs. ``saves``: its place is in S."""

    node: int
    vertex: str
    cell: Cell
    saves: bool


@frozen
class Chosen:
    """What is chosen for a section. ``restored``: the vertices all of whose overwrites are in S. ``writes``: in
    order. ``taken``: the results whose adjoints come from behind."""

    restored: frozenset[str]
    stored: tuple[str, ...]
    writes: tuple[Write, ...]
    taken: frozenset[str]

    @property
    def firsts(self) -> tuple[int, ...]:
        """The number of each cell's first write: undoing it undoes them all."""
        seen: dict[Cell, int] = {}
        for number, write in enumerate(self.writes):
            seen.setdefault(write.cell, number)
        return tuple(seen.values())


@frozen
class SectionCode:
    """A section ready to run.

    ``forward(s)``: the values of U, those of ``required`` and those the writes give, the last two to be compared
    with what is found later. ``backward(s, u, w)``, u being U's values and w what each write saved: the required
    values, and the (slot, index) where each first write that saves is undone; it adds to the adjoints. ``narrow``:
    what of U takes one byte.
    """

    flat: Flattened
    chosen: Chosen
    required: tuple[str, ...]
    forward: Function
    backward: Function
    narrow: frozenset[str]


class SectionCodeBuilder:
    """Makes the code of a procedure's sections."""

    def __init__(self, lowering: NodeFunctions) -> None:
        self.lowering = lowering
        self.names: dict[str, object] = {**lowering.names, **NAMES}
        self.source = GeneratedCode(f"{lowering.code.procedure.key}, sections", self.names)
        self.forward: dict[int, Function] = {}
        self.backward: dict[int, Function] = {}
        self.made: list[tuple[Flattened, Chosen, tuple[str, ...]]] = []

    def add(self, flat: Flattened, chosen: Chosen) -> None:
        """Define a section's functions."""
        required = tuple(sorted(flat.required))
        node = flat.nodes[0]
        self.lowering.values.at(self.lowering.flow.nodes[node].span)
        one = _Section(self.lowering, self.names, flat, chosen)
        self.source.define(self.forward, node, f"forward{node}", "s", one.forward(required))
        self.source.define(self.backward, node, f"backward{node}", "s, u, w", one.backward(required))
        self.made.append((flat, chosen, required))

    def compile(self) -> dict[int, SectionCode]:
        """The sections by their first node."""
        self.source.compile()
        return {flat.nodes[0]: SectionCode(flat, chosen, required, self.forward[flat.nodes[0]],
                                           self.backward[flat.nodes[0]], flat.narrow)
                for flat, chosen, required in self.made}


class _Section:
    def __init__(self, lowering: NodeFunctions, names: dict[str, object], flat: Flattened, chosen: Chosen) -> None:
        self.flat = flat
        self.chosen = chosen
        self.registers = Registers(lowering.layout, names)
        self.registers.at(lowering.flow.nodes[flat.nodes[0]].span)
        self.operations: Mapping[str, Operation] = {o.result: o for o in flat.operations}
        self.assigned = {vertex: at for at, vertex in enumerate(flat.results[n] for n in flat.nodes)}
        self.position = {w.vertex: self.assigned[w.vertex] for w in chosen.writes}
        self.within: dict[int, list[int]] = {}  # the numbers of the writes to each location
        for number, write in enumerate(chosen.writes):
            self.within.setdefault(write.cell.bits, []).append(number)

    # ------------------------------------------------------------ the two functions

    def forward(self, required: tuple[str, ...]) -> Lines:
        given = tuple(w.vertex for w in self.chosen.writes)
        lines = self.lines((*self.chosen.stored, *required, *given), self.first_source)
        return [*lines, f"return {self.all(self.chosen.stored)}, {self.all(required)}, {self.all(given)}"]

    def backward(self, required: tuple[str, ...]) -> Lines:
        constants = [label.name for label in self.flat.extended.remainder.values() if label.constant and not label.one]
        lines = self.lines((*required, *constants), self.later_source)
        places = [self.registers.address(self.flat.held[w.vertex]) for n in self.chosen.firsts
                  if (w := self.chosen.writes[n]).saves]
        back = "".join(f"({slot}, {index}), " for slot, index in places)
        return [*lines, *self.adjoint(), f"return {self.all(required)}, ({back})"]

    def all(self, vertices: Iterable[str]) -> str:
        return f"({''.join(f'{self.registers.of(v)}, ' for v in vertices)})"

    def adjoint(self) -> Lines:
        """The adjoints of the results through the remainder graph to those of what the section reads."""
        edges = self.flat.extended.remainder
        into: dict[str, list[tuple[str, Label]]] = {}
        for (i, k), label in edges.items():
            into.setdefault(k, []).append((i, label))
        numbers = {v: n for n, v in enumerate(dict.fromkeys((*self.flat.outputs, *(v for e in edges for v in e))))}
        lines = [f"d{n} = 0.0" for n in numbers.values()]
        for v in sorted(self.chosen.taken):
            slot, index = self.registers.address(self.flat.held[v])
            lines.append(f"d{numbers[v]} = take({slot}, {index}, None)")
        for operation in reversed(self.flat.operations):
            k = operation.result
            for i, label in into.get(k, ()):
                lines.append(f"d{numbers[i]} = d{numbers[i]} + mul(d{numbers[k]}, {self.registers.label(label)})")
        for v in dict.fromkeys(i for i, _ in edges):
            if v not in self.operations:
                slot, index = self.registers.address(self.flat.held[v])
                lines.append(f"acc({slot}, {index}, d{numbers[v]})")
        return lines

    # ------------------------------------------------------------ values

    def lines(self, wanted: Iterable[str], source: Callable[[str], tuple[Iterable[str], Callable[[], Lines]]]) -> Lines:
        """Code for the wanted vertices, each behind what it needs. ``source``: what that is, and its code."""
        found: Lines = []
        done: set[str] = set()
        doing: set[str] = set()
        todo = list(wanted)
        todo.reverse()
        while todo:
            v = todo[-1]
            if v in done:
                todo.pop()
                continue
            needs, code = source(v)
            missing = [n for n in needs if n not in done]
            if not missing:
                found += code()
                done.add(v)
                doing.discard(v)
                todo.pop()
                continue
            if v in doing:
                raise AssertionError(f"{v} is needed to know itself")
            doing.add(v)
            todo += missing
        return found

    def first_source(self, v: str) -> tuple[Iterable[str], Callable[[], Lines]]:
        """Before the section: from memory, or computed."""
        if v in self.flat.held and v not in self.operations:
            return self.flat.addresses[v], lambda: self.set(v, self.registers.reference(self.flat.held[v]))
        return self.computed(v)

    def later_source(self, v: str) -> tuple[Iterable[str], Callable[[], Lines]]:
        """Behind the section, on the way back: stored, in memory, saved from it, or computed again."""
        if v in self.chosen.stored:
            return (), lambda: self.set(v, f"u[{self.chosen.stored.index(v)}]")
        operation = self.operations.get(v)
        if v in self.chosen.restored and v in self.flat.held and (operation is None or operation.arguments):
            return self.in_memory(v)  # a constant need not be there
        return self.computed(v)

    def in_memory(self, v: str) -> tuple[Iterable[str], Callable[[], Lines]]:
        """Memory still holds it, or the first write behind it to the same memory saved it."""
        flat, writes = self.flat, self.chosen.writes
        perhaps, surely = self.later(v)
        needs = flat.addresses[v] if perhaps or surely is None else frozenset[str]()
        for number in perhaps:
            needs |= flat.addresses[writes[number].vertex]

        def value() -> Lines:
            code = self.registers.reference(flat.held[v]) if surely is None else self.saved(v, surely)
            for number in reversed(perhaps):
                mine, its = (self.registers.address(flat.held[x])[1] for x in (v, writes[number].vertex))
                code = f"{self.saved(v, number)} if {mine} == {its} else {code}"
            return self.set(v, code)

        return needs, value

    def saved(self, v: str, number: int) -> str:
        return f"(w[{number}] != 0)" if self.flat.held[v].type.kind == "logical" else f"w[{number}]"

    def later(self, v: str) -> tuple[list[int], int | None]:
        """The writes behind a vertex that may, by the values of subscripts, hit its memory, up to the first that
        certainly does (None: none does)."""
        own, at = self.flat.cells[v], self.assigned.get(v, -1)
        perhaps: list[int] = []
        for number in self.within.get(own.bits, ()):
            write = self.chosen.writes[number]
            relation = own.relation(write.cell) if self.position[write.vertex] > at else "distinct"
            if relation == "same":
                return perhaps, number
            if relation == "unknown":
                perhaps.append(number)
        return perhaps, None

    def computed(self, v: str) -> tuple[Iterable[str], Callable[[], Lines]]:
        flat, registers = self.flat, self.registers
        operation, made = self.operations.get(v), flat.extended.products.get(v)
        if operation is not None:
            target = flat.held[v].type if v in flat.held else None
            return operation.arguments, lambda: self.set(v, registers.computed(flat.formulas[v], target))
        if made is not None:
            factors = [x for x in (made.old, made.left, made.right) if x is not None and not x.one]
            right = f"product({registers.label(made.left)}, {registers.label(made.right)})"
            code = right if made.old is None else f"{registers.label(made.old)} + {right}"
            return [x.name for x in factors], lambda: self.set(v, code)
        argument, result = flat.extended.partials[v]
        reads = self.operations[result].partials[argument].reads

        def local() -> Lines:
            lines, code = registers.partial(flat.formulas[result], result, argument)
            return [*lines, *self.set(v, code)]

        return reads, local

    def set(self, v: str, code: str) -> Lines:
        return [f"{self.registers.of(v)} = {code}"]
