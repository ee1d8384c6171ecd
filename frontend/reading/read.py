"""The reading stage: Fortran files to logical statements and program units, without any parser.

Source lines (:mod:`source`), preprocessed where asked for (:mod:`preprocess`), joined by form (:mod:`free`,
:mod:`fixed`), cut into clean statements (:mod:`statements`), INCLUDE files put in place (here), then split into
units (:mod:`units`) with block loops only (:mod:`labelled`). Time is linear in the length of the input.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from snapset.frontend.base.diagnostics import Diagnostic, InputError, Span
from snapset.frontend.base.source_model import Item, Line, Pragma, ReadOptions, Unit
from snapset.frontend.reading.fixed_form import join_fixed
from snapset.frontend.reading.free_form import join_free
from snapset.frontend.reading.logical_statements import statements
from snapset.frontend.reading.program_units import included, split_units
from snapset.frontend.reading.unreadable_units import empty_file, unread_file
from snapset.frontend.rules import diagnostic
from snapset.frontend.sources.files import (
    CONTROL,
    BinaryError,
    Form,
    SourceLines,
    binary,
    form_of,
    is_preprocessed,
    load,
    physical_lines,
)
from snapset.frontend.sources.known_headers import header_module
from snapset.frontend.sources.preprocessor import preprocess
from snapset.frontend.sources.readable_files import Tree

__all__ = ["cut_statements", "read_items", "read_units", "split_units", "text_items", "text_units",
           "units_alone"]

INCLUDE_DEPTH = 32
"""How deep INCLUDE files may nest."""

INCLUDE_ITEMS = 2_000_000
"""How many statements INCLUDE files may come to: nested, they can double at each level."""


def text_units(text: str, path: str, options: ReadOptions) -> tuple[Unit, ...]:
    """As :func:`read_units` for text in hand, ``path`` standing for its file."""
    return units_alone(text, path, options)[0]


def read_units(path: str, options: ReadOptions,
               cut: Callable[[str, str, ReadOptions], tuple[Unit, ...]] = text_units) -> tuple[Unit, ...]:
    """Every program unit of a file, in order. ``cut``: makes them of the file's text.

    What cannot be read is a unit with a problem, or the whole file is (:mod:`unread`).
    Raises InputError for a file that is not there or cannot be opened.
    """
    led_out = _led_out(path, options)
    if led_out is not None:
        return (unread_file(path, led_out),)
    try:
        text = load(path)
    except BinaryError as why:
        return (unread_file(path, why),)
    return cut(text, path, options)


def units_alone(text: str, path: str, options: ReadOptions) -> tuple[tuple[Unit, ...], bool]:
    """As :func:`text_units`; and whether no INCLUDE was met, so that nothing of another file is in the units.

    The preprocessor, where it runs, may have read others all the same.
    """
    includes = _Includes(options, (os.path.normpath(path),))
    try:
        items = text_items(text, path, options, includes)
        if not any(isinstance(item, Line) for item in items):
            return (empty_file(path),), not includes.met
        return split_units(items, path), not includes.met
    except InputError as why:
        return (unread_file(path, why, text),), not includes.met


def read_items(path: str, options: ReadOptions) -> tuple[Item, ...]:
    """All logical statements and pragmas of a file, INCLUDE files in their place."""
    led_out = _led_out(path, options)
    if led_out is not None:
        raise led_out
    return _text_items(load(path), path, options)


def _led_out(path: str, options: ReadOptions) -> InputError | None:
    """The error for a link to a file that is none of the project's."""
    if Tree(path, options.include_dirs).holds_itself():
        return None
    why = "a link that leads out of the project; name the file itself, or give its directory with -I"
    return InputError(why, Span(path, 1, 1))


def text_items(text: str, path: str, options: ReadOptions, includes: _Includes | None = None) -> tuple[Item, ...]:
    """As :func:`read_items` for text in hand, ``path`` standing for its file (extension, spans, includes)."""
    if CONTROL.search(text) is not None:
        raise binary("file", Span(path, 1, 1))
    return _text_items(text, path, options, includes)


def _text_items(text: str, path: str, options: ReadOptions, includes: _Includes | None = None) -> tuple[Item, ...]:
    source = preprocess(text, path, options) if is_preprocessed(path, options) else SourceLines(path,
                                                                                                physical_lines(text))
    return _items(source, form_of(path, options), includes or _Includes(options, (os.path.normpath(path),)))


@dataclass(slots=True)
class _Includes:
    """What INCLUDE needs: where to search, the files being read, and those read before. ``met``: was there one?"""

    options: ReadOptions
    files: tuple[str, ...]
    done: dict[str, tuple[Item, ...]] = field(default_factory=dict)
    met: bool = False

    def read(self, line: Line, name: str, form: Form) -> tuple[Item, ...]:
        """What stands in the file; the INCLUDE line itself where there is none (:func:`not_found` tells)."""
        self.met = True
        at = line.span
        path = self._find(name, at)
        if path is None:
            module = header_module(name)
            return (line if module is None else replace(line, text=f"use {module}"),)
        if path in self.done:
            return self.done[path]
        if path in self.files:
            raise InputError(f"'{path}' includes itself; remove this INCLUDE", at)
        if len(self.files) > INCLUDE_DEPTH:
            raise InputError(f"INCLUDE files nest more than {INCLUDE_DEPTH} deep here", at)
        source = SourceLines(path, physical_lines(load(path, at)))
        items = _items(source, form, _Includes(self.options, (*self.files, path), self.done))
        self.done[path] = items
        return items

    def _find(self, name: str, at: Span) -> str | None:
        """The file; one that lies outside of the project is as if it was not there."""
        tree = Tree(self.files[0], self.options.include_dirs)
        for directory in (os.path.dirname(at.file), *self.options.include_dirs):
            path = os.path.normpath(os.path.join(directory, name))
            if tree.holds(path):
                return path
        return None


def _items(source: SourceLines, form: Form, includes: _Includes) -> tuple[Item, ...]:
    items: list[Item] = []
    for piece in join_free(source) if form == "free" else join_fixed(source):
        if isinstance(piece, Pragma):
            items.append(piece)
            continue
        for line in statements(piece, source, form):
            if line.text.startswith("include"):
                name = included(line)
                if name is not None:
                    items += includes.read(line, name, form)
                    if len(items) > INCLUDE_ITEMS:
                        raise InputError(f"INCLUDE files come to more than {INCLUDE_ITEMS} statements here", line.span)
                    continue
            items.append(line)
    return tuple(items)


def cut_statements(units: Sequence[Unit]) -> list[Diagnostic]:
    """SN211, once for each file: fixed-form text beyond column 72 that is left out but may be meant."""
    places: dict[str, dict[Span, None]] = {}
    for line in _lines(units):
        if line.cut is not None:
            places.setdefault(line.cut.file, {})[line.cut] = None
    found = []
    for spans in places.values():
        more = len(spans) - 1
        also = f" (and on {more} more line{'s' if more > 1 else ''} of this file)" if more else ""
        found.append(diagnostic("SN211", f"text beyond column 72 is ignored{also}, as the standard says; if "
                                "it belongs to the statement, continue it on another line", min(spans)))
    return found


def _lines(units: Sequence[Unit]) -> Iterator[Line]:
    for unit in units:
        yield from (item for item in (unit.header, *unit.items, unit.end) if isinstance(item, Line))
        yield from _lines(unit.contains)
