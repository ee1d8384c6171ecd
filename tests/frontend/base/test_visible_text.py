"""What a terminal would obey is shown instead."""

from __future__ import annotations

import os
import unicodedata

import pytest
from snapset.frontend.base.visible_text import visible, visible_line

SHOWN = {
    "an escape sequence": ("a\x1b[2Jb", r"a\x1b[2Jb"),
    "a bell, a NUL, DEL": ("\a\0\x7f", r"\x07\x00\x7f"),
    "C1: another escape sequence": ("\x9b31m", r"\x9b31m"),
    "written from right to left": ("x\u202ey\u2066z\u2069", r"x\u202ey\u2066z\u2069"),
    "nothing to see": ("a\u200bb\ufeff", r"a\u200bb\ufeff"),
    "a name that is not UTF-8": (os.fsdecode(b"gr\xfcn.f90"), r"gr\xfcn.f90"),
    "a half of a pair": ("\ud800", r"\ud800"),
    "another line": ("a\rb\x0bc\u2028d", r"a\rb\x0bc\u2028d"),
    "letters, signs and pictures": ("größe ∂x/∂t 雪 🌊 \\n", "größe ∂x/∂t 雪 🌊 \\n"),
}


@pytest.mark.parametrize("name", SHOWN)
def test_shown(name: str) -> None:
    text, shown = SHOWN[name]
    assert visible(text) == visible_line(text) == shown


def test_lines_stay_lines_where_several_are_meant() -> None:
    assert visible("a\n\tb\n") == "a\n\tb\n"
    assert visible_line("a\n\tb\n") == r"a\n\tb\n"


@pytest.mark.parametrize("among", [range(0x10000), range(0xE0000, 0xE0200),
                                   pytest.param(range(0x10000, 0x110000), marks=pytest.mark.wide)])
def test_nothing_is_left_that_is_obeyed(among: range) -> None:
    found = visible_line("".join(map(chr, among)))
    assert {unicodedata.category(one) for one in found}.isdisjoint({"Cc", "Cf", "Cs", "Zl", "Zp"})
    found.encode("utf-8")
