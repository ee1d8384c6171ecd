"""Plain pages through rich: lines and tables, as text."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from snapset.frontend.base.visible_text import visible_line

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table


def plain_console(buffer: io.StringIO, width: int, colour: bool) -> Console:
    """A console that writes what it is told into ``buffer``, as it is told."""
    from rich.console import Console

    return Console(
        file=buffer,
        width=width,
        force_terminal=colour,
        color_system="standard" if colour else None,
        no_color=not colour,
        legacy_windows=False,
        markup=False,
        emoji=False,
        highlight=False,
    )


def without_trailing(buffer: io.StringIO) -> str:
    """What was written, without blanks at the ends of lines."""
    return "".join(line.rstrip() + "\n" for line in buffer.getvalue().removesuffix("\n").split("\n"))


class Page:
    """Collects what is printed; :meth:`text` is all of it. ``ascii_only`` draws lines with ASCII."""

    def __init__(self, *, width: int = 80, colour: bool = False, ascii_only: bool = False) -> None:
        self.ascii_only = ascii_only
        self._buffer = io.StringIO()
        self._console = plain_console(self._buffer, max(width, 40), colour)

    def line(self, text: str = "", style: str = "", indent: int = 0) -> None:
        """One line, wrapped to the width."""
        from rich.padding import Padding
        from rich.text import Text

        self._console.print(Padding(Text(visible_line(text), style=style, overflow="fold"), (0, 0, 0, indent)))

    def table(self, *headers: str, right: bool = False) -> Table:
        """An empty table; ``right``: all columns but the first hold figures."""
        from rich import box
        from rich.table import Table
        from rich.text import Text

        lines = box.ASCII if self.ascii_only else box.SIMPLE_HEAD
        padding = (0, 0 if right else 1, 0, 1)
        table = Table(box=lines, pad_edge=False, padding=padding, header_style="bold", show_edge=False)
        for number, header in enumerate(headers):
            first = number == 0
            table.add_column(
                Text(header), overflow="fold", no_wrap=first, justify="right" if right and not first else "left"
            )
        return table

    def show(self, table: Table, gap: int = 1) -> None:
        """A table, after ``gap`` empty lines."""
        from rich.padding import Padding

        self._console.print(Padding(table, (gap, 0, 0, 2)))

    def text(self) -> str:
        return without_trailing(self._buffer)
