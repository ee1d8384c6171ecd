"""One head in several processes: each procedure belongs to one of them, which makes its model, its activity, its
adjoint, its records, its costs and its text, and tells the others what they have to know of it.

What comes out is what one process finds. This process does its own share, says what the others can do next, and answers
what they ask; then it asks all in order, as if it were alone, and finds nearly all of it there. What is missing it asks
of who has it. A process that is no more costs time: from then on its procedures are this one's.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from snapset.analysis.activity.active_sets import NO_BORDER, Border, at_head
from snapset.analysis.incremental.query_engine import Node
from snapset.frontend.interprocedural.lazy_procedures import body_facts_of
from snapset.frontend.persistence.serialization import dumps
from snapset.library.processes.conversation import Message, answered, parted, told
from snapset.library.processes.head_tasks import HeadTasks, Task
from snapset.library.processes.message_line import LostProcessError, arrived
from snapset.library.processes.seats import CAN_FORK, Seat
from snapset.library.processes.task_order import TaskOrder

GAIN = 1.3
"""Processes are started where they can be so many times as fast as one at best."""
GIVEN = 24
"""So many tasks a process is given at a time: enough for as long as this one does one of its own."""
HERE = 0
"""The number of this process."""


@contextmanager
def asked_ahead(found: Any, use: Any, processes: int) -> Iterator[None]:
    """Have other processes answer their share of what ``use`` will ask of a head, where that pays. ``found``: its
    analysis (HeadAnalysis)."""
    if processes < 2 or not CAN_FORK or not _separable(found):
        yield
        return
    last = getattr(use, "of_code", None)
    tasks = HeadTasks(found, None if last is None else last(found))
    if tasks.gain(processes) < GAIN:
        yield
        return
    _before_all(found)
    shares = tasks.dealt(processes)
    owners = {key: at for at, share in enumerate(shares) for group in share for key in group}
    with _seats(tasks, owners, processes - 1) as seats:
        dealing = Dealing(tasks, owners, seats)
        try:
            dealing.run()
            yield
        finally:
            found.engine.elsewhere = None


def _separable(found: Any) -> bool:
    """Is there no question about all codes at once, for which this process needed them all?"""
    options, strategies = found.options, found.wanted
    whole = options.split or options.context or options.pareto or options.counts is not None or found.program.declared
    if whole or any(one.kind == "optimal" or one.by_part or one.names_something for one in strategies):
        return False
    procedures = found.program.procedures
    if not options.call_checkpoints or not all(body_facts_of(procedures[key]).checkpoints
                                               for key in found.models.component):
        return False  # calls in split mode
    try:
        return not found.adjoints.messages.any()
    except Exception:  # whoever asks it in order is told
        return False


def _before_all(found: Any) -> None:
    """What every model needs of the program."""
    for procedure in found.program.procedures.values():
        len(procedure.body)  # read here: the cache's file is this process's
    found.models.declared()
    found.models.module_bands()


@contextmanager
def _seats(tasks: HeadTasks, owners: dict[str, int], number: int) -> Iterator[list[Seat]]:
    seats: list[Seat] = []
    try:
        for at in range(1, number + 1):
            try:
                seats.append(Seat(tasks, owners, at, seats))
            except OSError:
                break
        yield seats
    finally:
        for seat in seats:
            seat.leave()


class Dealing:
    """The work of all processes, seen from the one that began. ``owners``: by procedure, which process has it."""

    def __init__(self, tasks: HeadTasks, owners: dict[str, int], seats: Sequence[Seat]) -> None:
        self.tasks = tasks
        self.engine = tasks.found.engine
        self.seats = {seat.number: seat for seat in seats}
        self.owners = {key: at if at in self.seats else HERE for key, at in owners.items()}
        self.order = TaskOrder({HERE: [], **{at: [] for at in self.seats}})
        self.failed: set[Node] = set()

    def run(self) -> None:
        """All tasks."""
        self.engine.news()
        self.engine.elsewhere = self.elsewhere
        models = list(self.tasks.models())
        self._add(models)
        self._until([task for task, _ in models if task.step == "models"])
        self._activity()
        codes = list(self.tasks.codes())
        self._add(codes)
        self._until(list(self.order.open))

    def _add(self, tasks: Sequence[tuple[Task, Sequence[Task]]]) -> None:
        self.order.add((task, before, self._place(task)) for task, before in tasks)

    def _place(self, task: Task) -> int:
        first, planning = task.group[0], self.tasks.found.planning
        return self.owners[first if first in self.owners else planning.code(first).procedure]

    def _activity(self) -> None:
        """What is active in each procedure, callers first: all on one level at a time."""
        activity, models = self.tasks.found.activity, self.tasks.found.models
        borders = {activity.head: at_head(models.seen[activity.head].space, *activity.ends())}
        for level in self.tasks.depths:
            asked = [Task("active", group, tuple((key, *borders[key].ints) for key in group if key in borders))
                     for group in level if any(key in borders for key in group)]
            self._add([(task, ()) for task in asked])
            self._until(asked)
            for task in asked:
                for key, *ints in task.borders if not models.recurs(task.group[0]) else ():
                    for (_, callee), at in activity.calls(key, Border.of(tuple(ints))).items():
                        borders[callee] = borders.get(callee, NO_BORDER).joined(at)
        activity.spread()

    # ------------------------------------------------------------ the loop

    def _until(self, wanted: Collection[Task]) -> None:
        """Go on until these are done."""
        while not self.order.open.isdisjoint(wanted):
            self._hear_all()
            for seat in tuple(self.seats.values()):
                self._give(seat)
            own = self.order.ready[HERE]
            if own:
                task = own.pop(0)
                self.tasks.ask(task)
                self.order.done(task)
            elif not self.order.open.isdisjoint(wanted):
                self._wait()

    def _give(self, seat: Seat) -> None:
        """Tell a process what it can do next, if it has not much to do."""
        ready = self.order.ready[seat.number]
        if ready and len(seat.given) < GIVEN/2:
            tasks, ready[:] = ready[:GIVEN], ready[GIVEN:]
            seat.given.update(tasks)
            self._send(seat, "work", tuple(one.plain for one in tasks))

    def _wait(self) -> None:
        """Until somebody says something."""
        if self.seats:
            arrived([seat.line for seat in self.seats.values()], None)

    def _hear_all(self) -> None:
        """All that has come."""
        for seat in tuple(self.seats.values()):
            try:
                while seat.number in self.seats and (message := seat.line.received()) is not None:
                    self._hear(seat, message)
            except LostProcessError:
                self._lost(seat)

    def _hear(self, seat: Seat, data: bytes) -> None:
        message = Message.unpacked(data)
        told(self.engine, message)
        for other in self.seats.values():
            if other is not seat:
                other.untold += message.news
        if message.kind == "done":
            for task in (Task(*one) for one in message.what):
                seat.given.discard(task)
                self.order.done(task)
        elif message.kind == "ask":
            (node,) = message.what
            self._send(seat, "answer", (node, answered(self.engine, node)))
        elif message.kind == "answer":
            node, _ = message.what
            if not self.engine.knows(node):
                self.failed.add(node)

    def _send(self, seat: Seat, kind: Any, what: tuple[Any, ...]) -> None:
        news, _ = parted(self.engine.news())
        if news:
            packed = dumps(tuple(news))
            for one in self.seats.values():
                one.untold.append(packed)
        try:
            seat.send(kind, what)
        except LostProcessError:
            self._lost(seat)

    def _lost(self, seat: Seat) -> None:
        """What a process had to do is this one's."""
        if self.seats.pop(seat.number, None) is not None:
            self.owners = {key: HERE if at == seat.number else at for key, at in self.owners.items()}
            self.order.moved(seat.number, HERE, seat.given)

    def elsewhere(self, node: Node) -> bool:
        """Ask the process that has what a question is about."""
        procedure = self.tasks.procedure(node)
        if procedure is None or self.owners[procedure] == HERE or node in self.failed:
            return False
        seat = self.seats[self.owners[procedure]]
        self._send(seat, "ask", (node,))
        while not self.engine.knows(node) and node not in self.failed and seat.number in self.seats:
            self._hear_all()
            if not self.engine.knows(node) and seat.number in self.seats and node not in self.failed:
                self._wait()
        return bool(self.engine.knows(node))
