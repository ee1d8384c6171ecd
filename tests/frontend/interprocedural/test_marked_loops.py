"""A loop and its step as parts: EXIT and CYCLE become jumps, what cannot be a loop in time is refused in one line."""

from __future__ import annotations

import pytest
from snapset.frontend.base.diagnostics import InputError
from snapset.frontend.interprocedural.marked_loops import all_loops, mark_loop, pragma_loops
from snapset.frontend.ir.pretty_print import show
from snapset.frontend.load import load_text

LEAVES = """
subroutine s(u, n)
  real(8) :: u
  integer :: n, k, i
  outer: do k = 1, n
    if (u > 9) exit
    do i = 1, 3
      if (u > 8) cycle outer
      if (u > 7) exit
    end do
    u = u + 1
  end do outer
end subroutine
"""


def marked(text: str, line: int) -> str:
    program, place = mark_loop(load_text(text, name="t.f90"), "t.f90", line)
    return show(program.procedures[place.procedure])


def test_exit_and_cycle_of_the_loop_alone_become_jumps() -> None:
    found = marked(LEAVES, 5)
    assert found.count("goto 100001") == 1  # CYCLE outer
    assert found.count("goto 100002") == 1  # the first EXIT
    assert found.count("exit") == 2  # that of the inner loop, and the one behind the step
    assert "left@5 = .true." in found.lower()


def test_a_loop_without_jumps_keeps_its_variables() -> None:
    text = "subroutine s(u)\n  real(8) :: u\n  integer :: k\n  do k = 1, 3\n    u = u*u\n  end do\nend subroutine\n"
    program, place = mark_loop(load_text(text, name="t.f90"), "t.f90", 4)
    assert set(program.procedures[place.procedure].variables) == {"u", "k"}
    assert not place.leaves
    assert all_loops(program) == (("t.f90", 4),)


def test_tapenades_pragma_marks_a_loop_and_nothing_else() -> None:
    text = "subroutine s(u)\n  real(8) :: u\n  integer :: k\n  !$AD BINOMIAL-CKP 9 3 1\n  do k = 1, 3\n    u = u*u\n" \
        "  end do\n  !$AD BINOMIAL-CKP 9 3 1\n  u = 1\nend subroutine\n"
    program = load_text(text, name="t.f90")
    assert pragma_loops(program) == (("t.f90", 5),)
    assert [(one.code, one.span.line) for one in program.diagnostics] == [("SN203", 8)]


@pytest.mark.parametrize(("text", "line", "what"), [
    ("  do k = 1, 3\n    u = u*u\n  end do\n", 5, "no DO loop begins in line 5; DO begins in line 4"),
    ("  u = u*u\n", 4, "there is none"),
    ("  do concurrent (k = 1:3)\n    u = u*u\n  end do\n", 4, "no DO loop begins|no steps in time"),
])  # fmt: skip
def test_what_is_no_loop_is_refused(text: str, line: int, what: str) -> None:
    program = load_text(f"subroutine s(u)\n  real(8) :: u\n  integer :: k\n{text}end subroutine\n", name="t.f90")
    with pytest.raises(InputError, match=what):
        mark_loop(program, "t.f90", line)
