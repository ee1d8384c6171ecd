"""Loops of a rank that is followed: step by step where their length is known, else a few steps that stand for all.

    k = 0
    do i = 1, n;  k = k + 1;  call mpi_barrier(comm, ierr);  end do

With n unknown a first step and a second one are followed, with k = 1 and k = 2. In later ones k is something else: what
goes on changing is only a sample there, which decides nothing, and a third step stands for those. Behind the loop k is
not known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from snapset.analysis.messages.skeleton.rank_memory import RankMemory
from snapset.analysis.messages.skeleton.skeleton_program import (
    LeaveError,
    RunningProcedure,
    UnprovableError,
    first_steps,
    waits_for_test,
    without_tests,
)
from snapset.analysis.messages.skeleton.skeleton_values import (
    VARIES,
    CellMemory,
    SkeletonCell,
    SkeletonValue,
    unknown,
)
from snapset.frontend import ir
from snapset.frontend.ir.statement_walk import statements

if TYPE_CHECKING:
    from snapset.analysis.messages.skeleton.followed_program import FollowedProgram

MOST_TRIPS: Final = 40
MOST_FOLLOWED: Final = 20_000
MOST_STEPS: Final = 6


class FollowedLoops(RankMemory):
    """``quiet``: in how many stretches that need not be followed; ``followed``: how many of their statements were;
    ``testing``: in how many loops that wait for a test."""

    def __init__(self, facts: FollowedProgram, rank: int, size: int) -> None:
        super().__init__(facts, rank, size)
        self.matters = facts.matters
        self.depth = self.testing = self.quiet = self.followed = 0

    def block(self, run: RunningProcedure, block: ir.Block) -> None:
        """Follow statements."""
        raise NotImplementedError

    @contextmanager
    def apart(self, run: RunningProcedure, block: ir.Block, other_ways: bool) -> Iterator[None]:
        """Around statements that other ranks may run otherwise."""
        try:
            yield
        finally:
            if other_ways:
                for stmt in statements(block):
                    for target in self.assigned(stmt):
                        for cell in (self.cell(run, target), *self.components(run, target)):
                            cell.vary()
                    for cell in self.beyond(run, stmt):
                        cell.vary()

    def loop(self, run: RunningProcedure, stmt: ir.Do) -> None:
        """A DO loop: step by step where its bounds are known."""
        ends = [self.value(run, stmt.start), self.value(run, stmt.stop),
                SkeletonValue(1, True) if stmt.step is None else self.value(run, stmt.step)]
        length = unknown(ends)
        first, last, step = (one.decided for one in ends)
        if not self.matters(stmt.body):
            if not step or first is None or last is None or not self.quiet_loop(run, stmt, range(
                    first, last + (1 if step > 0 else -1), step), length.uniform):
                self.assign(run, stmt.var, length)
                self.havoc(run, stmt.body, length)
            return
        if first is None or last is None or not step or (last - first) // step >= MOST_TRIPS:
            if not length.uniform:
                raise UnprovableError("a loop whose length may differ from rank to rank", stmt.span)
            values = first_steps(stmt, ends[0], ends[2], length.uniform)

            def any_step(number: int) -> bool:
                self.assign(run, stmt.var, values[min(number, len(values) - 1)])
                return self.iteration(run, stmt, stmt.body)

            if self.some_steps(run, stmt, any_step, len(values)):
                self.assign(run, stmt.var, length)
            return
        with self.apart(run, stmt.body, not length.uniform):
            steps = range(first, last + (1 if step > 0 else -1), step)
            for k in steps:
                self.assign(run, stmt.var, SkeletonValue(k, length.uniform))
                if not self.iteration(run, stmt, stmt.body):
                    return
            self.assign(run, stmt.var, SkeletonValue(first + len(steps)*step, length.uniform))

    def some_steps(self, run: RunningProcedure, stmt: ir.Do | ir.While, step: Callable[[int], bool],
                   least: int) -> bool:
        """Steps of a loop of unknown length: ``least`` of them, and more until one stands for all that follow. False
        where one leaves the loop."""
        memory = CellMemory(self.written(run, stmt.body))
        try:
            for number in range(MOST_STEPS):
                before = CellMemory(self.written(run, stmt.body))
                if not step(number):
                    return False
                changed = before.widen(self.written(run, stmt.body)) if number >= least - 1 else True
                memory.add(self.written(run, stmt.body))
                if not changed:
                    return True
            raise UnprovableError("a loop in which more changes with every step", stmt.span)
        finally:
            memory.settle(self.written(run, stmt.body))

    def written(self, run: RunningProcedure, block: ir.Block) -> list[SkeletonCell]:
        """The memory that statements may write, as far as it is known."""
        found: dict[SkeletonCell, None] = {}
        for stmt in statements(block):
            for target in self.assigned(stmt):
                found |= dict.fromkeys((self.cell(run, target), *self.components(run, target)))
            found |= dict.fromkeys(self.beyond(run, stmt, notes=False))
        return list(found)

    def quiet_loop(self, run: RunningProcedure, stmt: ir.Do, steps: range, uniform: bool) -> bool:
        """A short loop that sets integers, ``do k = 1, 2; call mpi_cart_shift(...)``: can it be followed?"""
        self.followed += len(steps) * sum(1 for _ in statements(stmt.body))
        whole = any(one.type.kind in ("integer", "logical", "derived") for each in statements(stmt.body)
                    for one in self.assigned(each))
        if not whole or len(steps) >= MOST_TRIPS or self.followed > MOST_FOLLOWED:
            return False
        with self.quietly():
            with self.apart(run, stmt.body, not uniform):
                for k in steps:
                    self.assign(run, stmt.var, SkeletonValue(k, uniform))
                    self.block(run, stmt.body)
                self.assign(run, stmt.var, SkeletonValue(steps.start + len(steps)*steps.step, uniform))
            return True
        return False

    @contextmanager
    def quietly(self) -> Iterator[None]:
        """Around statements that need not be followed: where they cannot be, they are left."""
        before = self.diverged, self.depth
        self.quiet += 1
        try:
            yield
        except (UnprovableError, LeaveError):
            self.diverged, self.depth = before
        finally:
            self.quiet -= 1

    def repeat(self, run: RunningProcedure, stmt: ir.While) -> None:
        """DO WHILE: step by step as long as its condition is known and all ranks go on alike."""
        every = (*stmt.before, *stmt.body)
        if not self.matters(every):
            if not self.quiet_while(run, stmt):
                self.havoc(run, every, VARIES)
            return
        if waits_for_test(stmt) and stmt.cond is not None and self.value(run, stmt.cond).decided is True:
            self.testing += 1
            self.block(run, stmt.body)
            self.havoc(run, without_tests(stmt.body), VARIES)
            self.testing -= 1
            return
        for _ in range(MOST_TRIPS):
            cond = self.condition(run, stmt)
            if cond.decided is not True:
                break
            if not self.iteration(run, stmt, stmt.body):
                return
        if cond.decided is False:
            return

        def any_step(number: int) -> bool:
            if not self.iteration(run, stmt, stmt.body):
                return False
            return self.condition(run, stmt).decided is not False

        self.some_steps(run, stmt, any_step, 2)

    def condition(self, run: RunningProcedure, stmt: ir.While) -> SkeletonValue:
        """Does a loop go on? Raises UnprovableError where that may differ from rank to rank."""
        self.block(run, stmt.before)
        found = SkeletonValue(True, True) if stmt.cond is None else self.value(run, stmt.cond)
        if not found.uniform:
            raise UnprovableError("a loop whose length may differ from rank to rank", stmt.span)
        return found

    def quiet_while(self, run: RunningProcedure, stmt: ir.While) -> bool:
        """A short loop without messages, ``do while (2*p <= ranks);  p = 2*p;  end do``: can it be followed?"""
        with self.quietly():
            for _ in range(MOST_TRIPS):
                self.followed += sum(1 for _ in statements(stmt.body))
                cond = self.condition(run, stmt)
                if cond.decided is None or self.followed > MOST_FOLLOWED:
                    return False
                if cond.decided is False:
                    return True
                self.block(run, stmt.body)
        return False

    def iteration(self, run: RunningProcedure, stmt: ir.Do | ir.While, body: ir.Block) -> bool:
        """One step; False where it leaves the loop."""
        try:
            self.block(run, body)
        except LeaveError as error:
            if error.kind in ("return", "stop") or (error.name is not None and error.name != stmt.name):
                raise
            return error.kind == "cycle"
        return True
