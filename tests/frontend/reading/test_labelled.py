"""Labelled loops as block loops, shared labels properly nested."""

from __future__ import annotations

import pytest
from snapset.frontend.base.diagnostics import InputError
from snapset.frontend.base.source_model import Line

from tests.support.frontend.reading_help import body, units
from tests.support.growth import grows_linearly


def rewritten(text: str) -> list[str]:
    (unit,) = units(f"subroutine s\n{text}\nend\n")
    return body(unit)


def test_ends_after_the_terminating_statement() -> None:
    assert rewritten("do 10 i = 1, n\nx = i\n10 y = x") == ["do i = 1, n", "x = i", "y = x", "end do"]


def test_a_shared_label_ends_every_loop_in_its_turn() -> None:
    (unit,) = units("subroutine s\ndo 10 i = 1, n\ndo 10, j = 1, n\n10 a(i, j) = 0\nend\n")
    assert body(unit) == ["do i = 1, n", "do j = 1, n", "a(i, j) = 0", "end do", "end do"]
    last = [item for item in unit.items if isinstance(item, Line)][-3:]
    assert [line.span.line for line in last] == [4, 4, 4]
    assert [line.label for line in last] == [10, None, None]


def test_an_end_do_of_its_own_is_kept() -> None:
    assert rewritten("do 10 i = 1, n\nx = i\n10 end do") == ["do i = 1, n", "x = i", "end do"]


def test_while_and_infinite_loops() -> None:
    assert rewritten("do 10 while (x < 1)\n10 continue\ndo 20\n20 continue") == [
        "do while (x < 1)", "continue", "end do", "do", "continue", "end do"]


def test_the_name_of_the_construct_is_on_its_end() -> None:
    assert rewritten("outer: do 10 i = 1, n\n10 continue") == ["do i = 1, n", "continue", "end do outer"]


def test_the_same_label_may_serve_again_in_another_unit() -> None:
    first, second = units("subroutine a\ndo 1 i = 1, 2\n1 continue\nend\nsubroutine b\ndo 1 i = 1, 2\n1 continue\nend")
    assert body(first) == body(second) == ["do i = 1, 2", "continue", "end do"]


def test_an_unlabelled_loop_inside() -> None:
    assert rewritten("do 10 i = 1, n\ndo j = 1, 2\nend do\n10 continue") == [
        "do i = 1, n", "do j = 1, 2", "end do", "continue", "end do"]


def test_loop_without_its_statement() -> None:
    with pytest.raises(InputError, match="no statement 10 follows") as caught:
        units("subroutine a\ndo 10 i = 1, 2\nend\nsubroutine b\n10 continue\nend\n")
    assert str(caught.value).startswith("t.f90:2:1: error: ")


def test_a_statement_before_the_loop_does_not_end_it() -> None:
    with pytest.raises(InputError, match="no statement 10 follows"):
        units("subroutine a\n10 continue\ndo 10 i = 1, 2\nend\n")


def test_crossing_loops() -> None:
    with pytest.raises(InputError, match="outer loop") as caught:
        units("subroutine a\ndo 10 i = 1, 2\ndo 20 j = 1, 2\n10 continue\n20 continue\nend\n")
    assert str(caught.value).startswith("t.f90:4:")


def test_deep_and_long_loops_take_linear_work() -> None:
    def nested(depth: int) -> int:
        deep = "".join(f"do {n} i{n} = 1, 2\n" for n in range(1, depth + 1))
        return len(rewritten(deep + "".join(f"{n} x = x + 1\n" for n in range(depth, 0, -1))))

    assert nested(3000) == 9000
    assert grows_linearly(nested, 6000)
