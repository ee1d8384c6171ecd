"""Files and units that cannot be read: an error only where a head needs them.

Example: of 400 files one is CUDA Fortran and one includes ``petscksp.h``, which is not here. A head that reaches
neither is analysed, and the report says once for each what is the matter (SN212). A head that calls a procedure of
one of them stops with that file's error.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from snapset.frontend.base.diagnostics import Diagnostic, InputError, Span
from snapset.frontend.base.lazy_patterns import pattern_of
from snapset.frontend.base.source_model import Line, Unit, UnitProblem
from snapset.frontend.rules import diagnostic

_DEFINES = pattern_of(
    r"^[ \t]*(?:(?:recursive|non_recursive|pure|impure|elemental|module|double|precision|integer|real|complex|logical"
    r"|character|type|class|attributes)(?:[ \t]*\*?[ \t]*\([^()\n]*\)|[ \t]*\*[ \t]*\d+)?[ \t]+)*"
    r"(?:(module|submodule[ \t]*\([^)\n]*\))|subroutine|function|program|entry)[ \t]+"
    r"(?!procedure\b|subroutine\b|function\b)([a-z]\w*)|^[ \t]*(end)[ \t]*(?:sub)?module\b",
    re.IGNORECASE | re.MULTILINE,
)


def problem(why: InputError, at: Span, names: frozenset[str] = frozenset(), readable: bool = False) -> UnitProblem:
    """SN212: what could not be read, in the words of the error that it is where a head needs it."""
    return UnitProblem(_remark("SN212", why, at), names, readable)


def unread_file(path: str, why: InputError, text: str = "") -> Unit:
    """A whole file that could not be cut into units, with the names its text seems to define."""
    return _file(path, problem(why, Span(path, 1, 1), frozenset(_defined(text))))


def _defined(text: str) -> Iterator[str]:
    """The names by which units of a text seem to be reached: procedures of a module are, by USE of it."""
    in_module = False
    for module, name, end in _DEFINES.findall(text):
        if name and not in_module:
            yield name.lower()
        in_module = not end and (in_module or bool(module))


def empty_file(path: str) -> Unit:
    """SN213: a file without a program unit: only comments, or all of it switched off by the preprocessor."""
    why = InputError("no program unit in this file; give Fortran source", Span(path, 1, 1))
    return _file(path, UnitProblem(_remark("SN213", why, Span(path, 1, 1))))


def _file(path: str, what: UnitProblem) -> Unit:
    return Unit("unread", path, None, (), Line("end", what.found.span), problem=what)


def _remark(code: str, why: InputError, at: Span) -> Diagnostic:
    return diagnostic(code, why.message, why.span or at)


def remarks(units: Iterable[Unit]) -> list[Diagnostic]:
    """What the report says of units that no head needs."""
    return [replace(found, message=f"no head needs it: {found.message}")
            if found.code == "SN212" else found for found in _found(units)]


def refuse_unreadable(units: Iterable[Unit]) -> None:
    """As :func:`refuse`, but not for procedures whose text is clear all the same."""
    refuse([unit for unit in unusable(units) if not _is_readable(unit)])


def refuse(units: Sequence[Unit], whose: str = "") -> None:
    """Raise the first problem of units that are needed, and say where the others are.

    Raises InputError. ``whose`` is added to its message.
    """
    found = _found(units)
    if not found:
        return
    more = [f"{one.span.file}:{one.span.line}" for one in found[1:]]
    also = f" (also {', '.join(more[:8])}{f' and {len(more) - 8} more' if len(more) > 8 else ''})" if more else ""
    raise InputError(found[0].message + whose + also, found[0].span)


def usable(units: Iterable[Unit]) -> tuple[Unit, ...]:
    """The units that can be used, each without those of its procedures that cannot."""
    return tuple(_usable(unit) for unit in units if unit.problem is None or _is_readable(unit))


def _is_readable(unit: Unit) -> bool:
    return unit.problem is not None and unit.problem.readable


def _usable(unit: Unit) -> Unit:
    inner = usable(unit.contains)
    return unit if inner == unit.contains else replace(unit, contains=inner)


def unusable(units: Iterable[Unit]) -> tuple[Unit, ...]:
    """The units with problems, those inside of others too, in order."""
    return tuple(unit for unit in every_unit(units) if unit.problem is not None)


def every_unit(units: Iterable[Unit]) -> Iterator[Unit]:
    """These units and all that they contain, each before what it contains."""
    pending = list(units)[::-1]
    while pending:
        unit = pending.pop()
        yield unit
        pending.extend(reversed(unit.contains))


def _found(units: Iterable[Unit]) -> list[Diagnostic]:
    """The problems of these units and of what they contain, each place once."""
    return list(dict.fromkeys(unit.problem.found for unit in every_unit(units) if unit.problem is not None))


class UnreadError(Exception):
    """Units that nobody needs could not be read: leave them out and begin again."""


@dataclass(slots=True)
class Failures:
    """What goes wrong with each unit while a program is built; ``needed``: END statements of those it must not, None
    for all."""

    needed: frozenset[Span] | None = None
    found: dict[Span, InputError] = field(default_factory=dict)

    @contextmanager
    def of(self, unit: Unit) -> Iterator[None]:
        """Note an InputError as one of ``unit``; raise it where the unit is needed."""
        try:
            yield
        except InputError as why:
            if self.needed is None or unit.end.span in self.needed:
                raise
            self.found.setdefault(unit.end.span, why)

    def check(self) -> None:
        """Raises UnreadError if there was any."""
        if self.found:
            raise UnreadError

    def noted(self, units: Iterable[Unit]) -> tuple[Unit, ...]:
        """The units, with the problems that were found."""
        return tuple(self._noted(unit) for unit in units)

    def _noted(self, unit: Unit) -> Unit:
        why = self.found.get(unit.end.span)
        if why is not None and unit.problem is not None:
            return replace(unit, problem=replace(unit.problem, readable=False))
        if why is not None:
            return replace(unit, problem=problem(why, (unit.header or unit.end).span))
        inner = self.noted(unit.contains)
        return unit if inner == unit.contains else replace(unit, contains=inner)
