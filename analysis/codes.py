"""The adjoint codes of a head: which procedures have one, in which mode, and which code each call runs.

Joint mode: a call is a checkpoint, its adjoint one piece of code (forward sweep, then backward sweep). Split mode:
the callee's forward sweep runs within the caller's forward sweep, its backward sweep when the caller's backward
sweep comes to the call, so that the caller's D runs in between. A procedure called in both modes has both codes.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from snapset.analysis.activity import Activity
from snapset.analysis.model import Model, Models
from snapset.frontend import ir
from snapset.frontend.diagnostics import InputError
from snapset.frontend.walk import statements

_PLACE = re.compile(r"(.+):(\d+)")
Splits: TypeAlias = Mapping[str, frozenset[int]]  # by procedure the call nodes in split mode


@dataclass(frozen=True, slots=True)
class Code:
    """One adjoint code. ``split``: its sweeps run apart. ``callees``: by active call node and procedure called the
    key of the code that is run; ``apart``: the nodes of those calls that are in split mode."""

    key: str
    procedure: str
    split: bool
    callees: Mapping[tuple[int, str], str]
    apart: frozenset[int]


@dataclass(frozen=True, slots=True)
class Codes:
    """All codes of a head by key, callers before callees. A joint code's key is its procedure's."""

    by_key: Mapping[str, Code]
    callers: Mapping[str, frozenset[str]]

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


def find_splits(models: Models, wanted: Collection[str], call_checkpoints: bool,
                components: Sequence[Sequence[str]]) -> Splits:
    """The calls in split mode: those behind ``!$AD NOCHECKPOINT``, of a procedure or at a place (``FILE:LINE``) in
    ``wanted``, or all. Calls of unknown procedures, and within a recursion, stay checkpoints."""
    together = {key: set(component) for component in components for key in component}
    return {key: frozenset(n for n, site in model.calls.items() if site.targets
                           and not any(t.key in together[key] for t in site.targets)
                           and (not call_checkpoints or not site.stmt.checkpoint or is_named(models, model, n, wanted)))
            for key, model in models.by_key.items()}


def check_names(program: ir.Program, wanted: Iterable[str]) -> None:
    """Raises InputError for what is no procedure of the program, nor the place of a call."""
    known: set[str] = set()
    for key, procedure in program.procedures.items():
        known |= names_of(procedure.name, key)
        known.update(f"{s.span.file}:{s.span.line}" for s in statements(procedure.body) if isinstance(s, ir.Call))
    for name in sorted(set(wanted) - known):
        what = "no call stands there" if _PLACE.fullmatch(name) else "no procedure of that name"
        raise InputError(f"--split {name}: {what}; give a procedure's name, module%name, or FILE:LINE of a call")


def is_named(models: Models, model: Model, node: int, wanted: Collection[str]) -> bool:
    """Is the call at a node, or what it calls, among the names?"""
    if not wanted:
        return False
    span = model.flow.nodes[node].span
    names = {f"{span.file}:{span.line}"}
    for target in model.calls[node].targets:
        names |= names_of(models.program.procedures[target.key].name, target.key)
    return not names.isdisjoint(wanted)


def names_of(name: str, key: str) -> set[str]:
    """What a user may call a procedure: its name, ``module%name``, ``module::name``."""
    return {name, key, key.replace("::", "%")}


def make_codes(models: Models, activity: Activity, root: str, splits: Splits,
               components: Sequence[Sequence[str]]) -> Codes:
    """The codes reached from the head's procedure through active calls."""
    found: dict[str, Code] = {}
    callers: dict[str, set[str]] = {}
    work = [(root, False)]
    while work:
        procedure, split = work.pop()
        key = code_key(procedure, split)
        if key in found:
            continue
        active = activity.of[procedure].active_calls
        apart = active & splits.get(procedure, frozenset())
        callees: dict[tuple[int, str], str] = {}
        for node in active:
            for target in models.by_key[procedure].calls[node].targets:
                callee = callees[node, target.key] = code_key(target.key, node in apart)
                callers.setdefault(callee, set()).add(key)
                work.append((target.key, node in apart))
        found[key] = Code(key, procedure, split, callees, apart)
    order = [code_key(p, split) for component in reversed(components) for p in component for split in (False, True)]
    return Codes({key: found[key] for key in order if key in found}, {k: frozenset(v) for k, v in callers.items()})


def code_key(procedure: str, split: bool) -> str:
    return f"{procedure} split" if split else procedure
