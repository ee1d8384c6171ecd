"""snapset.lock: what every checkpointed part saves and tapes, as TOML that reads well in a diff.

    ["burgers(u)>(cost)"."burgers, part 1"]  # burgers_region.f90:14-19
    lazy.snp = { u = "8*n" }
    lazy.req_d = ["nu"]

Written by these lines and not by tomlkit, which takes 97 to 131 times as long: 2,000 parts, 1.2 MB, take 0.15 s here,
and 14 s with tomlkit 0.15 part by part, 19 s as one document. Nor does it write out ``$``, backquotes and what turns a
line's direction, which a name in Fortran text may hold. Reading is the standard library's.

One line a set. A part is named by its procedure and its number there, so that lines may move: the line in the
comment is for people. What the comparison reads are ``RECORDED``; the part's own sets tell why it changed.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, TypeAlias

from snapset import atomic_file
from snapset.analysis.results import Bytes, HeadResult, Part, Solution
from snapset.config import toml_reader
from snapset.frontend.base.diagnostics import Diagnostic, InputError, Span
from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.base.lazy_patterns import pattern_of
from snapset.frontend.base.visible_text import visible_line
from snapset.render.layout.byte_figures import Figures, total

FORMAT = "snapset.lock/1"
LARGEST = 64 * 2**20
"""Bytes in a lock."""
REASONS = ("req", "out_c", "out_dbar", "out_cbar", "use_cbar")
SIZED = ("snp", "sbk", "tape_d", "tape_c")
NAMED = ("req_d", "req_c")
FIGURES = ("snapshot_bytes", "control_d", "control_c", "peak_bytes", "traffic_bytes", "log_bytes")

_START = 4096
_OURS = pattern_of(rb'^format = "snapset\.lock/\d+"\r?$', re.MULTILINE)
"""What the beginning of every lock holds, also of one with an unresolved merge."""
_VERSION = pattern_of(r"snapset\.lock/(\d{1,9})")
_UNPLAIN = pattern_of(r"[^ !#%-_a-~]")

Figure: TypeAlias = int | str
Content: TypeAlias = Mapping[str, Figure]


@frozen
class Record:
    """What the lock says of one part. ``where`` is a comment for people.

    ``solutions``: (strategy, set) to the bytes of each location (``""`` in sets without bytes; the figure
    of a set that is one number stands under ``""``). ``reasons``: the sets the solutions follow from.
    ``diagnostics``: codes, one for each time it was said.
    """

    where: str
    reasons: Mapping[str, tuple[str, ...]]
    solutions: Mapping[tuple[str, str], Content]
    diagnostics: tuple[str, ...]


@frozen
class HeadLock:
    """One head: its parts by name, and the warnings about what no part holds: codes, one for each time it was said."""

    parts: Mapping[str, Record]
    diagnostics: tuple[str, ...] = ()


Lock: TypeAlias = Mapping[str, HeadLock]


# ---------------------------------------------------------------- from results


def keys(parts: Iterable[Part]) -> dict[str, Part]:
    """``burgers, part 1`` and ``shallow, call of advance 1``: names that stay when lines move."""
    count: dict[str, int] = {}
    named: dict[str, Part] = {}
    for part in sorted(parts, key=lambda one: (one.procedure, one.file, one.first_line, one.id)):
        what = {"region": "part", "loop": "loop", "call": f"call of {part.callee}"}[part.kind]
        mode = (" (split)" if part.split else "") + (f" (context {part.context})" if part.context else "")
        name = f"{part.procedure}{mode}, {what}"
        count[name] = count.get(name, 0) + 1
        named[f"{name} {count[name]}"] = part
    return named


def record(part: Part, figures: Figures, directory: Path) -> Record:
    """What there is to lock of one part; its file is named as seen from ``directory``."""
    solutions: dict[tuple[str, str], Content] = {}
    for strategy, solution in part.solutions.items():
        for name, content in _contents(solution, figures).items():
            solutions[strategy, name] = content
        if part.messages is not None:  # the same under every strategy, as it is in each one's peak
            log = figures(part.messages.log_bytes)
            solutions[strategy, "log_bytes"] = {"": "unknown" if log is None else log}
    file = os.path.relpath(part.file, directory)
    return Record(
        where=f"{file}:{part.first_line}-{part.last_line}",
        reasons={name: tuple(sorted(getattr(part.sets, name))) for name in REASONS},
        solutions=solutions,
        diagnostics=tuple(sorted(one.code for one in part.diagnostics if one.severity != "note")),
    )


def _contents(solution: Solution, figures: Figures) -> dict[str, Content]:
    def figure(amount: Bytes | None) -> Figure:
        value = figures(amount)
        return "unknown" if value is None else value

    contents: dict[str, Content] = {
        name: {one: figure(solution.sizes.get(one)) for one in getattr(solution, name)} for name in ("snp", "sbk")
    }
    contents |= {name: dict.fromkeys(getattr(solution, name), "") for name in NAMED}
    for kind in ("D", "C"):
        tape = [entry for entry in solution.tape if entry.part == kind]
        contents[f"tape_{kind.lower()}"] = {
            name: figure(total(entry.bytes for entry in tape if entry.location == name))
            for name in {entry.location for entry in tape}
        }
        control = total(entry.bytes for entry in solution.control if entry.part == kind)
        contents[f"control_{kind.lower()}"] = {"": figure(control)}
    contents["snapshot_bytes"] = {"": figure(solution.snapshot_bytes)}
    for name in ("peak_bytes", "traffic_bytes"):
        amount: Bytes | None = getattr(solution, name)
        if amount is not None:
            contents[name] = {"": figure(amount)}
    return contents


def outside(result: HeadResult) -> tuple[Diagnostic, ...]:
    """The warnings about a head that are about none of its parts, by place."""
    inside = {one for part in result.parts for one in part.diagnostics}
    return tuple(sorted({one for one in result.diagnostics if one.severity != "note"} - inside,
                        key=lambda one: (one.span, one.code, one.message)))


def lock_of(results: Iterable[HeadResult], figures: Figures, directory: Path) -> dict[str, HeadLock]:
    """The lock of these heads."""
    return {
        result.head: HeadLock({key: record(part, figures, directory) for key, part in keys(result.parts).items()},
                              tuple(sorted(one.code for one in outside(result))))
        for result in results
    }


# ---------------------------------------------------------------- writing


def dumps(lock: Lock) -> str:
    """Sorted, so that the same results are the same bytes."""
    lines = ["# What the adjoint saves at each checkpoint. Written by `snapset check --update`; commit it."]
    lines.append(f"format = {_quoted(FORMAT)}")
    for head in sorted(lock):
        parts, codes = lock[head].parts, lock[head].diagnostics
        if not parts or codes:
            lines += ["", f"[{_quoted(head)}]"]
        if codes:
            lines.append(f"diagnostics = {_list(codes)}")
        for key in sorted(parts):
            one = parts[key]
            lines += ["", f"[{_quoted(head)}.{_quoted(key)}]  # {visible_line(one.where)}"]
            lines += [f"{name} = {_list(one.reasons[name])}" for name in REASONS]
            lines.append(f"diagnostics = {_list(one.diagnostics)}")
            for strategy in dict.fromkeys(sorted(strategy for strategy, _ in one.solutions)):
                lines += _strategy(strategy, one)
    return "\n".join(lines) + "\n"


def _strategy(strategy: str, one: Record) -> Iterable[str]:
    for name in (*SIZED, *NAMED, *FIGURES):
        content = one.solutions.get((strategy, name))
        if content is None:
            continue
        if name in FIGURES:
            text = _value(content[""])
        elif name in NAMED:
            text = _list(sorted(content))
        else:
            inside = ", ".join(f"{_key(location)} = {_value(content[location])}" for location in sorted(content))
            text = f"{{ {inside} }}" if inside else "{}"
        yield f"{_key(strategy)}.{name} = {text}"


def _quoted(text: str) -> str:
    """A TOML string of one line, in which no shell would find anything to do, and no terminal."""
    return _UNPLAIN.sub(_escaped, json.dumps(text, ensure_ascii=False))


def _escaped(found: re.Match[str]) -> str:
    one = found[0]
    if one.isprintable() and one not in "$`":
        return one
    if "\ud800" <= one <= "\udfff":  # half a pair, which no TOML can hold
        return "\\\\" + visible_line(one).removeprefix("\\")
    return f"\\U{ord(one):08x}"


def _key(text: str) -> str:
    return text if re.fullmatch(r"[A-Za-z0-9_-]+", text) else _quoted(text)


def _value(figure: Figure) -> str:
    return str(figure) if isinstance(figure, int) else _quoted(figure)


def _list(names: Iterable[str]) -> str:
    return f"[{', '.join(_quoted(name) for name in names)}]"


def save(path: Path, lock: Lock) -> None:
    """Write the whole file or nothing: into a neighbour, then renamed. Only a lock is ever replaced.

    Raises InputError where there is something else than a lock, OSError where it cannot be written.
    """
    check(path)
    atomic_file.save(path, dumps(lock), "lock")


def check(path: Path) -> None:
    """Raises InputError where a lock must not be written: something else stands there, and is not to be lost."""
    if path.is_symlink():
        raise InputError("a link, so no lock is written there; name the file itself", Span(str(path), 1, 1))
    if path.is_file():
        with path.open("rb") as stream:
            start = stream.read(_START)
        if start and _OURS.search(start) is None:
            what = "not a lock of snapset's, so it is not replaced; move it away, or give --baseline another name"
            raise InputError(what, Span(str(path), 1, 1))


# ---------------------------------------------------------------- reading


def load(path: Path) -> dict[str, HeadLock]:
    """Raises InputError with the line where the file is not a lock; OSError where it cannot be read."""
    content, text = toml_reader.read(path, LARGEST, "; take it from git again, or write it anew with snapset check "
                                     "--update")
    given = content.pop("format", None)
    if isinstance(given, str) and (version := _VERSION.fullmatch(given)) and int(version[1]) > 1:
        raise InputError(f'the lock of a newer snapset (format = "{given}", not "{FORMAT}"): update snapset',
                         toml_reader.place(path, text, "format"))
    if given != FORMAT:
        raise InputError(
            f'not a lock of this version (format = "{FORMAT}"); write it again with snapset check --update',
            toml_reader.place(path, text, "format"),
        )
    lock: dict[str, HeadLock] = {}
    for head, given in content.items():
        parts = dict(_table(given, path, text, head))
        codes = parts.pop("diagnostics", [])
        if not isinstance(codes, list) or not all(isinstance(one, str) for one in codes):
            raise InputError("diagnostics is not what a lock holds there; write it again with snapset check --update",
                             toml_reader.place(path, text, head, "diagnostics"))
        lock[head] = HeadLock({key: _record(_table(table, path, text, head, key), path, text, head, key)
                               for key, table in parts.items()}, tuple(codes))
    return lock


def _table(value: Any, path: Path, text: str, *keys: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise InputError(
            f"{keys[-1]} must be a table; write the lock again with snapset check --update",
            toml_reader.place(path, text, *keys),
        )
    return value


def _record(table: dict[str, Any], path: Path, text: str, head: str, key: str) -> Record:
    where = toml_reader.place(path, text, head, key)

    def wrong(*names: str) -> InputError:
        return InputError(
            f"{'.'.join(names)} is not what a lock holds there; write it again with snapset check --update",
            toml_reader.place(path, text, key, ".".join(_key(name) for name in names)),
        )

    def texts(value: Any, *names: str) -> tuple[str, ...]:
        if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
            raise wrong(*names)
        return tuple(value)

    reasons = {name: texts(table.pop(name, []), name) for name in REASONS}
    diagnostics = texts(table.pop("diagnostics", []), "diagnostics")
    solutions: dict[tuple[str, str], Content] = {}
    for strategy, sets in table.items():
        for name, value in _table(sets, path, text, key, strategy).items():
            content: Content
            if name in NAMED:
                content = dict.fromkeys(texts(value, strategy, name), "")
            elif name in FIGURES:
                content = {"": value}
            elif name in SIZED and isinstance(value, dict):
                content = value
            else:
                raise wrong(strategy, name)
            if not all(isinstance(one, int | str) and not isinstance(one, bool) for one in content.values()):
                raise wrong(strategy, name)
            solutions[strategy, name] = content
    return Record(f"{path}:{where.line}", reasons, solutions, diagnostics)
