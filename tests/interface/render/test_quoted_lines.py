"""A line of source that is too wide for a page: what is around the mark under it."""

from __future__ import annotations

import pytest
from snapset.render.layout.text_page import around

LINE = "rho = a*(b - c*(d - e*f)) + g*s"


@pytest.mark.parametrize(("mark", "room", "shown", "below"), [
    (6, 40, LINE, "      ^"),
    (6, 20, "rho = a*(b - c*(d...", "      ^"),
    (30, 20, "...*(d - e*f)) + g*s", None),
])  # fmt: skip
def test_the_mark_is_seen(mark: int, room: int, shown: str, below: str | None) -> None:
    text, marks = around(LINE, " "*mark + "^", room)
    assert len(text) <= room
    assert text.startswith(shown[:8])
    assert below is None or marks == below
    assert text[len(marks) - 1] == LINE[mark]
