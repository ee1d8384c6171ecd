"""A third opinion on many programs at once: gfortran compiles them together and differences each of them.

A program's module is compiled as it is, but for its marks, which become counters; one main program calls the heads.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.generators.constructs.programs import Generated
from tests.oracles.gfortran_programs import LINKER, gfortran

FLAGS = ("-O0", "-ffp-contract=off", "-ffree-line-length-none", "-w", "-fcheck=bounds,do,mem,pointer",
         "-finit-real=snan",
         "-finit-integer=-77777", "-ffpe-trap=invalid,zero,overflow", "-fno-backtrace")
STEP = 1e-4
# A program that amplifies what it is given 100,000 times still passes; a lost term is of order one.
TOLERANCE = 1e-7
HUGE = 1e6  # beyond it a program amplifies more


@dataclass(frozen=True, slots=True)
class Native:
    """What the compiled program says. ``value``: of y. ``slopes``: by central differences with Richardson's
    extrapolation, for each element of x. ``doubts``: how far differences of other steps and sides are from them.
    ``hits``: how often each construct ran. ``failure``: why there is nothing of this."""

    value: float = 0.0
    slopes: tuple[float, ...] = ()
    doubts: tuple[float, ...] = ()
    hits: Mapping[str, int] | None = None
    failure: str = ""

    def near(self, gradient: Sequence[float]) -> str:
        """``right``, ``wrong``, or ``rough`` where the differences themselves cannot say."""
        found = "right"
        for ours, theirs, doubt in zip(gradient, self.slopes, self.doubts, strict=True):
            scale = max(1.0, abs(ours), abs(theirs), abs(self.value))
            if not scale < HUGE:
                return "rough"
            if not abs(ours - theirs) <= TOLERANCE*scale:
                if not doubt <= TOLERANCE*scale:
                    return "rough"
                found = "wrong"
        return found


def judge(programs: Sequence[Generated], folder: Path) -> dict[int, Native]:
    """Compile and run all of them; one that does not compile, or stops, has a ``failure``."""
    marks = sorted({name for one in programs for name in names_marked(one.text)} | {"run"})
    found: dict[int, Native] = {}
    error = compiled(programs, marks, folder)
    if error and len(programs) > 1:
        half = len(programs)//2
        return judge(programs[:half], folder) | judge(programs[half:], folder)
    if error:
        return {programs[0].number: Native(failure=f"gfortran: {error}")}
    left = list(programs)
    while left:
        done = subprocess.run([str(folder / "run"), str(left[0].number)], check=False, capture_output=True, text=True,
                              cwd=folder, timeout=120, env={**os.environ, "OMP_NUM_THREADS": "1"})
        for line in done.stdout.splitlines():
            number, *rest = line.split()
            found[int(number)] = read(rest, marks)
        stopped = next((one for one in left if one.number not in found), None)
        if stopped is None:
            break
        found[stopped.number] = Native(failure=f"stopped: {(done.stderr.strip() or str(done.returncode))[:300]}")
        left = left[left.index(stopped) + 1:]
    return found


def names_marked(text: str) -> Iterator[str]:
    for line in text.splitlines():
        if line.startswith("!@"):
            yield line[2:]


def compiled(programs: Sequence[Generated], marks: Sequence[str], folder: Path) -> str:
    """Writes and compiles the main program; what the compiler says where it refuses."""
    (folder / "all.f90").write_text(source(programs, marks))
    done = subprocess.run([gfortran(), *FLAGS, *LINKER, "all.f90", "-o", "run"], cwd=folder, check=False,
                          capture_output=True, text=True)
    return " ".join(done.stderr.split())[:600] or "no message" if done.returncode else ""


def source(programs: Sequence[Generated], marks: Sequence[str]) -> str:
    counters = f"module counters_\n  integer(8) :: hits_({len(marks)}) = 0\nend module counters_\n"
    place = {name: at for at, name in enumerate(marks, 1)}
    texts = []
    for one in programs:
        lines = [f"hits_({place[line[2:]]}) = hits_({place[line[2:]]}) + 1" if line.startswith("!@") else line
                 for line in one.text.splitlines()]
        lines.insert(lines.index(f"module m{one.number}") + 1, "  use counters_, only: hits_")
        texts.append("\n".join(lines) + "\n")
    runs = "".join(run(one) for one in programs)
    calls = "\n".join(f"  if (first <= {at}) call run{one.number}" for at, one in enumerate(programs, 1))
    starts = "\n".join(f"  if (word == '{one.number}') first = {at}" for at, one in enumerate(programs, 1))
    return (f"{counters}{''.join(texts)}program main_\n  character(30) :: word\n  integer :: first\n"
            f"  call get_command_argument(1, word)\n{starts}\n{calls}\ncontains\n{runs}end program main_\n")


def run(one: Generated) -> str:
    """The value, and for each element of x: the slope, and how sure it is."""
    n = len(one.x)
    start = ", ".join(f"{value!r}d0" for value in one.x)
    return f"""subroutine run{one.number}
  use counters_
  use m{one.number}, only: p
  real(8), target :: x({n}), z({n}), y, f(-4:4)
  real(8) :: slope({n}), doubt({n}), h, wide, narrow
  integer(8) :: seen(size(hits_))
  integer :: i, j
  x = [{start}]
  hits_ = 0
  z = x
  call p(z, {n}, 3, y)
  seen = hits_
  h = {STEP}d0
  do i = 1, {n}
    do j = -4, 4
      if (abs(j) == 3) cycle
      z = x
      z(i) = x(i) + j*h
      call p(z, {n}, 3, f(j))
    end do
    narrow = (8*(f(1) - f(-1)) - (f(2) - f(-2)))/(12*h)
    wide = (8*(f(2) - f(-2)) - (f(4) - f(-4)))/(24*h)
    slope(i) = narrow
    doubt(i) = max(abs(narrow - wide), abs(f(2) - 3*f(1) + 3*f(0) - f(-1))/h)
  end do
  write (*, '(i0,*(1x,es25.17e3))') {one.number}, y, slope, doubt, real(seen, 8)
  flush (6)
end subroutine run{one.number}
"""


def read(words: Sequence[str], marks: Sequence[str]) -> Native:
    values = [float(word) for word in words]
    n = (len(values) - 1 - len(marks))//2
    return Native(values[0], tuple(values[1:1 + n]), tuple(values[1 + n:1 + 2*n]),
                  dict(zip(marks, (int(value) for value in values[1 + 2*n:]), strict=True)))
