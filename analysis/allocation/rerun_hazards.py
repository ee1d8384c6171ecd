"""C runs twice: what a second run would do differently, whatever is saved (equations.md section 3)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from snapset.analysis.allocation.allocation_summaries import AllocationSummaries
from snapset.analysis.allocation.escaping_objects import scratch
from snapset.analysis.dataflow.bitsets import May, members, union
from snapset.analysis.incremental.query_engine import QueryOwner, derived, query
from snapset.analysis.incremental.relative_diagnostics import Relative, absolute, relative
from snapset.analysis.messages.mpi_calls import CALLS, OPAQUE_BEGINNINGS
from snapset.analysis.procedures.call_binding import ASSOCIATING
from snapset.analysis.procedures.model_builder import Models
from snapset.analysis.procedures.procedure_model import ProcedureModel
from snapset.frontend import ir
from snapset.frontend.base.diagnostics import Diagnostic, Span
from snapset.frontend.rules import diagnostic

RANDOM = frozenset(("random_number", "random_seed", "random_init", "rand", "srand", "irand", "ran", "random"))
CLOCKS = frozenset(("cpu_time", "system_clock", "date_and_time", "etime", "dtime", "second", "secnds", "time", "time8",
                    "mclock", "mclock8", "fdate", "idate", "itime", "get_environment_variable", "getenv",
                    "omp_get_wtime"))
COMMANDS = frozenset(("execute_command_line", "system"))
FILES = frozenset(("fseek", "rename", "unlink"))
OUTPUT = frozenset(("perror", "backtrace"))
# Message passing by its names: MPI and its profiling layer, SHMEM, BLACS; collectives and events of coarrays.
PASSING = ("mpi_", "pmpi_", "shmem_", "blacs_", "co_", "event_", "atomic_")


class RerunHazards(QueryOwner):
    """Finds, for parts of modelled procedures, the statements a second run of which does something else."""

    def __init__(self, models: Models) -> None:
        super().__init__(models.engine)
        self.models = models
        self.allocating = AllocationSummaries(models)

    def in_part(self, model: ProcedureModel, level: int) -> tuple[Diagnostic, ...]:
        """Those of a marked part: in its own statements, and in all it calls."""
        part = model.flow.levels[level]
        moved, found = self.moved(model, part.nodes, part.enter, part.leave), list[Diagnostic]()
        for node in part.nodes:
            found += _own(model, node, moved, -1)
            if node in model.calls:
                found += self.in_call(model, node)
        return tuple(dict.fromkeys(found))

    def in_call(self, model: ProcedureModel, node: int) -> tuple[Diagnostic, ...]:
        """Those of a call: in everything it may run."""
        site = model.calls[node]
        if not site.targets:
            return _without_source(model, node)
        found = [d for t in site.targets for d in self.in_procedure(t.key)]
        moved = self.moved(model, (node,), node, node)
        if moved and not any(d.code == "SN104" for d in found):  # no TARGET there, but here
            found.append(_elsewhere("the call", model, moved, model.flow.nodes[node].span))
        return tuple(dict.fromkeys(found))

    def moved(self, model: ProcedureModel, nodes: Collection[int], enter: int, leave: int, lives_on: int = -1) -> int:
        """What a stretch deallocates that is there when it begins, and pointers may lead to: when it is allocated
        again it may lie elsewhere. What pointers alone lead to, or has no location of its own, is another object each
        time that it is made. ``lives_on``: what there is behind the stretch: in ``allocate (new); new%next => head;
        head => new`` the object lives on by another name than it is made by."""
        space = model.space
        if not space.aliasable or not any(model.effects[n].shaped & space.aliasable for n in nodes):
            return 0
        changed = self.allocating.within(model, nodes, enter, leave)
        unnamed = space.indirect & ~space.allocatable | _endless(model, space.aliasable)
        found = (changed.gone | changed.anew) & space.aliasable & lives_on
        made = changed.made & unnamed
        if made & ~lives_on:
            made &= space.with_aliases(May(lives_on & space.all()))
            made &= ~scratch(model, made, self._named)
        return (found | made) & ~space.descriptors

    def _named(self, key: str) -> ir.Procedure:
        """A procedure, of which the dummy arguments alone count: others are not asked for."""
        self.models.dummies(key)
        return self.models.program.procedures[key]

    def not_kept(self, model: ProcedureModel, nodes: Iterable[int], kept: int) -> Iterator[Diagnostic]:
        """What a forward sweep deallocates, outside all parts, of what it keeps for the backward sweep and what stands
        for memory of any size: its values come back, the memory does not. ``nodes``: what runs; ``kept``: on tape, or
        in a snapshot."""
        for node in nodes:
            bits = _endless(model, kept & model.effects[node].shaped)
            lost = bits and bits & self.allocating.within(model, (node,), node, node).gone
            if lost:
                yield _hazard("SN104", model.flow.nodes[node].span, "deallocates what the adjoint needs as it was: "
                              f"{', '.join(model.space.names(lost))} has no size here (behind links of a recursive "
                              "type), and no tape brings its memory back; deallocate behind what is differentiated")

    def in_procedure(self, key: str) -> tuple[Diagnostic, ...]:
        """Those of a procedure and all it calls."""
        if not self.spoils(key):  # as of nearly every one: a chain is not walked down from each of its calls
            return ()
        return tuple(dict.fromkeys(absolute(said, *self.models.at(one)) for one in self.below(key)
                                   for said in self.alone(one)))

    # ------------------------------------------------------------ are there any?

    def spoils_part(self, model: ProcedureModel, level: int) -> bool:
        """Are there any in a marked part?"""
        part = model.flow.levels[level]
        return (any(self.spoils_call(model, node) for node in part.nodes if node in model.calls)
                or any(True for node in part.nodes for _ in _own(
                    model, node, self.moved(model, part.nodes, part.enter, part.leave), -1)))

    def spoils_call(self, model: ProcedureModel, node: int) -> bool:
        """Are there any in a call?"""
        site = model.calls[node]
        if not site.targets:
            return bool(_without_source(model, node))
        return any(self.spoils(t.key) for t in site.targets) or bool(self.moved(model, (node,), node, node))

    @query("value")
    def spoils(self, key: str) -> bool:
        """Are there any in a procedure and all it calls? Callees are asked for what is below them."""
        group = self.models.group(key) or (key,)
        below = [one for member in group for one in self.called(member) if one not in group]
        return any(map(self.alone, group)) or any(map(self.spoils, dict.fromkeys(below)))

    # ------------------------------------------------------------ one procedure's

    @derived
    def below(self, key: str) -> tuple[str, ...]:
        """A procedure and all it calls, directly or not."""
        reached = dict.fromkeys((key,))
        work = [key]
        for one in work:
            new = [called for called in self.called(one) if called not in reached]
            reached.update(dict.fromkeys(new))
            work += new
        return tuple(reached)

    @query("value")
    def called(self, key: str) -> tuple[str, ...]:
        """What the calls of a procedure may run, each once, in order."""
        return called(self.models.by_key[key])

    @query("value")
    def alone(self, key: str) -> tuple[Relative, ...]:
        """Those of a procedure's own statements, as seen from the line that it begins in."""
        model = self.models.by_key[key]
        lives_on, found = _lives_on(model), dict[Diagnostic, None]()
        moved = self.moved(model, model.graph.order, model.flow.entry, model.flow.exit, lives_on)
        for node in model.graph.order:
            found.update(dict.fromkeys(_own(model, node, moved, lives_on)))
            if node in model.calls and not model.calls[node].targets:
                found.update(dict.fromkeys(_without_source(model, node)))
        return tuple(relative(said, model.procedure.span) for said in found)


def _without_source(model: ProcedureModel, node: int) -> tuple[Diagnostic, ...]:
    """What a call of something without source does."""
    site = model.calls[node]
    span = model.flow.nodes[node].span
    if site.stmt.intrinsic:
        return ()
    known = site.declared is not None and site.declared.repeatable
    return tuple(_known_by_name(site.stmt.name, span) if known else _unknown(site.stmt.name, span, site.problem))


def _lives_on(model: ProcedureModel) -> int:
    """The locations that outlive a procedure's run."""
    result = model.procedure.result  # a new object in every run
    return model.visible & ~(0 if result is None else model.formal(result))


def called(model: ProcedureModel) -> tuple[str, ...]:
    """The procedures with source that the calls of one may run, each once, in the order of the calls."""
    return tuple(dict.fromkeys(target.key for site in model.calls.values() for target in site.targets))


def _own(model: ProcedureModel, node: int, moved: int, lives_on: int) -> Iterator[Diagnostic]:
    """What the statement itself does. ``moved``: what is allocated elsewhere at the end."""
    at = model.flow.nodes[node]
    match at.stmt:
        case ir.IO():
            yield from _input_output(at.stmt)
        case ir.Allocate() | ir.Deallocate() | ir.Assign():
            yield from _allocation(model, node, moved)
        case ir.PointerAssign() | ir.Nullify():
            if _without_layout(model, _associated(model, at.stmt)) & lives_on:
                yield _hazard("SN105", at.span, "changes an association in memory whose layout is not known (overlaid "
                               "storage, a type without source): a snapshot may not hold it; associate before the part")
        case ir.Stop(never=False):
            yield _hazard("SN106", at.span, "STOP inside a checkpointed part: if the run gets here the adjoint ends "
                          "too, with the stack unread; test before the part")
        case ir.Opaque():
            yield _hazard("SN107", at.span, "this statement is not understood; whether a second run does the same "
                           "is unknown: rewrite it, or move it out of the part")
        case ir.Call() if at.stmt.intrinsic:
            yield from _intrinsic(model, at.stmt, at.span, model.effects[node].out & lives_on, moved)
        case _:
            pass


def _associated(model: ProcedureModel, stmt: ir.PointerAssign | ir.Nullify) -> int:
    """The associations that a statement changes."""
    refs = (stmt.target,) if isinstance(stmt, ir.PointerAssign) else stmt.objects
    return model.space.with_aliases(union(model.refs.descriptor(ref).bits for ref in refs))


def _endless(model: ProcedureModel, changed: int) -> int:
    """Of what changes, the locations that stand for memory of any size."""
    infos = model.space.infos
    return union(1 << i for i in members(changed) if infos[i].type.kind == "unknown")


def _without_layout(model: ProcedureModel, changed: int) -> int:
    """Of what changes, the locations of which nobody knows what pointers they hold. Of what links of a recursive type
    lead to that is known: a snapshot of ``p%next`` holds every object that can be reached from there, with its
    associations, and ``p%next%next => q`` overwrites ``p%next``, and all that may be the same memory."""
    infos = model.space.infos
    return union(1 << i for i in members(_endless(model, changed)) if infos[i].type.derived is None)


def _input_output(stmt: ir.IO) -> Iterator[Diagnostic]:
    if stmt.internal:
        return
    if stmt.action == "read":
        yield _hazard("SN101", stmt.span, "READ takes the next record: the second run reads other values, or hits the "
                       "end of the file; move the READ before the part")
    elif stmt.action in ("write", "print"):
        yield _hazard("SN102", stmt.span, f"{stmt.action.upper()} runs in both runs: the output appears twice; move "
                       "it out of the part, or switch it off in one of the runs")
    elif stmt.action not in ("inquire", "flush"):
        yield _hazard("SN109", stmt.span, f"{stmt.action.upper()} changes a file's state: the second run finds it "
                       "already changed; move it out of the part")


def _allocation(model: ProcedureModel, node: int, moved: int) -> Iterator[Diagnostic]:
    """ALLOCATE, DEALLOCATE, and an assignment that gives another shape."""
    at = model.flow.nodes[node]
    found = model.effects[node].shaped & moved
    if found:
        what = "an assignment" if isinstance(at.stmt, ir.Assign) else type(at.stmt).__name__.upper()
        yield _elsewhere(what, model, found, at.span)


def _elsewhere(what: str, model: ProcedureModel, found: int, span: Span) -> Diagnostic:
    return _hazard("SN104", span, f"{what} changes the allocation of {', '.join(model.space.names(found))}, which "
                   "pointers may lead to: what is allocated again may lie elsewhere in memory, where no association "
                   "leads; allocate before the part, or take TARGET away")


def _intrinsic(model: ProcedureModel, stmt: ir.Call, span: Span, changed: int, moved: int) -> Iterator[Diagnostic]:
    """An intrinsic subroutine; ``changed``: what it may write that outlives the stretch. ``moved``: as above."""
    name = stmt.name.upper()
    if stmt.name == "move_alloc":
        if changed & moved:
            yield _elsewhere(name, model, changed & moved, span)
    elif stmt.name in ASSOCIATING:
        if changed:
            yield _hazard("SN105", span, f"{name} associates a pointer with memory that is not known here: whether "
                           "the second run finds that memory is unknown; associate the pointer before the part")
    elif stmt.name in OUTPUT:
        yield _hazard("SN102", span, f"{name} writes in both runs: the output appears twice; move it out of the part")
    elif stmt.name in RANDOM:
        yield _hazard("SN103", span, f"{name} moves a hidden state on: the second run draws other numbers; save the "
                       "generator's state (RANDOM_SEED GET/PUT) or draw before the part")
    else:
        yield from _known_by_name(stmt.name, span)


def _unknown(name: str, span: Span, problem: str | None) -> Iterator[Diagnostic]:
    """A procedure without source, by what its name usually means; or one whose source does not tell (``problem``)."""
    said = [*_known_by_name(name, span)]
    if said:
        yield from said
    elif problem is not None:
        yield _hazard("SN107", span, f"of '{name}' {problem}; whether a second run does the same is unknown")
    elif name in RANDOM:
        yield _hazard("SN103", span, f"{name.upper()} draws other numbers in the second run; draw before the part")
    else:
        yield _hazard("SN107", span, f"'{name}' has no source here; whether a second run does the same is unknown: "
                       "give its source")


def _known_by_name(name: str, span: Span) -> Iterator[Diagnostic]:
    shown = name.upper()
    if name in CLOCKS:
        yield _hazard("SN108", span, f"{shown} gives another answer in the second run; call it before the part if "
                       "its value matters")
    elif name in COMMANDS:
        yield _hazard("SN108", span, f"{shown} runs its command again in the second run; move it out of the part")
    elif name in FILES:
        yield _hazard("SN109", span, f"{shown} changes a file's state: the second run finds it already changed; move "
                       "it out of the part")
    elif name.startswith(PASSING):
        call = CALLS.get(name.removeprefix("p"))
        if call is None and name.startswith(OPAQUE_BEGINNINGS):
            yield _hazard("SN602", span, f"{shown} is not understood: whether a second run may do it again is unknown; "
                          "move it out of the part")
            return
        if call is not None and not call.communicates:
            return
        yield _hazard("SN110", span, f"{shown} communicates again in the second run; all processes must run the part "
                       "twice, in the same order, or the communication must move out of the part")


def _hazard(code: str, span: Span, message: str) -> Diagnostic:
    return diagnostic(code, message, span)
