"""A page of lines and tables that is written from top to bottom: what every command's text is put together with.

With a look that is ``markup`` the same lines and tables are paragraphs and tables of HTML.
"""

from __future__ import annotations

from snapset.render.layout import markup, table_layout
from snapset.render.layout.markup import Html, element, escaped
from snapset.render.layout.table_layout import TableStyle

_ELLIPSIS = 3
_INNER = 4


class RowsUnderHeaders:
    """A table as its rows come. ``whole``: columns that are not wrapped; ``right``: all but the first hold figures."""

    def __init__(self, headers: tuple[str, ...], whole: tuple[int, ...], right: bool) -> None:
        self.headers = headers
        self.whole = whole
        self.right = right
        self.rows: list[tuple[str, ...]] = []
        self.styles: list[str] = []

    def add_row(self, *cells: str, style: str = "") -> None:
        self.rows.append(cells)
        self.styles.append(style)


class Page:
    """Collects what is written; :meth:`text` is all of it."""

    def __init__(self, look: TableStyle) -> None:
        self.look = look
        self.lines: list[str] = []

    def text(self) -> str:
        return "".join(f"{line}\n" for line in self.lines)

    def line(self, text: str = "", style: str = "", indent: int = 0) -> None:
        """One line, wrapped to the width."""
        if self.look.markup:
            if text:
                self.lines.append(element("p", escaped(text), class_=_classes(style, indent)))
            return
        self.lines += table_layout.paragraph(text, self.look, style, indent)

    def quoted(self, text: str, marks: str = "", indent: int = 0) -> None:
        """A line of source, never wrapped, and what stands under it; where it is too wide, what is around the first
        mark. Or a program of several lines."""
        if self.look.markup:
            code = "\n".join(map(escaped, [*text.splitlines(), *marks.splitlines()]))
            self.lines.append(element("pre", Html(code), class_=_classes("", indent)))
            return
        text, marks = around(text, marks, self.look.width - indent)
        self.lines += [f"{'':{indent}}{line}" for line in (text, marks) if line]

    def table(self, *headers: str, whole: tuple[int, ...] = (0,), right: bool = False) -> RowsUnderHeaders:
        """An empty table."""
        return RowsUnderHeaders(headers, whole, right)

    def show(self, table: RowsUnderHeaders, gap: int = 1, indent: int = 2) -> None:
        """A table, after ``gap`` empty lines."""
        if self.look.markup:
            self.lines.append(markup.table(table.headers, (map(_cell, row) for row in table.rows)))
            return
        self.lines += [""] * gap
        self.lines += table_layout.table(
            table.headers, table.rows, self.look, indent, table.whole, table.right, table.styles
        )


def around(text: str, marks: str, room: int) -> tuple[str, str]:
    """A line and the marks under it, cut to ``room`` columns: its beginning if that holds the first mark, else what
    surrounds the mark."""
    if len(text) <= room:
        return text, marks
    first = len(marks) - len(marks.lstrip())
    start = 0 if first < room - _ELLIPSIS else min(first - room // 2, len(text) - room)
    cut, below = text[start:start + room], marks[start:start + room]
    if start:
        cut, below = "..." + cut[_ELLIPSIS:], below
    if start + room < len(text):
        cut, below = cut[:-_ELLIPSIS] + "...", below[:room - _ELLIPSIS]
    return cut, below.rstrip()


def _classes(style: str, indent: int) -> str | None:
    """A text's looks on a page for a browser: what stands further in than a paragraph does is moved there."""
    return " ".join(filter(None, (style, f"i{indent}" if indent >= _INNER else ""))) or None


def _cell(text: str) -> Html:
    return markup.joined((escaped(line) for line in text.split("\n")), Html("<br>"))
