"""Lines and tables of plain text: the one table renderer of all commands. rich says how wide a character is.

The layout is rich's, which is the oracle of the tests. rich itself takes 68 times as long (3.7 s for ten thousand rows
of four columns, 0.054 s here), and a large report has as many; importing its tables takes 60 ms, its widths 3.

Columns are as wide as their widest cell; where that is too much, the widest ones give way together, but for the first
column. A cell breaks between words, and inside of a word that has no room on a line of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.base.lazy_patterns import pattern_of
from snapset.frontend.base.visible_text import visible, visible_line

_WORD = pattern_of(r"\s*\S+\s*")
_CODES = {"bold": "1", "cyan": "36", "yellow": "33", "red": "31"}


@frozen
class TableStyle:
    """How it is drawn: ``width`` of the page, ANSI codes for styles, lines with ASCII only; ``markup``: as HTML."""

    width: int = 80
    colour: bool = False
    ascii_only: bool = False
    markup: bool = False

    def styled(self, text: str, style: str) -> str:
        """``style``: words such as ``bold cyan``."""
        if not self.colour or not style:
            return text
        return f"\x1b[{';'.join(_CODES[word] for word in style.split())}m{text}\x1b[0m"


def paragraph(text: str, look: TableStyle, style: str = "", indent: int = 0) -> list[str]:
    """The lines of a text that may be longer than the page is wide."""
    lines = (line.rstrip() for line in wrapped(visible_line(text), look.width - indent))
    return [" " * indent + look.styled(line, style) if line else "" for line in lines]


def table(headers: Sequence[str], rows: Iterable[Sequence[str]], look: TableStyle, indent: int = 2,
          whole: Sequence[int] = (0,), right: bool = False, styles: Sequence[str] = ()) -> list[str]:  # fmt: skip
    """The lines of a table; the columns ``whole`` are not wrapped.

    ``right``: all columns but the first hold figures, which stand at the right. ``styles``: of each row.
    """
    cells = [[cell if cell.isascii() and cell.isprintable() else visible(cell) for cell in row]
             for row in (headers, *rows)]
    last = len(headers) - 1
    behind = [not right and place < last for place in range(last + 1)]
    pads = [(place > 0) + behind[place] for place in range(last + 1)]
    room = look.width - indent - last
    natural = [
        min(max(max(map(_widest, column)) + pad, 1), room)
        for column, pad in zip(zip(*cells, strict=True), pads, strict=True)
    ]
    widths = _fitted(natural, [place not in whole for place in range(last + 1)], room)
    inner = [max(width - pad, 0) for width, pad in zip(widths, pads, strict=True)]
    bar, rule, cross = ("|", "-", "+") if look.ascii_only else (" ", "─", "─")
    lines: list[str] = []
    for number, row in enumerate(cells):
        pieces = [wrapped(cell, width, place in whole) for place, (cell, width) in
                  enumerate(zip(row, inner, strict=True))]  # fmt: skip
        height = max(map(len, pieces))
        style = "bold" if number == 0 else styles[number - 1] if styles else ""
        for at in range(height):
            shown = []
            for place, (piece, width) in enumerate(zip(pieces, inner, strict=True)):
                line = at - (height - len(piece)) if number == 0 else at
                text = _padded(piece[line] if 0 <= line < len(piece) else "", width, right and place > 0)
                text = look.styled(text, style) if style else text
                shown.append(" " * (place > 0) + text + " " * behind[place])
            lines.append((" " * indent + bar.join(shown)).rstrip())
        if number == 0:
            lines.append(" " * indent + cross.join(rule * width for width in widths))
    return lines


def _fitted(widths: list[int], flexible: list[bool], room: int) -> list[int]:
    """The widths with the widest flexible ones made narrower, together, until they fit into ``room``."""
    while any(flexible) and sum(widths) > room:
        bending = sorted({width for width, bends in zip(widths, flexible, strict=True) if bends}, reverse=True)
        widest, second = bending[0], bending[1] if len(bending) > 1 else 0
        if not widest - second:
            break
        chosen = [width == widest and bends for width, bends in zip(widths, flexible, strict=True)]
        widths = _reduced(widths, chosen, sum(widths) - room, widest - second)
    if sum(widths) > room:
        widths = _reduced(widths, [True] * len(widths), sum(widths) - room, None)
    return widths


def _reduced(widths: list[int], chosen: list[bool], excess: int, most: int | None) -> list[int]:
    """``excess`` taken away from the chosen widths in equal shares, at most ``most`` from each."""
    cap = excess if most is None else min(excess, most)
    left, shares = excess, sum(chosen)
    found = []
    for width, one in zip(widths, chosen, strict=True):
        if one and shares > 0 and (most is not None or width):
            taken = min(width if most is None else cap, round(left / shares))
            found.append(width - taken)
            left -= taken
            shares -= 1
        else:
            found.append(width)
    return found


# ---------------------------------------------------------------- text


def wrapped(text: str, width: int, whole: bool = False) -> list[str]:
    """The lines of a text, none wider than ``width``; ``whole``: what is too long is cut off instead."""
    found: list[str] = []
    for line in text.split("\n"):
        size = _size(line)
        if size <= width:
            found.append(line)
        elif whole:
            found.append(_chopped(line, width)[0] if width else "")
        else:
            found += _divided(line, width)
    return found


def _divided(line: str, width: int) -> list[str]:
    breaks: list[int] = []
    used = 0
    for match in _WORD.finditer(line):
        start, word = match.start(), match.group()
        size = _size(word.rstrip())
        if width - used >= size:
            used += _size(word)
        elif size > width:
            pieces = _chopped(word, width)
            for piece in pieces[:-1]:
                if start:
                    breaks.append(start)
                start += len(piece)
            if start:
                breaks.append(start)
            used = _size(pieces[-1])
        elif used and start:
            breaks.append(start)
            used = _size(word)
    places = [0, *breaks, len(line)]
    return [_cropped(line[a:b], width) for a, b in pairwise(places)]


def _cropped(line: str, width: int) -> str:
    excess = len(line) - width
    if excess > 0:
        blanks = len(line) - len(line.rstrip())
        line = line[: len(line) - min(blanks, excess)]
    return line if _size(line) <= width else _chopped(line, width)[0]


def _chopped(word: str, width: int) -> list[str]:
    """Pieces of at most ``width``."""
    if word.isascii():
        width = max(width, 1)
        return [word[at : at + width] for at in range(0, len(word), width)]
    from rich.cells import chop_cells

    return chop_cells(word, width)


def _padded(text: str, width: int, right: bool) -> str:
    text = text.rstrip() if right else text
    blanks = " " * (width - _size(text))
    return blanks + text if right else text + blanks


def _size(text: str) -> int:
    """How many columns of a terminal a text takes."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def _widest(text: str) -> int:
    return _size(text) if "\n" not in text else max(map(_size, text.split("\n")))

