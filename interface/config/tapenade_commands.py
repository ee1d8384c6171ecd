"""What makefiles and scripts tell of a differentiation with Tapenade: heads, sizes of numbers, directories, macros.

    tapenade -b -head "step(u)>(cost)" -r8 -Iinclude $(FILES)         heads: step(u)>(cost); -r8; include
    tapenade -head $(HEADS) $(PRECISION)                              the same, of the makefile's variables
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from snapset.analysis.activity.differentiation_head import parse_heads
from snapset.frontend.base.diagnostics import InputError
from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.base.lazy_patterns import pattern_of

_ASSIGNMENT = pattern_of(r"^\s*(?:export\s+)?(\w+)\s*[:?+]?=\s*((?:[^\n]*\\\n)*[^\n]*)", re.MULTILINE)
_HEAD = pattern_of(
    r"""(?<![\w-])["']?-(?:head|root)["']?\s*[,=]?\s*(?:\\\n\s*|\n\s*)?
        (?:r?"(?P<double>[^"]*)"|r?'(?P<single>[^']*)'|\$[({]?(?P<variable>\w+)[)}]?|(?P<bare>[^\s"'\\;]+))""",
    re.VERBOSE)  # fmt: skip
_KINDS = pattern_of(r"(?<![\w-])-([ri])(4|8|2)\b")
_TOOL = pattern_of(r"tapenade", re.IGNORECASE)
_MACRO = pattern_of(r"(?<![\w-])-D\s?([A-Za-z_]\w*(?:=[\w.+-]+)?)(?![\w$({=])")
_FLAGS = pattern_of(r"(cpp|fpp|f|f77|f90|fc|fort|fortran|pp)_?(flags|opts?|options|defs|defines)|defs|defines|macros",
                    re.IGNORECASE)  # fmt: skip
_COMPILERS = pattern_of(r"(?<![\w.-])(gfortran|ifort|ifx|nvfortran|pgfortran|flang|f95|mpif90|mpifort|cpp|fpp|ftn|"
                        r"\$[({](FC|F90|F77|CPP|FPP)[)}])(?![\w-])")  # fmt: skip


@frozen
class FoundHead:
    """A head as Tapenade is given it, and the line that names it."""

    text: str
    file: str
    line: int


@frozen
class TapenadeUse:
    """What one file says. ``real_kind``, ``integer_kind``: where it gives them. ``macros``: ``NAME`` or ``NAME=VALUE``,
    those of its Fortran compiler and preprocessor (``FFLAGS = -DWINDY``)."""

    heads: tuple[FoundHead, ...] = ()
    real_kind: int | None = None
    integer_kind: int | None = None
    macros: tuple[str, ...] = ()


def tapenade_use(file: str, text: str) -> TapenadeUse:
    """Read one makefile or script. What is not understood, or no head, is left out."""
    macros = _macros(text)
    if not _TOOL.search(text) and "-head" not in text:
        return TapenadeUse(macros=macros)
    variables = {match[1]: match[2] for match in _ASSIGNMENT.finditer(text)}
    heads: dict[str, FoundHead] = {}
    for match in _HEAD.finditer(text):
        raw = match["double"] or match["single"] or match["bare"] or ""
        if match["variable"]:
            raw = _expanded(variables, match["variable"])
        line = text.count("\n", 0, match.start()) + 1
        for one in _heads(raw):
            heads.setdefault(one, FoundHead(one, file, line))
    kinds = dict(reversed(_KINDS.findall(text))) if heads else {}
    return TapenadeUse(tuple(heads.values()), _kind(kinds, "r", (4, 8)), _kind(kinds, "i", (2, 4, 8)), macros)


def _macros(text: str) -> tuple[str, ...]:
    """What Fortran is compiled or preprocessed with: of variables named as flags are, and of lines that run a compiler.
    Of a macro with two values the first."""
    given = [match[2] for match in _ASSIGNMENT.finditer(text) if _FLAGS.fullmatch(match[1])]
    given += [line for line in text.replace("\\\n", " ").splitlines() if _COMPILERS.search(line)]
    found: dict[str, str] = {}
    for one in given:
        for macro in _MACRO.findall(one):
            found.setdefault(macro.partition("=")[0], macro)
    return tuple(found.values())


def _kind(kinds: Mapping[str, str], letter: str, allowed: tuple[int, ...]) -> int | None:
    """Of several sizes the first; the usual one need not be said."""
    number = int(kinds.get(letter, "4"))
    return number if number in allowed and number != 4 else None


def _expanded(variables: Mapping[str, str], name: str, depth: int = 5) -> str:
    text = variables.get(name, "").strip().strip("\"'")
    if not depth:
        return ""
    return re.sub(r"\$[({]?(\w+)[)}]?", lambda match: _expanded(variables, match[1], depth - 1), text)


def _heads(raw: str) -> tuple[str, ...]:
    """The heads in a text, each as it was written."""
    text = " ".join(raw.replace("\\\n", " ").replace("\\\\", "\\").split())
    text = re.sub(r"\s*\\\s+(?=[\w])", " ", text)
    try:
        return tuple(head.text for head in parse_heads(text)) if text else ()
    except InputError:
        return ()
