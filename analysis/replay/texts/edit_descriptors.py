"""Formats of internal files: edit descriptors in a row, numbers to text and back."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from snapset.analysis.replay.memory.runtime_support import Index, ReplayError, Slot

_EDIT = re.compile(r"""(\d*)\s*(?:'((?:[^']|'')*)'|"((?:[^"]|"")*)"|
                   (es|i|f|e|d|a|l|x)\s*(\d*)(?:\.(\d+))?(?:e(\d+))?|(\())""", re.I | re.X)
END, BAD = -1, 5010


@dataclass(frozen=True, slots=True)
class Edit:
    """One edit descriptor: ``i5.3``, ``x``, or a literal ``text``."""

    kind: str
    width: int = 0
    digits: int | None = None
    exponent: int | None = None
    text: str = ""


class UnknownFormatError(Exception):
    """A format with descriptors that are not executed."""


class TransferError(ReplayError):
    """A READ that fails. ``status``: what IOSTAT tells then, as gfortran has it."""

    def __init__(self, message: str, status: int) -> None:
        super().__init__(message)
        self.status = status


def edits(form: str) -> tuple[Edit, ...]:
    """The descriptors of a format, repeated as it says.

    Raises:
        UnknownFormatError: what has others: G, EN, T, P, slashes.
    """
    form = form.strip()
    if not form.startswith("("):
        raise UnknownFormatError
    found, end = _group(form, 1)
    if form[end:].strip():
        raise UnknownFormatError
    return tuple(found)


def _group(form: str, at: int) -> tuple[list[Edit], int]:
    found: list[Edit] = []
    while True:
        at += len(form[at:]) - len(form[at:].lstrip(" ,"))
        if form[at:at + 1] == ")":
            return found, at + 1
        match = _EDIT.match(form, at)
        if match is None:
            raise UnknownFormatError
        times, at = int(match[1] or 1), match.end()
        if match[8]:
            inner, at = _group(form, at)
            found += inner * times
        elif match[2] is not None or match[3] is not None:
            quoted = match[2].replace("''", "'") if match[2] is not None else match[3].replace('""', '"')
            found.append(Edit("text", text=quoted))
        else:
            found += [_edit(match)] * times
    raise UnknownFormatError


def _edit(match: re.Match[str]) -> Edit:
    kind = match[4].lower()
    if (not match[5] and kind not in ("x", "a")) or (kind in ("f", "e", "es", "d") and match[5] == "0"):
        raise UnknownFormatError
    return Edit(kind, int(match[5] or 0), None if match[6] is None else int(match[6]),
                None if match[7] is None else int(match[7]))


# ---------------------------------------------------------------- to text


class RecordWriter:
    """The record an internal WRITE makes."""

    def __init__(self, form: tuple[Edit, ...] | None) -> None:
        self.form = None if form is None else iter(form)
        self.texts: list[str] = []

    def put(self, value: Any) -> None:
        """An item, an array in array element order."""
        for one in np.asarray(value).reshape(-1, order="F"):
            if self.form is None:
                self.texts.append(_listed(one))
            else:
                self.texts.append(_edited(one, self.next()))

    def next(self) -> Edit:
        """The descriptor of the next item; what stands before it is written."""
        assert self.form is not None
        for edit in self.form:
            if edit.kind not in ("text", "x"):
                return edit
            self.texts.append(edit.text if edit.kind == "text" else " " * max(1, edit.width))
        raise ReplayError("a WRITE of more records than the internal file has")

    def done(self, length: int) -> bytes:
        """The record, blanks behind. Raises ReplayError where the file is too short."""
        for edit in self.form or ():
            if edit.kind not in ("text", "x"):
                break
            self.texts.append(edit.text if edit.kind == "text" else " " * max(1, edit.width))
        text = "".join(self.texts).encode()
        if len(text) > length:
            raise ReplayError("a WRITE beyond the end of an internal file")
        return text.ljust(length)


def _listed(value: Any) -> str:
    """List-directed, as gfortran has it: only integers and characters."""
    if isinstance(value, bytes):
        return value.decode()
    return str(int(value)).rjust(12)


def _edited(value: Any, edit: Edit) -> str:
    if isinstance(value, bytes):
        text = value.decode()
        return text[:edit.width].rjust(edit.width) if edit.width else text
    if edit.kind == "l":
        return ("T" if value else "F").rjust(edit.width)
    text = _integer(int(value), edit) if edit.kind == "i" else _real(float(value), edit)
    return text.rjust(edit.width) if len(text) <= edit.width or not edit.width else "*" * edit.width


def _integer(value: int, edit: Edit) -> str:
    return ("-" if value < 0 else "") + str(abs(value)).rjust(edit.digits or 1, "0")


def _real(value: float, edit: Edit) -> str:
    digits = edit.digits or 0
    if edit.kind == "f":
        text = f"{value:.{digits}f}" + ("." if digits == 0 else "")
        bare = text.replace("0.", ".", 1) if abs(float(text)) < 1 else text
        return bare if len(text) > edit.width and digits else text
    shown = digits if edit.kind == "es" else digits - 1
    mantissa, _, exponent = f"{value:.{shown}e}".partition("e")
    power = int(exponent)
    if edit.kind != "es":
        power = power + 1 if value else 0
        mantissa = mantissa.replace(".", "")
        mantissa = "-0." + mantissa[1:] if mantissa.startswith("-") else "0." + mantissa
    size = edit.exponent or 2
    letter = "D" if edit.kind == "d" else "E"
    if edit.exponent is None and abs(power) > 99:
        size, letter = 3, ""
    text = f"{mantissa}{letter}{'-' if power < 0 else '+'}{abs(power):0{size}d}"
    return text.replace("0.", ".", 1) if len(text) > edit.width and edit.kind != "es" else text


# ---------------------------------------------------------------- from text


class Reader:
    """What an internal READ takes its items from."""

    def __init__(self, record: bytes, form: tuple[Edit, ...] | None) -> None:
        self.text = record.decode()
        self.form = None if form is None else iter(form)
        self.at = 0
        self.listed = iter(()) if form is not None else _tokens(self.text)

    def take(self, slot: Slot, index: Index) -> None:
        """An item, an array in array element order."""
        target = slot.values[(*index, Ellipsis)]
        for place in np.ndindex(*reversed(target.shape)):
            at = tuple(reversed(place))
            text, edit = self.field(target.dtype.itemsize)
            if text is not None:
                target[at] = _value(text, target.dtype, edit)

    def drop(self, slot: Slot, index: Index) -> None:
        """Drop the adjoint of what was taken."""
        target = slot.values[(*index, Ellipsis)]
        for place in np.ndindex(*reversed(target.shape)):
            text, _ = self.field(target.dtype.itemsize)
            if text is not None and slot.b is not None:
                slot.b[(*index, Ellipsis)][tuple(reversed(place))] = 0

    def field(self, length: int) -> tuple[str | None, Edit | None]:
        """The next item's text; None: it keeps its value."""
        if self.form is None:
            token = next(self.listed, "")
            if token == "":
                raise TransferError("the end of an internal file", END)
            return token, None
        for edit in self.form:
            if edit.kind in ("text", "x"):
                self.at += len(edit.text) or max(1, edit.width)
                continue
            width = edit.width or length
            field = self.text[self.at:self.at + width].ljust(width)
            self.at += width
            return field, edit
        raise TransferError("the end of an internal file", END)


def _tokens(text: str) -> Iterator[str | None]:
    """The values of a list-directed record, None for null values. A slash ends it: the rest are null values."""
    pattern = re.compile(r"\s*(?:(\d+)\*)?(?:'((?:[^']|'')*)'|\"([^\"]*)\"|([^\s,/'\"]+))?\s*(,|/|$|(?=\S))")
    at = 0
    text = text.rstrip()
    while at < len(text):
        match = pattern.match(text, at)
        if match is None or match.end() == at:
            raise TransferError("a record of an internal file that is not understood", BAD)
        at = match.end()
        value = next((one for one in match.group(2, 3, 4) if one is not None), None)
        if value is not None or match[5] == "," or match[1]:
            for _ in range(int(match[1] or 1)):
                yield value
        if match[5] == "/":
            while True:
                yield None


def _value(text: str, dtype: np.dtype[Any], edit: Edit | None) -> Any:
    if dtype.kind == "S":
        length = dtype.itemsize
        shown = text[len(text) - length:] if edit is not None and len(text) > length else text[:length]
        return shown.ljust(length).encode()
    bare = text.replace(" ", "").lower()
    if (edit is not None and edit.kind == "l") or bare.lstrip(".")[:1] in ("t", "f"):
        return int(bare.lstrip(".")[:1] == "t")
    try:
        if dtype.kind == "i":
            return int(bare or "0")
        bare = re.sub(r"(?<=[\d.])([+-])", r"e\1", bare.replace("d", "e")) if "e" not in bare else bare
        number = float(bare.replace("d", "e") or "0")
    except ValueError:
        raise TransferError(f"`{text}` in an internal file is no number", BAD) from None
    shift = edit.digits if edit is not None and edit.digits and "." not in bare and bare else 0
    return number / 10.0**(shift or 0)
