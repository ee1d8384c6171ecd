"""Whole files: INCLUDE, unusable input, real mixtures, and time."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from reading_help import body, items, shape, texts, units
from snapset.frontend.diagnostics import InputError
from snapset.frontend.reading import read_items, read_units
from snapset.frontend.statement import Line, ReadOptions

SECONDS = 3.0


def spans(path: Path, *include: str) -> list[tuple[str, str, int]]:
    found = read_items(str(path), ReadOptions(include_dirs=include))
    return [(item.text, Path(item.span.file).name, item.span.line) for item in found if isinstance(item, Line)]


def test_include_has_the_spans_of_its_own_file(tmp_path: Path) -> None:
    (tmp_path / "b.inc").write_text("\ninteger i\n")
    (tmp_path / "dir").mkdir()
    (tmp_path / "dir" / "c.inc").write_text("real x\n")
    path = tmp_path / "a.f90"
    path.write_text("subroutine s\nINCLUDE 'b.inc'\ninclude \"c.inc\"\nend\n")
    assert spans(path, str(tmp_path / "dir")) == [
        ("subroutine s", "a.f90", 1), ("integer i", "b.inc", 2), ("real x", "c.inc", 1), ("end", "a.f90", 4)]


def test_include_in_fixed_form_is_fixed_form(tmp_path: Path) -> None:
    (tmp_path / "b.f90").write_text("      COMMON /A/ X,\n     &  Y\n")
    path = tmp_path / "a.f"
    path.write_text("      SUBROUTINE S\n      INCLUDE 'b.f90'\n      END\n")
    assert [text for text, _, _ in spans(path)] == ["subroutine s", "common /a/ x, y", "end"]


def test_include_is_relative_to_the_including_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "d" / "e").mkdir(parents=True)
    (tmp_path / "d" / "b.inc").write_text("include 'e/c.inc'\n")
    (tmp_path / "d" / "e" / "c.inc").write_text("include 'f.inc'\n")
    (tmp_path / "d" / "e" / "f.inc").write_text("x = 1\n")
    (tmp_path / "d" / "a.f90").write_text("include 'b.inc'\nend\n")
    monkeypatch.chdir(tmp_path)
    found = read_items("d/a.f90", ReadOptions())
    assert [item.span.file for item in found] == ["d/e/f.inc", "d/a.f90"]


def test_a_variable_named_include() -> None:
    assert texts("include = 'a'\ninclude(1) = 'b'") == ["include = 'a'", "include(1) = 'b'"]


def test_missing_include(tmp_path: Path) -> None:
    path = tmp_path / "a.f90"
    path.write_text("x = 1\ninclude 'none.inc'\nend\n")
    with pytest.raises(InputError, match=r"'none\.inc' not found; give its directory with -I") as caught:
        spans(path)
    assert str(caught.value).startswith(f"{path}:2:1: error: ")


def test_include_of_itself(tmp_path: Path) -> None:
    (tmp_path / "b.inc").write_text("x = 1\ninclude 'b.inc'\n")
    path = tmp_path / "a.f90"
    path.write_text("include 'b.inc'\nend\n")
    with pytest.raises(InputError, match="includes itself") as caught:
        spans(path)
    assert str(caught.value).startswith(f"{tmp_path / 'b.inc'}:2:1: error: ")


def test_include_nested_too_deep(tmp_path: Path) -> None:
    for level in range(100):
        (tmp_path / f"{level}.inc").write_text(f"include '{level + 1}.inc'\n")
    path = tmp_path / "a.f90"
    path.write_text("include '0.inc'\nend\n")
    with pytest.raises(InputError, match="deep"):
        spans(path)


def test_includes_that_double_at_each_level_end_in_an_error(tmp_path: Path) -> None:
    for level in range(30):
        (tmp_path / f"{level}.inc").write_text(f"include '{level + 1}.inc'\ninclude '{level + 1}.inc'\n")
    (tmp_path / "30.inc").write_text("x = 1\n")
    path = tmp_path / "a.f90"
    path.write_text("include '0.inc'\nend\n")
    start = time.perf_counter()
    with pytest.raises(InputError, match="statements"):
        spans(path)
    assert time.perf_counter() - start < SECONDS


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "does not exist"),
        (b"", "no program unit"),
        (b"\n ! only comments\n\n", "no program unit"),
        (b"!$AD checkpoint-start\n", "no program unit"),
        (b"\x7fELF\0\0\1", "binary"),
        (b"x = '\x01'\nend\n", "binary"),
    ],
)
def test_files_that_are_no_source(content: bytes | None, message: str, tmp_path: Path) -> None:
    path = tmp_path / "a.f90"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(InputError, match=message) as caught:
        read_units(str(path), ReadOptions())
    assert str(caught.value).startswith(f"{path}:1:1: error: ")


def test_a_directory(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is a directory"):
        read_units(str(tmp_path), ReadOptions())


def test_a_path_no_system_allows() -> None:
    with pytest.raises(InputError, match="cannot be read"):
        read_units("a\0b.f90", ReadOptions())


def test_text_that_is_no_utf8_is_latin_1(tmp_path: Path) -> None:
    path = tmp_path / "a.f90"
    path.write_bytes("! é\nc = 'é'\nend\n".encode("latin-1"))
    (unit,) = read_units(str(path), ReadOptions())
    assert body(unit) == ["c = 'é'"]
    path.write_bytes(b"\xef\xbb\xbf" + "c = 'é'\nend\n".encode())
    (unit,) = read_units(str(path), ReadOptions())
    assert body(unit) == ["c = 'é'"]


def test_a_fixed_form_file_as_a_whole() -> None:
    text = """\
C     Old style
      PROGRAM OLD
      COMMON /POS/ X(3)                                                 OLD00010
C$AD CHECKPOINT-START
      DO 20 I=1,3
      DO 20 J=1,3
      IF (I.EQ.J) GO TO 20
   20 X(I) = X(I) +
     1        F(X(J))
C$AD CHECKPOINT-END
      END
      FUNCTION F(Y)
      F = Y
      END
"""
    main, function = units(text, "old.f")
    assert (shape(main), shape(function)) == (("program", "old"), ("function", "f"))
    assert body(main) == ["common /pos/ x(3)", "$ad checkpoint-start", "do i=1,3", "do j=1,3",
                          "if (i.eq.j) goto 20", "x(i) = x(i) + f(x(j))", "end do", "end do", "$ad checkpoint-end"]
    assert [item.span.line for item in main.items] == [3, 4, 5, 6, 7, 8, 8, 8, 10]


HUGE = {
    "lines": "x = a(i) + b*c\n" * 20_000,
    "continuation lines": "x = 1" + " + &\n  y" * 2_000 + "\n",
    "continued literal": "x = '" + "abc&\n  &" * 5_000 + "'\n",
    "nested parentheses": "x = " + "(" * 5_000 + "1" + ")" * 5_000 + "\n",
    "nested parentheses in a condition": "if (" + "(" * 5_000 + "1" + ")" * 5_000 + ") goto 10\n",
    "ifs in one statement": "if (a) " * 5_000 + "x = 1\n",
    "semicolons": "x = 'a'; " * 20_000 + "\n",
    "quotes": "x = " + "''" * 50_000 + "\n",
    "a long name": "x" * 200_000 + " = 1\n",
    "blanks": "x = 1" + " " * 200_000 + "+ 1\n",
    "percent signs": "a" + "%a(1)" * 20_000 + " = 1\n",
    "prefixes": "pure " * 20_000 + "\n",
    "dots": "x = " + ".a" * 50_000 + "\n",
    "a declaration": "real(" + "(a)" * 20_000 + ") x\n",
    "labels": "10 continue\n" * 20_000,
}


@pytest.mark.parametrize("name", HUGE)
def test_time_is_linear_in_free_form(name: str) -> None:
    start = time.perf_counter()
    units(f"subroutine s\n{HUGE[name]}end\n")
    assert time.perf_counter() - start < SECONDS


FIXED_HUGE = {
    "lines": "      X = A(I) + B*C\n" * 20_000,
    "continuation lines": "      X = 1\n" + "     & + Y\n" * 5_000,
    "continued literal": "      X = 'a\n" + "     &b\n" * 5_000 + "     &'\n",
    "Hollerith": "      DATA X/\n" + "     &2HAB,\n" * 5_000 + "     &1/\n",
    "nested parentheses": "      X = \n" + "     &((((\n" * 1_000 + "     &1\n" + "     &))))\n" * 1_000,
    "blanks in names": "      X = A\n" + "     & B\n" * 5_000,
    "ifs": "      IF(A)\n" + "     &IF(A)\n" * 2_000 + "     &X=1\n",
    "prefixes": "      PURE\n" + "     &PURE\n" * 2_000 + "     &FUNCTIONX-\n",
    "types": "      REAL(4)\n" + "     &REAL(4)\n" * 2_000 + "     &FUNCTIONX-\n",
}


@pytest.mark.parametrize("name", FIXED_HUGE)
def test_time_is_linear_in_fixed_form(name: str) -> None:
    start = time.perf_counter()
    units(f"      SUBROUTINE S\n{FIXED_HUGE[name]}      END\n", "t.f")
    assert time.perf_counter() - start < SECONDS


def test_a_deep_and_broken_file_fails_at_once() -> None:
    text = "subroutine s\n" + "if (a) then\n" * 5_000 + "x = (1\n" + "end if\n" * 5_000 + "end\n"
    start = time.perf_counter()
    with pytest.raises(InputError) as caught:
        units(text)
    assert str(caught.value).startswith("t.f90:5002:")
    assert time.perf_counter() - start < SECONDS


def test_speed_is_that_of_a_stage_one_does_not_notice() -> None:
    text = "! comment\n  X(I) = A(I, J) + B ! why\n  if (x(i) > 0) call f(x, 'A')\n" * 10_000
    start = time.perf_counter()
    items(text)
    assert time.perf_counter() - start < 1.5  # 30,000 lines; a third of a second on the machine it was written on
