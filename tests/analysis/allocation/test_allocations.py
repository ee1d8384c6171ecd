"""Random parts that allocate, deallocate and assign whole arrays, run by an interpreter of nothing but sizes.

Whatever a run leaves gone, or in another size, and whatever its second run allocates twice, must be saved (``u[]``).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random

import pytest
from snapset.analysis.activity.differentiation_head import parse_heads
from snapset.analysis.pipeline import analyse
from snapset.frontend.load import load_text

ARRAYS = ("u", "v", "w")
TEXT = """module store
  real(8), allocatable :: u(:), v(:), w(:)
end module
subroutine f(x, n, y)
  use store
  integer :: n, k, i
  real(8) :: x(n), a(n), b, y
  k = n
  a = x*x
  !$AD CHECKPOINT-START
  a = a*a
  b = 1
{body}
  if (k < 0) a = a*size(u)*size(v)*size(w)   ! else nothing in the adjoint could tell whether they are allocated
  a = a*a + b
  !$AD CHECKPOINT-END
  y = sum(a)
end
"""
Sizes = dict[str, int | None]


class InvalidError(Exception):
    """No Fortran program does this. ``twice``: what is allocated already."""

    def __init__(self, twice: str = "") -> None:
        self.twice = twice


@dataclass
class Run:
    """One run. ``random`` decides on branches and trip counts."""

    sizes: Sizes
    random: Random
    numbers: dict[str, int] = field(default_factory=lambda: {"n": 3, "n + 1": 4, "k": 3})

    def size(self, name: str) -> int:
        found = self.sizes[name]
        if found is None:
            raise InvalidError
        return found


@dataclass(frozen=True)
class Stmt:
    """``kind`` and its operands; ``inner`` are the statements of a construct's blocks."""

    kind: str
    to: str = ""
    by: str = ""
    inner: tuple[tuple[Stmt, ...], ...] = ()

    def lines(self) -> Iterator[str]:
        x, y = self.to, self.by
        match self.kind:
            case "if":
                yield "if (x(1) > 0.3d0) then"
            case "do":
                yield "do i = 1, k"
            case "there" | "absent":
                yield f"if ({'' if self.kind == 'there' else '.not. '}allocated({x})) then"
            case _:
                yield {"allocate": f"allocate ({x}({y}))", "deallocate": f"deallocate ({x})", "copy": f"{x} = {y}",
                       "twice": f"{x} = 2*{y}", "add": f"{x} = {x} + {y}", "grow": f"{x} = [{x}, b]",
                       "scalar": f"{x} = b", "section": f"{x}(:) = b", "slice": f"{x} = {y}(1:size({x}))",
                       "shrink": f"{x} = {y}(2:)", "count": "k = k + 1"}[self.kind]
        for number, block in enumerate(self.inner):
            if number:
                yield "else"
            for stmt in block:
                yield from ("  " + line for line in stmt.lines())
        if self.inner:
            yield "end do" if self.kind == "do" else "end if"

    def run(self, at: Run) -> None:
        x, y = self.to, self.by
        match self.kind:
            case "if" | "there" | "absent":
                tested = (at.sizes[x] is None) == (self.kind == "absent")
                way = at.random.random() < 0.5 if self.kind == "if" else tested
                execute(self.inner[0] if way else self.inner[1] if len(self.inner) > 1 else (), at)
            case "do":
                for _ in range(at.random.randint(0, 3)):
                    execute(self.inner[0], at)
            case "allocate":
                if at.sizes[x] is not None:
                    raise InvalidError(x)
                at.sizes[x] = at.numbers[y]
            case "deallocate":
                at.size(x)
                at.sizes[x] = None
            case "copy" | "twice":
                at.sizes[x] = at.size(y)
            case "add":
                if at.size(x) != at.size(y):
                    raise InvalidError
            case "grow":
                at.sizes[x] = at.size(x) + 1
            case "shrink":
                at.sizes[x] = max(0, at.size(y) - 1)
            case "slice":
                if at.size(x) > at.size(y):
                    raise InvalidError
            case "count":
                at.numbers["k"] += 1
            case _:
                at.size(x)


def execute(block: tuple[Stmt, ...], at: Run) -> None:
    for stmt in block:
        stmt.run(at)


def block(random: Random, depth: int) -> tuple[Stmt, ...]:
    return tuple(statement(random, depth) for _ in range(random.randint(1, 3)))


def statement(random: Random, depth: int) -> Stmt:
    x, y = random.choice(ARRAYS), random.choice(ARRAYS)
    if depth and random.random() < 0.4:
        kind = random.choice(("if", "if", "do", "there", "absent"))
        if kind == "do" or random.random() < 0.5:
            return Stmt(kind, x, inner=(block(random, depth - 1),))
        return Stmt(kind, x, inner=(block(random, depth - 1), block(random, depth - 1)))
    kind = random.choice(("allocate", "allocate", "deallocate", "copy", "copy", "twice", "add", "grow", "scalar",
                          "section", "slice", "shrink", "count"))
    if kind == "allocate":
        y = random.choice(("n", "n + 1", "k"))
    return Stmt(kind, x, y)


def changed(body: tuple[Stmt, ...], number: int) -> set[str]:
    """The arrays that runs leave gone or in another size, or allocate again when they are repeated."""
    found: set[str] = set()
    for run in range(60):
        random = Random(f"{number} {run}")
        before: Sizes = {name: random.choice((None, 3, 3, 4)) for name in ARRAYS}
        first = Run(dict(before), Random(f"ways {number} {run}"))
        try:
            execute(body, first)
        except InvalidError:
            continue
        found |= {name for name, old in before.items() if old is not None and first.sizes[name] != old}
        try:
            execute(body, Run(dict(first.sizes), Random(f"ways {number} {run}")))
        except InvalidError as error:
            found |= {error.twice} - {""}
    return found


@pytest.mark.parametrize(("first", "count", "share"), [
    (0, 50, 4), pytest.param(0, 250, 2, marks=pytest.mark.wide),
    *(pytest.param(n, 250, 4, marks=pytest.mark.slow) for n in (250, 500, 750))])
def test_what_runs_leave_changed_is_saved(first: int, count: int, share: int) -> None:
    """And of what changes no size nothing is saved in one of ``share`` random parts: the proof is worth its while."""
    seen = quiet = silent = 0
    for number in range(first, first + count):
        body = block(Random(number), 3)
        lines = [line for stmt in body for line in stmt.lines()]
        text = TEXT.replace("{body}", "\n".join(f"  {line}" for line in lines))
        (part,) = analyse(load_text(text), parse_heads("f(x)>(y)")[0]).parts
        saved = {name for name in part.solutions["lazy"].snp if name.endswith("[]")}
        assert not [one for one in part.diagnostics if one.code == "SN104"]
        left = changed(body, number)
        for name in left:
            seen += 1
            assert f"{name}[]" in saved, (name, text)
        if not left and any("=" in line and "if" not in line for line in lines):
            quiet += 1
            silent += not saved
    assert seen
    assert silent > quiet // share, (silent, quiet)
