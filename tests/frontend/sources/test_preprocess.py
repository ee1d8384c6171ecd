"""Preprocessing with gfortran's preprocessor and with pcpp: the same statements, the user's own lines."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from snapset.frontend.base.diagnostics import InputError
from snapset.frontend.base.source_model import Line, Pragma, ReadOptions
from snapset.frontend.reading.read import read_items
from snapset.frontend.sources import limited_process, preprocessor

from tests.support.corpus import CORPUS


@pytest.fixture(params=["gfortran", "pcpp"])
def tool(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    if request.param == "pcpp":
        monkeypatch.setenv("PATH", "")
    return str(request.param)


def read(path: Path | str, *macros: str, include: tuple[str, ...] = ()) -> list[tuple[str, int]]:
    items = read_items(str(path), ReadOptions(include_dirs=include, macros=macros))
    return [(item.text if isinstance(item, Line) else item.kind, item.span.line) for item in items]


def test_lines_are_those_of_the_original(tool: str, tmp_path: Path) -> None:
    path = tmp_path / "a.F90"
    path.write_text("#define N 3\n#ifdef BIG\nx = 0\n#else\n\ny = N\n#endif\n!$AD checkpoint-start\nz = __LINE__\n")
    assert read(path) == [("y = 3", 6), ("checkpoint-start", 8), ("z = 9", 9)]
    assert read(path, "BIG")[0] == ("x = 0", 3)


def test_macros_of_the_command_line(tool: str, tmp_path: Path) -> None:
    path = tmp_path / "a.F90"
    path.write_text("#if A == 2 && defined(B) && defined(__GFORTRAN__)\nx = A + B + twice(C)\n#endif\n")
    assert read(path, "A=2", "B", "twice(X)=2*X") == [("x = 2 + 1 + 2*c", 2)]


def test_fortran_is_not_c(tool: str, tmp_path: Path) -> None:
    path = tmp_path / "a.F90"
    path.write_text("#define N 3\nx = 'a' // N // '??''' // 'N' // '\\' ! don't\ny = N // &\n  N\nlinux = unix\n")
    assert [text for text, _ in read(path)] == ["x = 'a' // 3 // '??''' // 'N' // '\\'", "y = 3 // 3", "linux = unix"]


def test_directives_inside_of_a_continued_statement(tool: str, tmp_path: Path) -> None:
    path = tmp_path / "a.F90"
    path.write_text("x = 1 + &\n#ifdef A\n  2\n#else\n  3\n#endif\ny = 1\n")
    assert read(path) == [("x = 1 + 3", 1), ("y = 1", 7)]


def test_fixed_form(tool: str, tmp_path: Path) -> None:
    path = tmp_path / "a.F"
    path.write_text("#define N 3\nC it's a comment\n      X = N\n#ifdef A\n     &  + 1\n#endif\n     &  + 2\n")
    assert read(path) == [("x = 3 + 2", 3)]


def test_spans_of_an_included_file(tool: str, tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "b.h").write_text("\ninteger :: i\n")
    (tmp_path / "c.h").write_text("integer :: j\n")
    path = tmp_path / "a.F90"
    path.write_text('#include "c.h"\n#include "b.h"\nx = 1\n')
    items = read_items(str(path), ReadOptions(include_dirs=(str(tmp_path / "sub"),)))
    assert [(item.span.file, item.span.line) for item in items] == [
        (str(tmp_path / "c.h"), 1), (str(tmp_path / "sub" / "b.h"), 2), (str(path), 3)]


def test_relative_names_stay_relative(tool: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "inc").mkdir()
    (tmp_path / "src" / "own.h").write_text("i = 1\n")
    (tmp_path / "own.h").write_text("wrong = 1\n")
    (tmp_path / "inc" / "far.h").write_text("j = 1\n")
    (tmp_path / "src" / "a.F90").write_text('#include "own.h"\n#include "far.h"\nc = __FILE__\n')
    monkeypatch.chdir(tmp_path)
    items = read_items("src/a.F90", ReadOptions(include_dirs=("inc",)))
    assert [item.span.file for item in items] == ["src/own.h", "inc/far.h", "src/a.F90"]
    assert isinstance(items[-1], Line)
    assert items[-1].text == 'c = "src/a.F90"'


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ('x = 1\n#include "none.h"\nend\n', 2, "#include file 'none.h' not found; give its directory with -I"),
        ("x = 1\n\n#error no such thing\nend\n", 3, "#error no such thing"),
        ("x = 1\n#if A\nend\n", 2, "(?i)unterminated #if"),
        ("x = 1\n#endif\nend\n", 2, "#endif"),
    ],
)
def test_errors_name_the_directive(tool: str, tmp_path: Path, text: str, line: int, message: str) -> None:
    path = tmp_path / "a.F90"
    path.write_text(text)
    with pytest.raises(InputError, match=message) as caught:
        read(path)
    assert str(caught.value).startswith(f"{path}:{line}:1: error: ")
    assert "\n" not in str(caught.value)


def test_error_inside_of_an_included_file(tool: str, tmp_path: Path) -> None:
    (tmp_path / "b.h").write_text("\n#error here\n")
    path = tmp_path / "a.F90"
    path.write_text('#include "b.h"\nend\n')
    with pytest.raises(InputError, match="here") as caught:
        read(path)
    assert str(caught.value).startswith(f"{tmp_path / 'b.h'}:2:1: ")


def test_a_file_that_includes_itself(tool: str, tmp_path: Path) -> None:
    path = tmp_path / "a.F90"
    path.write_text('#include "a.F90"\nend\n')
    with pytest.raises(InputError):
        read(path)


def test_macro_that_is_none(tmp_path: Path) -> None:
    path = tmp_path / "a.F90"
    path.write_text("end\n")
    with pytest.raises(InputError, match="NAME=VALUE"):
        read(path, "-o x")


@pytest.mark.parametrize(("name", "runs"), [("a.F", True), ("a.F90", True), ("a.fpp", True), ("a.f90", False)])
def test_the_extension_decides_and_the_option_before_it(name: str, runs: bool, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text("      x = N\n")
    assert read(path, "N=1") == [("x = 1" if runs else "x = n", 1)]
    forced = read_items(str(path), ReadOptions(macros=("N=1",), preprocess=not runs))
    assert isinstance(forced[0], Line | Pragma)
    assert getattr(forced[0], "text", "") == ("x = n" if runs else "x = 1")


def test_gfortran_is_the_first_choice_where_it_is(tmp_path: Path) -> None:
    """Its preprocessor works on literals of a macro's body, pcpp's does not: the one known difference."""
    path = tmp_path / "a.F90"
    path.write_text("#define SHOW(a) print *, 'a'\nSHOW(b)\n")
    assert read(path) == [("print *, 'b'" if shutil.which("gfortran") else "print *, 'a'", 2)]


def test_a_backslash_escapes_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """With pcpp only: gfortran's preprocessor takes it for C's."""
    monkeypatch.setenv("PATH", "")
    path = tmp_path / "a.F90"
    path.write_text("#define N 3\nx = '\\' // N // 'N\\'\n#define M 1 + \\\n  2\ny = M\n")
    assert read(path) == [("x = '\\' // 3 // 'N\\'", 2), ("y = 1 + 2", 5)]


@pytest.mark.parametrize("line", [
    "#define y z", "  # ifdef z", "x = y /* z */", "x = y \\", "x = __LINE__", "x = _y", "x = BIG", "x = DOUBLED(y)",
    "\fx = y"])
def test_a_file_is_preprocessed_where_one_line_asks_for_it(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert processes(f"y = 1\n{line}\nz = 2\n", monkeypatch) == 1


@pytest.mark.parametrize("line", ["x = y/z", "x = 1.0_rk*a_b", "x = 'a' // b ! don't", "! # no directive", "x = BIGGER",
                                  "x = y & \n  + DOUBLEDy"])
def test_a_file_is_not_preprocessed_where_that_changes_nothing(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert processes(f"y = 1\n{line}\nz = 2\n", monkeypatch) == 0


def processes(text: str, monkeypatch: pytest.MonkeyPatch) -> int:
    """How many run for a text; it comes out as it would if one did."""
    started: list[list[str]] = []
    run, options = limited_process.run, ReadOptions(macros=("BIG=3", "DOUBLED(X)=X"))

    def noted(command: list[str], text: bytes, directory: str | None = None) -> limited_process.ProcessResult:
        started.append(command)
        return run(command, text, directory)

    monkeypatch.setattr(limited_process, "run", noted)
    found, number = preprocessor.preprocess(text, "a.F90", options), len(started)
    monkeypatch.setattr(preprocessor, "_is_left_alone", lambda *_: False)
    expected = preprocessor.preprocess(text, "a.F90", options)
    lines = [(line, found.span(at)) for at, line in enumerate(found.lines) if line.strip()]
    assert lines == [(line, expected.span(at)) for at, line in enumerate(expected.lines) if line.strip()]
    return number


@pytest.mark.parametrize("path", sorted(CORPUS.glob("*.f90"))[::9], ids=lambda path: path.stem)
def test_what_is_left_alone_is_what_the_preprocessor_gives(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert processes(path.read_text(), monkeypatch) in (0, 1)
