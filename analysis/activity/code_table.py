"""The adjoint codes of a head, as a table. :mod:`snapset.analysis.activity.adjoint_codes` makes it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import TypeAlias

from snapset.analysis.activity.active_sets import Border
from snapset.frontend.base.frozen_records import frozen

Pattern: TypeAlias = tuple[str, Border]  # a procedure and what reaches it


@frozen
class SolvedPattern:
    """A calling pattern with the activity that follows from it.

    ``active_calls``: the nodes of the active calls. ``calls``: the patterns that they pass on, by node and procedure
    called.
    """

    border: Border
    active_calls: frozenset[int]
    calls: Mapping[tuple[int, str], Border]


@frozen
class Contexts:
    """The patterns that have a code of their own, by number within their procedure, from 1; 0 is the pattern of the
    default code, where there is a call of that very pattern (the head's is)."""

    by_number: Mapping[tuple[str, int], SolvedPattern] = field(default_factory=dict)
    numbers: Mapping[Pattern, int] = field(default_factory=dict)

    def number(self, procedure: str, border: Border | None) -> int:
        """The number of a pattern's code; 0: the default one."""
        return 0 if border is None else self.numbers.get((procedure, border), 0)
NO_CONTEXTS = Contexts()


@frozen
class AdjointCode:
    """One adjoint code: ``step`` in joint mode, say, called with the pattern of the default code.

    ``split``: it is in split mode, its forward sweep and its backward sweep are two procedures. ``callees``: by the
    node of an active call and the procedure called, the key of the code that runs there. ``split_calls``: the nodes of
    the calls in split mode. ``context``: the number of its calling pattern, 0 for the default code. ``border``: the
    calling pattern that it is made for.
    """

    key: str
    procedure: str
    split: bool
    context: int
    border: Border
    callees: Mapping[tuple[int, str], str]
    split_calls: frozenset[int]


@frozen
class Codes:
    """All codes of a head by key, callers before callees. A joint code's key is its procedure's."""

    by_key: Mapping[str, AdjointCode]
    callers: Mapping[str, frozenset[str]]
    contexts: Contexts = NO_CONTEXTS

    @property
    def order(self) -> tuple[str, ...]:
        return tuple(self.by_key)

    @property
    def any_split(self) -> bool:
        return any(code.split for code in self.by_key.values())

    def above(self, key: str) -> frozenset[str]:
        """Every code that runs this one, directly or not."""
        found: set[str] = set()
        work = [key]
        while work:
            for caller in self.callers.get(work.pop(), ()):
                if caller not in found:
                    found.add(caller)
                    work.append(caller)
        return frozenset(found)
