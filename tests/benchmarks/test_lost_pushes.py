"""PUSHes taken away one at a time: of a hand-written adjoint that a script gives for Tapenade, run by gfortran."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.peer.lost import Lost, Tried, lost_table, tried
from tests.analysis.comparison.adjoint_cases import LOOP

SCRIPT = """#!/bin/sh
while [ "$1" != -O ]; do shift; done
cp "{adjoint}" "$2/peer_b.f90"
"""


@pytest.fixture
def tapenade(tmp_path: Path) -> Path:
    (tmp_path / "given_b.f90").write_text(LOOP.adjoint)
    path = tmp_path / "tapenade"
    path.write_text(SCRIPT.format(adjoint=tmp_path / "given_b.f90"))
    path.chmod(0o755)
    return path


def test_every_push_of_an_adjoint(tapenade: Path, tmp_path: Path) -> None:
    source = tmp_path / "model.f90"
    source.write_text(LOOP.original)
    found = tried(tapenade, source, LOOP.head, 0, 1)
    assert (found.why, found.alarms) == ("", ())
    lines = LOOP.adjoint.splitlines()
    marked = {number: text.rpartition("! ")[2] for number, text in enumerate(lines, 1) if "call push" in text}
    assert {one.lines[0]: one.changed for one in found.lost} == {
        number: word == "needed" for number, word in marked.items()}
    assert all(bool(one.said) is one.changed for one in found.lost)
    assert all("pop" in lines[one.lines[-1] - 1] for one in found.lost)
    few = tried(tapenade, source, LOOP.head, 1, 1)
    assert len(few.lost) == 1
    assert {one.lines for one in few.lost} < {one.lines for one in found.lost}


def test_an_adjoint_that_does_not_compile_says_why(tapenade: Path, tmp_path: Path) -> None:
    source = tmp_path / "model.f90"
    source.write_text(LOOP.original)
    (tmp_path / "given_b.f90").write_text(LOOP.adjoint.replace("implicit none", "implicit nothing"))
    found = tried(tapenade, source, LOOP.head, 0, 1)
    assert found.why
    assert not found.lost


def test_the_table_counts_what_is_seen() -> None:
    def lost(changed: bool | None, *said: str) -> Lost:
        return Lost("heat", "heat_b: u", (3, 9), "needed", changed, said)

    every = (lost(True, "u at heat@3"), lost(True), lost(False, "u at heat@3"), lost(False), lost(None))
    lines = lost_table([Tried("heat", every, ("v at heat@7",)), Tried("flow", why="it does not link")])
    assert [line.split(" | ")[4] for line in lines[2:4]] == ["another one", "the same"]
    assert "- heat, whole: v at heat@7" in lines
    assert "- flow: it does not link" in lines
    assert lines[-1] == ("5 PUSHes of 1 programs; 1 of 2 whose loss changes the gradient are called missing, 1 of 2 "
                         "others, too; 1 do not run.")
