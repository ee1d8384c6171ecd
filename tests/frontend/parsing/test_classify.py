"""Which statement a line is: there are no reserved words."""

from __future__ import annotations

import pytest
from snapset.frontend.base.text_scan import generic_name, keyword, split_top
from snapset.frontend.parsing.statement_classifier import classify

CASES = [
    ("x = 1", "assign", ("x", "1")),
    ("a(i)%b(j)(1:2) = c == d", "assign", ("a(i)%b(j)(1:2)", "c == d")),
    ("p(1:) => q", "pointer", ("p(1:)", "q")),
    ("if (a == b) = 1", "assign", ("if (a == b)", "1")),
    ("do = 1", "assign", ("do", "1")),
    ("end = 1", "assign", ("end", "1")),
    ("call = 1", "assign", ("call", "1")),
    ("c = 'x = (1'", "assign", ("c", "'x = (1'")),
    ("if (c == ')') x = 1", "if", ("c == ')'", "x = 1")),
    ("if (x > 0) then", "if-then", ("x > 0",)),
    ("if (x) 10, 20, 30", "arithmetic if", ("x", "10, 20, 30")),
    ("else if (a(1) > 0) then", "else if", ("a(1) > 0",)),
    ("do i = f(1, 2), n", "do", ("i", "f(1, 2)", "n")),
    ("do 10 i = 1, n, 2", "do", ("i", "1", "n", "2")),
    ("do while (x > 0)", "do while", ("x > 0", "")),
    ("do concurrent (i = 1:n) local(x)", "do concurrent", ("i = 1:n", "local(x)")),
    ("do", "do forever", ()),
    ("end do outer", "end", ("do", "outer")),
    ("enddo", "end", ("do", "")),
    ("end file (10)", "endfile", ("(10)",)),
    ("go to 10", "goto", ("10",)),
    ("goto (10, 20), i", "computed goto", ("10, 20", "i")),
    ("goto k, (10, 20)", "assigned goto", ("k", "10, 20")),
    ("assign 10 to k", "assign label", ("10", "k")),
    ("select type (p => a%b)", "select type", ("p => a%b",)),
    ("case default", "case", ("default",)),
    ("class default", "guard", ("class default", "")),
    ("type is (real(8))", "guard", ("type is", "real(8)")),
    ("where (a > 0) a = 1", "where", ("a > 0", "a = 1")),
    ("where (a > 0)", "where-construct", ("a > 0",)),
    ("else where (a < 0)", "elsewhere", ("a < 0",)),
    ("forall (i = 1:n) a(i) = 1", "forall", ("i = 1:n", "a(i) = 1")),
    ("associate (p => a, q => b)", "associate", ("p => a, q => b",)),
    ("error stop 'x'", "stop", ("'x'",)),
    ("write (*, *) x", "write", ("(*, *) x",)),
    ("return 1", "return", ("1",)),
    ("sync all", "other", ()),
    ("end if if", "end", ("if", "if")),
    ("a = = b", "assign", ("a", "= b")),
    ("wibble wobble", "unknown", ()),
    ("if (x > 0", "unknown", ()),
]


@pytest.mark.parametrize(("text", "kind", "parts"), CASES, ids=[case[0] for case in CASES])
def test_statement(text: str, kind: str, parts: tuple[str, ...]) -> None:
    statement = classify(text)
    assert (statement.kind, statement.parts) == (kind, parts)


def test_lists_are_split_outside_parentheses_and_strings() -> None:
    assert split_top("a(1, 2), 'x, y', [3, 4], k=5") == ("a(1, 2)", "'x, y'", "[3, 4]", "k=5")
    assert split_top("  ") == ()


def test_keywords() -> None:
    assert keyword("unit=10") == ("unit", "10")
    assert keyword("a == b") == (None, "a == b")
    assert keyword("f(x=1)") == (None, "f(x=1)")
    assert keyword("p => q") == (None, "p => q")


def test_generic_names_have_one_spelling() -> None:
    assert generic_name("operator (.ne.)") == "operator(/=)"
    assert generic_name("operator( .dot. )") == "operator(.dot.)"
