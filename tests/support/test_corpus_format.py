"""The corpus's own reader: what counts as a difference, and what --update-corpus writes."""

from __future__ import annotations

from dataclasses import replace

import pytest
from snapset.analysis.results import HeadResult, OptionalSets, Part, Sets, Solution, TapeEntry
from snapset.frontend.base.diagnostics import Diagnostic, Span

from tests.support.corpus import compare, parse_expected, rewrite

TEXT = """\
# a remark
head: p(x)>(y)
part p@3 region lines 3-4
  req
  out_c     a k    # why
  use_c has x
  opt3      c
  lazy      snp: a | sbk: | req_d: c | req_c:
  tape lazy D: 7 c
  diagnostic SN101 line 4
"""

LAZY = Solution((), OptionalSets((), (), (), ("c",)), ("a",), (), ("c",), (), None, None, None, (), (), {})
TAPE = (TapeEntry("p.f90", 7, "c", "D", None), TapeEntry("p.f90", 3, "a", "C", None))
READ = Diagnostic("SN101", "warning", "reads the next record", Span("p.f90", 4, 4))
PART = Part(
    id="p@3",
    kind="region",
    procedure="p",
    callee=None,
    parent=None,
    file="p.f90",
    first_line=3,
    last_line=4,
    sets=Sets((), ("b", "x"), ("a", "k"), (), (), (), ("c",)),
    options=LAZY.options,
    solutions={"lazy": replace(LAZY, tape=TAPE)},
    diagnostics=(READ,),
)


def result(*parts: Part) -> HeadResult:
    return HeadResult("p(x)>(y)", parts, ("lazy",), ())


def differences(text: str, *parts: Part) -> str:
    return "\n".join(compare(parse_expected(text), result(*parts)))


def test_agreement_says_nothing() -> None:
    assert differences(TEXT, PART) == ""


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("out_c     a k", "out_c     a", "out_c: expected {a}, got {a k}\n      not expected: k"),
        ("use_c has x", "use_c has x z", "use_c: expected at least {x z}, got {b x}\n      missing: z"),
        ("use_c has x", "use_c     x", "use_c: expected {x}, got {b x}"),
        ("opt3      c", "opt3", "opt3: expected {}, got {c}"),
        ("req_d: c", "req_d:", "lazy req_d: expected {}, got {c}"),
        ("D: 7 c", "D: 8 c", "tape lazy D: expected {8 c}, got {7 c}"),
        ("SN101", "SN102", "diagnostics: expected {SN102 line 4}, got {SN101 line 4}"),
        ("  diagnostic SN101 line 4\n", "", "diagnostics: expected {}, got {SN101 line 4}"),
        ("lines 3-4", "lines 3-5", "expected 'part p@3 region lines 3-5'"),
        ("p@3 region", "p@2 region", "part p@2 is missing; the tool reports p@3"),
        ("p@3 region", "p@2 region", "part p@3 is not expected"),
    ],
)
def test_a_difference_is_shown(old: str, new: str, said: str) -> None:
    assert said in differences(TEXT.replace(old, new), PART)


def test_either_name_of_one_storage_will_do() -> None:
    text = TEXT.replace("out_c     a k", "out_c     a~b k")
    for names in (("a", "k"), ("b", "k"), ("a", "b", "k")):
        assert differences(text, replace(PART, sets=replace(PART.sets, out_c=names))) == ""
    assert "out_c" in differences(text, replace(PART, sets=replace(PART.sets, out_c=("k",))))


def test_some_parts_only() -> None:
    other = replace(PART, id="p@9")
    assert "p@9 is not expected" in differences(TEXT, PART, other)
    assert differences("parts: some\n" + TEXT, PART, other) == ""


def test_rewriting_keeps_what_agrees_and_is_then_agreed_with() -> None:
    assert rewrite(TEXT, result(PART)) == TEXT
    changed = replace(PART, last_line=5, sets=replace(PART.sets, out_c=("k",)), diagnostics=())
    text = rewrite(TEXT, result(changed))
    assert "part p@3 region lines 3-5" in text
    assert "  out_c     k\n" in text
    assert "use_c has x" in text
    assert "diagnostic" not in text
    assert differences(text, changed) == ""


@pytest.mark.parametrize("line", ["  outc a", "  lazy snap: a", "  diagnostic SN101 4"])
def test_a_line_that_means_nothing_is_refused(line: str) -> None:
    with pytest.raises(ValueError, match=r"not|unpack"):
        parse_expected(TEXT + line + "\n")
