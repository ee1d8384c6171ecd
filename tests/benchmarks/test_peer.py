"""Reading the peer's adjoints: texts of our own in the form it writes them, no peer needed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
import snapset
from snapset.analysis.pipeline import prepare
from snapset.library.analysis import parse_heads

from benchmarks.peer.executed import adjoint_driver, counted
from benchmarks.peer.figures import Sizes
from benchmarks.peer.measure import run
from benchmarks.peer.reasons import known, reasons
from benchmarks.peer.sets import Row, Saved, compared
from benchmarks.peer.tables import shares, summary
from benchmarks.peer.texts.fortran_text import arguments, called, statements, units
from benchmarks.peer.texts.generated import Push, is_control, push, steps
from benchmarks.peer.texts.pairing import (
    Call,
    Outer,
    align,
    calls_of,
    find_outer,
    forward_calls,
    pair_calls,
    pair_region,
    words,
)
from tests.support.paths import ROOT

ADJOINT = """
  SUBROUTINE STEP_B(x, xb, y)
    IMPLICIT NONE
    REAL*8 :: x(n), result1 ! a comment with CALL PUSHREAL8(z)
    CALL PUSHREAL8ARRAY(x, n*&
&                       2)
    DO ii1=1,SIZE(c)
      CALL PUSHREAL4(c(ii1)%v)
    END DO
    CALL PUSHREAL8(result1)
    result1 = F(x(:), 1.0_8)
    CALL PUSHCONTROL1B(0)
    CALL G_NODIFF(x)
    CALL POPREAL8(result1)
    CALL F_B(x, xb)
  END SUBROUTINE STEP_B
"""
SOURCE = """
subroutine step(x, y)
  real(8) :: x(n), y
  y = f(x(:), 1.0_8) + 2
  call h()
  call g(x)
end subroutine step
"""
NAMES = {name: frozenset({name}) for name in "fgh"}


def unit(text: str, fixed: bool = False):  # type: ignore[no-untyped-def]
    (found,) = units(statements(text, fixed))
    return found


# ---------------------------------------------------------------- text


def test_statements_are_joined_and_stripped() -> None:
    found = statements("  a = 'x!y' & ! said\n    & + B ; c=1\n#ifdef z\n 10 continue\n")
    assert [(s.line, s.text) for s in found] == [(1, "a = 'x!y' + b"), (1, "c=1"), (4, "continue")]


def test_fixed_form_continues_in_column_six() -> None:
    found = statements("C no\n   10 x = 1\n     +    + 2\n      y = 3 ! why\n", fixed=True)
    assert [(s.line, s.text) for s in found] == [(2, "x = 1 + 2"), (4, "y = 3")]


def test_units_are_told_by_their_headings() -> None:
    text = "module m\npure real(8) function f(x)\nend function f\nrecursive subroutine g\nend subroutine g\nend\n"
    assert [(u.name, u.statements[0].line) for u in units(statements(text))] == [("f", 2), ("g", 4)]


def test_arguments_end_at_the_closing_parenthesis() -> None:
    assert arguments("a(1, 2), [3, 4], b)") == ["a(1, 2)", "[3, 4]", "b"]


@pytest.mark.parametrize(("text", "found"), [
    ("call g", ["g"]), ("if (a > b) call g", ["g"]), ("y = f(g(x)) + f (2)", ["f", "g", "f"]),
    ("y = a%f(1) + 'g(2)'", []), ("y = fg(1)", []),
])
def test_calls_of_known_names(text: str, found: list[str]) -> None:
    assert called(text, "fg") == found


# ---------------------------------------------------------------- PUSH


@pytest.mark.parametrize(("text", "found"), [
    ("call pushreal8(a(i)%b(2))", Push("a%b", "a(i)%b(2)", 8)),
    ("call pushreal4array(x, max(n, 1)*2)", Push("x", "x", 4, ("max(n, 1)*2",))),
    ("call pushboolean(l)", Push("l", "l", 4)),
    ("call pushpointer8(c_loc(a%p))", Push("a%p", "a%p", 8)),
    ("call pushcontrol2b(1)", None), ("call popreal8(a)", None),
])
def test_a_push(text: str, found: Push | None) -> None:
    assert push(text) == found


def test_pushes_belong_to_the_statement_behind_them() -> None:
    found = {s.statement.text: [p.name for p in s.pushes] for s in steps(unit(ADJOINT).statements)}
    assert found["result1 = f(x(:), 1.0_8)"] == ["x", "c%v", "result1"]
    assert found["call g_nodiff(x)"] == []


def test_a_push_of_what_may_not_be_associated_counts_as_a_push() -> None:
    guarded = ("subroutine s_b\nif (associated(p)) then\ncall pushreal8array(p, size(p, 1))\ncall pushcontrol1b(1)\n"
               "else\ncall pushcontrol1b(0)\nend if\ncall f(p)\nif (associated(p)) then\nx = 1\nend if\nend")
    found = {s.statement.text: [p.name for p in s.pushes] for s in steps(unit(guarded).statements)}
    assert found["call f(p)"] == ["p"]
    assert found["x = 1"] == []


def test_a_loop_of_pushes_counts_its_trips() -> None:
    found = [p for s in steps(unit(ADJOINT).statements) for p in s.pushes if p.name == "c%v"]
    assert [p.counts for p in found] == [("size(c)",)]


def test_a_loop_that_does_more_is_no_push() -> None:
    text = "subroutine s\ndo i=1,n\ncall pushreal8(a(i))\na(i) = 2\nend do\ncall f(a)\nend\n"
    assert [[p.name for p in s.pushes] for s in steps(unit(text).statements)[1:]] == [[], ["a"], [], [], []]


# ---------------------------------------------------------------- pairing


def test_alignment_takes_the_best_total() -> None:
    score = {("a", "a"): 1.0, ("b", "b"): 1.0, ("a", "b"): 1.5}
    assert align("ab", "ab", lambda x, y: score.get((x, y), 0)) == {0: 0, 1: 1}
    assert align("ab", "ba", lambda x, y: score.get((x, y), 0)) == {0: 0}


def test_calls_pair_across_temporaries_and_dropped_calls() -> None:
    source = calls_of(unit(SOURCE), NAMES)
    assert [sorted(c.names) for c in source] == [["f"], ["h"], ["g"]]
    pairs = pair_calls(source, forward_calls(unit(ADJOINT), NAMES, words(SOURCE)))
    assert sorted(pairs) == [0, 2]
    assert pairs[0].step is not None
    assert [p.name for p in pairs[0].step.pushes] == ["x", "c%v", "result1"]


def test_of_two_calls_alike_the_words_decide() -> None:
    calls = [Call(frozenset("f"), frozenset({"f", name}), 1) for name in ("a", "b")]
    assert pair_calls(calls, calls[1:]) == {1: calls[1]}


REGION = ("subroutine s(a)\nreal(8) :: a\na = 1\nouter: do i = 1, 3\nwhere (m > 0) b = a\na = b\nend do outer\n"
          "c = a\nend subroutine\n")
REGION_B = ("subroutine s_b(a)\na = 1\ncall pushreal8(a)\nmask = m .gt. 0\ncall pushreal8(b)\ndo 100 i=1,3\n"
            "where (mask) b = a\na = b\n100 continue\nc = a\ndo 110 i=1,3\na = b\n110 continue\nend\n")


def test_a_region_begins_with_its_first_statement_that_is_run() -> None:
    found = pair_region(unit(REGION), 4, 7, unit(REGION_B))
    assert found is not None
    assert [p.name for p in found.pushes] == ["a", "b"]
    assert pair_region(unit(REGION), 2, 2, unit(REGION_B)) is None


NESTED = "subroutine s(a, b)\ndo k = 1, n\na = a*b\ncall f(b)\nend do\nc = a\nend\n"
NESTED_B = ("subroutine s_b(a, b)\ncall pushreal8(c)\ndo k=1,n\na = a*b\ncall f(b)\nend do\nc = a\ncall popreal8(c)\n"
            "do k=1,n\ncall pushreal8(a)\na = a*b\ncall pushreal8(b)\ncall f(b)\nend do\n"
            "do k=n,1,-1\ncall f_b(b)\nend do\nend\n")


def test_a_part_in_a_part_is_saved_for_in_the_second_run() -> None:
    source, adjoint = unit(NESTED), unit(NESTED_B)
    outer = find_outer(source, 2, 5, adjoint)
    assert outer == Outer(2, 5, 6)
    around, inner = pair_region(source, 2, 5, adjoint), pair_region(source, 3, 3, adjoint, outer)
    assert around is not None
    assert inner is not None
    assert [[p.name for p in one.pushes] for one in (around, inner)] == [["c"], ["a"]]
    assert pair_region(source, 3, 3, unit(NESTED_B.partition("do k=1,n\ncall")[0] + "end\n"), outer) is None


def test_the_forward_sweep_of_a_split_call_is_that_call() -> None:
    source = calls_of(unit("subroutine s\ncall f(a)\ncall f(a)\nend\n"), NAMES)
    adjoint = unit("subroutine s_b\ncall f_fwd(a)\ncall pushreal8(a)\ncall f(a)\nend\n")
    pairs = pair_calls(source, forward_calls(adjoint, NAMES, words("a")))
    assert [[p.name for p in pairs[i].step.pushes] for i in (0, 1) if pairs[i].step] == [[], ["a"]]


def test_every_reason_is_of_a_program_of_the_corpus() -> None:
    found = reasons("| Program | why |\n| `a.f` | b | c |\n| `a_b.f90`, `c.f` | `x` | y |")
    assert found == {"a.f": "b", "a_b.f90": "`x`", "c.f": "`x`"}
    assert len(known()) > 5
    assert all((ROOT / "corpus" / name).exists() for name in known())


# ---------------------------------------------------------------- sizes


PROGRAM = """subroutine head(x, n, y)
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8) :: a(n, 3), p, q(2)
  integer :: k
  equivalence (p, q(2))
  p = x(1)
  a = x(1)
  q(1) = 1
  do k = 1, 2
    call square(a(:, k), p)
  end do
  p = p*q(1)
  y = p*p + sum(a)
contains
  subroutine square(v, r)
    real(8), intent(inout) :: v(:), r
    r = r*v(1)
    v = v*r
  end subroutine square
end subroutine head
"""
PROGRAM_B = """SUBROUTINE HEAD_B(x, xb, n, y, yb)
  p = x(1)
  a = x(1)
  q(1) = 1
  DO k=1,2
    CALL PUSHREAL8(p)
    CALL PUSHREAL8ARRAY(a, n*3)
    CALL PUSHREAL8(z)
    CALL SQUARE_NODIFF(a(:, k), p)
  END DO
  CALL PUSHREAL8(p)
  p = p*q(1)
  CALL SQUARE_B(a(:, k), ab(:, k), p, pb)
END SUBROUTINE HEAD_B
"""


@pytest.fixture
def file(tmp_path: Path) -> str:
    (tmp_path / "head.f90").write_text(PROGRAM)
    return str(tmp_path / "head.f90")


@pytest.mark.parametrize(("text", "bytes_"), [
    ("call pushreal8array(a, n*3)", 8*7*3), ("call pushreal8(a(1, 1))", 8), ("call pushreal8array(a(:, k), n)", 8*7),
    ("call pushreal8(p)", 8), ("call pushreal8array(q, 2)", 16), ("call pushreal4array(w, (n+1)/2)", 16),
    ("call pushinteger4array(w, size(w, 1)*max(n, 2))", 4*10*7), ("call pushreal8array(a(1:2, 1), n*)", 80),
])
def test_bytes_of_a_push(text: str, bytes_: int, file: str) -> None:
    (head,) = parse_heads(["head(x)>(y)"])
    models = prepare(snapset.load([file]), head).models.by_key
    found = push(text)
    assert found is not None
    assert Sizes(models["head"], {"n": 7}).push(found) == bytes_


def test_both_tools_sets_side_by_side(file: str) -> None:
    (row,) = compared(snapset.load([file]), [file], "head(x)>(y)", PROGRAM_B, snapset.Choices(assume={"n": 7}))
    assert row.callee == "square"
    assert row.run
    assert row.peer == Saved(frozenset({"p", "a", "z"}), 8 + 168 + 8)
    assert row.ours["lazy"].bytes == sum({"p": 8, "a": 56}[name] for name in row.ours["lazy"].names)
    assert row.relation("lazy") == "smaller"


def test_bounds_that_the_peer_keeps_for_its_loops_are_no_locations() -> None:
    assert all(map(is_control, ("ad_from0", "bj-1")))
    assert not any(map(is_control, ("a%b", "advance", "x1")))


def test_control_counts_for_no_bytes(file: str) -> None:
    text = PROGRAM_B.replace("CALL PUSHREAL8(z)", "CALL PUSHREAL8(z)\n    CALL PUSHINTEGER4(ad_to)")
    (row,) = compared(snapset.load([file]), [file], "head(x)>(y)", text, snapset.Choices(assume={"n": 7}))
    assert row.peer == Saved(frozenset({"p", "a", "z"}), 8 + 168 + 8)


def test_a_part_that_the_peer_does_not_have_counts_nowhere() -> None:
    ours = {"lazy": Saved(frozenset("a"), 8), "optimal": Saved(frozenset(), 0)}
    rows = [Row("p", "f", None, False, ours), Row("q", "f", Saved(frozenset("a"), 16), True, ours)]
    total = shares(rows)
    assert (total.peer, total.ours["lazy"], total.ratio("lazy"), total.ratio("optimal")) == (16, 8, 0.5, 0.0)
    assert summary(rows)[0].startswith("- lazy: 2 parts, 1 not paired, 1 smaller; 8 bytes to Tapenade's 16: 50.0 %")


# ---------------------------------------------------------------- executing, measuring


def test_every_push_says_its_site() -> None:
    text = "subroutine s_b(a)\n  CALL PUSHREAL8(a)\n  a = 2\n  call pushinteger4(ad_to)\n  CALL PUSHCONTROL1B(0)\nend\n"
    found = counted(text, False, frozenset({"a"}))
    assert found.sites == {1: "s_b: a", 2: "s_b: ad_to", 3: "s_b: 0"}
    lines = [line.strip() for line in found.text.splitlines()]
    assert [line for line in lines if line.startswith("call adsite")] == \
        ["call adsite(1, 0)", "call adsite(2, 1)", "call adsite(3, 1)"]
    assert lines.index("call adsite(1, 0)") == lines.index("CALL PUSHREAL8(a)") - 1


def test_the_driver_calls_the_adjoint() -> None:
    driver = ("program p\nuse m, only: driven_ => f\nimplicit none\nreal(8) :: d_x(1:5)\nreal(8) :: d_y\n"
              "call get_command_argument(1, s)\ncall driven_(d_x, d_y)\nclose (98)\nend program\n")
    adjoint = unit("subroutine f_b(x, xb, y, yb)\nend\n")
    text = adjoint_driver(driver, adjoint, "module m_diff\nend\n", frozenset({"x", "y"}), {"y": "1"})
    assert "use m_diff, only: driven_ => f_b" in text
    assert "real(8) :: d_xb(1:5)" in text
    assert text.index("d_xb = 0\nd_yb = 1\ncall driven_(d_x, d_xb, d_y, d_yb)\ncall adreport()") > 0


def test_memory_of_children_counts() -> None:
    child = "import time; x = bytearray(60_000_000); x[::4096] = b'1'*len(x[::4096]); time.sleep(0.2)"
    found = run([sys.executable, "-c", f"import subprocess, sys; subprocess.run([sys.executable, '-c', {child!r}])"])
    assert found.code == 0
    assert found.bytes > 60_000_000


def test_without_a_tapenade_it_says_so() -> None:
    done = subprocess.run([sys.executable, "-m", "benchmarks.peer"], cwd=ROOT, env={}, capture_output=True, text=True,
                          check=False)
    assert (done.returncode, done.stdout) == (0, "")
    assert "skipped: SNAPSET_TAPENADE" in done.stderr


@pytest.mark.parametrize(("ours", "relation"), [
    (Saved(frozenset("ab"), 16), "equal"), (Saved(frozenset("ab"), 9), "smaller"),
    (Saved(frozenset("a"), 8), "smaller"),
    (Saved(frozenset("ab"), 99), "larger"), (Saved(frozenset("a"), 99), "larger"),
    (Saved(frozenset("abc"), 24), "larger"), (Saved(frozenset("ac"), 16), "other"),
])
def test_bytes_decide_between_the_same_names(ours: Saved, relation: str) -> None:
    row = Row("p", "f", Saved(frozenset("ab"), 16), True, {"lazy": ours})
    assert row.relation("lazy") == relation
