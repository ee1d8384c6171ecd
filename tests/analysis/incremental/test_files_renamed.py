"""Procedures that move to another file, and copies of a file: what is remembered names the file it is in now."""

from __future__ import annotations

from pathlib import Path

import pytest
from snapset.analysis.results import HeadResult
from snapset.frontend.persistence.disk_cache import open_cache
from snapset.library.analysis import Choices, parse_heads, reports
from snapset.library.session import Session

HEAD = "top(x)>(y)"
TOP = """\
subroutine top(x, y)
  real(8) :: x, y
  y = x
  call middle(y)
  y = y*y
end subroutine
"""
MIDDLE = """\
subroutine middle(y)
  real(8) :: y
  call leaf(y)
  y = sin(y)*y
end subroutine
subroutine leaf(y)
  real(8) :: y
  integer :: i
  do i = 1, 3
    y = y*y
    if (y > 1) y = 0.5*y*y
  end do
end subroutine
"""
OTHER = "subroutine other\nend subroutine\n"


def through_cache(folder: Path, files: tuple[str, ...], choices: Choices) -> tuple[HeadResult, ...]:
    store = open_cache(folder / "cache")
    session = Session(files, parse_heads([HEAD]), cache=store)
    found = session.stored_results(choices) or session.results(choices)
    store.close()
    assert store.trouble is None
    return found


@pytest.mark.parametrize("choices", [Choices(), Choices(split=("leaf",))], ids=["joint", "split"])
def test_what_moves_to_another_file(choices: Choices, tmp_path: Path) -> None:
    """The files are the same ones, so are the statements; places are in a.f90 then."""
    files = str(tmp_path / "a.f90"), str(tmp_path / "b.f90")
    for first, second in ((TOP, MIDDLE), (TOP + MIDDLE, OTHER), (OTHER, TOP + MIDDLE), (TOP, MIDDLE)):
        Path(files[0]).write_text(first)
        Path(files[1]).write_text(second)
        assert through_cache(tmp_path, files, choices) == tuple(reports(files, [HEAD], choices))


def test_copies_of_one_text(tmp_path: Path) -> None:
    """Each copy's parts are in its own file, under whatever options they are asked for again."""
    for strategies in ("lazy", "eager", "lazy,eager"):
        for name in ("a.f90", "b.f90", "a.f90"):
            (tmp_path / name).write_text(TOP + MIDDLE)
            files, choices = (str(tmp_path / name),), Choices(strategies=strategies)
            assert through_cache(tmp_path, files, choices) == tuple(reports(files, [HEAD], choices))


def test_a_copy_read_again_after_an_edit(tmp_path: Path) -> None:
    """The edited line is taken back: what is remembered of the first copy is its own."""
    for text in (TOP + MIDDLE, TOP + MIDDLE.replace("sin", "cos"), TOP + MIDDLE):
        for name in ("a.f90", "b.f90"):
            (tmp_path / name).write_text(text)
            files = (str(tmp_path / name),)
            assert through_cache(tmp_path, files, Choices()) == tuple(reports(files, [HEAD], Choices()))
