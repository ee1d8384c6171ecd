"""C runs twice: what a second run would do differently, whatever is saved (equations.md section 3)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from snapset.analysis.allocation.allocation_changes import Allocations, Where, objects
from snapset.analysis.allocation.allocation_summaries import AllocationSummaries
from snapset.analysis.dataflow.bitsets import members, union
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

Asked = tuple[Where, str]  # a statement that asks ALLOCATED, and of what


class RerunHazards(QueryOwner):
    """Finds, for parts of modelled procedures, the statements a second run of which does something else."""

    def __init__(self, models: Models) -> None:
        super().__init__(models.engine)
        self.models = models
        self.allocating = AllocationSummaries(models)

    def in_part(self, model: ProcedureModel, level: int) -> tuple[Diagnostic, ...]:
        """Those of a marked part: in its own statements, and in all it calls."""
        part = model.flow.levels[level]
        changed = self.allocating.within(model, part.nodes, part.enter, part.leave)
        found: list[Diagnostic] = []
        for node in part.nodes:
            found += _own(model, node, changed, -1)
            if node in model.calls:
                found += self.in_call(model, node)
        return tuple(dict.fromkeys((*found, *self._answered(_elsewhere(model, changed, -1), found))))

    def in_call(self, model: ProcedureModel, node: int) -> tuple[Diagnostic, ...]:
        """Those of a call: in everything it may run."""
        site = model.calls[node]
        if not site.targets:
            return _without_source(model, node)
        return tuple(dict.fromkeys(d for t in site.targets for d in self.in_procedure(t.key)))

    def in_procedure(self, key: str) -> tuple[Diagnostic, ...]:
        """Those of a procedure and all it calls."""
        below = self.below(key)
        found = [absolute(said, *self.models.at(one)) for one in below for said in self.alone(one)]
        for one in below:
            found += self._answered(self.asked_elsewhere(one), found)
        return tuple(dict.fromkeys(found))

    # ------------------------------------------------------------ are there any?

    def spoils_part(self, model: ProcedureModel, level: int) -> bool:
        """Are there any in a marked part?"""
        part = model.flow.levels[level]
        changed = self.allocating.within(model, part.nodes, part.enter, part.leave)
        return (any(self.spoils_call(model, node) for node in part.nodes if node in model.calls)
                or any(True for node in part.nodes for _ in _own(model, node, changed, -1))
                or any(True for _ in _elsewhere(model, changed, -1)))

    def spoils_call(self, model: ProcedureModel, node: int) -> bool:
        """Are there any in a call?"""
        site = model.calls[node]
        return any(self.spoils(t.key) for t in site.targets) if site.targets else bool(_without_source(model, node))

    @query("value")
    def spoils(self, key: str) -> bool:
        """Are there any in a procedure and all it calls?"""
        return any(self.alone(one) or self.asked_elsewhere(one) for one in self.below(key))

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
        changed = self.allocating.within(model, model.graph.order, model.flow.entry, model.flow.exit)
        lives_on, found = _lives_on(model), dict[Diagnostic, None]()
        for node in model.graph.order:
            found.update(dict.fromkeys(_own(model, node, changed, lives_on)))
            if node in model.calls and not model.calls[node].targets:
                found.update(dict.fromkeys(_without_source(model, node)))
        return tuple(relative(said, model.procedure.span) for said in found)

    @query("value")
    def asked_elsewhere(self, key: str) -> tuple[Asked, ...]:
        """What is asked below a procedure, and answered otherwise because of what is done in all of it."""
        model = self.models.by_key[key]
        changed = self.allocating.within(model, model.graph.order, model.flow.entry, model.flow.exit)
        return tuple(_elsewhere(model, changed, _lives_on(model)))

    def _answered(self, asked: Iterable[Asked], found: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
        """That of each question of which nothing was found yet."""
        said = {one.span for one in found if one.code == "SN104"}
        for where, names in asked:
            span = self.allocating.span(where)
            if span not in said:
                yield _answered(names, span)


def _without_source(model: ProcedureModel, node: int) -> tuple[Diagnostic, ...]:
    """What a call of something without source does."""
    site = model.calls[node]
    span = model.flow.nodes[node].span
    if site.stmt.intrinsic:
        return ()
    known = site.declared is not None and site.declared.repeatable
    return tuple(_known_by_name(site.stmt.name, span) if known else _unknown(site.stmt.name, span))


def _elsewhere(model: ProcedureModel, changed: Allocations, lives_on: int) -> Iterator[Asked]:
    for where, bits in changed.asked.items():
        if where[0] != model.procedure.key and bits & lives_on:
            yield where, ", ".join(model.space.names(bits & lives_on))


def _lives_on(model: ProcedureModel) -> int:
    """The locations that outlive a procedure's run."""
    result = model.procedure.result  # a new object in every run
    return model.visible & ~(0 if result is None else model.formal(result))


def called(model: ProcedureModel) -> tuple[str, ...]:
    """The procedures with source that the calls of one may run, each once, in the order of the calls."""
    return tuple(dict.fromkeys(target.key for site in model.calls.values() for target in site.targets))


def _own(model: ProcedureModel, node: int, changed: Allocations, lives_on: int) -> Iterator[Diagnostic]:
    """What the statement itself does."""
    at = model.flow.nodes[node]
    answered = changed.asked.get((model.procedure.key, node), 0) & lives_on
    if answered:
        yield _answered(", ".join(model.space.names(answered)), at.span)
    match at.stmt:
        case ir.IO():
            yield from _input_output(at.stmt)
        case ir.Allocate() | ir.Deallocate() | ir.Assign():
            yield from _allocation(model, node, changed, lives_on)
        case ir.PointerAssign() | ir.Nullify():
            if _endless(model, _associated(model, at.stmt)) & lives_on:
                yield _hazard("SN105", at.span, "changes an association in memory that has no size here (behind links "
                               "of a recursive type, or in overlaid storage): a snapshot must hold all that these "
                               "links lead to; associate before the part")
        case ir.Stop():
            yield _hazard("SN106", at.span, "STOP inside a checkpointed part: if the run gets here the adjoint ends "
                          "too, with the stack unread; test before the part")
        case ir.Opaque():
            yield _hazard("SN107", at.span, "this statement is not understood; whether a second run does the same "
                           "is unknown: rewrite it, or move it out of the part")
        case ir.Call() if at.stmt.intrinsic:
            yield from _intrinsic(at.stmt, at.span, model.effects[node].out & lives_on)
        case _:
            pass


def _answered(names: str, span: Span) -> Diagnostic:
    """ALLOCATED, asked of locations whose allocation a part changes."""
    return _hazard("SN104", span, f"asks whether {names} is allocated: the part changes that, so the second run is "
                    "told something else and goes another way; allocate before the part, or let nothing but "
                    "ALLOCATE and DEALLOCATE hang on it")


def _associated(model: ProcedureModel, stmt: ir.PointerAssign | ir.Nullify) -> int:
    """The associations that a statement changes."""
    refs = (stmt.target,) if isinstance(stmt, ir.PointerAssign) else stmt.objects
    return model.space.with_aliases(union(model.refs.association(ref).bits for ref in refs))


def _endless(model: ProcedureModel, changed: int) -> int:
    """Of what changes, the locations that stand for memory of any size."""
    infos = model.space.infos
    return union(1 << i for i in members(changed) if infos[i].type.kind == "unknown")


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


def _allocation(model: ProcedureModel, node: int, changed: Allocations, lives_on: int) -> Iterator[Diagnostic]:
    """ALLOCATE, DEALLOCATE, and an assignment that gives another shape."""
    at = model.flow.nodes[node]

    def names(bits: int) -> str:
        return ", ".join(model.space.names(bits & lives_on))

    again, reshaped = (found.get(node, 0) & lives_on for found in (changed.again, changed.reshaping))
    if again:
        yield _hazard("SN104", at.span, f"ALLOCATE of {names(again)}, which outlives the part: the second run "
                       "allocates it again, which is an error; allocate before the part, or test ALLOCATED")
    if isinstance(at.stmt, ir.Deallocate):
        here = union(objects(model, at.stmt.objects)) & lives_on
        what = "INTENT(OUT), which deallocates" if at.stmt.automatic else "DEALLOCATE of"
        if here & changed.gone:
            yield _hazard("SN104", at.span, f"{what} {names(here & changed.gone)}, which outlives the part: the "
                           "second run finds it gone; deallocate behind the part")
        elif here & changed.anew:
            yield _hazard("SN104", at.span, f"{what} {names(here & changed.anew)}, which is then allocated anew: "
                           f"{_RESHAPED.format(_what_changes(model, at.stmt))}")
    elif reshaped:
        what, word = "ALLOCATE of" if isinstance(at.stmt, ir.Allocate) else "assignment to", _what_changes(
            model, at.stmt)
        yield _hazard("SN104", at.span, f"{what} {names(reshaped)}, which may get another {word}: "
                       f"{_RESHAPED.format(word)}")


def _what_changes(model: ProcedureModel, stmt: ir.Stmt | None) -> str:
    """The shape of arrays, the type of objects of CLASS."""
    refs = (stmt.target,) if isinstance(stmt, ir.Assign) else stmt.objects if isinstance(
        stmt, ir.Allocate | ir.Deallocate) else ()
    types = {_is_polymorphic(model, ref) for ref in refs}
    ranks = {ref.rank > 0 for ref in refs}
    return "type" if types == {True} and ranks == {False} else "type or shape" if True in types else "shape"


def _is_polymorphic(model: ProcedureModel, ref: ir.Ref) -> bool:
    """Is what a reference ends in declared with CLASS?"""
    variable = model.procedure.variables.get(ref.name)
    for part in ref.parts[1:]:
        type_ = model.refs.storage.types.get(variable.type.derived or "") if variable is not None else None
        variable = next((one for one in type_.components if one.name == part.name), None) if type_ is not None else None
    return variable is not None and variable.polymorphic and not ref.exact



def _intrinsic(stmt: ir.Call, span: Span, changed: int) -> Iterator[Diagnostic]:
    """An intrinsic subroutine; ``changed``: what it may write that outlives the stretch."""
    name = stmt.name.upper()
    if stmt.name == "move_alloc":
        if changed:
            yield _hazard("SN104", span, "MOVE_ALLOC changes what is allocated beyond the part: the second run finds "
                           "the first argument gone, the second with another shape; move it behind the part")
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


def _unknown(name: str, span: Span) -> Iterator[Diagnostic]:
    """A procedure without source, by what its name usually means."""
    said = [*_known_by_name(name, span)]
    if said:
        yield from said
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


_RESHAPED = ("the second run begins with the new {0}, and what is restored has the old one, whatever is tested by "
             "ALLOCATED; give it its last {0} before the part, or restore the old {0} with the copy")


def _hazard(code: str, span: Span, message: str) -> Diagnostic:
    return diagnostic(code, message, span)
