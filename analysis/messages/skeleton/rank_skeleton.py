"""One rank's calls of MPI, followed through the program without inputs: what depends on rank and size is computed.

A part's messages can be proved this way where peers, tags and guards are made of the rank, the number of ranks and
constants: shifts, rings, even and odd, one to all. What is unknown but equal on all ranks (a time loop's length, a
switch) is decided one way and the other, in both ways alike on all ranks; a loop of unknown length runs twice. Where a
call hangs on something that may differ from rank to rank, there is no proof (:class:`UnprovableError`).

Assumed of the head: its integer and logical scalar arguments, and those of modules, are the same on all ranks.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import partial
from typing import Final

from snapset.analysis.messages.communication_trace import Event, TracePart
from snapset.analysis.messages.communicators import SELF, Communicator
from snapset.analysis.messages.mpi_calls import is_message_passing, known_call
from snapset.analysis.messages.skeleton.flying_buffers import FlyingBuffer, touched
from snapset.analysis.messages.skeleton.followed_groups import FollowedGroups, SingleSenders
from snapset.analysis.messages.skeleton.followed_loops import MOST_FOLLOWED, FollowedLoops
from snapset.analysis.messages.skeleton.followed_program import FollowedProgram
from snapset.analysis.messages.skeleton.passed_arguments import pass_arguments
from snapset.analysis.messages.skeleton.rank_memory import is_alike
from snapset.analysis.messages.skeleton.skeleton_program import (
    Decisions,
    LeaveError,
    OpenRequest,
    RunningProcedure,
    UnprovableError,
    case_taken,
    is_arithmetic,
    leaves,
)
from snapset.analysis.messages.skeleton.skeleton_values import (
    UNIFORM,
    VARIES,
    SkeletonCell,
    SkeletonValue,
    unknown,
)
from snapset.analysis.symbolic.fortran_text import bare
from snapset.frontend import ir
from snapset.frontend.base.diagnostics import Span
from snapset.frontend.ir.argument_binding import BindError, bind
from snapset.frontend.ir.statement_walk import statements

MOST_EVENTS: Final = 4000


class RankSkeleton(FollowedLoops):
    """Follows one of ``size`` ranks. ``events``: in order, with the parts around; of messages only keys are known."""

    def __init__(self, facts: FollowedProgram, root: str, rank: int, size: int, decisions: Decisions,
                 closed: Collection[str] = (), told: FollowedGroups | None = None,
                 senders: SingleSenders | None = None) -> None:
        super().__init__(facts, rank, size)
        self.closed = closed
        self.decisions = decisions
        self.body: list[Event | TracePart] = []
        self.counts: dict[tuple[object, ...], int] = {}
        self.instances: dict[str, int] = {}
        self.open: list[OpenRequest] = []
        self.flying: dict[int, FlyingBuffer] = {}
        self.said: dict[tuple[str, Span], str] = {}
        self.seen: dict[tuple[str, int], int] = {}
        self.events = 0
        self.collectives: dict[object, int] = {}
        self.places: dict[int, Communicator] = {}
        self.groups: dict[object, tuple[int, ...]] = {SELF: (rank,)}
        self.told = told or FollowedGroups()
        self.senders = senders or SingleSenders()
        self.members: dict[str, tuple[int, ...]] = {}
        self.talks, self.ends = facts.talks, facts.ends
        procedure = facts.program.procedures[root]
        run = RunningProcedure(procedure, {})
        for name in procedure.formals:
            run.cells[name] = SkeletonCell(UNIFORM if is_alike(procedure.variables.get(name)) else VARIES)
        run.absent.update((name, False) for name, one in procedure.variables.items() if one.optional)
        try:
            self.block(run, procedure.body)
        except LeaveError as error:
            if error.kind in ("stop", "goto"):
                raise UnprovableError("STOP" if error.kind == "stop" else "a GOTO backwards", procedure.span) from None

    # ------------------------------------------------------------ statements

    def block(self, run: RunningProcedure, block: ir.Block) -> None:
        """Follow statements; a GOTO forward goes on at its label."""
        at = 0
        while at < len(block):
            try:
                self.statement(run, block[at])
            except LeaveError as error:
                later = (k for k in range(at + 1, len(block)) if block[k].label is not None)
                to = next((k for k in later if error.kind == "goto" and error.name == str(block[k].label)), None)
                if to is None:
                    raise
                at = to
            else:
                at += 1

    def statement(self, run: RunningProcedure, stmt: ir.Stmt) -> None:
        """Follow one. Raises UnprovableError where that cannot be."""
        if self.flying:
            self.check_buffers(run, stmt)
        match stmt:
            case ir.Assign():
                self.assignment(run, stmt)
            case ir.Marked():
                self.part(f"{run.procedure.key} {stmt.id}", lambda: self.block(run, stmt.body))
            case ir.Call():
                self.call(run, stmt)
            case ir.If():
                self.branch(run, stmt, self.value(run, stmt.cond), stmt.then, stmt.orelse)
            case ir.Do():
                self.loop(run, stmt)
            case ir.While():
                self.repeat(run, stmt)
            case ir.Select():
                self.select(run, stmt)
            case ir.ScopeBlock():
                self.scope(run, stmt)
            case ir.Cycle() | ir.Exit():
                raise LeaveError("cycle" if isinstance(stmt, ir.Cycle) else "exit", stmt.name)
            case ir.Return():
                raise LeaveError("return")
            case ir.Stop():
                raise LeaveError("stop")
            case ir.Goto():
                raise LeaveError("goto", str(stmt.to))
            case ir.ComputedGoto() | ir.ArithmeticIf():
                raise UnprovableError("a GOTO that chooses", stmt.span)
            case ir.Opaque() | ir.PointerAssign():
                raise UnprovableError("a statement that cannot be followed", stmt.span)
            case ir.Allocate() | ir.Deallocate():
                self.allocation(run, stmt)
            case ir.Where():
                self.havoc(run, (stmt,), VARIES)
            case ir.IO():
                for ref in stmt.writes:
                    if isinstance(ref, ir.Ref):
                        self.assign(run, ref, UNIFORM)
            case _:
                pass

    def scope(self, run: RunningProcedure, stmt: ir.ScopeBlock) -> None:
        """BLOCK and its like, which EXIT with its name leaves."""
        try:
            self.block(run, stmt.body)
        except LeaveError as error:
            if error.kind != "exit" or error.name is None or error.name != stmt.name:
                raise

    def check_buffers(self, run: RunningProcedure, stmt: ir.Stmt) -> None:
        """SN605 where a statement touches what is under way."""
        for buffer in self.flying.values():
            if touched(self, run, stmt, buffer):
                what = "received into" if buffer.receives else "sent from"
                self.said["SN605", stmt.span] = (
                    f"this touches `{bare(buffer.ref)}` between the call at line {buffer.line}, by which it is "
                    f"{what}, and the completion of that message (rank {self.rank} of {self.size})")

    def branch(self, run: RunningProcedure, stmt: ir.Stmt, cond: SkeletonValue, then: ir.Block,
               orelse: ir.Block) -> None:
        """Follow the branch that is taken; where other ranks take the other one, all that it assigns varies."""
        if cond.decided is not None:
            if not cond.uniform and leaves((*then, *orelse)):
                self.diverged = True
            with self.apart(run, (*then, *orelse), not cond.uniform):
                self.block(run, then if cond.decided else orelse)
        elif self.ends.stops(then) or self.ends.stops(orelse):
            self.block(run, orelse if self.ends.stops(then) else then)
        elif not self.matters(then) and not self.matters(orelse):
            self.havoc(run, (*then, *orelse), cond)
        elif not cond.uniform or self.quiet:
            raise UnprovableError("a condition that may differ from rank to rank", stmt.span)
        else:
            self.block(run, then if self.decided(run, stmt) else orelse)

    def decided(self, run: RunningProcedure, stmt: ir.Stmt) -> bool:
        """One way for a condition that is not known."""
        self.seen[run.procedure.key, stmt.id] = seen = self.seen.get((run.procedure.key, stmt.id), 0) + 1
        return self.decisions.decide((run.procedure.key, stmt.id, seen))

    def select(self, run: RunningProcedure, stmt: ir.Select) -> None:
        """SELECT CASE: the case that is taken."""
        value = self.value(run, stmt.selector)
        every = tuple(one for case in stmt.cases for one in case.body)
        taken = case_taken(stmt, value, lambda one: self.value(run, one))
        if taken is None:
            if self.matters(every):
                raise UnprovableError("a SELECT whose case is not known", stmt.span)
            self.havoc(run, every, unknown([value]))
            return
        if not value.uniform and leaves(every):
            self.diverged = True
        with self.apart(run, every, not value.uniform):
            self.block(run, taken)

    # ------------------------------------------------------------ calls and parts

    def part(self, name: str, work: Callable[[], None]) -> None:
        """One run of a part."""
        outer, self.body = self.body, []
        self.instances[name] = self.instances.get(name, 0) + 1
        number = self.instances[name]
        left: LeaveError | None = None
        try:
            work()
        except LeaveError as error:
            left = error
        except UnprovableError:
            self.body = outer
            raise
        outer.append(TracePart(f"{name} run {number}", tuple(self.body)))
        self.body = outer
        if left is not None:
            raise left

    def call(self, run: RunningProcedure, stmt: ir.Call) -> None:
        """A call of MPI, or of a procedure that communicates, which is followed."""
        found = known_call(stmt)
        if found is not None:
            from snapset.analysis.messages.skeleton.skeleton_calls import follow_call

            follow_call(self, run, stmt, found)
        elif is_message_passing(stmt.name) and not stmt.targets:
            raise UnprovableError(f"{stmt.name.upper()}, which is not understood", stmt.span)
        elif not any(key in self.talks for key in stmt.targets):
            self.quiet_call(run, stmt)
        elif len(stmt.targets) != 1:
            raise UnprovableError("a call that may run several procedures", stmt.span)
        else:
            closed = stmt.targets[0] in self.closed
            work = partial(self.exchanged, run, stmt) if closed else self.inlined(run, stmt)
            if stmt.checkpoint:
                self.part(f"{run.procedure.key} {stmt.id}", work)
            else:
                work()

    def exchanged(self, run: RunningProcedure, stmt: ir.Call) -> None:
        """An exchange that is not followed: one event of all ranks."""
        key = stmt.targets[0]
        number = self.collectives[key] = self.collectives.get(key, -1) + 1
        self.emit(Event("collective", -1, f"exchange {key} {number}", f"{stmt.span.file}:{stmt.span.line}"), stmt.span)
        self.havoc(run, (stmt,), VARIES)

    def quiet_call(self, run: RunningProcedure, stmt: ir.Call) -> None:
        """A call that does not communicate: arithmetic of integers is followed (``right = next(me, ranks)``); of
        anything else it is only known what it may write."""
        if len(stmt.targets) == 1 and (is_arithmetic(self.program.procedures[stmt.targets[0]])
                                       or self.sets_whole_numbers(run, stmt)):
            with self.quietly():
                self.inlined(run, stmt)()
                return
        self.havoc(run, (stmt,), VARIES)

    def sets_whole_numbers(self, run: RunningProcedure, stmt: ir.Call) -> bool:
        """Is a call short, and may it write an integer or logical, by which the program may go on?"""
        key = stmt.targets[0]
        procedure, writes = self.program.procedures[key], self.writes[key]
        self.followed += sum(1 for _ in statements(procedure.body))
        if self.followed > MOST_FOLLOWED:
            return False
        whole = [one for name, one in procedure.variables.items()
                 if name in writes.formals or (one.area.owner, one.area.name) in writes.areas]
        return any(one.type.kind in ("integer", "logical", "derived") for one in whole)

    def inlined(self, run: RunningProcedure, stmt: ir.Call) -> Callable[[], None]:
        """What follows a callee, its dummy arguments being the caller's memory."""
        procedure = self.program.procedures[stmt.targets[0]]
        try:
            actuals = bind(stmt, procedure)
        except BindError as error:
            raise UnprovableError(str(error), stmt.span) from None
        inner = RunningProcedure(procedure, {}, host=run.home_of(procedure))
        give_back = pass_arguments(self, run, inner, tuple(actuals))

        def work() -> None:
            self.depth += 1
            if self.depth > 100:
                raise UnprovableError("too many calls within each other", stmt.span)
            outer = self.diverged
            try:
                self.block(inner, procedure.body)
            except LeaveError as error:
                if error.kind == "goto":
                    back = UnprovableError("a GOTO backwards, or into a block", procedure.span)
                    back.within.append(procedure.key)
                    raise back from None
                if error.kind != "return":
                    raise
            except UnprovableError as error:
                error.within.append(procedure.key)
                raise
            self.depth -= 1
            if self.diverged and not outer:  # by a RETURN on some ranks: beyond it all go on
                for cell in (*inner.cells.values(), *self.clobber(self.writes[procedure.key])):
                    cell.vary()
            self.diverged = outer
            if stmt.result is not None and procedure.result in inner.cells:
                self.assign(run, stmt.result, inner.cells[procedure.result].read(()))
            give_back()

        return work

    def emit(self, event: Event, span: Span) -> None:
        """One event more."""
        self.events += 1
        if self.events > MOST_EVENTS:
            raise UnprovableError("too many messages to follow", span)
        self.body.append(event)
