"""Activity, kept between runs: every answer with the answers of callees that it was made from.

An answer about a procedure depends on its model and on answers about those it calls. It is used again where the model
is the same and all these answers still are, which is asked in the same way; else it is worked out again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any

from snapset.analysis.activity.active_sets import Active, Border
from snapset.analysis.activity.activity import Activity
from snapset.analysis.dataflow.bitsets import EMPTY, May
from snapset.analysis.incremental.cached_models import KeptModels
from snapset.analysis.incremental.result_store import key_of
from snapset.frontend.base.deep_recursion import deep

_Question = tuple[Any, ...]  # what is asked, of which procedure, with which sets
_Answer = tuple[Any, tuple[tuple[_Question, Any], ...]]  # and what it was made from
_FIELDS = frozenset(one.name for one in fields(Active))


class KeptActive(Active):
    """One procedure's activity, of which only ``active_calls`` is there from the beginning."""

    __slots__ = ("_make",)

    _make: Callable[[], Active]

    def __getattr__(self, name: str) -> Any:
        if name not in _FIELDS:
            raise AttributeError(name)
        made = object.__getattribute__(self, "_make")()
        for one in _FIELDS:
            object.__setattr__(self, one, getattr(made, one))
        return object.__getattribute__(self, name)


class KeptActivity(Activity):
    """Activity of all procedures below one head, none of which calls itself."""

    def __init__(self, models: KeptModels, head: str, independents: May, dependents: May) -> None:
        self.kept = models
        self._known: dict[_Question, Any] = {}
        self._asking: list[dict[_Question, Any]] = []
        self._old: dict[str, Mapping[_Question, _Answer]] = {}
        self._new: dict[str, dict[_Question, _Answer]] = {}
        self._computed: set[str] = set()
        self._made: dict[tuple[str, Border], Active] = {}
        super().__init__(models, head, independents, dependents)

    def key(self, procedure: str) -> bytes:
        """A hash of a procedure's activity."""
        return bytes(self._known["within", procedure, *_ints(self.borders[procedure])][0])

    def active_callees(self, procedure: str) -> tuple[str, ...]:
        """The procedures that active calls of one may run, each once."""
        _, active, borders = self._known["within", procedure, *_ints(self.borders[procedure])]
        return tuple(dict.fromkeys(target for (node, target), _ in borders if node in active))

    def save(self) -> None:
        """Keep all answers of this run."""
        for key in self._computed:
            self.kept.shelf.keep(self._name(key), self._new[key])

    # ------------------------------------------------------------ questions

    def within(self, key: str, border: Border) -> tuple[Active, dict[tuple[int, str], Border]]:
        def made() -> tuple[bytes, frozenset[int], tuple[tuple[tuple[int, str], tuple[int, ...]], ...]]:
            active, borders = Activity.within(self, key, border)
            self._made[key, border] = active
            called = tuple((at, _ints(one)) for at, one in borders.items())
            return _hash_of(active), active.active_calls, called

        _, calls, borders = self._asked(("within", key, *_ints(border)), made)
        if (key, border) in self._made:
            active = self._made[key, border]
        else:
            active = object.__new__(KeptActive)
            object.__setattr__(active, "active_calls", calls)
            object.__setattr__(active, "_make", lambda: Activity.within(self, key, border)[0])
        return active, {at: Border(varied=one[0], useful=one[1], once=one[2]) for at, one in borders}

    def _through_callee(self, which: str, key: str, border: May) -> May:
        border = border & self.models.by_key[key].smooth
        return May(self._asked((which, key, border), lambda: int(Activity._through_callee(self, which, key, border))))

    def _touched(self, key: str, at: Border) -> bool:
        if not at.varied or not at.useful:
            return False
        question = ("touched", key, int(at.varied), int(at.useful))
        return bool(self._asked(question, lambda: Activity._touched(self, key, at)))

    def _ever(self, key: str, entering: May) -> May:
        entering = entering & self.models.by_key[key].smooth
        return May(self._asked(("ever", key, entering), lambda: int(Activity._ever(self, key, entering))))

    def _ask(self, question: _Question) -> Any:
        what, key, *sets = question
        if what == "touched":
            return self._touched(key, Border(varied=sets[0], useful=sets[1], once=EMPTY))
        return self._ever(key, sets[0]) if what == "ever" else self._through_callee(what, key, sets[0])

    @deep
    def _asked(self, question: _Question, compute: Callable[[], Any]) -> Any:
        if question in self._known:
            answer = self._known[question]
        else:
            key = question[1]
            found = self._table(key).get(question)
            if found is None or not self._holds(found):
                self._asking.append({})
                answer = compute()
                found = answer, tuple(self._asking.pop().items())
                self._computed.add(key)
            answer = self._known[question] = found[0]
            self._new.setdefault(key, {})[question] = found
        if self._asking:
            self._asking[-1][question] = answer
        return answer

    def _holds(self, found: _Answer) -> bool:
        """Are the answers it was made from what they were?"""
        self._asking.append({})
        holds = all(self._ask(question) == answer for question, answer in found[1])
        self._asking.pop()
        return holds

    def _table(self, key: str) -> Mapping[_Question, _Answer]:
        if key not in self._old:
            self._old[key] = self.kept.shelf.small(self._name(key)) or {}
        return self._old[key]

    def _name(self, key: str) -> bytes:
        return key_of("activity", self.kept.facts[key].key)


def _ints(border: Border) -> tuple[int, int, int]:
    return int(border.varied), int(border.useful), int(border.once)


def _hash_of(active: Active) -> bytes:
    sets = (sorted((node, f"{bits:x}") for node, bits in one.items())
            for one in (active.varied, active.useful, active.derivative, active.resets))
    return key_of(*sets, sorted(active.active_calls))
