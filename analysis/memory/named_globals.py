"""The globals that the code below a head names: nothing else of what pointers may lead to can matter to it.

``p`` may lead to any target of its type, say to ``config%limits``, which a hundred modules away is a target. Where no
procedure that runs names ``config``, that memory is read and written by the names of pointers alone, and is in the
sets by these. A procedure without source, which may touch all that is global, names everything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import fields, is_dataclass
from functools import cache
from operator import attrgetter
from typing import Any, TypeAlias

from snapset.analysis.memory.storage_units import Leaf, Storage
from snapset.frontend import ir
from snapset.frontend.cfg.dead_ends import LiveCalls
from snapset.frontend.interprocedural.lazy_procedures import body_facts_of

GLOBAL = ("module", "common", "saved")


class GlobalLeaves:
    """The locations of a program's globals."""

    def __init__(self, program: ir.Program, storage: Storage) -> None:
        self.program = program
        self.storage = storage
        self._every: tuple[Leaf, ...] | None = None
        self._of: dict[frozenset[ir.Area], tuple[Leaf, ...]] = {}

    def every(self) -> tuple[Leaf, ...]:
        """All globals; of the many procedures' views of a COMMON block each leaf once."""
        if self._every is None:
            self._every = self._leaves(lambda area: True)
        return self._every

    def pointed(self, areas: frozenset[ir.Area] | None) -> tuple[Leaf, ...]:
        """The pointers and targets among those in ``areas`` (None: all)."""
        if areas is None:
            return tuple(leaf for leaf in self.every() if leaf.info.aliasable)
        if areas not in self._of:
            self._of[areas] = tuple(leaf for leaf in self._leaves(areas.__contains__) if leaf.info.aliasable)
        return self._of[areas]

    def _leaves(self, wanted: Callable[[ir.Area], bool]) -> tuple[Leaf, ...]:
        program = self.program
        found = [v for v in program.module_variables.values() if v.value is None]
        found += [v for block in program.commons.values() for v in block]
        found += [v for p in program.procedures.values() for v in p.variables.values() if v.area.kind == "saved"]
        once: dict[object, Leaf] = {}
        for leaf in (leaf for v in found if wanted(v.area) for leaf in self.storage.leaves(v)):
            once.setdefault((leaf.location, leaf.info.aliasable, leaf.info.family), leaf)
        return tuple(once.values())


Known: TypeAlias = Callable[[ir.Call], bool]


def running_below(program: ir.Program, roots: Iterable[str], known: Known) -> tuple[str, ...] | None:
    """The procedures that may run below ``roots`` in a run that returns; None where something may run that nobody
    knows."""
    found = []
    for procedure, unknown in LiveCalls(program, roots).procedures():
        if body_facts_of(procedure).opaque or not all(one.targets or known(one) for one in unknown):
            return None
        found.append(procedure.key)
    return tuple(sorted(found))


def named_areas(procedure: ir.Procedure) -> tuple[ir.Area, ...]:
    """The global areas that a procedure's statements name, and its own declarations."""
    own = [(v.shape, v.start) for v in procedure.variables.values() if v.area.owner == procedure.key]
    variables = (procedure.variables.get(name) for name in _texts((procedure.body, *own)))
    return tuple(sorted({v.area for v in variables if v is not None and v.area.kind in GLOBAL}))


def _texts(start: object) -> set[str]:
    """All texts in a tree of records, names among them."""
    found: set[str] = set()
    work: list[Any] = [start]
    while work:
        one = work.pop()
        kind: type = type(one)
        if kind is tuple:
            work += one
        elif kind is not int and (inside := _inside(kind)) is not None:
            work += inside(one)
        elif isinstance(one, str):
            found.add(one)
    return found


@cache
def _inside(kind: type) -> Callable[[Any], tuple[Any, ...]] | None:
    """Gives what of a record may hold names: its place does not. None for what is no record."""
    if issubclass(kind, tuple):
        return tuple
    if not is_dataclass(kind) or issubclass(kind, ir.Literal_):
        return None
    names = [one.name for one in fields(kind) if one.name != "span"]
    if len(names) < 2:
        return lambda one: tuple([getattr(one, name) for name in names])
    return attrgetter(*names)
