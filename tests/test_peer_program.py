"""Comparing a program of several files and heads with the peer, which a script stands for here."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
import snapset

FOLDER = Path(__file__).resolve().parent.parent / "benchmarks" / "peer"
sys.path.append(str(FOLDER))

from prepared import PeerError, Sources  # noqa: E402
from program_run import Request, differentiate, program_tables  # noqa: E402

SCRIPT = """#!/bin/sh
while [ $# -gt 0 ]; do
  case $1 in
    -head) head=$2; shift ;;
    -O) folder=$2; shift ;;
    -noisize) kind=8 ;;
  esac
  shift
done
case $head in
  good*) printf 'subroutine good_b(x, xb)\\ncall pushreal%s(x)\\ncall f(x)\\ncall f_b(x, xb)\\nend\\n' "${kind:-4}" \
           > "$folder/peer_b.f90" ;;
  *) echo "reading"; echo "(AD99) error: no differentiable path"; exit 3 ;;
esac
"""
SOURCE = """subroutine {name}(x)
  REAL_KIND x
#include "more.h"
  call f(x)
  x = x*x
end subroutine
"""
CALLEE = "subroutine f(x)\n  real(8) x\n  x = x*x\nend subroutine\n"

@pytest.fixture
def tapenade(tmp_path: Path) -> Path:
    path = tmp_path / "tapenade"
    path.write_text(SCRIPT)
    path.chmod(0o755)
    return path


@pytest.fixture
def sources(tmp_path: Path) -> Sources:
    files = [tmp_path / "good.F90", tmp_path / "bad.F90", tmp_path / "f.f90"]
    for file, name in zip(files, ("good", "bad"), strict=False):
        file.write_text(SOURCE.format(name=name))
    files[2].write_text(CALLEE)
    (tmp_path / "inc").mkdir()
    (tmp_path / "inc" / "more.h").write_text("  x = x + 1\n")
    return Sources(tuple(map(str, files)), (str(tmp_path / "inc"),), ("REAL_KIND=real(8)",))


def test_files_are_preprocessed_as_a_compiler_would(sources: Sources, tmp_path: Path) -> None:
    good, _, plain = sources.into(tmp_path / "made")
    assert Path(good).name == "good.f90"
    assert [line.strip() for line in Path(good).read_text().splitlines()[1:3]] == ["real(8) x", "x = x + 1"]
    assert Path(plain).read_text() == CALLEE


def test_files_of_one_name_stay_apart(tmp_path: Path) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "x.f90").write_text(f"! {folder}\n")
    made = Sources((str(tmp_path / "a" / "x.f90"), str(tmp_path / "b" / "x.f90"))).into(tmp_path / "made")
    assert [Path(one).read_text() for one in made] == ["! a\n", "! b\n"]


def test_a_file_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(PeerError, match=r"nowhere\.f90: No such file"):
        Sources(("nowhere.f90",)).into(tmp_path / "made")
    with pytest.raises(PeerError, match=r"nowhere\.F90: No such file"):
        Sources(("nowhere.F90",)).into(tmp_path / "other")


def test_where_the_peer_refuses_its_reason_is_said(tapenade: Path, tmp_path: Path) -> None:
    with pytest.raises(PeerError, match=r"no adjoint of bad\(x\) \(code 3\): \(AD99\) error: no differentiable path"):
        differentiate(tapenade, [], "bad(x)", tmp_path / "out")


def test_each_head_by_itself_and_those_refused(tapenade: Path, sources: Sources) -> None:
    request = Request(sources, ("good(x)>(x)", "bad(x)>(x)"), 0, extra=("-noisize",))
    lines = program_tables(tapenade, request)
    assert "| good | 1 | 1 | 0 | 0 | 0 | 0 | 8 | 8 |" in lines
    assert any(line.startswith("| bad | Tapenade makes no adjoint") for line in lines)


def test_no_head_that_the_peer_takes_is_an_error(tapenade: Path, sources: Sources) -> None:
    with pytest.raises(PeerError, match="no differentiable path"):
        program_tables(tapenade, Request(sources, ("bad(x)>(x)",), 0))


def test_an_adjoint_that_was_made_before(sources: Sources, tmp_path: Path) -> None:
    made = tmp_path / "made_b.f90"
    made.write_text("subroutine good_b(x, xb)\ncall f(x)\ncall f_b(x, xb)\nend\n")
    request = Request(sources, ("good(x)>(x)",), 3, snapset.Choices(assume={"n": 3}), generated=str(made))
    assert any("1 larger" in line for line in program_tables(tmp_path / "none", request))
