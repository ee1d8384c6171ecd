"""Random programs of many constructs (see fuzz_constructs.py): fixed ones, each under all options and compiled."""

from __future__ import annotations

import os
import re
import shutil
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import cast

import pytest

from tests.generators.constructs.native import Native, judge, names_marked
from tests.generators.constructs.programs import FEATURES, Generated, program
from tests.generators.constructs.trial import OPTION_SETS, Verdict
from tests.generators.constructs.trial import judge as judge_all
from tests.generators.further import FURTHER, LATER
from tests.generators.fuzz_constructs import Tally, kind_of, smallest, tally
from tests.generators.rare import RARE

ALL, CHUNK = (*range(210, 271), 277), 5  # they execute every construct that they write
FEW = (215, 228, 233, 235, 237, 246, 247, 262, 268)  # in few lines, the next always with most that the others lack
FEW_RARE = (313, 318, 356, 357, 358)  # so, too
FEW_FURTHER = (403, 413, 435, 446)
FEW_LATER = (500, 501, 502)


def chunk(numbers: tuple[int, ...]) -> Tally:
    return tally(numbers, FEATURES)


@pytest.fixture(scope="module", params=[FEW, pytest.param(ALL, marks=pytest.mark.wide)], ids=["few", "all"])
def programs(request: pytest.FixtureRequest) -> tuple[int, ...]:
    return cast(tuple[int, ...], request.param)


@pytest.fixture(scope="module")
def found(programs: tuple[int, ...]) -> Tally:
    """All of them, on two processors where there are two."""
    total = Tally()
    with ProcessPoolExecutor(min(2, os.cpu_count() or 1)) as pool:
        for one in pool.map(chunk, [programs[at:at + CHUNK] for at in range(0, len(programs), CHUNK)]):
            total.plus(one)
    return total


def test_every_plan_gives_the_gradient_and_the_compiled_program_agrees(found: Tally) -> None:
    assert found.bad == []
    assert found.native["right"] > 0.95*found.programs


def test_nothing_is_refused(found: Tally) -> None:
    assert found.refused == {}


def test_every_construct_is_executed(found: Tally, programs: tuple[int, ...]) -> None:
    names = {name for number in programs for name in names_marked(program(number, FEATURES).text)}
    idle = {name for name in names if not found.executed[name]}
    assert len(idle) <= (0 if programs == ALL else 0.1*len(names)), idle
    assert len(names) > (0.9 if programs == ALL else 0.7)*len(FEATURES)
    assert sum(found.runs.values()) >= found.programs*(len(OPTION_SETS) + 6)


@pytest.mark.parametrize("numbers", [
    FEW_RARE, pytest.param(tuple(range(300, 370)), marks=pytest.mark.wide)],
                         ids=["few", "many"])
def test_rare_constructs(numbers: tuple[int, ...]) -> None:
    rare = tally(numbers, RARE)
    assert rare.bad == []
    assert rare.refused == {}
    assert rare.native["right"] > 0.85*len(numbers)


@pytest.mark.parametrize("numbers", [
    FEW_FURTHER, pytest.param(tuple(range(400, 460)), marks=pytest.mark.wide)], ids=["few", "many"])
def test_further_constructs(numbers: tuple[int, ...]) -> None:
    found = tally(numbers, FURTHER)
    assert found.bad == []
    assert found.refused == {}
    assert {one.name for one in FURTHER} <= {name for name, count in found.executed.items() if count}
    assert found.native["right"] > 0.85*len(numbers)


@pytest.mark.parametrize("numbers", [
    FEW_LATER, pytest.param(tuple(range(500, 560)), marks=pytest.mark.wide)], ids=["few", "many"])
def test_later_constructs(numbers: tuple[int, ...]) -> None:
    found = tally(numbers, LATER)
    assert found.bad == []
    assert found.refused == {}
    assert {one.name for one in LATER} <= {name for name, count in found.executed.items() if count}


# Programs that were wrong once, made small; their module is m7.
ASSIGNED = """module m7
  implicit none
  interface assignment(=)
    module procedure from_real
  end interface
  type :: base
    real(8) :: u = 0.5d0
  end type base
contains
subroutine p(x, n, m, y)
  integer, intent(in) :: n, m
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  type(base) :: o
  o%u = x(1)
  o = o%u
  y = o%u
end subroutine p
subroutine from_real(a, s)
  type(base), intent(out) :: a
  real(8), intent(in) :: s
  a%u = s*s
end subroutine from_real
end module m7
"""


RESTORED = """module m7
  implicit none
contains
subroutine p(x, n, m, y)
  integer, intent(in) :: n, m
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8) :: b(n), c(5), s
  b = x
  c = x
  b(1:2) = 0.5d0
  s = sum(sin(b)*x)
  !$AD CHECKPOINT-START
  call spread_out(b, c(2))
  !$AD CHECKPOINT-END
  y = s + 0.2d0*sum(c*x) + 0.3d0*sum(b*x)
end subroutine p
subroutine spread_out(v, s)
  real(8), intent(inout) :: v(5), s
  integer :: i, j
  do j = 1, 2
    do i = 1, 2
      v(i + j) = 0.5d0*v(i)*s
    end do
  end do
end subroutine spread_out
end module m7
"""
ENTRIES = """module m7
  implicit none
contains
subroutine p(x, n, m, y)
  integer, intent(in) :: n, m
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8) :: s, t
  s = x(1)
  t = x(2)
  call one(s)
  call two(t)
  y = s*t
end subroutine p
subroutine one(s)
  real(8), intent(inout) :: s, q
  !$AD CHECKPOINT-START
  s = s*sin(s)
  !$AD CHECKPOINT-END
  s = s*s
  return
entry two(q)
  q = q*q
end subroutine one
end module m7
"""
LETTERS = """module m7
  implicit none
contains
subroutine p(x, n, m, y)
  integer, intent(in) :: n, m
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  character(3), parameter :: known = 'xyz', several(2) = ['abc', 'def']
  integer :: k
  y = x(1)
  do k = 1, 3
    if (known(k:k) == 'z') y = y*x(2)
    if ('abc'(k:k) == 'b') y = y + x(3)*sin(y)
    if (several(2)(:k) == 'def') y = y*ichar('p_q'(k:))*0.01d0
  end do
end subroutine p
end module m7
"""
LARGER = """module m7
  implicit none
contains
subroutine p(x, n, m, y)
  integer, intent(in) :: n, m
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8) :: c(5), s
  integer :: i
  c = x
  s = x(1)
  do i = 1, 2
    call smooth(c, 2, s)
    call smooth(c(3), 2, s)
  end do
  y = s + sum(c*x)
end subroutine p
subroutine smooth(v, more, s)
  integer, intent(in) :: more
  real(8), intent(inout) :: v(12 + more), s
  integer :: i
  do i = 1, 2
    v(1:2) = v(2:3)*s
  end do
  s = 0.5d0*s + 0.3d0*v(2)
end subroutine smooth
end module m7
"""


@pytest.mark.parametrize("text", [ASSIGNED, RESTORED, ENTRIES, LETTERS, LARGER,
                                  LARGER.replace("c(5)", "c(n)").replace("c(3)", "c(n - 2)")], ids=[
    "a defined assignment passes its value in parentheses", "a call at the end of a part puts back what others need",
    "a part that another ENTRY's statements hold", "substrings of constants",
    "a snapshot ends where the array ends", "the same where its end is no number"])
def test_programs_that_were_wrong_once(text: str, tmp_path: Path) -> None:
    verdict = judge_all(small(text), judge([small(text)], tmp_path)[7])
    assert not verdict.bad
    assert verdict.native == "right"


SMALL = """module m7
  implicit none
contains
subroutine p(x, n, m, y)
  integer, intent(in) :: n, m
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8) :: s
  s = x(1)*x(2)
!@part
  !$AD CHECKPOINT-START
  y = sin(s)*x(m)
  s = y*y
  !$AD CHECKPOINT-END
!@part
  y = s + y
end subroutine p
end module m7
"""


def small(text: str = SMALL) -> Generated:
    return Generated(7, text, (0.5, 0.6, 0.7, 0.8, 0.9), ("s", "y"), ())


def test_the_compiled_program_tells_another_one(tmp_path: Path) -> None:
    """The machine runs SMALL, gfortran one that differs: in the value's last digits, or in the slope alone."""
    right = judge([small()], tmp_path)[7]
    assert right.hits == {"part": 2, "run": 0}
    assert judge_all(small(), right).native == "right"
    other = judge([small(SMALL.replace("y = s + y", "y = s + y*(1 + 1d-11)"))], tmp_path)[7]
    assert judge_all(small(), other).native.startswith("value")
    bent = judge([small(SMALL.replace("y = s + y", "y = s + y + 1d-3*(x(4) - 0.8d0)"))], tmp_path)[7]
    assert judge_all(small(), bent).native.startswith("gradient")


def test_a_kink_is_told_from_a_wrong_gradient(tmp_path: Path) -> None:
    """At a kink a difference means nothing; it is not called wrong."""
    bent = SMALL.replace("y = s + y", "y = s + abs(x(4) - 0.8d0)")
    verdict = judge_all(small(bent), judge([small(bent)], tmp_path)[7])
    assert verdict.native == "rough"


@pytest.mark.parametrize(("old", "new", "why"), [
    ("y = s + y", "y = s + nothing", "gfortran"), ("y = s + y", "stop 3", "stopped"),
    ("y = sin(s)", "y = x(n + m)", "stopped"),
])
def test_a_program_that_does_not_run_is_named_and_the_others_are_judged(old: str, new: str, why: str,
                                                                         tmp_path: Path) -> None:
    broken = small(SMALL.replace(old, new).replace("m7", "m8"))
    broken = Generated(8, broken.text, broken.x, broken.names, ())
    both = judge([small(), broken, Generated(9, SMALL.replace("m7", "m9"), broken.x, (), ())], tmp_path)
    assert both[8].failure.startswith(why)
    assert not both[7].failure
    assert not both[9].failure
    assert judge_all(broken, both[8]).bad


def test_verdicts() -> None:
    assert not Verdict(1, native="rough").bad
    assert Verdict(1, native="value: another").bad
    assert Verdict(1, wrong={"plain lazy": "another gradient"}).bad
    assert Native(1.0, (2.0,), (0.0,)).near([2.1]) == "wrong"
    assert Native(1.0, (2.0,), (0.2,)).near([2.1]) == "rough"
    assert kind_of("x.f90:34: no `a` of 3") == kind_of("x.f90:5: no `bc` of 12")


def test_all_choices_come_from_the_number() -> None:
    assert program(5) == program(5)
    assert program(5).text != program(6).text


def test_names_in_blocks_are_nobody_elses() -> None:
    """A construct that stands in a BLOCK finds its own variables there: program 9600054 had two of the name `at`."""
    texts = [program(number, (*FEATURES, *RARE, *FURTHER)).text for number in range(120)]
    inner = {name for text in texts for name in declared(text, inside=True)}
    outer = {name for text in texts for name in declared(text, inside=False)}
    assert len(inner) > 10
    assert not [name for name in inner & outer if not name[-1].isdigit()]


def test_constructs_do_not_share_a_prefix() -> None:
    """Names such as `wo_pair` say which module writes them: program 12910085 had the type `wo_t` of one construct and
    the variable of another."""
    users = dict[str, list[str]]()
    for path in sorted(Path(__file__).parent.glob("*/*.py")):
        written = Counter(re.findall(r"\b([a-z]{2}_)[a-z]", path.read_text()))
        for prefix, _ in filter(lambda one: one[1] >= 10, written.items()):
            users.setdefault(prefix, []).append(path.stem)
    assert len(users) > 5
    assert {prefix: stems for prefix, stems in users.items() if len(stems) > 1} == {}


def declared(text: str, inside: bool) -> Iterator[str]:
    """The names that a program declares in its BLOCKs, or outside them, in lines with `::`."""
    depth = 0
    for line in map(str.strip, text.lower().splitlines()):
        depth += (line == "block") - (line == "end block")
        what, _, names = line.partition(" :: ")
        if names and "=>" not in what and (depth > 0) == inside:
            names = re.sub(r"\([^()]*\)|\[[^]]*\]", "", re.sub(r"\([^()]*\)", "", names))
            yield from (one.split("=")[0].strip() for one in names.split(","))


OPEN = """module m7
  implicit none
contains
subroutine p(x, n, m, y)
  integer, intent(in) :: n, m
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8), allocatable :: a(:)
  real(8) :: s
  allocate(a(2))
  s = 0.5d0
  a(1) = x(1)
  a(2) = s*m
  y = s*a(1)
end subroutine p
end module m7
"""


@pytest.mark.skipif(shutil.which("gfortran") is None, reason="compiles")
def test_a_smaller_program_runs_if_the_program_did(monkeypatch: pytest.MonkeyPatch) -> None:
    """All programs with one statement are bad here: the ALLOCATE that it needs stays, and what defines s."""
    def judged(one: Generated, *_: object) -> Verdict:
        return Verdict(one.number, wrong={"plain lazy": "another gradient"} if "y = s*a(1)" in one.text else {})

    monkeypatch.setattr("tests.generators.fuzz_constructs.judge", judged)
    left = [line.strip() for line in smallest(small(OPEN)).splitlines()]
    assert {"allocate(a(2))", "y = s*a(1)"} <= set(left)
    assert any(line.startswith("s = ") for line in left)
    assert not any(line.startswith("a(2) = ") for line in left)
