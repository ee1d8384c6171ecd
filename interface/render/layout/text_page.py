"""A page of lines and tables that is written from top to bottom: what every command's text is put together with.

With a look that is ``markup`` the same lines and tables are paragraphs and tables of HTML.
"""

from __future__ import annotations

from snapset.render.layout import markup, table_layout
from snapset.render.layout.markup import Html, element, escaped
from snapset.render.layout.table_layout import TableStyle


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
                self.lines.append(element("p", escaped(text), class_=style or None))
            return
        self.lines += table_layout.paragraph(text, self.look, style, indent)

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


def _cell(text: str) -> Html:
    return markup.joined((escaped(line) for line in text.split("\n")), Html("<br>"))
