"""The records that an internal WRITE makes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from snapset.analysis.replay.memory.lazy_numpy import np
from snapset.analysis.replay.memory.runtime_support import NotExecutedError, ReplayError
from snapset.analysis.replay.texts.edit_descriptors import Edit, Format
from snapset.analysis.replay.texts.edited_values import EditModes, edited, listed

END, TOO_LONG, BAD = -1, -2, 5010


class TransferError(ReplayError):
    """A READ or WRITE that fails. ``status``: what IOSTAT tells then, as gfortran has it."""

    def __init__(self, message: str, status: int) -> None:
        super().__init__(message)
        self.status = status


def descriptors(form: Format) -> Iterator[Edit | None]:
    """The descriptors in the order they are met while there are items; None: a new record begins, as the format
    begins again. Ends where it cannot serve another item."""
    yield from form.edits
    rest = form.edits[form.again:]
    while any(edit.is_data for edit in rest):
        if not form.endless:
            yield None
        yield from rest


class RecordWriter:
    """Puts items into ``count`` records of ``length`` characters; ``count`` 1: the file is no array."""

    def __init__(self, form: Format | None, length: int, count: int = 1) -> None:
        self.form = None if form is None else descriptors(form)
        self.length = length
        self.count = count
        self.records = [""]
        self.at = 0
        self.modes = EditModes()
        self.characters = False

    def put(self, value: Any) -> None:
        """An item, an array in array element order. Raises TransferError where the file is too small."""
        for one in np.asarray(value).reshape(-1, order="F"):
            if self.form is None:
                self.text(listed(one, self.characters))
                self.characters = isinstance(one, bytes)
            elif isinstance(one, np.complexfloating):
                for part in (one.real, one.imag):
                    self.text(edited(part, self.next(), self.modes))
            else:
                self.text(edited(one, self.next(), self.modes))

    def text(self, text: str) -> None:
        """Write at the place where the record stands."""
        record = self.records[-1].ljust(self.at)
        self.records[-1] = record[:self.at] + text + record[self.at + len(text):]
        self.at += len(text)
        if len(self.records[-1]) > self.length:
            if self.form is None and self.count > 1:
                raise NotExecutedError("a list-directed WRITE of more than one record of an internal file")
            raise TransferError("a WRITE beyond the end of an internal file", TOO_LONG)

    def record(self) -> None:
        """Begin another record."""
        if len(self.records) == self.count:
            raise TransferError("a WRITE of more records than the internal file has", END)
        self.records.append("")
        self.at = 0

    def next(self) -> Edit:
        """The descriptor of the next item; what stands before it is done."""
        assert self.form is not None
        for edit in self.form:
            if edit is None:
                self.record()
            elif edit.is_data:
                return edit
            else:
                self.control(edit)
        raise ReplayError("a WRITE of items with a format that has no edit descriptor for them")

    def control(self, edit: Edit) -> None:
        match edit.kind:
            case "text":
                self.text(edit.text)
            case "x" | "tr":
                self.at += edit.width
            case "tl":
                self.at = max(0, self.at - edit.width)
            case "t":
                self.at = edit.width - 1
            case "/":
                for _ in range(edit.width):
                    self.record()
            case _:
                self.modes.set(edit)

    def done(self) -> list[bytes]:
        """The records written, blanks behind."""
        for edit in self.form or ():
            if edit is None or edit.is_data or edit.kind == ":":
                break
            self.control(edit)
        return [record.encode("latin-1").ljust(self.length) for record in self.records]
