"""``!$AD`` directives in the statement tree."""

from __future__ import annotations

import pytest
from snapset.frontend.base.diagnostics import InputError
from snapset.frontend.ir.pretty_print import show
from snapset.frontend.load import load_text

from tests.support.frontend.lowered import expected, program, said, shown


def test_a_part_is_the_statements_between_its_directives() -> None:
    text = """
    subroutine s(x, y, n)
      !$AD CHECKPOINT-START
      x = 1
      do i = 1, n
        !$ad checkpoint-start
        y = x
        !$Ad Checkpoint-End
      end do
      !$AD CHECKPOINT-END
      x = 2
    end
    """
    assert shown(text) == expected("""
        marked
          x = 1
          do i = 1, n
            marked
              y = x
        x = 2
    """)


def test_a_part_keeps_the_places_of_its_directives() -> None:
    body = program("subroutine s(x)\n!$AD CHECKPOINT-START\nx = 1\n!$AD CHECKPOINT-END\nend").procedures["s"].body
    assert [(stmt.span.line, getattr(stmt, "end").line) for stmt in body] == [(2, 4)]  # noqa: B009


def test_fixed_form() -> None:
    text = "      subroutine s(x)\nC$AD CHECKPOINT-START\n      x = 1\nc$ad checkpoint-end\n      end\n"
    assert show(load_text(text, "s.f").procedures["s"]) == "marked\n  x = 1"


def test_calls_taken_out_of_an_expression_are_inside() -> None:
    text = "subroutine s(x)\n!$AD CHECKPOINT-START\nx = g(x)\n!$AD CHECKPOINT-END\nend"
    assert shown(text) == "marked\n  g@3 = call g(x)\n  x = g@3"


def test_nocheckpoint_is_for_the_next_statement() -> None:
    text = """
    subroutine s(x, n)
      !$AD NOCHECKPOINT
      call a(g(x))
      call b(x)
      !$AD NOCHECKPOINT
      if (x > 0) call c(x)
      !$AD NOCHECKPOINT
      do i = 1, n
        call d(x)
      end do
    end
    """
    assert shown(text) == expected("""
        g@4 = call g(x) nocheckpoint
        call a(g@4) nocheckpoint
        call b(x)
        if (x > 0)
          call c(x) nocheckpoint
        do i = 1, n
          call d(x)
    """)


def test_an_unknown_directive_is_noted() -> None:
    assert said("subroutine s(x)\n!$AD BINOMIAL-CKP 3 2 1\nx = 3\ndo i = 1, 3\nx = i\nend do\nend") == ["SN203@2"]
    assert said("subroutine s(x)\n!$AD BINOMIAL-CKP 3 2 1\ndo i = 1, 3\nx = i\nend do\nend") == []  # a time loop
    assert said("subroutine s(x)\n!$AD II-LOOP\ndo i = 1, 3\nx = i\nend do\nend") == []
    assert said("subroutine s(x)\n!$AD II-LOOP\nx = 3\ndo i = 1, 3\nx = i\nend do\nend") == ["SN203@2"]


def test_an_empty_part_is_noted() -> None:
    assert said("subroutine s(x)\nx = 1\n!$AD CHECKPOINT-START\n!$AD CHECKPOINT-END\nend") == ["SN205@3"]


WRONG = [
    ("x = 1\n!$AD CHECKPOINT-START\nx = 2", 3, "has no CHECKPOINT-END"),
    ("x = 1\n!$AD CHECKPOINT-END", 3, "without CHECKPOINT-START"),
    ("!$AD CHECKPOINT-START\nif (x > 0) then\n!$AD CHECKPOINT-END\nend if", 4, "of line 2; put both in one block"),
    ("if (x > 0) then\n!$AD CHECKPOINT-START\nx = 2\nend if\n!$AD CHECKPOINT-END", 3, "before line 5"),
    ("if (x > 0) then\n!$AD CHECKPOINT-START\nx = 2\nelse\n!$AD CHECKPOINT-END\nend if", 3, "before line 5"),
]


@pytest.mark.parametrize(("source", "line", "message"), WRONG)
def test_unmatched_and_crossing_directives(source: str, line: int, message: str) -> None:
    with pytest.raises(InputError, match=message) as error:
        program(f"subroutine s(x)\n{source}\nend")
    assert error.value.span is not None
    assert error.value.span.line == line
