"""Elements that meet under two names, or that something else reaches, are taped when they are written."""

from __future__ import annotations

import pytest
from snapset.analysis.activity.differentiation_head import parse_heads
from snapset.analysis.pipeline import AnalysisOptions
from snapset.analysis.replay.experiment.compare_strategies import compare
from snapset.analysis.replay.experiment.inputs import Inputs
from snapset.frontend.load import load_text

from tests.analysis.adjoint.test_element_tape import STRATEGIES, TAPE, executed, tapes, text_of

INC = """subroutine inc(m)
  integer, intent(inout) :: m
  m = m + 1
end subroutine inc
"""
# What could make two elements seem apart that are one: numbers and bounds that change between a read and a write, loops
# that are left or entered anew, parts within.
MEETING = {
    "m changed between": """\
  m = 3
  b(1) = sin(a(m))
  m = m + 1
  a(m - 1) = 0.5d0*b(1)
  b(2) = a(3)*b(1)""",
    "m changed, loops": """\
  m = 2
  do i = 1, 2
    b(i) = sin(a(m + i))
  end do
  m = m + 1
  do i = 1, 2
    a(m + i - 1) = 0.5d0*b(i)
  end do
  b = b*a""",
    "m changed in loop": """\
  m = 1
  do i = 1, n - 1
    b(i) = sin(a(m))
    m = m + 1
    a(m - 1) = 0.5d0*b(i)
  end do
  b = b*a""",
    "bound changed inside": """\
  m = n
  do i = 1, m
    b(i) = b(i)*sin(a(i))
    m = 2
  end do
  do i = 3, n
    a(i) = a(i) + b(i)
  end do
  b = b*a""",
    "bound changed between": """\
  m = 2
  do i = m, n
    b(i) = b(i)*sin(a(i))
  end do
  m = 4
  do i = 2, m - 1
    a(i) = 0.3d0*b(i)
  end do
  b = b*a""",
    "var after loop": """\
  do i = 1, 3
    b(i) = a(i)**2
  end do
  a(i - 1) = 0.5d0*b(1)
  b = b*a""",
    "var after loop 2": """\
  do i = 1, 3
    b(i) = a(i)**2
  end do
  b(1) = b(1)*sin(a(i))
  a(4) = 0.5d0*b(1)
  b = b*a""",
    "index reused": """\
  do i = 1, n
    b(i) = b(i)*sin(a(i))
    do j = 1, i
      a(j) = a(j) + 0.1d0*b(i)
    end do
  end do
  b = b*a""",
    "index reused down": """\
  do i = n, 1, -1
    b(i) = b(i)*sin(a(i))
    do j = 1, i - 1
      a(j) = a(j) + 0.1d0*b(i)
    end do
  end do
  b = b*a""",
    "cycle": """\
  do i = 2, n
    b(i) = b(i)*sin(a(i - 1))
    if (x(1) > 0.0d0 .and. i == 3) cycle
    a(i) = 0.5d0*a(i) + b(i)
  end do
  b = b*a""",
    "goto back": """\
  m = 0
10 m = m + 1
  do i = 2, n
    a(i) = a(i) + a(i - 1)**2
  end do
  if (m < 3) goto 10
  b = b*a""",
    "while around": """\
  m = 0
  do while (m < 3)
    do i = 2, n
      a(i) = a(i) + a(i - 1)**2
    end do
    m = m + 1
  end do
  b = b*a""",
    "step two": """\
  do i = 1, n, 2
    b(i) = b(i)*sin(a(i))
  end do
  do i = 2, n, 2
    a(i) = 0.3d0*a(i) + b(i)
  end do
  do i = 1, n, 2
   a(i) = 0.2d0*a(i) + b(i)
  end do
  b = b*a""",
    "negative unknown step": """\
  m = -1
  do i = n, 2, m
    a(i - 1) = a(i - 1) + a(i)**2
  end do
  m = 1
  do i = 1, n - 1, m
    a(i + 1) = a(i + 1) + a(i)**2
  end do
  b = b*a""",
    "section": """\
  do i = 2, n
    b(1:i) = b(1:i)*sin(a(1:i))
    a(i) = 0.5d0*a(i) + b(i)
  end do
  b = b*a""",
    "section shift": """\
  do i = 1, 3
    a(2:n) = a(2:n) + 0.1d0*a(1:n-1)**2
    b = b*a
  end do""",
    "if both": """\
  do i = 2, n
    if (b(i) > 0.5d0) then
      a(i) = a(i) + a(i-1)**2
    else
      a(i - 1) = a(i - 1) + a(i)**2
    end if
  end do
  b = b*a""",
    "exit": """\
  do k = 1, 3
    do i = 2, n
      a(i) = a(i) + 0.1d0*a(i-1)**2
      if (i == k + 1) exit
    end do
    b(k) = b(k)*a(i)
  end do""",
    "call changes m": """\
  m = 2
  b(1) = sin(a(m))
  call inc(m)
  a(m - 1) = 0.5d0*b(1)
  b = b*a""",
    "part in loop": """\
  do k = 1, 3
!$AD CHECKPOINT-START
    b = b*sin(a)
    do i = 2, n
      a(i) = a(i) + 0.1d0*a(i - 1)**2
    end do
!$AD CHECKPOINT-END
    a(1) = a(1)*b(2)
    b(k) = b(k)*a(k + 1)
  end do""",
    "part whose m changes": """\
  m = 1
  do k = 1, 3
!$AD CHECKPOINT-START
    b(m) = b(m)*sin(a(m))
    m = m + 1
    a(m - 1) = 0.3d0*b(m)
!$AD CHECKPOINT-END
    b(k) = b(k)*a(k + 1)
  end do""",
    "implicit wrap": """\
  do k = 1, 2
    do i = 1, n
      m = i + 1
      if (m > n) m = 1
      a(i) = a(i) + 0.1d0*a(m)**2
    end do
  end do
  b = b*a""",
    "inner uses outer after": """\
  do k = 1, 3
    do i = k, n
      b(i) = b(i)*sin(a(k))
    end do
    a(k) = 0.3d0*b(k)
    if (k > 1) a(k - 1) = 0.4d0*b(k)
  end do
  b = b*a""",
    "changed loop var by name": """\
  do i = 1, 3
    b(i) = sin(a(i))
  end do
  do j = 1, 3
    i = j
    a(i) = 0.5d0*b(i)
  end do
  b = b*a""",
}


@pytest.mark.parametrize("name", MEETING)
def test_elements_that_meet_are_taped(name: str) -> None:
    for options in (AnalysisOptions(), AnalysisOptions(recompute=True), AnalysisOptions(recompute=True, dag=True),
                    AnalysisOptions(first_run="whole"), AnalysisOptions(call_checkpoints=False)):
        executed(text_of(MEETING[name], INC), options)


@pytest.mark.parametrize("step", ["n - 2", "max(1, n - 2)", "2 - n"])
def test_a_loop_whose_direction_is_not_known_has_no_bounds(step: str) -> None:
    """``do i = 1, 3, n - 2; y = y + a(i)**2`` may run up or down: what it read of a is overwritten behind it."""
    first, last = (3, 1) if step == "2 - n" else (1, 3)
    text = f"""subroutine p(x, n, y)
  integer, intent(in) :: n
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  real(8) :: a(9)
  integer :: i
  a = 0.2d0*x
  y = 0
  do i = {first}, {last}, {step}
    y = y + a(i)**2
  end do
  a(1:n) = x
  y = y + sum(a*a)
end subroutine p
"""
    (head,) = parse_heads("p(x)>(y)")
    for options in (AnalysisOptions(), TAPE, AnalysisOptions(recompute=True)):
        assert compare(load_text(text), head, STRATEGIES, Inputs({"n": 3}), options).equal


WRITE = "{} = 0.5d0*f"


def read_and_written(reading: str, read: str, writing: str, write: str, around: str = "") -> str:
    """A loop whose derivatives read elements, and one that writes elements, perhaps both in a third."""
    body = ["f = 0.1d0", "m = 2", "l = 1", "if (x(1) > 5.0d0) l = -1"]
    body += [f"do {around}"]*bool(around)
    for loop, line in ((reading, f"f = f + sin({read})"), (writing, WRITE.format(write))):
        body += [f"do {loop}", line, "end do"] if loop else [line]
    return "\n".join([*body, *["end do"]*bool(around), "b = b*f"])


@pytest.mark.parametrize(("reading", "read", "writing", "write", "taped"), [
    ("i = 1, 2", "a(i)", "j = 3, n", "a(j)", False),
    ("i = 1, 2", "a(i)", "j = 2, n", "a(j)", True),
    ("i = 2, 1, -1", "a(i)", "j = n, 3, -1", "a(j)", False),
    ("i = 2, 1, -1", "a(i)", "j = n, 2, -1", "a(j)", True),
    ("i = 3, 1, -1", "a(i)", "j = 3, n", "a(j)", True),
    ("j = 3, n", "a(j)", "i = 2, 1, -1", "a(i)", False),
    ("i = 1, 2, l", "a(i)", "j = 3, n", "a(j)", True),  # which end is the lower one is not known
    ("i = 1, 2", "a(i)", "j = 3, n, l", "a(j)", True),
    ("i = 1, n - 3", "a(i)", "j = n - 2, n", "a(j)", False),
    ("i = 1, n - 3", "a(i)", "j = n - 3, n", "a(j)", True),
    ("i = 1, n - 3", "a(i + 1)", "j = n - 1, n", "a(j)", False),
    ("i = 1, n - 3", "a(i + 1)", "j = n - 1, n", "a(j - 1)", True),
    ("i = 1, m", "a(i)", "j = m + 1, n", "a(j)", True),  # m is set here: that it is the same in both is not asked
    ("i = 1, 4", "a(5 - i)", "j = 5, n", "a(j)", False),
    ("i = 1, 4", "a(6 - i)", "j = 5, n", "a(j)", True),
    ("i = 1, 2", "a(2*i)", "j = 1, 3", "a(2*j - 1)", False),  # even and odd
    ("i = 1, 2", "a(2*i)", "j = 1, 2", "a(2*j + 1)", False),
    ("i = 1, 2", "a(2*i)", "j = 2, 3", "a(2*j - 2)", True),
    ("", "a(n - 3)", "j = n - 2, n", "a(j)", False),
    ("", "a(n - 3)", "j = n - 3, n", "a(j)", True),
    ("i = 1, n - 3", "a(i)", "", "a(n - 2)", False),
    ("i = 1, n - 3", "a(i)", "", "a(n - 3)", True),
    ("", "a(m)", "j = m + 1, n", "a(j)", True),
    ("i = 1, n", "w(i, 1)", "j = 1, n", "w(j, 2)", False),
    ("i = 1, n", "w(i, 1)", "j = 2, n", "w(1, j)", False),
    ("i = 1, n", "w(i, 1)", "j = 1, n", "w(1, j)", True),
    ("i = 1, n", "sum(w(:, i))", "j = 1, n", "w(j, 2)", True),
    ("i = 3, n", "sum(w(:, i))", "j = 1, n", "w(j, 2)", False),
    ("i = 3, n", "sum(w(i, :))", "j = 1, n", "w(j, 2)", True),
])
def test_a_loop_that_reads_and_one_that_writes(reading: str, read: str, writing: str, write: str, taped: bool) -> None:
    """By hand: taped where an element may be one that the first loop has read."""
    assert (WRITE.format(write) in tapes(read_and_written(reading, read, writing, write))) is taped


@pytest.mark.parametrize(("around", "read", "write", "taped"), [
    ("k = 1, n", "a(k)", "a(k)", True),
    ("k = 2, n", "a(k)", "a(k - 1)", True),  # read one iteration before
    ("k = 1, n - 1", "a(k)", "a(k + 1)", False),  # read one iteration later, what is written
    ("k = n, 2, -1", "a(k)", "a(k - 1)", False),
    ("k = n - 1, 1, -1", "a(k)", "a(k + 1)", True),
    ("k = 1, n - 1, l", "a(k)", "a(k + 1)", True),  # up or down
    ("k = 2, n", "a(1)", "a(k)", False),
    ("k = 2, n", "a(2)", "a(k)", True),
    ("k = 2, n", "w(k, 1)", "w(1, k)", False),
    ("k = 1, n", "w(k, 1)", "w(1, k)", True),
    ("k = 1, n", "w(k, 1)", "w(k, 2)", False),
    ("k = 2, n", "w(k, k)", "w(k, k - 1)", False),
    ("k = 2, n", "w(k - 1, k)", "w(k, k - 1)", False),
    ("k = 1, n", "w(m, k)", "w(k, m)", True),
])
def test_one_loop_that_reads_and_writes(around: str, read: str, write: str, taped: bool) -> None:
    assert (WRITE.format(write) in tapes(read_and_written("", read, "", write, around))) is taped


@pytest.mark.parametrize(("around", "reading", "read", "writing", "write", "taped"), [
    ("k = 1, n - 1", "", "w(k, k)", "j = k + 1, n", "w(j, k)", False),
    ("k = 1, n - 1", "", "w(k, k)", "j = k, n", "w(j, k)", True),
    ("k = 1, n - 1", "i = 1, k", "a(i)", "j = k + 1, n", "a(j)", False),  # a(1:k) read, a(k+1:n) written in each
    ("k = n - 1, 1, -1", "i = 1, k", "a(i)", "j = k + 1, n", "a(j)", True),
    ("k = 1, n - 1", "i = k + 1, n", "a(i)", "", "a(k)", True),  # read one iteration before, or more
    ("k = n - 1, 1, -1", "i = k + 1, n", "a(i)", "", "a(k)", False),
    ("k = n - 1, 1, -1", "i = k + 1, n", "a(i)", "", "a(k + 1)", True),
    ("k = 1, 2", "i = 1, 2", "a(i)", "j = 3, n", "a(j)", False),
    ("k = 1, 2", "i = 1, 3", "a(i)", "j = 3, n", "a(j)", True),
])
def test_loops_within_a_loop(around: str, reading: str, read: str, writing: str, write: str, taped: bool) -> None:
    assert (WRITE.format(write) in tapes(read_and_written(reading, read, writing, write, around))) is taped
