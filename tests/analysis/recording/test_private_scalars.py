"""Scalars that a loop has for itself are computed again under every strategy: which, and that the sets stay."""

from __future__ import annotations

import pytest
from snapset.analysis.activity.differentiation_head import parse_heads
from snapset.analysis.pipeline import AnalysisOptions, analyse, prepare
from snapset.analysis.recording.program_recording import record_program
from snapset.analysis.recording.strategies import LAZY
from snapset.analysis.recording.strategy_texts import parse_strategies
from snapset.analysis.replay.experiment.compare_strategies import compare
from snapset.analysis.replay.experiment.inputs import Inputs
from snapset.frontend.load import load_program, load_text

from tests.support.paths import ROOT

(HEAD,) = parse_heads("p(x)>(y)")
INPUTS = Inputs({"n": 5})
TAPED = AnalysisOptions(tape_scalars=True)
EVERY = parse_strategies("lazy,eager,optimal,Opt1+=*;Opt3+=*,Opt2+=*,Sbk+=*")


def text_of(body: str) -> str:
    return f"""subroutine s(v, w)
  real(8) :: v, w
  w = w*v*w
end subroutine s
subroutine p(x, n, y)
  integer, intent(in) :: n
  real(8), intent(inout) :: x(n)
  real(8), intent(out) :: y
  real(8) :: a, t, u, w, z, d(3), q(n)
  integer :: i, k
  a = x(1)
  y = a
  w = 1.0d0
{body}
  y = y + sum(x)*a*w
end subroutine p
"""


def again(text: str) -> set[str]:
    lines, found = text.splitlines(), prepare(load_text(text), HEAD)
    records = record_program(found.adjoints, found.order, LAZY)
    return {lines[found.adjoints.by_key[key].model.flow.nodes[n].span.line - 1].strip()
            for key, record in records.items() for level in record.levels
            for reruns in (level.again.at, level.again.behind) for one in reruns.values() for n in one.assignments}


@pytest.mark.parametrize(("body", "expected"), [
    ("do i = 1, n\nt = x(i)*a\ny = y + t*t\nend do", {"t = x(i)*a"}),
    # a chain
    ("do i = 1, n\nt = x(i)*a\nu = t + a\ny = y*t + u*u\nend do", {"t = x(i)*a", "u = t + a"}),
    # the operand is taped anyway, where it is overwritten
    ("do i = 1, n\nt = x(i)*y\ny = y*y + t*t\nend do", {"t = x(i)*y"}),
    # ... or is not, and t is
    ("do i = 1, n\nt = x(i) + 2*y\ny = y + t*t\nend do", set()),
    # in no loop
    ("t = a*a\ny = t*t\nt = y\ny = y*t", set()),
    # what another reads, or a part
    ("do i = 1, n\nt = x(i)*a\ncall s(t, y)\nend do", {"t = x(i)*a"}),
    # ... and what it is made of is there only if the part leaves it to D
    ("do i = 1, n\nt = x(i)*a\nu = t*t\ncall s(t, y)\ny = y + u*u\nend do", {"t = x(i)*a", "u = t*t"}),
    ("do i = 1, n\nt = x(i)*y\nu = t*t\ncall s(t, y)\ny = y + u*u\nend do", set()),
    # t cannot be computed again, behind the part: then it is taped, and z, which is made of it, is not
    ("do i = 1, n\nq(i) = x(i)\nt = y*w\nu = a/t\ncall s(u, q(i))\nz = q(i)*t + 1\ny = y + z*z + z*u\n"
     "w = w + u*z\nend do", {"u = a/t", "z = q(i)*t + 1"}),
    # what a part writes
    ("do i = 1, n\nt = x(i)*a\ncall s(y, t)\ny = y*t\nend do", set()),
    # ... and what another statement gives it before, on the way to the part or behind it
    ("do i = 1, n\nt = x(i)*a\ny = y + t*t\nt = 0.5d0\ncall s(y, t)\ny = y*t\nend do", {"t = x(i)*a"}),
    ("do i = 1, n\nt = 0.1d0\ncall s(x(i), t)\ny = y + t*t\nt = 0.5d0\ncall s(t, y)\nend do", {"t = 0.5d0"}),
    # ... but not for the sake of the part itself, which saves what it overwrites
    ("do i = 1, n\ncall s(x(i), t)\ny = y + t*t\nt = x(i)\ny = y + t*t\nend do", set()),
    ("t = 1\ndo i = 1, n\nt = a/2\n!$AD CHECKPOINT-START\ny = y + t*t\nif (y > 2) t = y\n!$AD CHECKPOINT-END\n"
     "y = y*t\nt = 2*a\ncall s(t, y)\nend do", {"t = 2*a"}),
    # ... where the part may overwrite it between, nothing is known behind it
    ("t = 1\ndo i = 1, n\nt = a/2\n!$AD CHECKPOINT-START\nif (y > 2) t = y\n!$AD CHECKPOINT-END\n"
     "y = y + t*t\nend do", set()),
    # a small array
    ("do i = 3, n\nd = x(i-2:i)*a\ny = y + d(1)*d(2)*d(3)\nend do", {"d = x(i-2:i)*a"}),
    ("do i = 1, n\nd = [x(i)*a, a, 2*x(i)]\ny = y + d(1)*d(2)*d(3)\nend do", {"d = [x(i)*a, a, 2*x(i)]"}),
    # ... of which not all is plain to see, or takes long
    ("do i = 1, n\nd = [(x(i)*a*k, k = 1, 3)]\ny = y + d(1)*d(2)*d(3)\nend do", set()),
    ("do i = 1, n\nd = [exp(x(i)), sin(x(i)), cos(x(i))*a]\ny = y + d(1)*d(2)*d(3)\nend do", set()),
    ("do i = 1, n\nd = x(i)*a\nd(2) = y\ny = y + d(1)*d(2)*d(3)\nend do", set()),
    ("do i = 1, n\n!$AD CHECKPOINT-START\ny = y*x(i)\n!$AD CHECKPOINT-END\nt = x(i)*a\ny = y + t*t\nend do",
     {"t = x(i)*a"}),
    ("do i = 1, n\nt = x(i)*a\n!$AD CHECKPOINT-START\ny = y*t\n!$AD CHECKPOINT-END\ny = y + t*t\nend do",
     {"t = x(i)*a"}),
    # in a part, a loop of its own
    ("!$AD CHECKPOINT-START\ndo i = 1, n\nt = x(i)*a\ny = y + t*t*y\nend do\n!$AD CHECKPOINT-END\ny = y*a",
     {"t = x(i)*a"}),
    # the operand is required, but behind a part that may save it instead
    ("do k = 1, 2\ndo i = 1, n\nt = x(i)*w\ny = y + t*t\nend do\ncall s(a, w)\nend do", {"t = x(i)*w"}),
    ("do k = 1, 2\ny = y*w*w\ncall s(a, y)\ndo i = 1, n\nt = x(i)*a\ny = y + t*t\nend do\nw = y*w\nend do",
     {"t = x(i)*a"}),
    ("do k = 1, 2\ny = y*w*w\ncall s(a, y)\ndo i = 1, n\nt = x(i)*w\ny = y + t\nend do\nw = y*w\ny = y*t\nend do",
     set()),
    # its value leaves the iteration
    ("t = 0\ndo i = 1, n\ny = y*t\nt = x(i)*a\nend do\ny = y*t", set()),
    # what it is made of is overwritten, and it is needed behind that, too
    ("do i = 2, n\nt = x(i)*x(i - 1)\nx(i) = t*t\ny = y + t*t\nend do", set()),
    # ... or is not
    ("do i = 2, n\nt = x(i)*x(i - 1)\ny = y + t*t\nx(i) = y*y\nend do", {"t = x(i)*x(i - 1)"}),
    # the operand is required by nobody, and overwritten before, but not from there on
    ("q = x*x\ndo i = 2, n\nt = q(i)\nu = q(i - 1)\ny = y + t*u\nend do", {"t = q(i)", "u = q(i - 1)"}),
    # ... or is, in the next time round
    ("do k = 1, 2\nq = x*x*k\ndo i = 2, n\nt = q(i)\ny = y + t*t\nend do\nend do", set()),
])
def test_which_and_that_it_is_right(body: str, expected: set[str]) -> None:
    text = text_of(body)
    assert again(text) == expected
    found, taped = (compare(load_text(text), HEAD, EVERY, INPUTS, one) for one in (AnalysisOptions(), TAPED))
    for run, other in zip(found.runs, taped.runs, strict=True):
        assert run.equal, (run.name, run.error)
        assert (run.predicted_peak_bytes, run.predicted_traffic_bytes) == (run.peak_bytes, run.traffic_bytes)
        assert (run.traffic_bytes or 0) <= (other.traffic_bytes or 0)
        if run.name == "lazy":
            assert bool(expected) == (run.traffic_bytes != other.traffic_bytes)


CALLED = """subroutine r(x, n, a, y)
  integer, intent(in) :: n
  real(8), intent(in) :: x(n), a
  real(8), intent(inout) :: y
  real(8) :: q(n), z(n, n), t, u
  integer :: i, k
{body}
end subroutine r
subroutine p(x, n, y)
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  y = x(2)
  call r(x, n, x(1), y)
  y = y*y
end subroutine p
"""
STEPS = ("do i = n - 1, 1, -1\nq(i) = q(i + 1)*x(i)\nt = a/q(i)\ny = y*t*q(i)\nq(i) = q(i)*t\nu = a/q(i)\ny = y*u\n"
         "end do")
COLUMN = f"q(n) = a\nu = a/q(n)\ny = y*u\n{STEPS}".replace("q(n)", "z(n, k)").replace("q(i", "z(i").replace(
    "z(i)", "z(i, k)").replace("z(i + 1)", "z(i + 1, k)")


@pytest.mark.parametrize(("body", "expected"), [
    # behind the beginning of a loop, where no DO variable says which element: nothing is lost by that
    (f"q(n) = a\nu = a/q(n)\ny = y*u\n{STEPS}", {"u = a/q(n)", "t = a/q(i)", "u = a/q(i)"}),
    # of several that read q the one for which elements would be taped is left, not all
    (f"do k = 1, n\n{COLUMN}\nend do", {"t = a/z(i, k)", "u = a/z(i, k)"}),
])
def test_no_element_is_taped_for_a_scalar(body: str, expected: set[str]) -> None:
    text = CALLED.format(body=body)
    assert again(text) == expected
    found, taped = (compare(load_text(text), HEAD, EVERY, INPUTS, one) for one in (AnalysisOptions(), TAPED))
    for run, other in zip(found.runs, taped.runs, strict=True):
        assert run.equal, (run.name, run.error)
        assert (run.predicted_peak_bytes, run.predicted_traffic_bytes) == (run.peak_bytes, run.traffic_bytes)
        assert (run.traffic_bytes or 0) < (other.traffic_bytes or 0)


@pytest.mark.parametrize("name", ["weno", "rivers", "lines"])
def test_sets_and_snapshots_are_what_the_equations_say(name: str) -> None:
    path = ROOT / "benchmarks" / "realistic" / f"{name}.f90"
    (head,) = parse_heads(path.with_suffix(".head").read_text().strip())
    program, strategies = load_program([str(path)]), parse_strategies("lazy,eager")
    found, taped = (analyse(program, head, strategies, one) for one in (AnalysisOptions(), TAPED))
    for part, other in zip(found.parts, taped.parts, strict=True):
        assert (part.sets, part.id) == (other.sets, other.id)
        for mine, theirs in ((part.solutions[one], other.solutions[one]) for one in ("lazy", "eager")):
            assert (mine.snp, mine.sbk, mine.req, mine.req_d, mine.req_c, mine.options) == (
                theirs.snp, theirs.sbk, theirs.req, theirs.req_d, theirs.req_c, theirs.options)
            assert {(one.file, one.line, one.location) for one in mine.tape} <= {
                (one.file, one.line, one.location) for one in theirs.tape}


SEEN = """module kept
  real(8) :: g, z
contains
{called}
end module kept
subroutine p(x, n, y)
  use kept
  integer, intent(in) :: n
  real(8), intent(inout) :: x(n)
  real(8), intent(out) :: y
  real(8) :: w, c(3)
  common /both/ c
  integer :: k
  w = x(1)*x(2)
  g = x(2)*x(3)
  c = x(3)*x(1)
  y = x(2)*w*g*c(2)*w*g
  do k = 1, 2
    z = 2
    call r(x, n, x(1), y, w)
    y = y*w*g*sum(c) + z
  end do
end subroutine p
"""
R = """subroutine r(x, n, a, y, w)
  integer, intent(in) :: n
  real(8), intent(in) :: x(n), a
  real(8), intent(inout) :: y, w
  real(8) :: c(3)
  common /both/ c
  integer :: i
{body}
end subroutine r
"""
LOST = {"w = a*x(1)"}


@pytest.mark.parametrize(("body", "expected"), [
    ("w = a*x(1)\ny = y*w*w\nw = a*x(2)\ny = y*w*w", LOST),
    # what the caller may require, its value at the beginning, is taped
    ("y = y*w*w\nw = a*x(1)\ny = y*w*w\nw = a*x(2)\ny = y*w*w", LOST),
    ("if (a > 0) w = a*x(1)\ny = y*w*w\nw = a*x(2)\ny = y*w*w", set()),
    ("if (a > 0) then\nw = a*x(1)\ny = y*w*w\nw = a*x(3)\ny = y*w*w\nend if\ny = y*w*w", LOST),
    # a variable of a module, an array in COMMON
    ("g = a*x(1)\ny = y*g*g\ng = a*x(2)\ny = y*g*g", {"g = a*x(1)"}),
    ("c = a*x(1:3)\ny = y*c(1)*c(2)\nc = a*x(2:4)\ny = y*c(2)*c(3)", {"c = a*x(1:3)"}),
    # in a loop that the caller's value may come into: that is taped, and with it those of the iterations
    ("do i = 1, n\nw = a*x(i)\ny = y*w*w\nend do", set()),
    ("z = a*x(1)\ndo i = 1, n\nw = z*x(i)\ny = y*w*w*z\nend do", set()),
    # ... or that the caller has no use for
    ("do i = 1, n\nz = a*x(i)\ny = y*z*z\nend do\nz = y", {"z = a*x(i)"}),
    # a part reads it, or writes it
    ("w = a*x(1)\ny = y*w*w\n!$AD CHECKPOINT-START\ny = y*w*a\n!$AD CHECKPOINT-END\nw = a*x(2)\ny = y*w*w", LOST),
    ("w = a*x(1)\n!$AD CHECKPOINT-START\ny = y*w*a\nw = y\n!$AD CHECKPOINT-END\nw = a*x(2)\ny = y*w*w", set()),
    # all in a part of its own
    ("y = y*a\n!$AD CHECKPOINT-START\nw = a*x(1)\ny = y*w*w\nw = a*x(2)\ny = y*w*w\n!$AD CHECKPOINT-END\ny = y*a",
     LOST),
    # an operand that is required, and one that is not
    ("w = a*z\ny = y*w*w\nz = x(1)\nw = a*x(2)\ny = y*w*w", {"w = a*z"}),
    ("w = a + z\ny = y*w*w\nz = x(1)\nw = a*x(2)\ny = y*w*w*z", set()),
])
def test_what_the_caller_sees(body: str, expected: set[str]) -> None:
    text = SEEN.format(called=R.format(body=body))
    assert again(text) == expected
    found, taped = (compare(load_text(text), HEAD, EVERY, INPUTS, one) for one in (AnalysisOptions(), TAPED))
    for run, other in zip(found.runs, taped.runs, strict=True):
        assert run.equal, (run.name, run.error)
        assert (run.traffic_bytes or 0) <= (other.traffic_bytes or 0)
        if run.name == "lazy":
            assert bool(expected) == (run.traffic_bytes != other.traffic_bytes)


LOST_BEHIND = """subroutine p(x, y)
  real(8), intent(in) :: x(5)
  real(8), intent(out) :: y
  real(8) :: b(5), s
  s = x(1)
  call made(b, s)
  y = sum(b*x)
end subroutine p
subroutine made(u, t)
  real(8), intent(inout) :: u(5), t
  real(8) :: own(5), two(2, 3), s
  integer :: i, k
  k = 2
  own = 0.5d0
  call changed(own, t)
  do i = k, 4
    own(k:) = 0.5d0
    two(1, 2) = own(i)
    u(k) = 0.6d0*sin(t*two(1, 2))/(1.0d0 + t**2)
  end do
  u(3:) = 0.5d0
  u(1) = 0.2d0
  s = t
  !$AD CHECKPOINT-START
  call changed(own, s)
  !$AD CHECKPOINT-END
end subroutine made
recursive subroutine changed(a, t)
  real(8), intent(inout) :: a(5), t
  a(2:) = 0.4d0*a(:4)*t
end subroutine changed
"""


@pytest.mark.parametrize("options", [AnalysisOptions(), AnalysisOptions(first_run="whole")],
                         ids=["trimmed", "whole"])
def test_an_operand_that_a_part_overwrites(options: AnalysisOptions) -> None:
    """`two(1, 2) = own(i)` does not run again behind a part that has overwritten own, and saves nothing of it: nobody
    knows there that own is needed. Found by a random program, where first runs are whole."""
    (head,) = parse_heads("p(x)>(y)")
    assert all(run.equal for run in compare(load_text(LOST_BEHIND), head, EVERY, Inputs({}), options).runs)


READ_BY_ITSELF = """\
module pairs
  real(8) :: b(6), q(3, 6)
  integer :: at(6), m
contains
  subroutine turn(f, g, s)
    real(8), intent(inout) :: f, g
    real(8), intent(in) :: s
    f = 0.5d0*f*g*s
  end subroutine turn
  subroutine onward(f, g, s)
    real(8), intent(inout) :: f, g
    real(8), intent(in) :: s
    m = 1 + mod(m, 5)
    f = f*cos(g)*s
  end subroutine onward
  subroutine copied(g, s)
    real(8), intent(inout) :: g
    real(8), value :: s
    g = g*g*s
  end subroutine copied
  subroutine lines(f, g, s)
    real(8), intent(inout) :: f(:), g(:)
    real(8), intent(in) :: s
    f = f*f*s
    g = g*g*s
  end subroutine lines
end module pairs
subroutine p(x, y, n)
  use pairs
  integer, intent(in) :: n
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  integer :: i, j, k, l, it
  do i = 1, 6
    b(i) = x*i*0.2d0
    q(:, i) = 0.3d0*x + 0.1d0*i
    at(i) = 1 + mod(5*i, 6)
  end do
  m = 2; l = 6
  do i = 1, n
    j = m; k = i
    if (j /= k .and. k /= l .and. j /= l) then
      call copied(b(j), 0.4d0 + x)
    end if
    if (j /= k .and. k /= l .and. j /= l) then
      call lines(b(:m), b(m + 1:), x)
    end if
    j = at(i)
    if (j /= k .and. k /= l .and. j /= l) then
      call turn(q(1, j), q(2, k), x)
    end if
    j = i
    if (j /= k .and. k /= l .and. j /= l) then
      call onward(b(at(j)), b(at(k)), 0.3d0)
    end if
  end do
  y = sum(b) + sum(q*q)
end subroutine p
"""


@pytest.mark.parametrize("options", [AnalysisOptions(), AnalysisOptions(record_branches=True),
                                     AnalysisOptions(first_run="whole")], ids=["plain", "recorded", "whole"])
def test_an_operand_that_only_another_iteration_computes_with(options: AnalysisOptions) -> None:
    """`j = m` does not run again behind the call that changes m sometimes: in an iteration where it does not, m goes
    on to the next one, where only `j = m` itself would require it. Found by a random program (pairs 9200763)."""
    (head,) = parse_heads("p(x)>(y)")
    strategies = parse_strategies("lazy,eager,Opt3+=m,Opt3+=*,Opt1+=*;Opt2+=*;Opt3+=*")
    assert all(run.equal for run in compare(load_text(READ_BY_ITSELF), head, strategies, Inputs({"n": 3}),
                                            options).runs)


OF_ANOTHER_LEVEL = """subroutine p(x, n, y)
  integer, intent(in) :: n
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  real(8) :: m1, m2, own
  integer :: i
  y = 0.1d0*x
  m1 = x
  do i = 3, 1, -1
    m2 = m1
    y = sin(y + m2*m2)
  end do
  !$AD CHECKPOINT-START
  do i = 3, 1, -1
    own = x
    y = 0.4d0*y + 0.2d0*own*own
  end do
  m2 = m1
  y = sin(y + m2*m2)
  !$AD CHECKPOINT-END
  m1 = x
  m2 = m1
  y = sin(y + m2*m2)
end subroutine p
"""


@pytest.mark.parametrize("options", [AnalysisOptions(), AnalysisOptions(dag=True), AnalysisOptions(recompute=True)],
                         ids=["plain", "dag", "recompute"])
def test_what_the_level_around_a_part_computes_again(options: AnalysisOptions) -> None:
    """m2 might be computed again in the first loop, own is in the part. Where that overwrites m2, the loop's adjoint
    still requires it, and the part's own level tapes it. Found by random program 11100077 of the kind privates."""
    assert again(OF_ANOTHER_LEVEL) == {"own = x"}
    found = compare(load_text(OF_ANOTHER_LEVEL), HEAD, EVERY, INPUTS, options)
    assert all(run.equal for run in found.runs)
