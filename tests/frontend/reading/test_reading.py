"""Whole files: INCLUDE, unusable input, real mixtures, and how work grows."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from snapset.frontend.base.diagnostics import InputError
from snapset.frontend.base.source_model import Line, ReadOptions
from snapset.frontend.reading.read import read_items, read_units
from snapset.frontend.reading.unreadable_units import refuse

from tests.support.frontend.reading_help import body, shape, texts, units
from tests.support.growth import ends, grows_linearly


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
    assert spans(path) == [("x = 1", "a.f90", 1), ("include 'none.inc'", "a.f90", 2), ("end", "a.f90", 3)]
    (unit,) = read_units(str(path), ReadOptions())
    with pytest.raises(InputError, match=r"'none\.inc' not found; give its directory with -I") as caught:
        refuse([unit])
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
    with ends(), pytest.raises(InputError, match="statements"):
        spans(path)


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
        refuse(read_units(str(path), ReadOptions()))
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


HUGE: dict[str, tuple[int, Callable[[int], str]]] = {
    "lines": (20_000, lambda n: "x = a(i) + b*c\n" * n),
    "continuation lines": (2_000, lambda n: "x = 1" + " + &\n  y" * n + "\n"),
    "continued literal": (5_000, lambda n: "x = '" + "abc&\n  &" * n + "'\n"),
    "nested parentheses": (5_000, lambda n: "x = " + "(" * n + "1" + ")" * n + "\n"),
    "nested parentheses in a condition": (5_000, lambda n: "if (" + "(" * n + "1" + ")" * n + ") goto 10\n"),
    "ifs in one statement": (5_000, lambda n: "if (a) " * n + "x = 1\n"),
    "semicolons": (20_000, lambda n: "x = 'a'; " * n + "\n"),
    "quotes": (50_000, lambda n: "x = " + "''" * n + "\n"),
    "a long name": (200_000, lambda n: "x" * n + " = 1\n"),
    "blanks": (200_000, lambda n: "x = 1" + " " * n + "+ 1\n"),
    "percent signs": (20_000, lambda n: "a" + "%a(1)" * n + " = 1\n"),
    "prefixes": (20_000, lambda n: "pure " * n + "\n"),
    "dots": (50_000, lambda n: "x = " + ".a" * n + "\n"),
    "a declaration": (20_000, lambda n: "real(" + "(a)" * n + ") x\n"),
    "labels": (20_000, lambda n: "10 continue\n" * n),
}


@pytest.mark.parametrize("name", HUGE)
def test_work_is_linear_in_free_form(name: str) -> None:
    large, text = HUGE[name]
    assert grows_linearly(lambda n: units(f"subroutine s\n{text(n)}end\n"), large)


FIXED_HUGE: dict[str, tuple[int, Callable[[int], str]]] = {
    "lines": (20_000, lambda n: "      X = A(I) + B*C\n" * n),
    "continuation lines": (5_000, lambda n: "      X = 1\n" + "     & + Y\n" * n),
    "continued literal": (5_000, lambda n: "      X = 'a\n" + "     &b\n" * n + "     &'\n"),
    "Hollerith": (5_000, lambda n: "      DATA X/\n" + "     &2HAB,\n" * n + "     &1/\n"),
    "nested parentheses": (1_000, lambda n: "      X = \n" + "     &((((\n" * n + "     &1\n" + "     &))))\n" * n),
    "blanks in names": (5_000, lambda n: "      X = A\n" + "     & B\n" * n),
    "ifs": (2_000, lambda n: "      IF(A)\n" + "     &IF(A)\n" * n + "     &X=1\n"),
    "prefixes": (2_000, lambda n: "      PURE\n" + "     &PURE\n" * n + "     &FUNCTIONX-\n"),
    "types": (2_000, lambda n: "      REAL(4)\n" + "     &REAL(4)\n" * n + "     &FUNCTIONX-\n"),
}


@pytest.mark.parametrize("name", FIXED_HUGE)
def test_work_is_linear_in_fixed_form(name: str) -> None:
    large, text = FIXED_HUGE[name]
    assert grows_linearly(lambda n: units(f"      SUBROUTINE S\n{text(n)}      END\n", "t.f"), large)


def test_a_deep_and_broken_file_fails_at_once() -> None:
    text = "subroutine s\n" + "if (a) then\n" * 5_000 + "x = (1\n" + "end if\n" * 5_000 + "end\n"
    with ends(), pytest.raises(InputError) as caught:
        units(text)
    assert str(caught.value).startswith("t.f90:5002:")
