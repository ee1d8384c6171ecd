"""An abstract machine that runs a list of actions without a program, and counts.

It knows where the forward and the adjoint are and what each storage holds, and refuses an action that a real run
could not do: :class:`IllegalActionError`. What it counts is what `replay` measures.

    recount(all_in_memory(4)).forward == 4
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import accumulate

from snapset.analysis.schedules.actions import (
    Action,
    Adjoint,
    Advance,
    Content,
    EndForward,
    EndReverse,
    Free,
    Load,
    StorageLevel,
)
from snapset.frontend.base.frozen_records import frozen


class IllegalActionError(ValueError):
    """A list of actions that cannot be carried out: which action, and why not."""


@frozen
class Checkpoint:
    """One thing that was held: the restart data or the dependencies of step ``i``, at ``where``.

    ``written``, ``last_read``, ``freed``: numbers of actions; None if that never happened. A step in the working
    storage is read and freed by its adjoint. ``span``: restart data is used to run the steps i .. span-1, by itself or
    by what is stored on the way; i + 1 for dependencies; i if it is never used. Restart data that is loaded and kept
    goes on as another checkpoint, ``kept``, whose span is shorter: what only the longer one needed may be dropped.
    ``behind``: of dependencies, the steps that are run behind this one from the restart data that was loaded before it;
    None in the first run.
    """

    i: int
    content: Content
    where: StorageLevel
    written: int
    last_read: int | None
    freed: int | None
    span: int
    kept: bool = False
    behind: int | None = None

    @property
    def steps(self) -> int:
        """The steps that are run from it."""
        return self.span - self.i


@frozen
class Recount:
    """What a list of actions does.

    ``forward`` and ``adjoint``: steps run, first run included. ``runs``: how often each step was run forward.
    ``writes`` and ``reads``: checkpoints, by storage. ``checkpoints``: all that was ever held, in the order of writing;
    ``loads``: what was read of them, one for each time.
    ``held``: by the number of an action that stores restart data, or keeps it, the state up to which steps are run from
    it later; ``reaches``: of one that loads it, from what it loads.
    """

    steps: int
    actions: int
    runs: tuple[int, ...]
    adjoint: int
    writes: Mapping[StorageLevel, int]
    reads: Mapping[StorageLevel, int]
    checkpoints: tuple[Checkpoint, ...]
    loads: tuple[Checkpoint, ...]
    held: Mapping[int, int]
    reaches: Mapping[int, int]

    @property
    def forward(self) -> int:
        return sum(self.runs)

    def written(self, *levels: StorageLevel, size: Callable[[Checkpoint], int]) -> int:
        """The bytes of all that is stored there; what is loaded and kept is not stored again."""
        return sum(size(one) for one in self.checkpoints if one.where in levels and not one.kept)

    def read(self, *levels: StorageLevel, size: Callable[[Checkpoint], int]) -> int:
        """The bytes of all that is loaded from there."""
        return sum(size(one) for one in self.loads if one.where in levels)

    def peak(self, *levels: StorageLevel, size: Callable[[Checkpoint], int] = lambda one: 1,
             freed: bool = False) -> int:
        """The most that is held at once on the given storages together: checkpoints, or bytes if ``size`` tells them.

        Each counts from its write to its last read; with ``freed`` until the action that frees its place.
        """
        changes = [0] * (self.actions + 1)
        for one in self.checkpoints:
            if one.where in levels:
                bytes_ = size(one)
                changes[one.written] += bytes_
                last = one.written if one.kept and one.last_read is None else one.last_read
                end = one.freed if freed or last is None else last
                changes[self.actions if end is None else end] -= bytes_
        most = held = 0
        for change in changes:
            held += change
            most = max(most, held)
        return most


def recount(actions: Iterable[Action], steps: int | None = None) -> Recount:
    """Run the actions and count.

    ``steps``: how many steps the loop has; else what EndForward says. Raises IllegalActionError.
    """
    machine = _Machine(steps)
    number = -1
    for number, action in enumerate(actions):
        machine.run(number, action)
    return machine.result(number + 1)


@dataclass(slots=True)
class _Held:
    """A checkpoint while the machine runs."""

    i: int
    content: Content
    where: StorageLevel
    written: int
    last_read: int | None = None
    freed: int | None = None
    span: int = 0
    kept: bool = False
    needed_by: tuple[_Held, ...] = ()
    recorded_from: _Held | None = None

    def frozen(self) -> Checkpoint:
        source = self.recorded_from
        return Checkpoint(self.i, self.content, self.where, self.written, self.last_read, self.freed, self.span,
                          self.kept, None if source is None else source.span - self.i - 1)


@dataclass(slots=True)
class _Machine:
    """``forward``: the state the program is in, or None. ``adjoint``: the state of the adjoint; the end while running
    forward. ``source``: the restart data that the forward was loaded from. ``runs``: how much more often each step is
    run than the one before it. ``loaded``: by action, the restart data that it loads."""

    steps: int | None
    forward: int | None = 0
    adjoint: int | None = None
    ended: bool = False
    runs: list[int] = field(default_factory=list)
    back: int = 0
    held: dict[tuple[StorageLevel, int], _Held] = field(default_factory=dict)
    every: list[_Held] = field(default_factory=list)
    source: _Held | None = None
    reads: dict[StorageLevel, int] = field(default_factory=dict)
    loaded: dict[int, _Held] = field(default_factory=dict)
    loads: list[_Held] = field(default_factory=list)

    def run(self, number: int, action: Action) -> None:
        if self.ended:
            raise IllegalActionError(f"action {number}, {action}: comes after EndReverse")
        try:
            match action:
                case Advance():
                    self.advance(number, action)
                case Load(i, where, keep):
                    self.load(number, i, where, keep)
                case Free(i, where):
                    self.release(number, i, where)
                case Adjoint(j, i):
                    self.reverse(number, j, i)
                case EndForward():
                    self.end_forward()
                case EndReverse():
                    self.end_reverse()
        except IllegalActionError as error:
            raise IllegalActionError(f"action {number}, {action}: {error}") from None

    def advance(self, number: int, action: Advance) -> None:
        last = self.adjoint if self.adjoint is not None else self.steps
        if self.forward != action.i:
            raise IllegalActionError(f"the forward is {self.place()}")
        _must(action.i < action.j, "goes nowhere")
        if last is not None and action.j > last:
            raise IllegalActionError(f"the adjoint is at {last} already")
        if action.store is Content.RESTART:
            _must(action.where is not StorageLevel.WORK, "restart data is stored in memory or on disk")
            self.write(number, action.i, Content.RESTART, action.where)
        self.runs.extend([0] * (action.j + 1 - len(self.runs)))
        self.runs[action.i] += 1
        self.runs[action.j] -= 1
        if action.store is Content.DEPENDENCIES:
            for k in range(action.i, action.j):
                self.write(number, k, Content.DEPENDENCIES, action.where, self.source)
        if self.source is not None:
            self.source.span = max(self.source.span, action.j)
        self.forward = action.j

    def write(self, number: int, i: int, content: Content, where: StorageLevel, recorded: _Held | None = None) -> None:
        """``recorded``: the restart data from which dependencies were recorded."""
        if (where, i) in self.held:
            raise IllegalActionError(f"{where.value} holds a checkpoint of step {i} already")
        span = i + 1 if content is Content.DEPENDENCIES else i
        self.hold(_Held(i, content, where, number, span=span, recorded_from=recorded), self.source)

    def hold(self, one: _Held, before: _Held | None) -> None:
        """``before``: the restart data that reaches as far as this one."""
        self.held[one.where, one.i] = one
        self.every.append(one)
        if before is not None:
            before.needed_by = (*before.needed_by, one)

    def load(self, number: int, i: int, where: StorageLevel, keep: bool) -> None:
        _must(where is not StorageLevel.WORK, "the working storage needs no loading")
        one = self.held.get((where, i))
        if one is None:
            raise IllegalActionError(f"{where.value} holds no checkpoint of step {i}")
        one.last_read = number
        self.reads[where] = self.reads.get(where, 0) + 1
        self.loads.append(one)
        if not keep or one.content is Content.RESTART:
            self.release(number, i, where)
        if one.content is Content.RESTART:
            if keep:
                self.hold(_Held(i, one.content, where, number, span=i, kept=True), one)
            self.loaded[number] = one
            self.forward, self.source = i, one
        else:
            self.forward, self.source = None, None
            self.write(number, i, Content.DEPENDENCIES, StorageLevel.WORK, one.recorded_from)

    def release(self, number: int, i: int, where: StorageLevel) -> None:
        one = self.held.pop((where, i), None)
        if one is None:
            raise IllegalActionError(f"{where.value} holds no checkpoint of step {i}")
        one.freed = number

    def reverse(self, number: int, j: int, i: int) -> None:
        _must(self.adjoint is not None, "comes before EndForward")
        if self.adjoint != j:
            raise IllegalActionError(f"the adjoint is at {self.adjoint}")
        _must(i < j, "goes nowhere")
        for k in range(i, j):
            one = self.held.pop((StorageLevel.WORK, k), None)
            if one is None:
                raise IllegalActionError(f"the working storage lacks the dependencies of step {k}")
            one.last_read = one.freed = number
        self.back += j - i
        self.adjoint, self.forward, self.source = i, None, None

    def end_forward(self) -> None:
        _must(self.adjoint is None, "the forward has ended before")
        _must(self.forward is not None, "the forward is nowhere")
        if self.steps is None:
            self.steps = self.forward
        _must(self.forward == self.steps, f"the forward is {self.place()}, the last state is {self.steps}")
        self.adjoint = self.steps

    def end_reverse(self) -> None:
        _must(self.adjoint == 0, "the adjoint is not at 0")
        self.ended = True

    def place(self) -> str:
        return "nowhere" if self.forward is None else f"at {self.forward}"

    def result(self, count: int) -> Recount:
        if not self.ended:
            raise IllegalActionError("the list ends without EndReverse")
        for one in reversed(self.every):
            one.span = max((one.span, *(other.span for other in one.needed_by)))
        reaches = {number: one.span for number, one in self.loaded.items()}
        held = {one.written: one.span for one in self.every if one.content is Content.RESTART}
        writes = {level: sum(one.where is level and not one.kept for one in self.every) for level in StorageLevel}
        reads = {level: self.reads.get(level, 0) for level in StorageLevel}
        reads[StorageLevel.WORK] = self.back
        runs = tuple(accumulate(self.runs[:self.steps or 0]))
        return Recount(self.steps or 0, count, runs, self.back, writes, reads,
                       tuple(one.frozen() for one in self.every), tuple(one.frozen() for one in self.loads), held,
                       reaches)


def _must(condition: bool, message: str) -> None:
    if not condition:
        raise IllegalActionError(message)
