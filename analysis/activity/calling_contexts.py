"""Adjoint codes by calling pattern: what varies at a call and is useful behind it, where that makes less of the code.

By default a procedure has one adjoint for all calls, made for what varies or is useful at any of them. Where a
pattern leaves out a derivative statement, something that one reads, or an active call, here or further down, its
calls get a code of their own.
"""

from __future__ import annotations

from collections.abc import Mapping

from snapset.analysis.activity.active_sets import Active
from snapset.analysis.activity.activity import Activity
from snapset.analysis.activity.code_table import Contexts, Found, Pattern
from snapset.analysis.dataflow.bitsets import union
from snapset.analysis.procedures.model_builder import Models

LIMIT = 16  # patterns of one procedure; where there are more, all its calls share the default code


def find_contexts(models: Models, activity: Activity, root: str) -> Contexts:
    """All patterns below the head that gain."""
    return _Numbering(models, activity, _patterns(models, activity, (root, activity.borders[root]))).run()


class _Numbering:
    def __init__(self, models: Models, activity: Activity, found: Mapping[Pattern, Found]) -> None:
        self.models = models
        self.activity = activity
        self.found = found
        self.numbers: dict[Pattern, int] = {}
        self.last: dict[str, int] = {}

    def run(self) -> Contexts:
        by_number: dict[tuple[str, int], Found] = {}
        for pattern, one in self.found.items():
            number = self.number(pattern)
            if number or one.border == self.activity.borders[pattern[0]]:
                by_number[pattern[0], number] = one
        return Contexts(by_number, self.numbers)

    def number(self, pattern: Pattern) -> int:
        """0 for what is the default code: made of the same, and running the same."""
        if pattern not in self.found:
            return 0
        if pattern not in self.numbers:
            self.numbers[pattern] = 0
            if self.differs(pattern):
                self.numbers[pattern] = self.last[pattern[0]] = 1 + self.last.get(pattern[0], 0)
        return self.numbers[pattern]

    def differs(self, pattern: Pattern) -> bool:
        key, border = pattern
        default = key, self.activity.borders[key]
        here, usual = self.found[pattern], self.found.get(default)
        if border == default[1]:
            return False
        less = _made_of(self.models, key, here.active) != _made_of(self.models, key, self.activity.of[key])
        below = [self.number((callee, at)) != (0 if usual is None else self.number((callee, usual.calls[node, callee])))
                 for (node, callee), at in here.calls.items() if node in here.active.active_calls]
        return less or any(below)


def _patterns(models: Models, activity: Activity, start: Pattern) -> dict[Pattern, Found]:
    """The head's pattern, and those its active calls lead to."""
    found: dict[Pattern, Found] = {}
    count: dict[str, int] = {}
    work = [start]
    while work:
        pattern = work.pop(0)
        key, border = pattern
        if pattern in found or key in models.recursive or count.get(key, 0) >= LIMIT:
            continue
        count[key] = count.get(key, 0) + 1
        found[pattern] = Found(border, *activity.within(key, border))
        work += [(callee, at) for (node, callee), at in found[pattern].calls.items()
                 if node in found[pattern].active.active_calls]
    crowded = {key for key, number in count.items() if number >= LIMIT}
    return {pattern: one for pattern, one in found.items() if pattern[0] not in crowded}


def _made_of(models: Models, key: str, active: Active) -> tuple[object, ...]:
    """All of the adjoint code that depends on activity."""
    model = models.by_key[key]
    passed = {n: union(model.refs.partials(a.value, active.varied[n]) for a in model.calls[n].stmt.args)
              for n in active.active_calls}
    return dict(active.derivative), active.active_calls, dict(active.resets), passed
