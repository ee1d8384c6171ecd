"""Tapenade's adjoints of time loops under BINOMIAL-CKP: which of their PUSHes make a snapshot."""

from __future__ import annotations

from benchmarks.peer.binomial import Compared, marked, table
from benchmarks.peer.executed import with_actions

ADJOINT = """
  CALL PUSHREAL8(cost)
  CALL ADBINOMIAL_INIT(nt, 3, 1)
  DO 100 WHILE (ADBINOMIAL_NEXT(action, step))
    SELECT CASE  (action)
    CASE (1)
      CALL PUSHREAL8ARRAY(u, n)
      CALL PUSHINTEGER4(k)
      GOTO 100
    CASE (5)
      CALL PUSHREAL8ARRAY(u, n)
    END SELECT
  END DO
"""


def test_the_pushes_of_the_first_case_make_a_snapshot() -> None:
    text, snapshots = with_actions(ADJOINT)
    assert snapshots == (2, 3)
    before, _, behind = text.partition("call adaction(action)")
    assert "SELECT" not in before
    assert behind.lstrip().startswith("SELECT CASE")
    assert with_actions("x = y\n") == ("x = y\n", ())


def test_the_pragma_stands_before_the_loop_with_its_own_count() -> None:
    assert marked("a\n  do k = 1, nt\n", 2, 7, 3).splitlines()[1] == "!$AD BINOMIAL-CKP nt 3 1"
    assert marked("a\n  do while (x > 1)\n", 2, 7, 3).splitlines()[1] == "!$AD BINOMIAL-CKP 7 3 1"


def test_the_table_says_what_is_wrong() -> None:
    rows = list(table([Compared("loop_a", 7, (68, 16), (64, 16)), Compared("loop_b", 7, right=False),
                       Compared("loop_c", why="does not link")]))
    assert rows[2] == "| `loop_a` | 7 | 16 | 16 | 68 | 64 |  |"
    assert "Tapenade's gradient is wrong" in rows[3]
    assert rows[4].endswith("does not link |")
