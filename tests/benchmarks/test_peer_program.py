"""Comparing a program of several files and heads with the peer, which a script stands for here."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
import snapset

from benchmarks.peer.externals import arguments_only, described
from benchmarks.peer.measure import run
from benchmarks.peer.program_run import Request, differentiate, program_tables, read_options
from benchmarks.peer.texts.prepared import PeerError, Sources
from tests.support.paths import ROOT

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


LIBRARY = """
function modulo:
intrinsic:
shape: (param 1, param 2, result)
ReadNotWritten: (1, 1, 0)

subroutine f:
  external:
  shape: (param 1, param 2,param 3, param 4)
  type: (none(), none(), none(), none())
  NotReadNotWritten:  (0,0,0,1)
  ReadNotWritten:     (1,0,0,0)
  NotReadThenWritten: (0,1,0,0)
  ReadThenWritten:    (0,0,1,0)

function Last:
  external:
  shape: (param 1, result)
  ReadNotWritten:     (1,0)
  NotReadThenWritten: (0,1)
"""


def test_the_peers_library_says_what_procedures_without_source_do() -> None:
    assert described(LIBRARY) == {"f": "in out inout none skippable", "last": "in skippable"}


def test_others_touch_their_arguments_only(tmp_path: Path) -> None:
    (tmp_path / "t.f90").write_text("subroutine s(x)\nreal x\ncall f(x)\ncall f(x, 1)\ncall own(x)\nend\n"
                                    "subroutine own(x)\nreal x\nend\n")
    assert arguments_only(snapset.load([str(tmp_path / "t.f90")])) == {"f": "inout inout skippable"}


@pytest.mark.parametrize(("facts", "saved"), [
    ({}, True), ({"arguments_only": True}, False), ({"libraries": ("lib",)}, False), ({"libraries": ("none",)}, True),
])
def test_snapset_is_told_the_same(facts: dict[str, Any], saved: bool, tapenade: Path, tmp_path: Path,
                                  monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("lib").write_text("subroutine f:\n  external:\n  shape: (param 1)\n  ReadThenWritten: (1)\n")
    Path("none").write_text("")
    Path("good.f90").write_text("subroutine good(x)\nreal(8) x, z\ncommon /c/ z\nx = x*z\ncall f(x)\nx = x*z\nend\n")
    lines = program_tables(tapenade, Request(Sources(("good.f90",)), ("good(x)>(x)",), 0, **facts))
    assert any("`z`" in line for line in lines) == saved


def ends(number: int) -> bool:
    """Does the process go away? A killed one takes a moment."""
    for _ in range(3000):
        if not is_alive(number):
            return True
        time.sleep(0.01)
    return False


def is_alive(number: int) -> bool:
    """Zombies that nobody has waited for are not."""
    try:
        return Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_a_command_leaves_no_child_behind(tmp_path: Path) -> None:
    script = f"sleep 300 & echo $! > {tmp_path}/child; exit 3"
    assert run(["sh", "-c", script]).code == 3
    assert ends(int((tmp_path / "child").read_text()))


def test_neither_does_a_comparison_that_is_ended(tmp_path: Path) -> None:
    """As `timeout` ends it, while the command waits for its child."""
    script = f"sleep 300 & echo $! > {tmp_path}/part; mv {tmp_path}/part {tmp_path}/child; wait"
    program = "from benchmarks.peer import measure; measure.end_with_children(); "
    program += f"measure.run(['sh', '-c', {script!r}])"
    with subprocess.Popen([sys.executable, "-c", program], cwd=ROOT) as process:
        while not (tmp_path / "child").exists():
            assert process.poll() is None
            time.sleep(0.01)
        process.terminate()
        assert process.wait(timeout=60) == 143
    assert ends(int((tmp_path / "child").read_text()))


def test_relative_directories_of_included_files(
    tapenade: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where the effects of procedures without source have to be found first."""
    (tmp_path / "inc").mkdir()
    (tmp_path / "inc" / "size.inc").write_text("  real(8) x(3)\n")
    source = "subroutine good(x)\n  include 'size.inc'\n  call f(x)\n  call other(x)\nend subroutine\n"
    (tmp_path / "good.f90").write_text(source + CALLEE)
    monkeypatch.chdir(tmp_path)
    request = Request(Sources(("good.f90",), ("inc",)), ("good(x)>(x)",), 1, arguments_only=True)
    assert any("good@3" in line for line in program_tables(tapenade, request))


def test_the_peers_sizes_of_default_kinds_are_snapsets() -> None:
    kinds = [read_options(Request(Sources(("a.f",)), ("p(x)>(y)",), 0, extra=extra)).kinds
             for extra in ((), ("-i4", "-dr8", "-r8"), ("-i8", "-r4"))]
    assert [(one.integer, one.real) for one in kinds] == [(4, 4), (4, 8), (8, 4)]
