"""What of a head's analysis can be asked procedure by procedure: tasks, and which of them have to come before others.

A model needs those of its callees, what is active in a procedure what reaches it from its callers; then an adjoint
needs those of its callees, what is required at entries goes the other way, costs go up again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, Literal, TypeAlias

from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.interprocedural.call_graph import callees
from snapset.frontend.ir.statement_walk import statements

Group: TypeAlias = tuple[str, ...]
"""Procedures that call each other, mostly one; of the steps from ``adjoints`` on their codes."""
Step: TypeAlias = Literal["models", "active", "adjoints", "entries", "costs", "facts", "written"]
STEPS: Final[tuple[Step, ...]] = ("models", "active", "adjoints", "entries", "costs", "facts", "written")
"""What others wait for comes first."""
_RANK: Final = {step: at for at, step in enumerate(STEPS)}
_CHEAP: Final = frozenset({"ProgramFacts", "SharedFacts", "CodePlanning", "Splitting", "LostValues", "ModuleShapes"})
"""Who has questions that every process answers itself: they need no model."""
LAST: Final = frozenset({"HeadReport.code", "HeadRecords.not_kept", "HeadAnalysis.unknown", "HeadAnalysis.refused",
                         "HeadAnalysis.one_memory"})
"""Questions that only whoever writes the report asks."""

CLUSTER: Final = 0.125
"""How much of one process's share may be dealt to it as one piece."""
HOST: Final = 0.08
"""The part of a share that is as much work as to tell the others what to do, and to hear of it."""


@frozen
class Task:
    """One step of one group; of ``active`` with what reaches its procedures."""

    step: Step
    group: Group
    borders: tuple[tuple[Any, ...], ...] = ()

    @property
    def plain(self) -> tuple[Any, ...]:
        """As data that can be sent: its fields."""
        return self.step, self.group, self.borders

    def rank(self) -> int:
        """Less for what others wait for."""
        return _RANK[self.step]


@dataclass(frozen=True)
class HeadTasks:
    """The tasks of a head. ``found``: a :class:`~snapset.analysis.pipeline.HeadAnalysis`, which is not imported here:
    this room stands below it. ``last``: what is wanted of a code in the end, None if nothing."""

    found: Any
    last: Any

    # ------------------------------------------------------------ procedures

    @cached_property
    def components(self) -> tuple[Group, ...]:
        """The procedures, callees first."""
        return tuple(self.found.models.components)

    @cached_property
    def called(self) -> Mapping[Group, tuple[Group, ...]]:
        """The components that one calls, without itself."""
        models = self.found.models
        found = {}
        for group in self.components:
            every = dict.fromkeys(models.component[callee] for key in group
                                  for callee in callees(models.program.procedures[key]) if callee in models.component)
            found[group] = tuple(one for one in every if one != group)
        return found

    @cached_property
    def weights(self) -> Mapping[Group, int]:
        """About how much work each component is: its statements."""
        procedures = self.found.program.procedures
        return {group: sum(1 + sum(1 for _ in statements(procedures[key].body)) for key in group)
                for group in self.components}

    @cached_property
    def depths(self) -> tuple[tuple[Group, ...], ...]:
        """The components, callers before callees: those on one level do not call each other."""
        depth = dict.fromkeys(self.components, 0)
        for group in reversed(self.components):
            for one in self.called[group]:
                depth[one] = max(depth[one], depth[group] + 1)
        found: dict[int, list[Group]] = {}
        for group, level in depth.items():
            found.setdefault(level, []).append(group)
        return tuple(tuple(found[level]) for level in sorted(found))

    def gain(self, processes: int) -> float:
        """How many times as fast so many processes can be at best: all that is done in turn is a way up the calls."""
        longest: dict[Group, int] = {}
        for group in self.components:
            longest[group] = self.weights[group] + max((longest[one] for one in self.called[group]), default=0)
        total = sum(self.weights.values())
        return total/max(*longest.values(), total/processes, 1)

    def dealt(self, processes: int) -> tuple[tuple[Group, ...], ...]:
        """The components, dealt to so many processes by their weights; the head's own to the first. What only one
        component calls goes with it, as most questions are between the two, unless that would be too much for one."""
        total = sum(self.weights.values())
        callers: dict[Group, int] = {}
        for group in self.components:
            for one in self.called[group]:
                callers[one] = callers.get(one, 0) + 1
        clusters: dict[Group, list[Group]] = {}
        weight = dict(self.weights)
        for group in self.components:
            clusters[group] = [group]
            for one in self.called[group]:
                if callers[one] == 1 and weight[group] + weight[one] <= CLUSTER*total/processes:
                    clusters[group] += clusters.pop(one)
                    weight[group] += weight[one]
        shares: list[list[Group]] = [[] for _ in range(processes)]
        load = [HOST*total/processes, *([0.0]*(processes - 1))]
        root = self.found.models.component[self.found.root]
        for cluster in sorted(clusters, key=lambda one: (root not in clusters[one], -weight[one])):
            at = load.index(min(load))
            load[at] += weight[cluster]
            shares[at] += clusters[cluster]
        return tuple(map(tuple, shares))

    # ------------------------------------------------------------ codes

    @cached_property
    def groups(self) -> tuple[Group, ...]:
        """The codes, callers first."""
        planning = self.found.planning
        return tuple(dict.fromkeys(planning.together(key) for key in planning.order()))

    @cached_property
    def callees(self) -> Mapping[Group, tuple[Group, ...]]:
        """The groups of codes that one runs, without itself."""
        planning = self.found.planning
        runs = {group: dict.fromkeys(planning.together(callee) for key in group
                                     for callee in planning.code(key).callees.values()) for group in self.groups}
        return {group: tuple(one for one in found if one != group) for group, found in runs.items()}

    # ------------------------------------------------------------ tasks

    def models(self) -> Iterator[tuple[Task, Sequence[Task]]]:
        """Those of the models, and of what is said of each procedure, each with what comes before."""
        for group in self.components:
            yield Task("models", group), [Task("models", one) for one in self.called[group]]
            yield Task("facts", group), [Task("models", group)]

    def codes(self) -> Iterator[tuple[Task, Sequence[Task]]]:
        """Those of the codes, each with what comes before."""
        runs = self.callees
        run_by: dict[Group, list[Group]] = {}
        for group in self.groups:
            for one in runs[group]:
                run_by.setdefault(one, []).append(group)
        for group in reversed(self.groups):
            yield Task("adjoints", group), [Task("adjoints", one) for one in runs[group]]
        for group in self.groups:
            above = [Task("entries", one) for one in run_by.get(group, ())]
            yield Task("entries", group), [Task("adjoints", group), *above]
        for group in reversed(self.groups):
            yield Task("costs", group), [Task("entries", group), *(Task("costs", one) for one in runs[group])]
            yield Task("written", group), [Task("costs", group)]

    def procedure(self, node: tuple[Any, ...]) -> str | None:
        """The procedure that a question is about, whose process is to answer it; None: any."""
        if node[0] in ("HeadAnalysis.arguments", "Activity.met") or node[0].partition(".")[0] in _CHEAP:
            return None
        component = self.found.models.component
        for one in node[1:]:
            first = one[0] if isinstance(one, tuple) and one else one
            if isinstance(first, str) and first in component:
                return first
        return None

    def ask(self, task: Task) -> None:
        """Ask all of one step that others want to know of a group. What fails is asked again by who wants to know, and
        fails there."""
        for question, *arguments in self._questions(task):
            try:
                question(*arguments)
            except (RecursionError, MemoryError):
                raise
            except Exception:
                continue

    def _questions(self, task: Task) -> Iterable[tuple[Any, ...]]:
        if task.step == "active":
            for key, *border in task.borders:
                yield self.found.activity.below, key, tuple(border)
            return
        for key in task.group:
            yield from self._of_code(task.step, key, task.group)

    def _of_code(self, step: Step, key: str, group: Group) -> Iterable[tuple[Any, ...]]:
        found, names = self.found, self.found.names
        if step == "models":
            yield found.models.shown, key
        elif step == "facts":
            hazards = found.adjoints.hazards
            questions = (hazards.called, hazards.alone, found.unknown, found.one_memory, found.refused)
            yield from ((question, key) for question in questions)
        elif step == "adjoints":
            yield found.adjoints.stretches.of, found.planning.code(key).procedure
            yield found.adjoints.called, key
        elif step == "entries" and self.callees[group]:
            yield from ((found.records.passed_on, name, group) for name in names)
            if not found.options.save_intact:
                plain = not found.options.recompute
                for callee in dict.fromkeys(found.planning.code(key).callees.values()):
                    yield found.adjoints.relied_by, key, callee, plain
        elif step == "costs":
            yield from ((found.costs.whole, name, key) for name in names)
            if found.planning.callers(key):
                yield from ((found.builder.again, name, key) for name in names)
        elif step == "written":
            yield from ((found.records.not_kept, name, key) for name in names)
            if self.last is not None:
                yield self.last, key
