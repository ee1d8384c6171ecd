"""Fixed form: columns, padding, Hollerith, pragmas, bad columns."""

from __future__ import annotations

from pathlib import Path

import pytest
from snapset.frontend.base.diagnostics import InputError
from snapset.frontend.base.source_model import Line, Pragma, ReadOptions
from snapset.frontend.load import load_program, load_text

from tests.support.frontend.reading_help import fixed, items, lines, pragmas, texts


def card(statement: str, mark: str = " ") -> str:
    """A statement in columns 7 to 72, exactly 66 characters of it."""
    return f"     {mark}{statement:66.66}"


def test_text_beyond_column_72_is_no_text() -> None:
    assert texts(card("X = 1") + "SEQ00010\n" + card("Y = 2") + "'", "t.f") == ["x = 1", "y = 2"]


def test_a_literal_keeps_the_padding_up_to_column_72() -> None:
    (text,) = texts("      C = 'ABC\n     &DEF'\n", "t.f")
    assert text == "c = 'ABC" + " " * (66 - len("C = 'ABC")) + "DEF'"


def test_a_doubled_quote_split_at_column_72() -> None:
    first = "C = '" + "x" * 60 + "'"
    assert texts(card(first) + "\n" + card("'T'", "&"), "t.f") == ["c = '" + "x" * 60 + "''T'"]


def test_a_name_continued_at_column_72() -> None:
    first = "CALL FOO(" + "A" * 57
    assert texts(card(first) + "\n" + card("B, C)", "1"), "t.f") == ["call foo(" + "a" * 57 + "b, c)"]


def test_continuation_spans_its_lines_and_skips_comments() -> None:
    text = "      X = A\nC comment\n\n* another\n      ! a third\n     1  + B\n     2  + C\n      Y = 1\n"
    first, second = lines(text, "t.f")
    assert first.text.replace(" ", "") == "x=a+b+c"
    assert (first.span.line, first.span.end_line, first.span.column) == (1, 7, 7)
    assert second.span.line == 8


def test_zero_in_column_6_starts_a_statement() -> None:
    assert texts("      X = 1\n     0Y = 2\n", "t.f") == ["x = 1", "y = 2"]


@pytest.mark.parametrize("mark", "cC*dD!")
def test_comment_marks(mark: str) -> None:
    assert texts(f"{mark} x = 'open\n      Y = 1\n", "t.f") == ["y = 1"]


def test_trailing_comments_and_literals_with_their_mark() -> None:
    assert fixed("X = '!' ! 'gone", "Y = 1 ! ;") == ["x = '!'", "y = 1"]


def test_exclamation_in_column_6_continues() -> None:
    assert texts("      X = 1\n     !+ 2\n", "t.f") == ["x = 1+ 2"]


def test_labels_with_blanks_in_them() -> None:
    assert [(line.label, line.text) for line in lines(" 1 0  X = 1\n20    CONTINUE\n   30\n", "t.f")] == [
        (10, "x = 1"), (20, "continue"), (30, "continue")]


def test_a_label_is_that_of_the_first_statement_of_its_line() -> None:
    assert [line.label for line in lines("10    X = 1; Y = 2\n", "t.f")] == [10, None]


def test_tabs_lead_to_column_7_or_to_a_continuation() -> None:
    text = "\tX = 1\n10\tY =\n\t1 2\n      Z\t= 3\n"
    assert [(line.label, line.text) for line in lines(text, "t.f")] == [(None, "x = 1"), (10, "y = 2"), (None, "z = 3")]


@pytest.mark.parametrize("text", ["X = 1\n      Y = 2\n", "  A   Y = 2\n", "1a    Y = 2\n", "   1 &Y = 2\n"])
def test_other_text_in_columns_1_to_5_is_an_error_not_another_form(text: str) -> None:
    with pytest.raises(InputError, match="columns 1 to 5") as caught:
        texts("\n" + text, "t.f")
    assert str(caught.value).startswith("t.f:2:1: error: ")


def test_continuation_without_a_statement() -> None:
    with pytest.raises(InputError, match="column 6"):
        texts("     & X = 1\n", "t.f")


def test_pragmas() -> None:
    text = "C$AD CHECKPOINT-START\nc$ad nocheckpoint\n*$AD  x y\n!$AD checkpoint-end\n      !$ad II-LOOP\n      X = 1\n"
    assert pragmas(text, "t.f") == [("checkpoint-start", 1), ("nocheckpoint", 2), ("x", 3), ("checkpoint-end", 4),
                                    ("ii-loop", 5)]


def test_conditional_compilation_and_openmp_are_comments() -> None:
    assert texts("!$    X = 1\nC$    Y = 1\nc$omp parallel\n      Z = 1\n", "t.f") == ["z = 1"]


def test_pragmas_keep_their_place_between_statements() -> None:
    text = "      X = 1\nC$AD a\n      Y = 1\nC$AD b\n     & + 2\nC$AD c\n"
    assert [item.kind if isinstance(item, Pragma) else item.text for item in items(text, "t.f")] == [
        "x = 1", "a", "b", "y = 1 + 2", "c"]


def test_hollerith_becomes_a_literal() -> None:
    assert fixed(
        "DATA A/4HAb;'/, N/2*3HX!Y/",
        "CALL FOO(2HOK, 'x', 5H say )",
        "FORMAT(1X,5HDON'T, 1X2HIS)",
        "IF (X.EQ.1HA) Y = 1HB",
    ) == [
        "data a/'Ab;'''/, n/2*'X!Y'/",
        "call foo('OK', 'x', ' say ')",
        "format (1x,'DON''T', 1x'IS')",
        "if (x.eq.'A') y = 'B'",
    ]


def test_hollerith_runs_over_the_end_of_a_line() -> None:
    padding = 66 - len("DATA A/58HAB")
    (text,) = texts("      DATA A/58HAB\n     &XY/, B/1/\n", "t.f")
    assert text == "data a/'AB" + " " * padding + "XY'/, b/1/"


def test_what_looks_like_hollerith_but_is_none() -> None:
    assert fixed("REAL*8 H2, A5H", "REAL*8HX", "A5H = X2H(1)", "DO 10 H = 1, 2") == [
        "real*8 h2, a5h", "real*8 hx", "a5h = x2h(1)", "do 10 h = 1, 2"]


@pytest.mark.parametrize("statement", ["X = 'abc\n      Y = 1", "X = 'abc", "X = 99HABC\n      Y = 1"])
def test_constant_without_end(statement: str) -> None:
    with pytest.raises(InputError) as caught:
        fixed(statement)
    assert str(caught.value).startswith("t.f:1:1: error: ")


def test_form_can_be_forced() -> None:
    (line,) = items("      X = A\n     & + B\n", "t.f90", ReadOptions(form="fixed"))
    assert isinstance(line, Line)
    assert line.text == "x = a + b"
    assert [item.text for item in items("X = A\n", "t.f", ReadOptions(form="free")) if isinstance(item, Line)] == [
        "x = a"]


def test_a_parenthesis_left_open_at_column_72_takes_the_rest_of_the_line() -> None:
    long = "      e = 0.5d0*(v(1)**2 + v(2)**2) - 1.0d0/sqrt(p(1)**2 + 0.25d0*p(2)**2)"
    assert len(long) > 72
    assert texts(long + "\n", "t.f") == ["e = 0.5d0*(v(1)**2 + v(2)**2) - 1.0d0/sqrt(p(1)**2 + 0.25d0*p(2)**2)"]


FULL = "      y = x" + " " * 61  # up to column 72
NAME = "      y = " + "x" * 62


@pytest.mark.parametrize(
    "line",
    [FULL + "+ z", FULL + ", z", FULL + "  (3)", FULL + "z some words", FULL + "+ z ! why", FULL + "*z     ",
     NAME + "yz", "      y = 'a'" + " " * 59 + "//'b'", "      integer i" + " " * 57 + ", jj"],
)
def test_text_beyond_column_72_that_may_be_meant_is_said(line: str) -> None:
    found = load_text(f"      subroutine s\n{line}\n      y = 1\n      end\n", "t.f").diagnostics
    assert [(one.code, one.severity, one.span.line, one.span.column) for one in found] == [("SN211", "warning", 2, 73)]
    assert "text beyond column 72 is ignored, as the standard says" in found[0].message


@pytest.mark.parametrize(
    "line",
    [FULL + "ABC00010", FULL + "00000010", FULL + "  10", FULL + "   ", FULL + "! z + 1, (x)", FULL + "A 1 ! + z",
     "      y = x ! why" + " " * 55 + "+ z, not so", "C" + " " * 80 + "+ z", NAME + "00010", NAME + "ABC 10",
     "      y = sqrt(x" + " " * 56 + "+ z)", "      y = x" + " " * 61 + "\n     1+ z"],
)
def test_sequence_numbers_and_comments_are_not_mentioned(line: str) -> None:
    found = load_text(f"      subroutine s\n{line}\n      y = 1\n      end\n", "t.f").diagnostics
    assert "SN211" not in [one.code for one in found]


def test_text_beyond_column_72_is_said_once_for_each_file_wherever_it_is(tmp_path: Path) -> None:
    (tmp_path / "c.inc").write_text("      real y" + " " * 60 + ", zz\n")
    (tmp_path / "a.f").write_text(
        f"      module m\n      type t\n      integer i{' ' * 57}, jj\n      end type\n      end\n"
        f"      subroutine s\n      include 'c.inc'\n{FULL}\n     1  +1{' ' * 62}+ z\n      end\n"
        f"      subroutine r\n      include 'c.inc'\n      end\n")  # fmt: skip
    found = load_program([str(tmp_path / "a.f")]).diagnostics
    assert [(Path(one.span.file).name, one.span.line) for one in found if one.code == "SN211"] == [
        ("a.f", 3), ("c.inc", 1)]
    assert "(and on 1 more line of this file)" in found[0].message
