"""What of a head's analysis can be asked code by code, and in which waves: an adjoint needs those of its callees, so
all codes that call nobody make the first wave, their callers the next; what is required at entries goes the other way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, TypeAlias

Group: TypeAlias = tuple[str, ...]
"""Codes that are made together, mostly one; of the step ``facts`` procedures."""
Step: TypeAlias = Literal["facts", "adjoints", "entries", "costs", "written"]
Last: TypeAlias = Callable[[str], object]
"""What is wanted of a code in the end."""


@dataclass(frozen=True)
class CodeWaves:
    """The codes of a head as groups, in the order of ``planning``, callers first. ``found``: a
    :class:`~snapset.analysis.pipeline.HeadAnalysis`, which is not imported here: this room stands below it."""

    found: Any
    last: Last | None

    @cached_property
    def groups(self) -> tuple[Group, ...]:
        planning = self.found.planning
        return tuple(dict.fromkeys(planning.together(key) for key in planning.order()))

    @cached_property
    def callees(self) -> Mapping[Group, tuple[Group, ...]]:
        """The groups that one runs, without itself."""
        planning = self.found.planning
        runs = {group: dict.fromkeys(planning.together(callee) for key in group
                                     for callee in planning.code(key).callees.values()) for group in self.groups}
        return {group: tuple(one for one in found if one != group) for group, found in runs.items()}

    @cached_property
    def upwards(self) -> tuple[tuple[Group, ...], ...]:
        """Waves in which callees come before their callers."""
        height: dict[Group, int] = {}
        for group in reversed(self.groups):
            height[group] = 1 + max((height[one] for one in self.callees[group]), default=-1)
        return _by_level(height)

    @cached_property
    def downwards(self) -> tuple[tuple[Group, ...], ...]:
        """Waves in which callers come before their callees."""
        depth = dict.fromkeys(self.groups, 0)
        for group in self.groups:
            for one in self.callees[group]:
                depth[one] = max(depth[one], depth[group] + 1)
        return _by_level(depth)

    def weight(self, group: Group) -> int:
        """About how much work a group is: the nodes of its procedures."""
        planning, models = self.found.planning, self.found.models
        return sum(len(models.by_key[planning.code(key).procedure].flow.nodes) for key in group)

    def gain(self, processes: int) -> float:
        """How many times as fast so many processes can be at best, as each wave waits for the one before."""
        waves = [[self.weight(group) for group in wave] for wave in self.upwards]
        longest = sum(max(max(wave), sum(wave)/processes) for wave in waves)
        return sum(map(sum, waves))/max(longest, 1)

    def steps(self) -> Iterable[tuple[Step, Sequence[Group]]]:
        """All waves, one after the other."""
        yield "facts", tuple((key,) for key in self.found.models.component)
        yield from (("adjoints", wave) for wave in self.upwards)
        yield from (("entries", wave) for wave in self.downwards)
        yield from (("costs", wave) for wave in self.upwards)
        yield "written", self.groups

    def ask(self, step: Step, group: Group) -> None:
        """Ask all of one step that others want to know of a group. What fails is asked again by who wants to know, and
        fails there."""
        try:
            for key in group:
                for question, *arguments in self._questions(step, key, group):
                    question(*arguments)
        except (RecursionError, MemoryError):
            raise
        except Exception:
            return

    def _questions(self, step: Step, key: str, group: Group) -> Iterable[tuple[Any, ...]]:
        found, names = self.found, self.found.names
        if step == "facts":
            hazards = found.adjoints.hazards
            yield from ((question, key) for question in (hazards.called, hazards.alone, found.unknown, found.refused))
        elif step == "adjoints":
            yield found.adjoints.stretches.of, found.planning.code(key).procedure
            yield found.adjoints.called, key
        elif step == "entries" and self.callees[group]:
            yield from ((found.records.passed_on, name, group) for name in names)
            if not found.options.save_intact:
                callees = dict.fromkeys(found.planning.code(key).callees.values())
                yield from ((found.adjoints.relied_by, key, callee) for callee in callees)
        elif step == "costs":
            yield from ((found.costs.whole, name, key) for name in names)
            if found.planning.callers(key):
                yield from ((found.builder.again, name, key) for name in names)
        elif step == "written":
            yield from ((found.records.not_kept, name, key) for name in names)
            if self.last is not None:
                yield self.last, key


def _by_level(levels: Mapping[Group, int]) -> tuple[tuple[Group, ...], ...]:
    found: dict[int, list[Group]] = {}
    for group, level in levels.items():
        found.setdefault(level, []).append(group)
    return tuple(tuple(found[level]) for level in sorted(found))
