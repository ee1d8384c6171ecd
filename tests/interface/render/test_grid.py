"""Lines and tables are laid out as rich lays them out."""

from __future__ import annotations

import io
import re

from hypothesis import given, settings
from hypothesis import strategies as st
from rich import box
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text
from snapset.render.layout.table_layout import TableStyle, paragraph, table, wrapped

WORDS = st.lists(st.sampled_from(["a", "mesh%nrow", "8*n", "-", "ä", "数", "x" * 30, "max(8*n,"]), max_size=12)
CELLS = st.builds(lambda words, by: by.join(words), WORDS, st.sampled_from([" ", ", ", "", "\n", "  "]))


def plain_console(buffer: io.StringIO, width: int) -> Console:
    """It writes what it is told into ``buffer``, as it is told."""
    return Console(file=buffer, width=width, color_system=None, no_color=True, legacy_windows=False, markup=False,
                   emoji=False, highlight=False)  # fmt: skip


def without_trailing(buffer: io.StringIO) -> str:
    """What was written, without blanks at the ends of lines."""
    return "".join(line.rstrip() + "\n" for line in buffer.getvalue().removesuffix("\n").split("\n"))


def by_rich(headers: list[str], rows: list[list[str]], look: TableStyle, whole: tuple[int, ...], right: bool) -> str:
    buffer = io.StringIO()
    lines = box.ASCII if look.ascii_only else box.SIMPLE_HEAD
    padding = (0, 0 if right else 1, 0, 1)
    drawn = Table(box=lines, pad_edge=False, padding=padding, header_style="bold", show_edge=False)
    for place, header in enumerate(headers):
        drawn.add_column(Text(header), overflow="fold", no_wrap=place in whole,
                         justify="right" if right and place else "left")  # fmt: skip
    for row in rows:
        drawn.add_row(*row)
    plain_console(buffer, look.width).print(Padding(drawn, (0, 0, 0, 2)))
    return without_trailing(buffer)


@st.composite
def tables(draw: st.DrawFn) -> tuple[list[str], list[list[str]]]:
    size = draw(st.integers(2, 5))
    headers = draw(st.lists(st.sampled_from(["set", "what it is", "lazy", "Opt1+=a,b;Opt2-=c"]), min_size=size,
                            max_size=size))  # fmt: skip
    row = st.lists(CELLS, min_size=size, max_size=size)
    return headers, draw(st.lists(row, max_size=5))


@settings(max_examples=120, deadline=None)
@given(tables(), st.integers(50, 120), st.booleans(), st.sampled_from([(0,), ()]), st.booleans())
def test_a_table(made: tuple[list[str], list[list[str]]], width: int, ascii_only: bool, whole: tuple[int, ...],
                 right: bool) -> None:
    headers, rows = made
    if whole:
        rows = [["short", *row[1:]] for row in rows]
    look = TableStyle(width, ascii_only=ascii_only)
    ours = "".join(f"{line}\n" for line in table(headers, rows, look, whole=whole, right=right))
    assert ours == by_rich(headers, rows, look, whole, right)


@settings(max_examples=120, deadline=None)
@given(CELLS, st.integers(10, 60), st.sampled_from([0, 2]))
def test_a_paragraph(text: str, width: int, indent: int) -> None:
    buffer = io.StringIO()
    shown = text.replace("\n", r"\n")  # a paragraph is one line, however long
    plain_console(buffer, width).print(Padding(Text(shown, overflow="fold"), (0, 0, 0, indent)))
    ours = "".join(f"{line.rstrip()}\n" for line in paragraph(text, TableStyle(width), indent=indent))
    assert ours == without_trailing(buffer)


@given(CELLS, st.integers(2, 40))
def test_nothing_is_lost_in_wrapping(text: str, width: int) -> None:
    assert re.sub(r"\s", "", "".join(wrapped(text, width))) == re.sub(r"\s", "", text)


def test_styles_only_where_asked_for() -> None:
    assert paragraph("a", TableStyle(colour=True), "bold red", 2) == ["  \x1b[1;31ma\x1b[0m"]
    assert paragraph("a", TableStyle(), "bold red", 2) == ["  a"]
    assert table(["a"], [["b"]], TableStyle(colour=True), styles=["red"])[2] == "  \x1b[31mb\x1b[0m"
    assert table(["a"], [["b"]], TableStyle(colour=True)) == ["  \x1b[1ma\x1b[0m", "  ─", "  b"]
