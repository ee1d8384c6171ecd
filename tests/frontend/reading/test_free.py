"""Free form: continuation, comments, literals, labels, semicolons, pragmas."""

from __future__ import annotations

import pytest
from snapset.frontend.base.diagnostics import InputError
from snapset.frontend.base.source_model import Line, Pragma

from tests.support.frontend.reading_help import free, items, lines, pragmas, texts


def test_lower_case_outside_of_literals_only() -> None:
    assert free("  X = 'Don''t TOUCH' // \"This\" // Y  ") == ["x = 'Don''t TOUCH' // \"This\" // y"]


def test_runs_of_blanks_collapse_outside_of_literals_only() -> None:
    assert free("x   =\t'a  b'   //  c") == ["x = 'a  b' // c"]


def test_continuation_joins_and_spans_all_its_lines() -> None:
    (line,) = lines("x = a + & ! why\n\n  ! a comment\n  b\n")
    assert line.text == "x = a + b"
    assert (line.span.line, line.span.end_line) == (1, 4)


def test_leading_ampersand_continues_inside_of_a_token() -> None:
    assert free("call lo&", "    &ng_name(x)") == ["call long_name(x)"]


def test_without_leading_ampersand_a_token_ends() -> None:
    assert free("integer&", "x") == ["integer x"]


def test_continued_literal_keeps_its_blanks() -> None:
    assert free("x = 'ab  &", "   &  CD'") == ["x = 'ab    CD'"]


def test_continued_literal_without_leading_ampersand() -> None:
    assert free("x = 'ab&", "   CD'") == ["x = 'abCD'"]


def test_doubled_quote_split_over_lines() -> None:
    assert free("x = 'isn'&", "&'t'") == ["x = 'isn''t'"]


def test_exclamation_and_ampersand_inside_of_literals() -> None:
    assert free("x = 'a ! b' // '&' ! gone", "y = \"don't & ; !\"") == ["x = 'a ! b' // '&'", "y = \"don't & ; !\""]


def test_a_line_of_one_ampersand_goes_on() -> None:
    assert free("x = 1 &", "&", "+ 2") == ["x = 1 + 2"]


def test_statement_open_at_the_end_of_the_file_ends_there() -> None:
    assert free("end &") == ["end"]


def test_semicolons_split_and_share_the_span() -> None:
    first, second = lines("\nx = 'a;b'; y = 2;; \n")
    assert (first.text, second.text) == ("x = 'a;b'", "y = 2")
    assert first.span == second.span
    assert first.span.line == 2


def test_labels_before_and_after_a_semicolon() -> None:
    assert [(line.label, line.text) for line in lines("10 x = 1; 20 continue\n  030  y = 2")] == [
        (10, "x = 1"), (20, "continue"), (30, "y = 2")]


def test_construct_names_are_taken_off() -> None:
    outer, inner, bound = lines("Outer: do i = 1, n\nin_1 :if (a(1:2)) then\nprocedure :: do_it")
    assert (outer.construct, outer.text) == ("outer", "do i = 1, n")
    assert (inner.construct, inner.text) == ("in_1", "if (a(1:2)) then")
    assert (bound.construct, bound.text) == (None, "procedure :: do_it")


def test_label_and_construct_name_together() -> None:
    (line,) = lines("5 loop: do")
    assert (line.label, line.construct, line.text) == (5, "loop", "do")


def test_column_is_where_the_statement_starts() -> None:
    assert [line.span.column for line in lines("x = 1\n   y = 2")] == [1, 4]


def test_pragmas_in_any_case_and_place() -> None:
    text = "x = 1\n  !$AD Checkpoint-Start\n!$ad   NOCHECKPOINT trailing words\n! $ad checkpoint-end\n"
    assert pragmas(text) == [("checkpoint-start", 2), ("nocheckpoint", 3), ("checkpoint-end", 4)]


def test_other_directives_are_comments() -> None:
    assert items("!$acc parallel\n!$ x = 1\n!$ADJOINT foo\n!dir$ ivdep\nx = 1") == tuple(lines("\n\n\n\nx = 1"))


def test_pragma_before_the_first_executable_and_before_a_block_keeps_its_place() -> None:
    text = "integer :: i\n!$AD a\nx = 1\n!$AD b\ndo i = 1, 2\n!$AD c\nend do\n"
    assert [item.kind if isinstance(item, Pragma) else item.text for item in items(text)] == [
        "integer :: i", "a", "x = 1", "b", "do i = 1, 2", "c", "end do"]


def test_pragma_inside_of_a_continued_statement_comes_before_it() -> None:
    pragma, line = items("x = 1 + &\n!$AD a\n 2")
    assert isinstance(pragma, Pragma)
    assert isinstance(line, Line)
    assert line.text == "x = 1 + 2"


def test_comment_mark_inside_of_a_continued_literal() -> None:
    assert free("x = 'a&", "!$AD b'") == ["x = 'a!$AD b'"]


@pytest.mark.parametrize("text", ["\nx = 'abc", "\nx = 'abc &", "\nx = 'abc &\n def", "\nx = \"it's"])
def test_literal_without_end_is_an_error_at_its_statement(text: str) -> None:
    with pytest.raises(InputError, match="closing") as caught:
        texts(text)
    assert str(caught.value).startswith("t.f90:2:1: error: ")


@pytest.mark.parametrize("text", ["x = (1", "x = 1)", "x = )1(", "call f(a, (b)"])
def test_parentheses_that_do_not_match(text: str) -> None:
    with pytest.raises(InputError, match="parentheses") as caught:
        texts(f"y = 1\n{text}\n")
    assert str(caught.value).startswith("t.f90:2:1: error: ")


def test_parentheses_in_literals_do_not_count() -> None:
    assert free("print *, ')'") == ["print *, ')'"]


def test_preprocessor_line_without_preprocessor() -> None:
    with pytest.raises(InputError, match="--cpp") as caught:
        texts("x = 1\n#ifdef A\n")
    assert str(caught.value).startswith("t.f90:2:1: error: ")


def test_line_ends_of_other_systems_and_the_mark_of_dos() -> None:
    assert texts("x = 1\r\ny = 2\rz = 3\n\x1a") == ["x = 1", "y = 2", "z = 3"]
