"""Adjoint codes by calling pattern: what varies at a call and is useful behind it, where that makes less of the code.

By default a procedure has one adjoint for all calls, made for what varies or is useful at any of them. Where a
pattern leaves out a derivative statement, something that one reads, or an active call, here or further down, its
calls get a code of their own.
"""

from __future__ import annotations

from collections.abc import Mapping

from snapset.analysis.activity.active_sets import Ints
from snapset.analysis.activity.activity import Activity
from snapset.analysis.activity.code_table import Contexts, Pattern, SolvedPattern
from snapset.analysis.dataflow.bitsets import union
from snapset.analysis.incremental.query_engine import QueryOwner, query
from snapset.frontend.persistence.fingerprint import digest, spelled

LIMIT = 16  # patterns of one procedure; where there are more, all its calls share the default code


class CallingPatterns(QueryOwner):
    """What of an adjoint code its calling pattern decides."""

    def __init__(self, activity: Activity) -> None:
        super().__init__(activity.engine)
        self.models = activity.models
        self.activity = activity

    @query("value")
    def made_of(self, key: str, ints: Ints) -> bytes:
        """A hash of all of the adjoint code that depends on activity."""
        model, (active, _) = self.models.by_key[key], self.activity.inside(key, ints)
        passed = {n: union(model.refs.partials(a.value, active.varied[n]) for a in model.calls[n].stmt.args)
                  for n in active.active_calls}
        return digest(spelled((sorted(active.derivative.items()), sorted(active.active_calls),
                               sorted(active.resets.items()), sorted(passed.items()))))


def find_contexts(patterns: CallingPatterns, root: str) -> Contexts:
    """All patterns below the head that gain."""
    activity = patterns.activity
    return _Numbering(patterns, activity, _patterns(activity, (root, activity.borders[root]))).run()


class _Numbering:
    def __init__(self, patterns: CallingPatterns, activity: Activity, found: Mapping[Pattern, SolvedPattern]) -> None:
        self.patterns = patterns
        self.activity = activity
        self.found = found
        self.numbers: dict[Pattern, int] = {}
        self.last: dict[str, int] = {}

    def run(self) -> Contexts:
        by_number: dict[tuple[str, int], SolvedPattern] = {}
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
        less = self.patterns.made_of(key, border.ints) != self.patterns.made_of(key, default[1].ints)
        below = [self.number((callee, at)) != (0 if usual is None else self.number((callee, usual.calls[node, callee])))
                 for (node, callee), at in here.calls.items() if node in here.active_calls]
        return less or any(below)


def _patterns(activity: Activity, start: Pattern) -> dict[Pattern, SolvedPattern]:
    """The head's pattern, and those its active calls lead to."""
    found: dict[Pattern, SolvedPattern] = {}
    count: dict[str, int] = {}
    work = [start]
    while work:
        pattern = work.pop(0)
        key, border = pattern
        if pattern in found or activity.models.recurs(key) or count.get(key, 0) >= LIMIT:
            continue
        count[key] = count.get(key, 0) + 1
        found[pattern] = SolvedPattern(border, activity.active_calls(key, border), activity.calls(key, border))
        work += [(callee, at) for (node, callee), at in found[pattern].calls.items()
                 if node in found[pattern].active_calls]
    crowded = {key for key, number in count.items() if number >= LIMIT}
    return {pattern: one for pattern, one in found.items() if pattern[0] not in crowded}
