"""What an internal READ takes its items from."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from snapset.analysis.replay.memory.lazy_numpy import np
from snapset.analysis.replay.memory.runtime_support import Index, ReplayError, Slot
from snapset.analysis.replay.texts.edit_descriptors import Edit, Format
from snapset.analysis.replay.texts.edited_values import EditModes
from snapset.analysis.replay.texts.record_writer import BAD, END, TransferError, descriptors
from snapset.frontend.base.lazy_patterns import pattern_of

_TOKEN = pattern_of(r"\s*(?:(\d+)\*)?(?:'((?:[^']|'')*)'|\"([^\"]*)\"|(\([^()]*\)|[^\s,/'\"()]+))?\s*(,|/|$|(?=\S))")


class RecordReader:
    """Reads records. ``form`` None: list-directed."""

    def __init__(self, records: Sequence[bytes], form: Format | None) -> None:
        self.texts = [record.decode("latin-1") for record in records]
        self.form = None if form is None else descriptors(form)
        self.row = self.at = 0
        self.modes = EditModes()
        self.before: list[tuple[Slot, Index, Any]] = []
        self.listed: Iterator[str | None] = iter(()) if form is not None else _tokens(self.texts)

    def take(self, slot: Slot, index: Index, logical: bool = False) -> None:
        """An item, an array in array element order."""
        target = slot.values[(*index, Ellipsis)]
        for place in np.ndindex(*reversed(target.shape)):
            at = tuple(reversed(place))
            value = self.value(target.dtype, logical)
            if value is not None:
                target[at] = value

    def drop(self, slot: Slot, index: Index, logical: bool = False) -> None:
        """An item once more, whose adjoint is dropped."""
        self.remember(slot, index)
        target = slot.values[(*index, Ellipsis)]
        for place in np.ndindex(*reversed(target.shape)):
            at = tuple(reversed(place))
            value = self.value(target.dtype, logical)
            if value is not None:
                target[at] = value
                if slot.b is not None:
                    slot.b[(*index, Ellipsis)][at] = 0

    def remember(self, slot: Slot, index: Index) -> None:
        """What is read once more comes back by :meth:`forget`."""
        self.before.append((slot, index, slot.values[(*index, Ellipsis)].copy()))

    def forget(self) -> None:
        for slot, index, old in reversed(self.before):
            slot.values[(*index, Ellipsis)] = old

    def value(self, dtype: np.dtype[Any], logical: bool) -> Any:
        """The next item; None: it keeps its value."""
        if self.form is None:
            token = next(self.listed, "")
            if token == "":
                raise TransferError("the end of an internal file", END)
            if token is None:
                return None
            return _truth(token) if logical else _value(token, dtype, None, self.modes)
        if dtype.kind == "c":
            half = np.dtype(f"f{dtype.itemsize // 2}")
            return complex(*(self.field(half, logical) for _ in range(2)))
        return self.field(dtype, logical)

    def field(self, dtype: np.dtype[Any], logical: bool) -> Any:
        """What the next data descriptor reads; what stands before it is done."""
        assert self.form is not None
        for edit in self.form:
            if edit is None:
                self.record()
            elif not edit.is_data:
                self.control(edit)
            else:
                if self.row >= len(self.texts):
                    raise TransferError("the end of an internal file", END)
                if edit.width == 0 and edit.kind != "a":
                    raise ReplayError("a READ with an edit descriptor without a width")
                width = edit.width or dtype.itemsize
                field = self.texts[self.row][self.at:self.at + width].ljust(width)
                self.at += width
                return _truth(field) if logical else _value(field, dtype, edit, self.modes)
        raise ReplayError("a READ of items with a format that has no edit descriptor for them")

    def record(self) -> None:
        self.row, self.at = self.row + 1, 0

    def control(self, edit: Edit) -> None:
        match edit.kind:
            case "text":
                self.at += len(edit.text)
            case "x" | "tr":
                self.at += edit.width
            case "tl":
                self.at = max(0, self.at - edit.width)
            case "t":
                self.at = edit.width - 1
            case "/":
                self.row, self.at = self.row + edit.width, 0
            case _:
                self.modes.set(edit)


def _tokens(texts: Sequence[str]) -> Iterator[str | None]:
    """The values of list-directed records, None for null values. A slash ends them: the rest are null values."""
    for text in texts:
        at, line = 0, text.rstrip()
        while at < len(line):
            match = _TOKEN.match(line, at)
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


def _truth(text: str) -> int:
    bare = text.strip().lower().removeprefix(".")[:1]
    if bare not in ("t", "f"):
        raise TransferError(f"`{text}` in an internal file is no logical value", BAD)
    return int(bare == "t")


def _value(text: str, dtype: np.dtype[Any], edit: Edit | None, modes: EditModes) -> Any:
    if dtype.kind == "S":
        length = dtype.itemsize
        shown = text[len(text) - length:] if edit is not None and len(text) > length else text[:length]
        return shown.ljust(length).encode("latin-1")
    if dtype.kind == "c":
        parts = text.strip("() ").split(",")
        if len(parts) != 2 or not text.startswith("("):
            raise TransferError(f"`{text}` in an internal file is no complex number", BAD)
        return complex(*(_value(part, np.dtype("f8"), None, modes) for part in parts))
    if edit is not None and edit.kind in ("b", "o", "z") and dtype.kind != "i":
        raise ReplayError("a READ of a number with the edit descriptor B, O or Z")
    bare = text.replace(" ", "0").lower() if edit is not None and modes.zeros and text.strip() else \
        text.replace(" ", "").lower()
    try:
        if dtype.kind == "i":
            base = {"b": 2, "o": 8, "z": 16}.get(edit.kind if edit is not None else "", 10)
            return int(bare or "0", base)
        bare = bare.replace("d", "e")
        bare = re.sub(r"(?<=[\d.])([+-])", r"e\1", bare) if "e" not in bare else bare
        number = float(bare or "0")
    except ValueError:
        raise TransferError(f"`{text}` in an internal file is no number", BAD) from None
    shift = edit.digits if edit is not None and edit.digits and "." not in bare and bare else 0
    scale = modes.scale if edit is not None and "e" not in bare else 0
    return number / 10.0**(shift + scale) if shift + scale >= 0 else number * 10.0**-(shift + scale)
