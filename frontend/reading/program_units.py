"""Statements to program units, by their headers, CONTAINS and END."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from snapset.frontend.base.diagnostics import InputError, Span
from snapset.frontend.base.lazy_patterns import pattern_of
from snapset.frontend.base.source_model import Item, Line, Pragma, Unit, UnitKind, UnitProblem
from snapset.frontend.reading.labelled_do import block_loops
from snapset.frontend.reading.unreadable_units import problem

_PREFIX = (
    r"(?:(?:recursive|pure|elemental|impure|non_recursive|module|double precision|double complex"
    r"|(?:integer|real|complex|logical|character|byte)(?: ?\* ?\d+| ?\*? ?\((?:[^()]|\([^()]*\))*\))?"
    r"|(?:type|class) ?\((?:[^()]|\([^()]*\))*\)) ?)*+"
)
_PROCEDURE = pattern_of(rf"({_PREFIX})(function|subroutine) ([a-z]\w*) ?(?:\(.*)?$")
_MODULE = pattern_of(r"(module procedure|module|program) ([a-z]\w*)$")
_PROGRAM = pattern_of(r"program ([a-z]\w*) ?\(.*\)$")
_SUBMODULE = pattern_of(r"submodule ?\([\w: ]*\) ?([a-z]\w*)$")
_BLOCK_DATA = pattern_of(r"block data(?: ([a-z]\w*))?$")
_END = pattern_of(
    r"end(?: (program|module|submodule|subroutine|function|procedure|block data)(?: ([a-z]\w*))?)?$"
)
_INTERFACE = pattern_of(r"(?:abstract )?interface(?: [a-z]\w*| ?(?:operator|assignment|read|write) ?\(.*\))?$")
_INCLUDE = pattern_of(r"""include ?(['"])(.*)\1$""")
_TYPE = pattern_of(r"type(?: (?!is ?\()[a-z]\w*$| ?,.*::.*| ?::.*)")

MAIN = "main"
"""The name of a main program without PROGRAM statement."""


@dataclass(slots=True)
class _Frame:
    """A program unit being read."""

    kind: UnitKind
    name: str
    header: Line | None
    start: Span
    procedure: bool = False  # MODULE PROCEDURE
    items: list[Item] = field(default_factory=list)
    contains: list[Unit] = field(default_factory=list)
    contained: bool = False  # after CONTAINS
    interfaces: int = 0
    in_type: bool = False
    problem: UnitProblem | None = None

    def cannot_be_used(self, why: str, at: Span) -> None:
        """Note the first reason. Of a procedure it is clear what there is, whatever it does."""
        is_procedure = self.kind in ("subroutine", "function")
        self.problem = self.problem or problem(InputError(why, at), at, readable=is_procedure)


@dataclass(slots=True)
class _Splitter:
    path: str
    stack: list[_Frame] = field(default_factory=list)
    units: list[Unit] = field(default_factory=list)
    pragmas: list[Pragma] = field(default_factory=list)  # between units: they go to the next one

    def add(self, item: Item) -> None:
        frame = self.stack[-1] if self.stack else None
        if isinstance(item, Pragma):
            if frame is None or frame.contained:
                self.pragmas.append(item)
            else:
                if frame.interfaces or frame.in_type or frame.kind in ("module", "submodule", "block data"):
                    _refuse_mark(item)
                frame.items.append(item)
        elif included(item) is not None:
            self._not_found(item, frame)
        elif frame is None or frame.contained:
            self._between(item)
        else:
            self._inside(item, frame)

    def _not_found(self, line: Line, frame: _Frame | None) -> None:
        """An INCLUDE line that is still there: its file was not found. Between units it may hold whole units."""
        why = f"INCLUDE file '{included(line)}' not found; give its directory with -I"
        if frame is None:
            at = line.span
            self.units.append(Unit("unread", why, None, (), line, problem=problem(InputError(why, at), at)))
        else:
            frame.cannot_be_used(why, line.span)

    def _between(self, line: Line) -> None:
        """A statement where a unit may begin: at file level or after CONTAINS."""
        frame = header(line, bool(self.stack))
        if frame is not None:
            self._open(frame)
        elif _END.match(line.text):
            if not self.stack:
                raise InputError("END closes nothing here; remove it or restore the unit's header", line.span)
            self._close(line)
        elif self.stack:
            if line.text == "contains":
                raise InputError("second CONTAINS in one program unit; remove it", line.span)
            raise InputError("only procedures can follow CONTAINS; move this statement before it", line.span)
        else:
            self._open(_Frame("program", MAIN, None, line.span))
            self._inside(line, self.stack[-1])

    def _inside(self, line: Line, frame: _Frame) -> None:
        text = line.text
        if frame.interfaces or frame.in_type:
            self._nested(line, frame)
        elif text == "contains":
            frame.contained = True
        elif text.startswith("end") and _END.match(text):
            self._close(line)
        else:
            if text.startswith(("interface", "abstract interface")) and _INTERFACE.match(text):
                frame.interfaces = 1
            elif text.startswith("type") and _TYPE.match(text):
                frame.in_type = True
            elif header(line, nested=False) is not None:
                what = f"{frame.kind} {frame.name}"
                raise InputError(f"{what} (line {frame.start.line}) has no END before this one; add it", line.span)
            frame.items.append(line)

    def _nested(self, line: Line, frame: _Frame) -> None:
        """A statement of an interface block or a derived type definition."""
        text = line.text
        if frame.interfaces:
            if text == "end interface" or text.startswith("end interface "):
                frame.interfaces -= 1
            elif _INTERFACE.match(text):
                frame.interfaces += 1
        elif text == "end type" or text.startswith("end type "):
            frame.in_type = False
        frame.items.append(line)

    def _open(self, frame: _Frame) -> None:
        frame.items += self.pragmas
        self.pragmas.clear()
        self.stack.append(frame)

    def _close(self, end: Line) -> None:
        frame = self.stack.pop()
        found = _END.match(end.text)
        kind, name = (found[1], found[2]) if found is not None else (None, None)
        expected = "procedure" if frame.procedure else frame.kind
        if (kind and kind != expected) or (name and frame.header is not None and name != frame.name):
            why = (f"'{end.text}' cannot close {expected} {frame.name} (line {frame.start.line}); "
                   "an END is missing or has the wrong name")
            if kind != expected:
                raise InputError(why, end.span)
            frame.cannot_be_used(why, end.span)
        if frame.contained:
            frame.items += self.pragmas
            self.pragmas.clear()
        unit = Unit(frame.kind, frame.name, frame.header, block_loops(frame.items), end, tuple(frame.contains),
                    frame.problem)
        (self.stack[-1].contains if self.stack else self.units).append(unit)

    def finish(self) -> tuple[Unit, ...]:
        if self.stack:
            frame = self.stack[-1]
            if frame.interfaces or frame.in_type:
                what = "interface block" if frame.interfaces else "type definition"
                raise InputError(f"{frame.kind} {frame.name} has no END: one of its {what}s is not closed", frame.start)
            if frame.header is None:
                raise InputError("no program unit begins or ends here: give Fortran source, or add END to this main "
                                 "program", frame.start)
            raise InputError(f"{frame.kind} {frame.name} has no END; add it", frame.start)
        if not self.units:
            raise InputError("no program unit in this file; give Fortran source", Span(self.path, 1, 1))
        if self.pragmas:
            last = self.units[-1]
            items = (*last.items, *self.pragmas)
            self.units[-1] = Unit(last.kind, last.name, last.header, items, last.end, last.contains)
        return tuple(self.units)


def _refuse_mark(pragma: Pragma) -> None:
    """Where nothing is executed no part can begin or end."""
    if pragma.kind.startswith("checkpoint-"):
        raise InputError(f"{pragma.kind.upper()} among declarations marks nothing; put it between executable "
                         "statements", pragma.span)


def included(line: Line) -> str | None:
    """The file that an INCLUDE line names, None for any other statement."""
    found = _INCLUDE.match(line.text) if line.text.startswith("include") else None
    return None if found is None else found[2]


def header(line: Line, nested: bool) -> _Frame | None:
    """The unit that a statement begins, or None; ``nested`` is whether MODULE PROCEDURE may stand here."""
    text = line.text
    if "function" in text or "subroutine" in text:
        found = _PROCEDURE.match(text)
        if found is not None:
            return _Frame("function" if found[2] == "function" else "subroutine", found[3], line, line.span)
    if text.startswith(("module", "program")):
        found = _MODULE.match(text)
        if found is not None:
            if found[1] == "module procedure":
                return _Frame("subroutine", found[2], line, line.span, procedure=True) if nested else None
            return _Frame("module" if found[1] == "module" else "program", found[2], line, line.span)
        found = _PROGRAM.match(text)
        return _Frame("program", found[1], line, line.span) if found is not None else None
    if text.startswith("submodule"):
        found = _SUBMODULE.match(text)
        return _Frame("submodule", found[1], line, line.span) if found is not None else None
    if text.startswith("block data"):
        found = _BLOCK_DATA.match(text)
        return _Frame("block data", found[1] or "", line, line.span) if found is not None else None
    return None


def split_units(items: Sequence[Item], path: str) -> tuple[Unit, ...]:
    """The program units of a file, in order, contained procedures inside of theirs.

    A pragma between two units belongs to the second. A MODULE PROCEDURE body of a submodule is a unit of kind
    ``subroutine`` whose header says ``module procedure`` (its interface tells whether it is a function).
    Raises InputError for a missing END, for an END that closes nothing or something else, and for no unit at all.
    """
    splitter = _Splitter(path)
    for item in items:
        splitter.add(item)
    return splitter.finish()
