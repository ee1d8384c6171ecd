"""The C preprocessor over Fortran: gfortran's where it is installed, else the Python package pcpp.

Both get the same macros (``__GFORTRAN__`` and the user's) and none of the system's; both leave ``//`` alone. Line
markers become the origins of the lines. Macros in a literal are not expanded.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from functools import partial

from snapset.frontend.diagnostics import InputError, Span
from snapset.frontend.source import Source, decode, load, physical_lines
from snapset.frontend.statement import ReadOptions

SECONDS = 60
"""How long the preprocessor may take over one file."""

_MARKER = re.compile(r'# ?(?:line )?(\d+)(?: "((?:[^"\\]|\\.)*)")?')
_PLACE = re.compile(r"^(.+?):(\d+)(?::\d+)?:", re.MULTILINE)
_MESSAGE = re.compile(r"(?:error|Error|fatal error|Fatal Error): (.*)")
_MISSING = re.compile(r"(.*): No such file or directory")
_MACRO = re.compile(r"[A-Za-z_]\w*(?:\([\w, .]*\))?(?:=.*)?", re.DOTALL)
_FIXED = {"__DATE__": '"Jan  1 1970"', "__TIME__": '"00:00:00"'}  # the same answer every day
_BUILTIN = re.compile(r"\b__(?:LINE|FILE|DATE|TIME)__\b")


def preprocess(text: str, path: str, options: ReadOptions) -> Source:
    """The lines of a file after preprocessing, each with the file and line it comes from.

    Raises InputError at the directive for a missing #include, an #error or a malformed directive.
    """
    for macro in options.macros:
        if _MACRO.fullmatch(macro) is None:
            raise InputError(f"'{macro}' is no macro; write NAME or NAME=VALUE", Span(path, 1, 1))
    compiler = shutil.which("gfortran")
    output = _gfortran(compiler, text, path, options) if compiler is not None else _pcpp(text, path, options)
    return _unmark(output, path, options)


def _gfortran(compiler: str, text: str, path: str, options: ReadOptions) -> str:
    """Run in the file's own folder, which for standard input is where #include looks first."""
    directory = os.path.dirname(path)
    include = [".", *map(os.path.abspath, options.include_dirs)]
    command = [compiler, "-cpp", "-E", "-undef", "-D__GFORTRAN__=1", *(f"-D{macro}" for macro in options.macros)]
    command += [*(f"-I{name}" for name in include), "-x", "f95-cpp-input", "-"]
    try:
        done = subprocess.run(command, input=text.encode(), capture_output=True, timeout=SECONDS, check=False,
                              cwd=directory if os.path.isdir(directory) else None, env={**os.environ, "LC_ALL": "C"})
    except (OSError, subprocess.TimeoutExpired) as error:
        raise InputError(f"the preprocessor did not finish: {error}", Span(path, 1, 1)) from None
    if done.returncode != 0:
        raise _failure(decode(done.stderr), text, path, options)
    return decode(done.stdout)


def _failure(report: str, text: str, path: str, options: ReadOptions) -> InputError:
    """The first error of gfortran's report as ours."""
    message = _MESSAGE.search(report)
    what = message[1].strip() if message is not None else "the preprocessor failed"
    place = _PLACE.search(report)
    file = _as_given(place[1], path, options) if place is not None else path
    line = int(place[2]) if place is not None else 1
    missing = _MISSING.match(what)
    if missing is not None:
        line = _include_line(text if file == path else load(file), missing[1], line)
        return _not_found(missing[1], Span(file, line, line))
    return InputError(f"{what} (preprocessor)", Span(file, line, line))


def _include_line(text: str, name: str, reported: int) -> int:
    """The line of ``#include "name"`` at or before ``reported`` (the compiler reports the line after it)."""
    wanted = re.compile(rf'\s*#\s*include\s*["<]{re.escape(name)}[">]')
    lines = physical_lines(text)[:reported]
    return max((number for number, line in enumerate(lines, 1) if wanted.match(line)), default=reported)


def _not_found(name: str, at: Span) -> InputError:
    return InputError(f"#include file '{name}' not found; give its directory with -I", at)


def _pcpp(text: str, path: str, options: ReadOptions) -> str:
    from snapset.frontend.preprocess_pcpp import PreprocessorError, run_pcpp  # costs 30 ms, seldom needed

    try:
        return run_pcpp(text, path, ("__GFORTRAN__=1", *options.macros), options.include_dirs)
    except PreprocessorError as error:
        at = Span(_as_given(error.file, path, options), error.line, error.line)
        raise (_not_found(error.missing, at) if error.missing else InputError(error.message, at)) from None


def _as_given(name: str, path: str, options: ReadOptions) -> str:
    """A file name of the preprocessor's as the user would write it: in the file's folder or below one of -I."""
    if name.startswith("<"):
        return path
    for directory in options.include_dirs:
        absolute = os.path.join(os.path.abspath(directory), "")
        if name.startswith(absolute):
            return os.path.normpath(os.path.join(directory, name[len(absolute) :]))
    return os.path.normpath(os.path.join(os.path.dirname(path), name))


def _unmark(output: str, path: str, options: ReadOptions) -> Source:
    """The output's lines with their origins, which also make ``__LINE__`` and ``__FILE__`` what they should be."""
    lines: list[str] = []
    origins: list[tuple[str, int]] = []
    for line, file, number in _origins(physical_lines(output), path, options):
        if "__" in line:
            values = {"__LINE__": str(number), "__FILE__": f'"{file}"', **_FIXED}
            line = _BUILTIN.sub(partial(_value, values), line)
        lines.append(line)
        origins.append((file, number))
    return Source(path, tuple(lines), tuple(origins))


def _value(values: dict[str, str], found: re.Match[str]) -> str:
    return values[found[0]]


def _origins(lines: tuple[str, ...], path: str, options: ReadOptions) -> Iterator[tuple[str, str, int]]:
    """Each line that is no line marker, with its file and number."""
    file, number = path, 1
    for line in lines:
        if not line.startswith("#"):
            yield line, file, number
            number += 1
            continue
        marker = _MARKER.match(line)
        if marker is None:  # #pragma, #ident and the like
            number += 1
            continue
        number = int(marker[1])
        if marker[2] is not None:
            name = marker[2].replace('\\"', '"').replace("\\\\", "\\")
            file = _as_given(name, path, options)
