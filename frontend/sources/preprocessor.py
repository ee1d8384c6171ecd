"""The C preprocessor over Fortran: gfortran's where it is installed, else the Python package pcpp.

Both get the same macros (``__GFORTRAN__`` and the user's) and none of the system's; both leave ``//`` alone. Line
markers become the origins of the lines. Macros in a literal are not expanded. Both run in a process of their own with
little memory and time (:mod:`snapset.frontend.sources.limited_process`), and what they drew in from outside of the
project (:mod:`snapset.frontend.sources.readable_files`) is as if it was not there: nothing of it is shown. A file in
which there is nothing for them to do is not given to them: that takes longer than all the rest of a warm run.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from snapset.frontend.base.diagnostics import InputError, Span
from snapset.frontend.base.lazy_patterns import pattern_of
from snapset.frontend.base.source_model import ReadOptions
from snapset.frontend.sources.files import SourceLines, decode, load, physical_lines
from snapset.frontend.sources.known_headers import header_module
from snapset.frontend.sources.readable_files import Tree, is_special

if TYPE_CHECKING:
    from snapset.frontend.sources.limited_process import ProcessResult

HEADERS = 20
"""How many known header files may be missing in one file: the preprocessor runs once for each."""

_CHILD = ("import json, sys; sys.path[:] = json.loads(sys.argv[1]); "
          "from snapset.frontend.sources.preprocessor_pcpp import main; main()")
_DIRECTIVE = pattern_of(r"\s*#\s*include\b")
_MARKER = pattern_of(r'# ?(?:line )?(\d+)(?: "((?:[^"\\]|\\.)*)")?')
_PLACE = pattern_of(r"^(.+?):(\d+)(?::\d+)?:", re.MULTILINE)
_MESSAGE = pattern_of(r"(?:error|Error|fatal error|Fatal Error): (.*)")
_MISSING = pattern_of(r"(.*): No such file or directory")
_MACRO = pattern_of(r"[A-Za-z_]\w*(?:\([\w, .]*\))?(?:=[^\r\n]*)?")
_FIXED = {"__DATE__": '"Jan  1 1970"', "__TIME__": '"00:00:00"'}  # the same answer every day
_OCTAL = pattern_of(rb"\\([0-7]{3}|.)", re.DOTALL)
_INCLUDED = pattern_of(r"""[ \t]*#[ \t]*include[ \t]*["<]([^">\n]+)[">]""")
_TOUCHED = pattern_of(r"^[ \t]*#|[\\\r\f\v\0]|/\*|\b_", re.MULTILINE)
"""What may mean something to a preprocessor; its own macros begin with an underscore, as no name of Fortran's does."""

_BUILTIN = pattern_of(r"\b__(?:LINE|FILE|DATE|TIME)__\b")


def preprocess(text: str, path: str, options: ReadOptions) -> SourceLines:
    """The lines of a file after preprocessing, each with the file and line it comes from.

    Raises InputError at the directive for a missing #include, an #error or a malformed directive.
    """
    for macro in options.macros:
        if _MACRO.fullmatch(macro) is None:
            raise InputError(f"'{macro}' is no macro; write NAME or NAME=VALUE", Span(path, 1, 1))
    if _is_left_alone(text, options):
        return SourceLines(path, physical_lines(text))
    _refuse_special(text, path, options)
    import shutil  # only files that need it

    compiler = shutil.which("gfortran")
    for _ in range(HEADERS):
        try:
            if compiler is not None and os.path.isabs(compiler):  # not one that lies in the current directory
                return _unmark(_gfortran(compiler, text, path, options), path, options)
            return _unmark(_pcpp(text, path, options), path, options)
        except MissingError as missing:
            text = _without(text, path, missing)
    raise InputError(f"over {HEADERS} #include files are missing; give their directories with -I", Span(path, 1, 1))


def _is_left_alone(text: str, options: ReadOptions) -> bool:
    """Does either preprocessor give the text as it is: no directive, comment of C's, continued line or macro in it?"""
    names = "|".join(re.split(r"\W", macro, maxsplit=1)[0] for macro in options.macros)
    return not _TOUCHED.search(text) and not (names and re.search(rf"\b(?:{names})\b", text))


def _without(text: str, path: str, missing: MissingError) -> str:
    """The text with an INCLUDE line in place of a directive whose header file is known though it is not here.

    Raises the error for any other: its macros may decide what the rest of the file is.
    """
    at = missing.span
    lines = text.split("\n")
    known = header_module(missing.name) is not None and at is not None and at.file == path
    if not known or at is None or _DIRECTIVE.match(lines[at.line - 1]) is None:
        raise missing
    lines[at.line - 1] = f"      include '{missing.name}'"
    return "\n".join(lines)


class MissingError(InputError):
    """An #include file that is not found."""

    def __init__(self, name: str, at: Span) -> None:
        super().__init__(f"#include file '{name}' not found; give its directory with -I", at)
        self.name = name


def _refuse_special(text: str, path: str, options: ReadOptions) -> None:
    """Said well of what is written out; for anything else there are limits."""
    if "include" not in text:
        return
    for number, line in enumerate(physical_lines(text), 1):
        found = _INCLUDED.match(line)
        for directory in () if found is None else (os.path.dirname(path), *options.include_dirs):
            if found is not None and is_special(os.path.join(directory, found[1])):
                raise InputError(f"#include file '{found[1]}' is no regular file", Span(path, number, number))


def _run(command: list[str], text: str, path: str, directory: str | None = None) -> ProcessResult:
    from snapset.frontend.sources import limited_process

    try:
        done = limited_process.run(command, text.encode(), directory)
    except OSError as error:
        raise InputError(f"the preprocessor cannot be run: {error.strerror}", Span(path, 1, 1)) from None
    if done.exceeded is not None:
        raise InputError(f"the preprocessor needs more than {done.exceeded} for this file; do its macros or #include "
                         "files double at each level?", Span(path, 1, 1))
    return done


def _gfortran(compiler: str, text: str, path: str, options: ReadOptions) -> str:
    """Run in the file's own folder, which for standard input is where #include looks first."""
    directory = os.path.dirname(path)
    include = [".", *map(os.path.abspath, options.include_dirs)]
    command = [compiler, "-cpp", "-E", "-undef", "-D__GFORTRAN__=1", *(f"-D{macro}" for macro in options.macros)]
    command += [*(f"-I{name}" for name in include), "-x", "f95-cpp-input", "-"]
    done = _run(command, text, path, directory if os.path.isdir(directory) else None)
    if done.code != 0:
        for _ in _origins(physical_lines(decode(done.out)), path, options):
            pass  # what lies outside is not quoted, and complained of first
        raise _failure(decode(done.err), text, path, options)
    return decode(done.out)


def _failure(report: str, text: str, path: str, options: ReadOptions) -> InputError:
    """The first error of gfortran's report as ours."""
    message = _MESSAGE.search(report)
    what = message[1].strip() if message is not None else "the preprocessor failed"
    place = _PLACE.search(report)
    file = _as_given(place[1], path, options) if place is not None else path
    line = int(place[2]) if place is not None else 1
    missing = _MISSING.match(what)
    if file != path and not Tree(path, options.include_dirs).holds(file):
        return MissingError(file, Span(path, 1, 1))
    if missing is not None:
        line = _include_line(text if file == path else load(file), missing[1], line)
        return MissingError(missing[1], Span(file, line, line))
    return InputError(f"{what} (preprocessor)", Span(file, line, line))


def _include_line(text: str, name: str, reported: int) -> int:
    """The line of ``#include "name"`` at or before ``reported`` (the compiler reports the line after it)."""
    wanted = re.compile(rf'\s*#\s*include\s*["<]{re.escape(name)}[">]')
    lines = physical_lines(text)[:reported]
    return max((number for number, line in enumerate(lines, 1) if wanted.match(line)), default=reported)


def _pcpp(text: str, path: str, options: ReadOptions) -> str:
    given = {"text": text, "path": path, "macros": ("__GFORTRAN__=1", *options.macros), "dirs": options.include_dirs}
    places = [one for one in sys.path if os.path.isabs(one)]  # where this process has its modules from
    command = [sys.executable, "-I", "-c", _CHILD, json.dumps(places)]  # -I: nothing of the current directory
    done = _run(command, json.dumps(given), path)
    if done.code != 0:
        raise InputError("the preprocessor failed", Span(path, 1, 1))
    answer = json.loads(done.out)
    if "text" in answer:
        return str(answer["text"])
    at = Span(_as_given(answer["file"], path, options), answer["line"], answer["line"])
    raise MissingError(answer["missing"], at) if answer["missing"] else InputError(answer["message"], at)


def _as_given(name: str, path: str, options: ReadOptions) -> str:
    """A file name of the preprocessor's as the user would write it: in the file's folder or below one of -I."""
    if name.startswith("<"):
        return path
    for directory in options.include_dirs:
        absolute = os.path.join(os.path.abspath(directory), "")
        if name.startswith(absolute):
            return os.path.normpath(os.path.join(directory, name[len(absolute) :]))
    return os.path.normpath(os.path.join(os.path.dirname(path), name))


def _unmark(output: str, path: str, options: ReadOptions) -> SourceLines:
    """The output's lines with their origins, which also make ``__LINE__`` and ``__FILE__`` what they should be."""
    lines: list[str] = []
    origins: list[tuple[str, int]] = []
    for line, file, number in _origins(physical_lines(output), path, options):
        if "__" in line:
            values = {"__LINE__": str(number), "__FILE__": f'"{file}"', **_FIXED}
            line = _BUILTIN.sub(partial(_value, values), line)
        lines.append(line)
        origins.append((file, number))
    return SourceLines(path, tuple(lines), tuple(origins))


def _value(values: dict[str, str], found: re.Match[str]) -> str:
    return values[found[0]]


def _origins(lines: tuple[str, ...], path: str, options: ReadOptions) -> Iterator[tuple[str, str, int]]:
    """Each line that is no line marker, with its file and number.

    Raises InputError where one comes from a file that is not to be read, as for one that is not there.
    """
    file, number = path, 1
    tree, held = Tree(path, options.include_dirs), {path, os.path.normpath(path)}
    for line in lines:
        if not line.startswith("#"):
            yield line, file, number
            number += 1
            continue
        marker = _MARKER.match(line)
        if marker is None:  # #pragma, #ident and the like
            number += 1
            continue
        if marker[2] is not None:
            name = _as_given(_unescaped(marker[2]), path, options)
            if name not in held and os.path.lexists(name) and not tree.holds(name):
                at = max(number - 1, 1)  # the directive's line is over, an empty one
                raise MissingError(name, Span(file, at, at))
            held.add(name)
            file = name
        number = int(marker[1])


def _unescaped(name: str) -> str:
    """A file's name as a line marker has it: bytes that are not printable are octal numbers."""
    if "\\" not in name:
        return name

    def byte(found: re.Match[bytes]) -> bytes:
        return bytes((int(found[1], 8) & 255,)) if len(found[1]) == 3 else found[1]

    return os.fsdecode(_OCTAL.sub(byte, name.encode("utf-8", "surrogateescape")))
