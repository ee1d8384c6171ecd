"""From bit sets to the report's data: one :class:`~snapset.analysis.results.Part` for each checkpointed part."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain
from typing import TypeVar

from snapset.analysis.adjoint.interprocedural import Adjoints
from snapset.analysis.adjoint.level_adjoint import PartFacts, ProcedureAdjoint
from snapset.analysis.costs.profile_counts import HeadCounts, Lines
from snapset.analysis.costs.stack_model import CostModel
from snapset.analysis.costs.tape_pushes import CountedBytes, Pushes
from snapset.analysis.dataflow.bitsets import exactly, members, union
from snapset.analysis.equations import OptSets
from snapset.analysis.incremental.line_shift import entry_moved, moved
from snapset.analysis.incremental.query_engine import QueryOwner, query
from snapset.analysis.memory.byte_sizes import location_bytes, piece_bytes, total
from snapset.analysis.memory.locations import EVERY, Info, Space
from snapset.analysis.memory.references import Piece
from snapset.analysis.part_places import extent, line_of, named, places
from snapset.analysis.recording.again_entries import again_entries
from snapset.analysis.recording.strategies import OPTIMAL, Place
from snapset.analysis.recording.tape_sites import Stretch
from snapset.analysis.results import (
    Bytes,
    ControlEntry,
    Move,
    OptionalSets,
    Part,
    Sets,
    Solution,
    TapeEntry,
)
from snapset.analysis.sections.snapshot_sections import repeated
from snapset.analysis.sections.written_sections import all_of
from snapset.analysis.symbolic.fortran_text import source
from snapset.analysis.symbolic.polynomials import Quantity
from snapset.frontend import ir
from snapset.frontend.base.diagnostics import Diagnostic
from snapset.frontend.base.frozen_records import frozen, replace

Entry = TypeVar("Entry", TapeEntry, ControlEntry)


@frozen
class SecondRun:
    """What a procedure's own statements record when C runs again: C is a call of it."""

    tape: tuple[TapeEntry, ...]
    control: tuple[ControlEntry, ...]

    def placed(self, file: str, lines: int) -> SecondRun:
        """The same so many lines further down in a file."""
        return SecondRun(tuple(entry_moved(one, file, lines, {}) for one in self.tape),
                         tuple(entry_moved(one, file, lines, {}) for one in self.control))


@frozen
class PlacedParts:
    """The parts of a code whose procedure begins in a line, and the lines of those whose statements stand in them."""

    line: int
    below: Mapping[str, int]
    parts: tuple[Part, ...]


@frozen
class _Lift:
    """A callee's formulas in its caller's names, each worked out once."""

    lift: Callable[[Quantity], Quantity]
    known: dict[object, Quantity]

    def __call__(self, amount: Bytes | None) -> Bytes | None:
        if amount is None:
            return None
        if amount.key not in self.known:
            self.known[amount.key] = self.lift(amount)
        return self.known[amount.key]


class PartBuilder(QueryOwner):
    """Builds the parts of a head; ``cost_models`` are by strategy, ``moves`` those of the strategy optimal.

    ``lines``: execution counts of a run.
    """

    def __init__(self, adjoints: Adjoints, cost_models: Mapping[str, CostModel],
                 moves: Callable[[], Mapping[Place, tuple[Move, ...]]], lines: Lines | None = None) -> None:
        super().__init__(adjoints.engine)
        self.counted = {} if lines is None else {name: HeadCounts(one, lines) for name, one in cost_models.items()}
        self.moves = moves
        self.adjoints = adjoints
        self.models = adjoints.models
        self.cost_models = cost_models
        self.hazards = adjoints.hazards

    def parts(self, key: str) -> list[Part]:
        """The parts of one code, by line, outer before inner; ids are not yet told apart."""
        found = self.anywhere(key)
        here, below = self.models.at(self.procedure(key)), {one: self.models.at(one) for one in found.below}
        shifts = {one: (file, line - found.below[one]) for one, (file, line) in below.items()}
        return [moved(part, here[1] - found.line, shifts) for part in found.parts]

    @query("file")
    def anywhere(self, key: str) -> PlacedParts:
        """The same, the procedures that they are of beginning in some line: wherever they stand, if no line's number
        is more than a place."""
        procedure, below = self.procedure(key), self.below(key)
        for one in (procedure, *below):
            self.models.file(one)
        found = tuple(self.part(key, level, node) for level, node in places(self.adjoints.by_key[key]))
        if self.counted or any(part.diagnostics for part in found):
            for one in (procedure, *below):
                self.models.place(one)
        if any(part.messages is not None for part in found):  # whose lines may be anywhere below
            for one in self.models.component:
                self.models.place(one)
        spans = {one: self.models.program.procedures[one].span.line for one in (procedure, *below)}
        return PlacedParts(spans[procedure], {one: spans[one] for one in below}, found)

    def procedure(self, key: str) -> str:
        return self.adjoints.planning.code(key).procedure

    def below(self, key: str) -> tuple[str, ...]:
        """The procedures of which something may stand in a code's parts: what it runs, and what these run apart."""
        code = self.adjoints.planning.code(key)
        found = {self.procedure(callee) for callee in code.callees.values()}
        below = (self.adjoints.planning.code(one) for one in code.callees.values())
        if code.split or code.split_calls or any(one.split_calls for one in below):
            found |= {self.procedure(one) for one in self.adjoints.planning.together(key)}
        return tuple(sorted(found - {code.procedure}))

    def part(self, key: str, level: int, node: int) -> Part:
        adjoint = self.adjoints.by_key[key]
        model, facts = adjoint.model, adjoint.levels[level].parts[node]
        inner = adjoint.levels[level].graph.parts.get(node)
        solved = next(iter(self.cost_models.values())).records[key].levels[level].solved[node]
        span, last = extent(adjoint, node, inner)
        call = model.flow.nodes[node].stmt if inner is None else None
        return Part(
            id=named(adjoint, span.line),
            kind="call" if inner is None else "region",
            procedure=model.procedure.name,
            callee=self._callee(call) if isinstance(call, ir.Call) else None,
            parent=self._parent(adjoint, level),
            file=span.file,
            first_line=span.line,
            last_line=last,
            sets=_sets(solved.sets.req, facts, model.space),
            options=_options(solved.options, model.space),
            solutions={name: self._solution(name, c, (key, level, node), inner)
                       for name, c in self.cost_models.items()},
            diagnostics=self._hazards(adjoint, node, inner),
            split=adjoint.code.split,
            context=adjoint.code.context,
            messages=next(iter(self.cost_models.values())).structures.messages(key, level, node),
        )

    def _callee(self, call: ir.Call) -> str:
        names = [self.adjoints.models.program.procedures[t].name for t in call.targets]
        return ", ".join(dict.fromkeys(names)) or call.name

    def _parent(self, adjoint: ProcedureAdjoint, level: int) -> str | None:
        if level == 0:
            return None
        span, _ = extent(adjoint, adjoint.model.flow.levels[level].enter, level)
        return named(adjoint, span.line)

    def _hazards(self, adjoint: ProcedureAdjoint, node: int, inner: int | None) -> tuple[Diagnostic, ...]:
        if inner is None:
            found = self.hazards.in_call(adjoint.model, node)
        else:
            found = self.hazards.in_part(adjoint.model, inner)
        if any(one.code == "SN110" for one in found):
            stmt = adjoint.model.flow.nodes[node].stmt if inner is None else adjoint.model.flow.levels[inner].marked
            found = self.adjoints.messages.judged(adjoint.model.procedure.key, stmt, found)
        return tuple(sorted(found, key=lambda d: (d.span, d.code)))

    def counted_bytes(self, name: str, key: str) -> CountedBytes | None:
        found = self.counted.get(name)
        return None if found is None else lambda node, once: found.times(key, node, once)

    def taped(self, name: str, cost_model: CostModel, key: str, stretch: Stretch) -> Iterator[TapeEntry]:
        """What a stretch tapes, in the callees whose sweeps run apart too: under ``callee::name``."""
        yield from cost_model.pushes_of(key).tape(stretch, self.counted_bytes(name, key))
        for callee, inner, lifted in cost_model.split_calls_in(key, stretch):
            procedure = self.adjoints.by_key[callee].model.procedure.name
            for entry in self.taped(name, cost_model, callee, inner):
                yield replace(entry, location=_named_in(procedure, entry.location), bytes=lifted(entry.bytes),
                              callee=entry.callee or self.adjoints.by_key[callee].model.procedure.key)

    def controls(self, name: str, cost_model: CostModel, key: str, stretch: Stretch) -> Iterator[ControlEntry]:
        """What a stretch records of control, in the callees whose sweeps run apart too."""
        yield from cost_model.pushes_of(key).controls(stretch, self.counted_bytes(name, key))
        for callee, inner, lifted in cost_model.split_calls_in(key, stretch):
            for entry in self.controls(name, cost_model, callee, inner):
                yield replace(entry, bytes=lifted(entry.bytes),
                              callee=entry.callee or self.adjoints.by_key[callee].model.procedure.key)

    def second_run(self, name: str, code: str) -> SecondRun:
        """What one adjoint code records on its own level, in its procedure's names."""
        home = self.models.program.procedures[self.procedure(code)].span  # :meth:`parts` knows which line that was
        return self.again(name, code).placed(home.file, home.line)

    @query("file")
    def again(self, name: str, code: str) -> SecondRun:
        """The same, as seen from the line above the one that its procedure begins in."""
        cost_model, order = self.cost_models[name], self.adjoints.by_key[code].levels[0].graph.forward.order
        stretch = Stretch("C", frozenset(order), 0)
        found = SecondRun(_merged(self.taped(name, cost_model, code, stretch)),
                          _merged(self.controls(name, cost_model, code, stretch)))
        home = self.models.program.procedures[self.procedure(code)].span
        self.models.file(self.procedure(code))
        if self.counted or self.adjoints.planning.code(code).split_calls:
            for key in self.adjoints.planning.together(code):
                self.models.place(self.procedure(key))
        return found.placed(home.file, -home.line)

    def called(self, name: str, key: str, node: int) -> SecondRun:
        """What the procedures that a call may run record in C's second run, in the names of the call's procedure."""
        adjoint, structures = self.adjoints.by_key[key], self.cost_models[name].structures
        tape: list[TapeEntry] = []
        control: list[ControlEntry] = []
        for target in adjoint.model.calls[node].targets:
            code = adjoint.code.callees.get((node, target.key))
            if code is None:
                continue
            found, lift = self.second_run(name, code), _Lift(structures.lifter(key, node, target.key), {})
            procedure = self.adjoints.models.program.procedures[target.key].name
            tape += (replace(one, location=_named_in(procedure, one.location), bytes=lift(one.bytes),
                             callee=one.callee or target.key) for one in found.tape)
            control += (replace(one, bytes=lift(one.bytes), callee=one.callee or target.key) for one in found.control)
        return SecondRun(tuple(tape), tuple(control))

    def _solution(self, name: str, cost_model: CostModel, at: Place, inner: int | None) -> Solution:
        key, level, node = at
        solved = cost_model.records[key].levels[level].solved[node]
        cost, pushes = cost_model.part(key, level, node), cost_model.pushes_of(key)
        choice, space, taping = solved.choice, pushes.model.space, pushes.taping
        behind = taping.behind(node, level)
        stretches = [behind] if inner is None else [behind, taping.inside(inner)]
        called = self.called(name, key, node) if inner is None else SecondRun((), ())
        sizes: dict[str, Bytes | None] = {}
        saved = list(members(choice.snp | choice.sbk))
        made = any(pushes.scope.allocated((space.locations[i].area, space.locations[i].path)) for i in saved)
        sections: dict[str, str] = {}
        alone = exactly(choice.snp & ~choice.sbk)
        again = union(repeated(space, solved.pieces, bits) for bits in (choice.sbk, alone))
        for index in (one for one in saved if not again >> one & 1):
            one, piece = space.infos[index].name, solved.pieces.get(index)
            size = _known_bytes(pushes, index, piece, node) if made else _bytes(space.infos[index], piece)
            shown = piece or _band(space, index, choice.snp | choice.sbk, solved.pieces)
            if shown:
                text = ", ".join(source(ref) or one for ref in shown)
                sections[one] = f"{sections[one]}, {text}" if one in sections else text
            sizes[one] = total((sizes[one], size)) if one in sizes else size
        return Solution(
            req=space.names(solved.sets.req),
            options=_options(solved.options, space),
            snp=space.names(choice.snp),
            sbk=space.names(choice.sbk),
            req_d=space.names(choice.req_d),
            req_c=space.names(choice.req_c),
            snapshot_bytes=total(sizes.values()),
            peak_bytes=cost.whole.peak,
            traffic_bytes=cost.whole.traffic,
            tape=_merged(chain(called.tape, *(self.taped(name, cost_model, key, s) for s in stretches))),
            control=_merged(chain(called.control, *(self.controls(name, cost_model, key, s) for s in stretches))),
            sizes=dict(sorted(sizes.items())),
            moves=self.moves().get(at, ()) if name == OPTIMAL.name else (),
            sections=dict(sorted(sections.items())),
            again=again_entries(pushes.adjoint, cost_model.records[key], stretches, solved, node,
                                lambda at: line_of(pushes.adjoint, at)),
        )


def _band(space: Space, index: int, saved: int, pieces: Mapping[int, Piece]) -> Piece:
    """A band as a reference, where others of its array are not saved, or a piece of them is; none of any other
    location."""
    location, info = space.locations[index], space.infos[index]
    others = (i for i, one in enumerate(space.locations) if (one.area, one.path) == (location.area, location.path))
    if info.band is None or all(saved >> i & 1 and i not in pieces for i in others):
        return ()
    subscripts = tuple(ir.Range() if ends == EVERY else all_of(dim)
                       for ends, dim in zip(info.band, info.dims(), strict=True))
    return (ir.Ref((ir.PartRef(info.name, subscripts),), info.type),)


def _bytes(info: Info, piece: Piece | None) -> Bytes | None:
    """What is saved of a location, by its declaration."""
    return location_bytes(info) if piece is None else piece_bytes(info, piece)


def _known_bytes(pushes: Pushes, index: int, piece: Piece | None, node: int) -> Quantity:
    """The same by what is known where the part stands: of what was allocated too."""
    return pushes.size(index) if piece is None else pushes.of_piece(piece, index, node)


def _named_in(procedure: str, location: str) -> str:
    """A callee's own name for a location, as its caller's report has it."""
    return location if "::" in location or location.startswith("/") else f"{procedure}::{location}"


def _sets(req: int, facts: PartFacts, space: Space) -> Sets:
    return Sets(space.names(req), space.names(facts.use_c), space.names(facts.out_c), space.names(facts.use_cbar),
                space.names(facts.out_cbar), space.names(facts.use_dbar), space.names(facts.out_dbar),
                space.names(facts.intact))


def _options(options: OptSets, space: Space) -> OptionalSets:
    return OptionalSets(space.names(options.snp0), space.names(options.opt1), space.names(options.opt2),
                        space.names(options.opt3))


def _merged(entries: Iterable[Entry]) -> tuple[Entry, ...]:
    """By line; what one statement tapes under one name (several segments, a node per copy) once."""
    key = lambda e: (e.part, e.file, e.line, e.location if isinstance(e, TapeEntry) else e.what)  # noqa: E731
    return tuple(sorted(dict.fromkeys(entries), key=key))
