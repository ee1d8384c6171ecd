"""The project file: ``[tool.snapset]`` in pyproject.toml, or snapset.toml. See docs/project.md for every key.

It may be a stranger's (a pull request) or planted (a directory above, on a shared machine). So it is looked for in the
user's repository only, and what it names stays below that repository's root, links resolved.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any, Literal

from snapset.analysis.analysis_options import AnalysisOptions, OptionRecord, records
from snapset.config import toml_reader
from snapset.config.budget_table import Budget, budgets_of
from snapset.frontend.base.diagnostics import InputError, Span
from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.base.lazy_patterns import pattern_of
from snapset.frontend.base.nearest_name import nearest
from snapset.frontend.sources import readable_files

BASELINE = "snapset.lock"
LOCKS = (".lock", ".toml")
"""How a baseline's name ends."""
LARGEST = 2**20
"""Bytes in a project file."""
DEEP = 2
"""How often ``**`` may stand in a pattern: each multiplies the time that looking takes."""

_PLACE = pattern_of(r".*[^:]:\d+")


@frozen
class Project(AnalysisOptions):
    """What a project file says. Paths are joined with its directory and given relative to the current one.

    ``file`` is the project file. ``preprocess`` None: by each file's extension. The options of the analysis are
    those that the file gives; the other fields mean what the command line's options of the same name mean.
    """

    file: str
    sources: tuple[str, ...] = ()
    heads: tuple[str, ...] = ()
    include_paths: tuple[str, ...] = ()
    macros: tuple[str, ...] = ()
    strategy: str | None = None
    baseline: str = BASELINE
    form: Literal["free", "fixed"] | None = None
    real_kind: int | None = None
    integer_kind: int | None = None
    preprocess: bool | None = None
    regions: tuple[str, ...] = ()
    loops: tuple[str, ...] = ()
    budgets: tuple[Budget, ...] = ()
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()


def project_keys() -> frozenset[str]:
    """The keys of a project file, as fields of :class:`Project`: its own, and those of the options that have one."""
    options = records()
    own = {one.name for one in fields(Project)} - {"file"} - set(options)
    return frozenset(own | {name for name, record in options.items() if record.key})


def discover(start: Path) -> Project | None:
    """The nearest project file in ``start`` or above it, up to the repository's root; None without one.

    Outside of a repository only ``start`` is looked at. Above it, a file that belongs to somebody else is passed by.
    Raises InputError with file and line where it is wrong.
    """
    root = readable_files.repository(str(start))
    trusted = readable_files.owners(str(start))
    for directory in (start, *start.parents):
        for name in ("snapset.toml", "pyproject.toml"):
            path = directory / name
            if path.is_file() and (directory == start or readable_files.belongs(str(path), trusted)):
                project = load(Path(os.path.relpath(path)))
                if project is not None:
                    return project
        if root is None or directory == Path(root):
            return None
    return None


def load(path: Path) -> Project | None:
    """Read one project file; None for a pyproject.toml that says nothing about snapset.

    Raises InputError with file and line: not TOML, a key that is not known, a value of the wrong kind.
    """
    content, text = toml_reader.read(path, LARGEST)
    tool = content.get("tool")
    table = tool.get("snapset") if isinstance(tool, dict) else None
    if table is None:
        if path.name == "pyproject.toml":
            return None
        table = content
    if not isinstance(table, dict):
        raise InputError("tool.snapset is not a table", toml_reader.place(path, text, "snapset"))
    return _Reader(path, text).project(table)


@frozen
class _Reader:
    path: Path
    text: str

    def project(self, table: Mapping[str, Any]) -> Project:
        known = project_keys()
        values: dict[str, Any] = {}
        for key, value in table.items():
            name = key.replace("-", "_")
            if name not in known:
                keys = ", ".join(sorted(one.replace("_", "-") for one in known))
                raise InputError(f"unknown key {key}; known are {keys}{nearest(name, known)}", self.span(key))
            if name in values:
                raise InputError(f"{key} is given twice", self.span(key))
            values[name] = self.reader(name)(key, value)
        values.setdefault("baseline", self.beside("baseline", BASELINE))
        return Project(file=str(self.path), **values)

    def reader(self, name: str) -> Callable[[str, Any], Any]:
        special: dict[str, Callable[[str, Any], Any]] = {
            "sources": self.files,
            "include_paths": lambda key, value: tuple(self.beside(key, one) for one in self.strings(key, value)),
            "regions": lambda key, value: tuple(self.beside(key, one) for one in self.strings(key, value)),
            "loops": lambda key, value: tuple(self.beside(key, one) for one in self.strings(key, value)),
            "split": lambda key, value: tuple(self.beside(key, one) if _PLACE.fullmatch(one) else one
                                              for one in self.strings(key, value)),
            "assume": self.numbers,
            "macros": self.macros,
            "strategy": lambda key, value: ",".join(self.strings(key, value)),
            "baseline": self.baseline,
            "form": lambda key, value: self.choice(key, value, "free", "fixed"),
            "real_kind": lambda key, value: self.kind(key, value, 4, 8),
            "integer_kind": lambda key, value: self.kind(key, value, 2, 4, 8),
            "preprocess": self.flag,
            "effects": self.effects,
            "budgets": lambda key, value: budgets_of(value, lambda name: self.span(key, name)),
            "select": self.codes,
            "ignore": self.codes,
        }
        if name in special:
            return special[name]
        match records().get(name):
            case OptionRecord(kind="switch" | "off switch"):
                return self.flag
            case OptionRecord(kind="choice", choices=choices):
                return lambda key, value: self.choice(key, value, *choices)
            case _:
                return self.strings

    def span(self, *keys: str) -> Span:
        return toml_reader.place(self.path, self.text, *(["snapset"] if self.path.name == "pyproject.toml" else []),
                                 *keys)

    def wrong(self, key: str, wanted: str) -> InputError:
        return InputError(f"{key} must be {wanted}", self.span(key))

    def beside(self, key: str, name: str) -> str:
        """A path in the project file, as seen from the current directory.

        Raises InputError for one that leads out of the project, or into what git keeps for itself.
        """
        found = os.path.relpath(self.path.parent / name)
        try:
            inside = readable_files.pieces(os.path.realpath(found), self.root())
        except ValueError as error:
            raise InputError(f"{key}: {name}: {error}", self.span(key)) from None
        if inside is None or ".git" in inside:
            raise InputError(f"{key}: {name} leads out of the project; what a project file names stays below "
                             f"{os.path.relpath(self.root())}, links resolved", self.span(key))
        return found

    def root(self) -> str:
        """The project's root: that of the repository, outside of any the file's own directory."""
        own = os.path.dirname(os.path.abspath(self.path))
        return readable_files.repository(own) or own

    def baseline(self, key: str, value: Any) -> str:
        name = self.choice(key, value)
        if not name.endswith(LOCKS):
            raise self.wrong(key, f"a file that ends in {' or '.join(LOCKS)}")
        return self.beside(key, name)

    def strings(self, key: str, value: Any) -> tuple[str, ...]:
        if isinstance(value, str):
            value = [value]
        if not isinstance(value, list) or not all(isinstance(one, str) and one.strip() for one in value):
            raise self.wrong(key, "a text or a list of texts")
        return tuple(value)

    def flag(self, key: str, value: Any) -> bool:
        if not isinstance(value, bool):
            raise self.wrong(key, "true or false")
        return value

    def choice(self, key: str, value: Any, *choices: str) -> str:
        if not isinstance(value, str) or not value or (choices and value not in choices):
            raise self.wrong(key, " or ".join(f'"{one}"' for one in choices) or "a text")
        return value

    def kind(self, key: str, value: Any, *choices: int) -> int:
        """A kind number, one of ``choices``."""
        if isinstance(value, bool) or not isinstance(value, int) or value not in choices:
            raise self.wrong(key, " or ".join(map(str, choices)))
        return value

    def numbers(self, key: str, value: Any) -> dict[str, int]:
        if not isinstance(value, dict):
            raise self.wrong(key, "a table of numbers, such as { n = 1000 }")
        for name, number in value.items():
            if isinstance(number, bool) or not isinstance(number, int) or number < 0:
                raise InputError(f"{key}: {name} must be a number that is not negative", self.span(key))
        return {"".join(name.split()).lower(): number for name, number in value.items()}

    def effects(self, key: str, value: Any) -> dict[str, str]:
        """``{ solve = "in inout out" }``"""
        if not isinstance(value, dict) or not all(isinstance(one, str) for one in value.values()):
            raise self.wrong(key, 'a table of texts, such as { solve = "in inout out" }')
        return {name.lower(): words for name, words in value.items()}

    def codes(self, key: str, value: Any) -> tuple[str, ...]:
        """``["SN104", "SN2"]``: diagnostics, or groups of them by how they begin."""
        from snapset.render.layout.code_selection import codes_like

        try:
            return tuple(code for one in self.strings(key, value) for code in codes_like(one))
        except ValueError as error:
            raise InputError(f"{key}: {error}", self.span(key)) from None

    def macros(self, key: str, value: Any) -> tuple[str, ...]:
        """``["A", "B=1"]`` or ``{ A = "", B = 1 }``"""
        if not isinstance(value, dict):
            return self.strings(key, value)
        if not all(isinstance(one, str | int) for one in value.values()):
            raise self.wrong(key, "a list of NAME or NAME=VALUE, or a table of texts and numbers")
        # bool is an int: A = true defines A, A = false does not.
        given = {name: "" if one is True else one for name, one in value.items() if one is not False}
        return tuple(name if one == "" else f"{name}={one}" for name, one in given.items())

    def files(self, key: str, value: Any) -> tuple[str, ...]:
        """Sorted matches of the globs; one that matches nothing is an error."""
        found: set[str] = set()
        for pattern in self.strings(key, value):
            if pattern.count("**") > DEEP:
                raise InputError(f"{key}: {pattern}: ** more than {DEEP} times", self.span(key))
            try:
                self.beside(key, pattern)  # before anything outside is searched
                matches = [one for one in self.path.parent.glob(pattern) if one.is_file()]
            except (NotImplementedError, ValueError) as error:
                raise InputError(f"{key}: {pattern}: {error}", self.span(key)) from None
            if not matches:
                raise InputError(f"{key}: no file matches {pattern}", self.span(key))
            found.update(self.beside(key, os.path.relpath(one, self.path.parent)) for one in matches)
        return tuple(sorted(found))
