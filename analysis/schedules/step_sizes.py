"""What a schedule needs to know of a loop: bytes of restart data and dependencies of each step, and its cost.

    StepSizes.of(100, restart=15968, dependencies=7984)              the same for every step
    StepSizes.of(3, restart=[8, 8, 16], dependencies=[4, 4, 9])      one number for each
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate
from math import inf
from typing import Any, cast

from snapset.analysis.schedules.abstract_machine import Checkpoint
from snapset.analysis.schedules.actions import Content
from snapset.frontend.base.diagnostics import InputError
from snapset.frontend.base.frozen_records import frozen

Cost = int | float
MOST_STEPS = 200_000
EXACT_VARYING = 64  # steps that differ, up to which the best schedule is exact
MOST_BYTES = 1 << 50


@frozen
class RecordedWay:
    """What steps leave that are recorded in one way, and their working storage at most while they are reversed: one
    number, or one for each step."""

    left: tuple[int, ...]
    peaks: tuple[int, ...]


@frozen
class StepSizes:
    """r_i, d_i and f_i of the steps 0 .. ``steps``-1; a single number stands for all of them.

    ``by_span``: where it is less, the bytes of restart data from which 1, 2 ... steps are run, the last of them
    recorded (Burgers with Adams-Bashforth 2: u for one step, u and the old tendency for more); the last stands for all
    longer spans, and is ``restart``. Empty: restart data of any span takes as much.
    ``ways``: where it is known, how a step is recorded in the first run; in a span that is run again with 0, 1 ...
    steps behind it, the last of which stands for more (behind the last step of a span nothing is read, so its calls
    need not be run first). ``dependencies`` is the most of these; schedules are made from it, and weighed by ways.
    """

    steps: int
    restart: tuple[int, ...]
    dependencies: tuple[int, ...]
    cost: tuple[Cost, ...]
    by_span: tuple[int, ...] = ()
    ways: tuple[RecordedWay, ...] = ()

    @classmethod
    def of(cls, steps: int, restart: int | Sequence[int], dependencies: int | Sequence[int],
           cost: Cost | Sequence[Cost] = 1, by_span: Sequence[int] = ()) -> StepSizes:
        """Check and store. Raises InputError for what is no count, no size or not one for each step."""
        if not _whole(steps) or steps < 0:
            raise InputError(f"steps: {steps!r} is no number of steps; give a whole number, 0 or more")
        if steps > MOST_STEPS:
            raise InputError(f"steps: {steps} are more than {MOST_STEPS}; take several iterations as one step "
                             "(--period)")
        steps = int(steps)
        return cls(steps, _bytes("restart", restart, steps), _bytes("dependencies", dependencies, steps),
                   _costs(cost, steps), _spans(by_span, restart))

    @property
    def constant(self) -> bool:
        """Are all steps alike?"""
        return len(self.restart) == len(self.dependencies) == len(self.cost) == 1

    def planned(self) -> StepSizes:
        """The same as far as schedules go: the last step is recorded into the working storage whatever is held, so its
        dependencies decide nothing, and steps that are alike but for it are alike."""
        others = self.dependencies[:-1]
        if len(self.dependencies) == 1 or len(set(others)) > 1:
            return self
        return replace(self, dependencies=others[:1])

    def r(self, i: int, span: int | None = None) -> int:
        """Bytes of restart data of step i; ``span``: from which so many steps are run (None: any number)."""
        if span is not None and self.by_span:
            return self.by_span[min(max(span, 1), len(self.by_span)) - 1]
        return self.restart[i if len(self.restart) > 1 else 0]

    def d(self, i: int) -> int:
        return self.dependencies[i if len(self.dependencies) > 1 else 0]

    def f(self, i: int) -> Cost:
        return self.cost[i if len(self.cost) > 1 else 0]

    def bytes_of(self, one: Checkpoint) -> int:
        """The bytes of a checkpoint: what :meth:`Recount.peak` wants to know."""
        if one.content is Content.RESTART:
            return self.r(one.i, one.steps)
        return _of_step(self._way(one).left, one.i) if self.ways else self.d(one.i)

    def peak_of(self, one: Checkpoint, peaks: Sequence[int]) -> int:
        """The most that the working storage takes while a recorded step is reversed; ``peaks``: by step, where the
        ways do not tell."""
        return _of_step(self._way(one).peaks if self.ways else peaks, one.i)

    def _way(self, one: Checkpoint) -> RecordedWay:
        return self.ways[0 if one.behind is None else min(one.behind + 1, len(self.ways) - 1)]

    def all_dependencies(self) -> int:
        """Bytes beside the working storage with which nothing is run twice: Σ d_k of all steps but the last."""
        last = max(self.steps - 1, 0)
        return self.dependencies[0] * last if len(self.dependencies) == 1 else sum(self.dependencies[:last])

    def first_run(self) -> Cost:
        """Σ f_k: the cost of running every step once."""
        return self.cost[0] * self.steps if len(self.cost) == 1 else sum(self.cost)


def _of_step(values: Sequence[int], i: int) -> int:
    return values[i if len(values) > 1 else 0]


def running_sums(values: Sequence[Cost]) -> list[Cost]:
    """0, v_0, v_0 + v_1, ...: a sum over steps is a difference of two of them."""
    return list(accumulate(values, initial=0))


def _whole(value: object) -> bool:
    return hasattr(value, "__index__") and not isinstance(value, bool)


def _bytes(name: str, given: int | Sequence[int], steps: int) -> tuple[int, ...]:
    return _checked(name, _alike(_each(name, given, steps)))


def _checked(name: str, values: list[Any]) -> tuple[int, ...]:
    for k, value in enumerate(values):
        if not _whole(value) or value < 0:
            raise InputError(f"{name}{_step(k, values)}: {value!r} is no number of bytes; give a whole number, "
                             "0 or more")
        if value > MOST_BYTES:
            raise InputError(f"{name}{_step(k, values)}: {value} bytes are more than a petabyte; give bytes")
    return tuple(map(int, values))


def _spans(given: Sequence[int], restart: int | Sequence[int]) -> tuple[int, ...]:
    """Those that are less, and the first that is not. Raises InputError for sizes that fall, or do not end at
    ``restart``."""
    if not given:
        return ()
    if not _whole(restart):
        raise InputError("restart by span: give one number of bytes of restart data, which is that of the longest span")
    found = _checked("restart by span", [*given])
    if list(found) != sorted(found) or found[-1] != restart:
        raise InputError(f"restart by span: {', '.join(map(str, found[:6]))} do not grow to the {restart} bytes of "
                         "restart data; give the bytes for spans of 1, 2 ... steps, those of the longest last")
    found = found[:found.index(found[-1]) + 1]
    return found if len(found) > 1 else ()


def _costs(given: Cost | Sequence[Cost], steps: int) -> tuple[Cost, ...]:
    values = _each("cost", given, steps)
    for k, value in enumerate(values):
        if isinstance(value, bool | str) or not hasattr(value, "__float__") or not 0 < float(value) < inf:
            raise InputError(f"cost{_step(k, values)}: {value!r} is no cost of a step; give a number above 0")
    return tuple(int(v) if _whole(v) else float(v) for v in _alike(values))


def _step(k: int, values: list[Any]) -> str:
    return f" of step {k}" if len(values) > 1 else ""


def _each(name: str, given: object, steps: int) -> list[Any]:
    if isinstance(given, str | bytes) or not hasattr(given, "__len__"):
        return [given]
    values = list(cast(Sequence[Any], given))
    if len(values) != steps:
        raise InputError(f"{name}: {len(values)} numbers for {steps} steps; give one number, or one for each step")
    return values or [1]


def _alike(values: list[Any]) -> list[Any]:
    return values[:1] if all(v == values[0] for v in values) else values
