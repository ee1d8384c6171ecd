"""Source files that include what is none of their business: it is not read, not shown, and fills no memory."""

from __future__ import annotations

import os
import resource
from collections.abc import Callable
from pathlib import Path

import pytest
from snapset.cli import main
from snapset.frontend.base.diagnostics import InputError
from snapset.frontend.base.source_model import Line, ReadOptions
from snapset.frontend.reading.read import read_items, read_units
from snapset.frontend.reading.unreadable_units import refuse
from snapset.frontend.sources import limited_process
from snapset.frontend.sources.readable_files import Tree, repository

SECRET = "hunter2"


@pytest.fixture(params=["gfortran", "pcpp"])
def tool(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    if request.param == "pcpp":
        monkeypatch.setenv("PATH", "")
    return str(request.param)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository, the current directory; beside it a file that is none of its business, four kinds of it."""
    monkeypatch.chdir(tmp_path)
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "shadow").write_text(f"root:{SECRET}:19000\n")
    (outside / "netrc").write_text(f"#{SECRET} is the password\n")
    (outside / "defines").write_text(f"#define {SECRET} 1\n")
    (outside / "fortran.inc").write_text(f"integer {SECRET}\n")
    (outside / "empty").write_text("")
    root = tmp_path / "project"
    (root / ".git").mkdir(parents=True)
    (root / ".git" / "config").write_text(f"[{SECRET}]\n")
    (root / "src").mkdir()
    monkeypatch.chdir(root)
    return root


def refused(text: str, name: str = "src/a.F90", **options: tuple[str, ...]) -> str:
    """The error of a file with this text."""
    Path(name).write_text("program p\n" + text + "end\n")
    with pytest.raises(InputError) as caught:
        refuse(read_units(name, ReadOptions(**options)))
    assert SECRET not in str(caught.value)
    return str(caught.value)


OUTSIDE = ["../../outside/shadow", "../../outside/netrc", "../../outside/defines", "../../outside/fortran.inc",
           "../../outside/empty", "../.git/config", "link", "linked/shadow"]  # fmt: skip


@pytest.mark.sample(2)
@pytest.mark.parametrize("name", OUTSIDE)
@pytest.mark.parametrize("directive", ["include '{}'\n", '#include "{}"\n', '#define X "{}"\n#include X\n'])
def test_what_lies_outside_is_as_if_it_was_not_there(directive: str, name: str, tool: str, project: Path) -> None:
    Path("src/link").symlink_to(project.parent / "outside" / "shadow")
    Path("src/linked").symlink_to(project.parent / "outside")
    assert "not found; give its directory with -I" in refused(directive.format(name))


@pytest.mark.parametrize("directive", ["include '{}'\n", '#include "{}"\n'])
def test_also_by_its_whole_name(directive: str, tool: str, project: Path) -> None:
    name = project.parent / "outside" / "shadow"
    error = refused(directive.format(name))
    assert error.startswith("src/a.F90:2:1: error: ")
    assert f"'{name}' not found" in error
    assert error == refused(directive.format(f"{name}s")).replace("shadows'", "shadow'")  # not even whether it is there


def test_what_the_project_needs_is_read(tool: str, project: Path) -> None:
    (project / "common").mkdir()
    (project / "common" / "sizes.h").write_text("n = 1\n")
    Path("src/link.h").symlink_to("../common/sizes.h")
    Path("src/a.F90").write_text('#include "../common/sizes.h"\n#include "link.h"\ninclude "../common/sizes.h"\nend\n')
    items = read_items("src/a.F90", ReadOptions())
    assert [item.text for item in items if isinstance(item, Line)] == ["n = 1"] * 3 + ["end"]


@pytest.mark.parametrize("directive", ["include '{}'\n", '#include "{}"\n'])
def test_directories_that_the_user_names_are_the_users_wish(directive: str, tool: str, project: Path) -> None:
    outside = project.parent / "outside"
    for name in ("fortran.inc", str(outside / "fortran.inc")):
        Path("src/a.F90").write_text(directive.format(name) + "end\n")
        (first, _) = read_items("src/a.F90", ReadOptions(include_dirs=(str(outside),)))
        assert isinstance(first, Line)
        assert first.text == f"integer {SECRET}"


def test_a_file_that_is_a_link_out_of_the_project(project: Path) -> None:
    Path("src/a.f90").symlink_to(project.parent / "outside" / "shadow")
    for read in (read_items, lambda *given: refuse(read_units(*given))):
        with pytest.raises(InputError, match="a link that leads out of the project") as caught:
            read("src/a.f90", ReadOptions())
        assert SECRET not in str(caught.value)
    Path("src/b.f90").symlink_to(project.parent / "outside" / "fortran.inc")
    (line,) = read_items("src/b.f90", ReadOptions(include_dirs=(str(project.parent / "outside"),)))  # the user's wish
    assert isinstance(line, Line)
    assert line.text == f"integer {SECRET}"


def test_links_inside_of_the_project_are_followed(project: Path) -> None:
    (project / "build").mkdir()
    Path("src/a.f90").write_text("end\n")
    (project / "build" / "a.f90").symlink_to("../src/a.f90")
    assert len(read_items("build/a.f90", ReadOptions())) == 1


def test_nothing_of_it_reaches_a_log(project: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Whether a head needs the file or not."""
    unit = "subroutine {}(x, y)\n{}  real(8) :: x, y\n  y = x*x\nend\n"
    Path("src/a.f90").write_text(unit.format("f", "") + unit.format("g", "include '../../outside/shadow'\n"))
    Path("src/b.F90").write_text('#include "../../outside/shadow"\n' + unit.format("h", ""))
    Path("src/c.f90").symlink_to(project.parent / "outside" / "shadow")
    for head, code in (("f", 0), ("g", 2), ("h", 2)):
        assert main.main(["report", "src/a.f90", "src/b.F90", "src/c.f90", "--head", f"{head}(x)>(y)"]) == code
        out, err = capfd.readouterr()
        assert SECRET not in out + err


# ---------------------------------------------------------------- devices, and what doubles


@pytest.mark.parametrize("directive", ["include '{}'\n", '#include "{}"\n', '#define X "{}"\n#include X\n'])
def test_what_is_no_regular_file_is_not_read(directive: str, tool: str, project: Path) -> None:
    os.mkfifo("src/pipe")
    for name in ("/dev/zero", "pipe", "/dev/stdin", "."):
        if (name, tool, directive[:7]) != ("pipe", "gfortran", "#define"):  # which waits for as long as is granted
            refused(directive.format(name))


def test_a_preprocessor_that_waits_for_ever(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limited_process, "WALL", 0.5)
    os.mkfifo("src/pipe")
    assert "more than 0.5 s" in refused('#define X "pipe"\n#include X\n')


def doubling(levels: int) -> str:
    lines = [f"#define A{n} A{n - 1}+A{n - 1}\n" for n in range(1, levels + 1)]
    return "#define A0 x\n" + "".join(lines) + f"y = A{levels}\n"


BOMBS: dict[str, Callable[[Path], str]] = {
    "macros that double": lambda src: doubling(27),
    "a device": lambda src: '#define X "/dev/zero"\n#include X\n',
    "includes that double": lambda src: (
        [(src / f"a{n}.h").write_text(f'#include "a{n - 1}.h"\n' * 2 if n else "x = 1\n" * 100) for n in range(28)]
        and '#include "a27.h"\n'),
    "includes without end": lambda src: ((src / "a.h").write_text('#include "a.h"\n') and '#include "a.h"\n'),
    "a shift": lambda src: "#if 1 << 99999999999999\nx = 1\n#endif\n#error\n",
}  # fmt: skip


@pytest.mark.parametrize("kind", [
    pytest.param(kind, marks=pytest.mark.wide if "double" in kind else ()) for kind in BOMBS])  # until the limit: 5 s
def test_little_memory_is_taken(kind: str, tool: str, project: Path) -> None:
    """gfortran took 23.9 GB for /dev/zero, and 1.5 GB for 27 levels."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    refused(BOMBS[kind](project / "src"))
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 200_000  # kilobytes
    assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss < 1_500_000


def test_limits_hold_for_what_is_started(tmp_path: Path) -> None:
    code = "import sys; sys.stdout.write('x' * 2**26)"
    assert limited_process.run(["python3", "-c", code], b"").exceeded == "16 MB of text"
    assert limited_process.run(["python3", "-c", "bytearray(2**31)"], b"").exceeded == "1024 MB of memory"
    assert limited_process.run(["sh", "-c", "kill -9 $$"], b"").exceeded == "5 s of processor time"
    done = limited_process.run(["sh", "-c", "cat; echo b >&2; exit 3"], b"a", str(tmp_path))
    assert (done.code, done.out, done.err, done.exceeded) == (3, b"a", b"b\n", None)


def test_a_preprocessor_in_the_current_directory_is_not_run(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor a package that has the name of ours."""
    Path("gfortran").write_text("#!/bin/sh\ntouch harm\n")
    Path("gfortran").chmod(0o755)
    Path("snapset").mkdir()
    Path("snapset/__init__.py").write_text("open('harm', 'w')\n")
    Path("pcpp.py").write_text("open('harm', 'w')\n")
    monkeypatch.setenv("PATH", ".")
    Path("src/a.F90").write_text("#define N 2\nx = N\nend\n")
    assert len(read_items("src/a.F90", ReadOptions())) == 2
    assert not Path("harm").exists()


def test_no_part_of_a_command_is_read_by_the_shell(tmp_path: Path) -> None:
    done = limited_process.run(["echo", "$HOME", "`id`", "a; b", "-n"], b"")
    assert done.out == b"$HOME `id` a; b -n\n"


# ---------------------------------------------------------------- whose repository it is


def test_a_repository_that_another_user_made_above_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Anyone can make /tmp/.git on a shared machine."""
    inside = tmp_path / "mine" / "src"
    inside.mkdir(parents=True)
    (tmp_path / ".git").mkdir()
    assert repository(str(inside)) == str(tmp_path)
    real = os.lstat

    def lstat(path: str) -> os.stat_result:
        found = real(path)
        if not str(path).endswith(".git"):
            return found
        return os.stat_result((*found[:4], 4711, *found[5:]))

    monkeypatch.setattr(os, "lstat", lstat)
    assert repository(str(inside)) is None
    assert not Tree(str(inside / "a.f90")).holds(str(tmp_path / "b"))
