"""Files as numbered lines: reading, decoding, source form, and where each line came from."""

from __future__ import annotations

import os
import re
from typing import Literal, TypeAlias

from snapset.frontend.base.diagnostics import InputError, Span
from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.base.lazy_patterns import pattern_of
from snapset.frontend.base.nearest_name import nearest
from snapset.frontend.base.source_model import ReadOptions

Form: TypeAlias = Literal["free", "fixed"]

FIXED_EXTENSIONS = frozenset({".f", ".for", ".ftn", ".f77", ".fpp"})
"""Lower-cased extensions of fixed-form files, as gfortran has them; everything else is free form."""

PREPROCESSED_EXTENSIONS = frozenset(
    {".F", ".FOR", ".FTN", ".F77", ".FPP", ".fpp", ".F90", ".F95", ".F03", ".F08", ".F18"}
)
"""Extensions of files that go through the preprocessor first, as gfortran has them."""

FORTRAN = pattern_of(r"\.(f|for|ftn|f77|fpp|f90|f95|f03|f08|f18)$", re.IGNORECASE)
"""How the names of Fortran files end."""

CONTROL = pattern_of("[\0-\x08]")
"""Characters that no text has; some serve as masks here."""

LARGEST = 64 * 2**20
"""No source file has more bytes; devices that never end do."""

UTF8_MARK = b"\xef\xbb\xbf"


@frozen
class SourceLines:
    """The physical lines of one file, ``origins[i]`` being the (file, line) that ``lines[i]`` stands for.

    ``origins`` None means that ``lines[i]`` is line ``i + 1`` of ``path``.
    """

    path: str
    lines: tuple[str, ...]
    origins: tuple[tuple[str, int], ...] | None = None

    def span(self, first: int, last: int | None = None, column: int = 1) -> Span:
        """Where the lines number ``first`` to ``last`` (0-based, inclusive) stand in the user's files."""
        last = first if last is None else last
        if self.origins is None:
            return Span(self.path, first + 1, last + 1, column)
        file, line = self.origins[first]
        end_file, end_line = self.origins[last]
        return Span(file, line, end_line if end_file == file and end_line >= line else line, column)


def form_of(path: str, options: ReadOptions) -> Form:
    """The source form: what the options force, else what the extension says."""
    if options.form is not None:
        return options.form
    return "fixed" if os.path.splitext(path)[1].lower() in FIXED_EXTENSIONS else "free"


def is_preprocessed(path: str, options: ReadOptions) -> bool:
    """Whether the preprocessor runs: what the options say, else what the extension says."""
    if options.preprocess is not None:
        return options.preprocess
    return os.path.splitext(path)[1] in PREPROCESSED_EXTENSIONS


def load(path: str, at: Span | None = None) -> str:
    """The text of a file; ``at`` is the statement that asked for it, where errors are reported.

    UTF-8, else Latin-1 (which decodes everything). Raises InputError for what is missing or no text.
    """
    where = at if at is not None else Span(path, 1, 1)
    name = f"'{path}'" if at is not None else "file"
    try:
        with open(path, "rb") as stream:
            data = stream.read(LARGEST + 1)
    except FileNotFoundError:
        raise InputError(f"{name} does not exist{_nearby(path) if at is None else ''}; check the path", where) from None
    except IsADirectoryError:
        raise InputError(f"{name} is a directory; name the Fortran files in it", where) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(f"{name} cannot be read: {reason}", where) from None
    if len(data) > LARGEST:
        raise InputError(f"{name} has more than {LARGEST // 2**20} MB; give Fortran source", where)
    text = decode(data)
    if CONTROL.search(text) is not None:
        raise binary(name, where)
    return text


def _nearby(path: str) -> str:
    """The Fortran file of the same folder that somebody may have meant; what its folder lacks is no help."""
    folder, name = os.path.split(path)
    try:
        known = [one for one in os.listdir(folder or ".") if FORTRAN.search(one)]
    except (OSError, ValueError):
        return ""
    return nearest(name, known)


class BinaryError(InputError):
    """A file that can be read, but is no text."""


def binary(name: str, at: Span) -> BinaryError:
    """The error for a file that has control characters no text has."""
    return BinaryError(f"{name} is binary (it has control characters); give Fortran source", at)


def decode(data: bytes) -> str:
    """Text from bytes: UTF-8 (its mark dropped), or Latin-1 where that fails."""
    data = data.removeprefix(UTF8_MARK)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def physical_lines(text: str) -> tuple[str, ...]:
    """Lines without their ends: LF, CR LF or CR. Form feeds and the like do not end a Fortran line."""
    text = text.removesuffix("\x1a")  # the end of a DOS file
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    lines = text.split("\n")
    if lines and not lines[-1]:
        lines.pop()
    return tuple(lines)
