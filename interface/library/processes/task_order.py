"""Which tasks can be done now: those before them are done, or will be by the same process, which then does them first
whatever the order in which it is told."""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from snapset.library.processes.head_tasks import Task


@dataclass(slots=True)
class TaskOrder:
    """``ready``: by process, what it can do and has not been told to do, in order of rank."""

    ready: dict[int, list[Task]]
    open: set[Task] = field(default_factory=set)
    _place: dict[Task, int] = field(default_factory=dict)
    _before: dict[Task, int] = field(default_factory=dict)
    _behind: dict[Task, list[Task]] = field(default_factory=dict)

    def add(self, tasks: Iterable[tuple[Task, Sequence[Task], int]]) -> None:
        """Tasks, each with those before it and the process that will do it."""
        found = list(tasks)
        for task, _, place in found:
            self._place[task] = place
            self.open.add(task)
        for task, before, _ in found:
            waits = [one for one in before if one in self.open]
            self._before[task] = len(waits)
            for one in waits:
                self._behind.setdefault(one, []).append(task)
        for task, _, _ in found:
            if self._before[task] == 0:
                self._enable(task)

    def _enable(self, first: Task) -> None:
        """A task can be done; so can those behind it in the same process that wait for nothing else."""
        enabled = [first]
        for task in enabled:
            place = self._place[task]
            insort(self.ready[place], task, key=Task.rank)
            self._before[task] = -1
            waiting = self._behind.get(task, [])
            self._behind[task] = [one for one in waiting if self._place[one] != place]
            enabled += [one for one in waiting if self._place[one] == place and self._less(one)]

    def _less(self, task: Task) -> bool:
        self._before[task] -= 1
        return self._before[task] == 0

    def done(self, task: Task) -> None:
        """A task is done: what waits for it elsewhere waits no more."""
        if task in self.open:
            self.open.discard(task)
            for one in self._behind.pop(task, ()):
                if self._less(one):
                    self._enable(one)

    def moved(self, place: int, there: int, given: Iterable[Task]) -> None:
        """One process is no more: another does what it has not done, also what it had been ``given``."""
        self._place = {task: there if at == place else at for task, at in self._place.items()}
        self.ready[there] += [*self.ready.pop(place), *(one for one in given if one in self.open)]
        self.ready[there].sort(key=Task.rank)
