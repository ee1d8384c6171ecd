"""C runs twice: what a second run would do differently is said of the part, wherever in it or below it happens."""

from __future__ import annotations

import json
from textwrap import indent

import pytest
from snapset import report_json, report_text
from snapset.amounts import Figures
from snapset.analysis.analyse import analyse
from snapset.analysis.heads import parse_heads
from snapset.analysis.result import HeadResult
from snapset.frontend.program import load_text

MODULE = """\
module store
  real(8), allocatable :: w(:), v(:)
  real(8), pointer :: p
  type cell
    real(8), allocatable :: c(:)
  end type
  type(cell) :: cells(3)
end module
"""
NAMES = """\
  use store
  integer :: n, k, i
  character(80) :: text
  real(8), target :: t
  real(8) :: x(n), a(n), b, y
"""
PART = MODULE + f"""\
subroutine f(x, n, y)
{NAMES}  a = x*x
  !$AD CHECKPOINT-START
  a = a*a
  b = 1
! here
  a = a*a + b
  !$AD CHECKPOINT-END
  y = sum(a)
end
"""
CALLER = """\
subroutine {name}(x, n, y)
  integer :: n
  real(8) :: x(n), y, a(n)
  a = x*x
  call {callee}(a, n, y)
  y = y*sum(a)
end
"""
CALLEE = f"""\
subroutine g(a, n, y)
{NAMES}  a = a*a
  b = 1
! here
  a = a*a + b
  y = sum(a)
end
"""
CALL = MODULE + CALLER.format(name="f", callee="g") + CALLEE
NESTED = MODULE + CALLER.format(name="f", callee="h") + CALLER.format(name="h", callee="g") + CALLEE
PROGRAMS = {"part": PART, "call": CALL, "nested call": NESTED}


def result(program: str, statements: str) -> tuple[HeadResult, int]:
    """The report, and the line before the first of ``statements``."""
    text = program.replace("! here\n", indent(statements, "  ") + "\n")
    (head,) = parse_heads("f(x)>(y)")
    return analyse(load_text(text), head), text[: text.index(statements.splitlines()[0])].count("\n")


def said(program: str, statements: str) -> list[str]:
    """Codes of the first part's hazards, with the number of the statement they are about."""
    found, before = result(program, statements)
    return [f"{one.code}@{one.span.line - before}" for one in found.parts[0].diagnostics]


CASES = {
    "read (10, *) b": "SN101",
    "read *, b": "SN101",
    "write (6, *) a(1)": "SN102",
    "print *, a(1)": "SN102",
    "call perror('no')": "SN102",
    "call random_number(b)": "SN103",
    "call random_seed()": "SN103",
    "b = rand(0)": "SN103",
    "allocate (w(n))": "SN104",
    "deallocate (w)": "SN104",
    "allocate (p)": "SN104",
    "call move_alloc(v, w)": "SN104",
    "if (a(1) > 3) stop": "SN106",
    "if (a(1) > 3) error stop 'large'": "SN106",
    "call nowhere(a)": "SN107",
    "b = nowhere(a)": "SN107",
    "sync all": "SN107",
    "call system_clock(k)": "SN108",
    "call cpu_time(b)": "SN108",
    "b = omp_get_wtime()": "SN108",
    "call execute_command_line('ls')": "SN108",
    "open (10, file='x')": "SN109",
    "close (10)": "SN109",
    "rewind 10": "SN109",
    "call unlink('x')": "SN109",
    "call MPI_Send(a)": "SN110",
    "call pmpi_barrier()": "SN110",
    "call co_sum(a)": "SN110",
}


@pytest.mark.parametrize("place", PROGRAMS)
@pytest.mark.parametrize("statement", CASES)
def test_what_a_second_run_does_otherwise(statement: str, place: str) -> None:
    assert said(PROGRAMS[place], statement) == [f"{CASES[statement]}@1"]


@pytest.mark.parametrize(
    "statement", ["write (text, *) b", "read (text, *) b", "flush (6)", "call flush(6)", "inquire (10, number=k)",
                  "b = size(a)", "call mvbits(k, 0, 2, i, 0)", "p => t", "nullify (p)"],
)
def test_what_is_the_same_twice(statement: str) -> None:
    assert said(PART, statement) == []


def test_what_lives_in_a_callee_only_is_made_anew_each_time() -> None:
    program = CALL.replace("  real(8), target :: t\n", "  real(8), target :: t\n  real(8), allocatable :: own(:)\n"
                           "  real(8), pointer :: q\n")
    assert said(program, "allocate (own(n))\nq => t") == []


ALLOCATIONS = {
    "allocate (w(n))\ndeallocate (w)": [],
    "allocate (w(n), stat=k)\ndeallocate (w, stat=k)": [],
    "if (n > 2) then\n  allocate (w(n))\n  deallocate (w)\nend if": [],
    "do i = 1, n\n  allocate (w(n))\n  deallocate (w)\nend do": [],
    "if (.not. allocated(w)) allocate (w(n))": [],
    "if (n > 2) then\n  allocate (w(2))\nelse\n  allocate (w(n))\nend if\ndeallocate (w)": [],
    "if (n > 2) allocate (w(n))\nif (n > 3) deallocate (w)": [1, 2],
    "allocate (w(n))\nif (n > 3) deallocate (w)": [1],
    "if (n > 3) allocate (w(n))\ndeallocate (w)": [2],
    "deallocate (w)\nallocate (w(n))": [1],
    "allocate (w(n))\ndeallocate (w)\nallocate (w(n))": [1, 3],
    "allocate (w(n))\nif (n > 4) goto 7\ndeallocate (w)\n7 continue": [1],
    "allocate (w(n))\ndo i = 1, n\n  if (a(i) > 4) cycle\n  deallocate (w)\nend do": [1, 4],
    "allocate (cells(1)%c(n))\ndeallocate (cells(2)%c)": [1, 2],
    "if (.not. allocated(v)) allocate (w(n))": [1],
    "if (allocated(w)) allocate (w(n))": [1],
    "allocate (v(n))\ncall move_alloc(v, w)": [2],
}


@pytest.mark.parametrize("program", [PART, CALL], ids=["part", "call"])
@pytest.mark.parametrize("statements", ALLOCATIONS)
def test_only_what_is_allocated_and_gone_again_on_every_path_is_harmless(statements: str, program: str) -> None:
    assert said(program, statements) == [f"SN104@{number}" for number in ALLOCATIONS[statements]]


@pytest.mark.parametrize("place", PROGRAMS)
@pytest.mark.parametrize("statement", dict(zip(CASES.values(), CASES, strict=True)).values())
def test_every_report_of_the_part_says_so(statement: str, place: str) -> None:
    found, before = result(PROGRAMS[place], statement)
    (one,) = found.parts[0].diagnostics
    assert (one.code, one.span.line) == (CASES[statement], before + 1)
    (said,) = report_json.document(found, Figures({}))["regions"][0]["diagnostics"]
    assert (said["code"], said["line"], said["message"]) == (one.code, one.span.line, one.message)
    assert json.dumps(said)
    text = report_text.write(found, Figures({}), width=80, colour=False, ascii_only=False)
    first = " ".join(text.split(f"{found.parts[0].id}: ")[1].split(f"\n{found.head}")[0].split())
    assert one.code in first
    assert one.message in first
    assert one.message.count(":") + one.message.count(";") >= 1, "a consequence and a remedy"
