"""C runs twice: what a second run would do differently is said of the part, wherever in it or below it happens."""

from __future__ import annotations

import json
from textwrap import indent

import pytest
from snapset.analysis.activity.differentiation_head import parse_heads
from snapset.analysis.pipeline import analyse
from snapset.analysis.results import HeadResult
from snapset.frontend.load import load_text
from snapset.render.layout.byte_figures import Figures
from snapset.render.pages import report_text
from snapset.render.records import report_json

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
  if (n < 0) a = a*size(w)*size(v)*size(cells(1)%c)  ! or nothing in the adjoint could tell what is allocated
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
  if (n < 0) a = a*size(w)*size(v)*size(cells(1)%c)  ! or nothing in the adjoint could tell what is allocated
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
    "allocate (p)": "SN104",
    "deallocate (p)": "SN104",
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


@pytest.mark.sample(2)
@pytest.mark.parametrize("place", PROGRAMS)
@pytest.mark.parametrize("statement", CASES)
def test_what_a_second_run_does_otherwise(statement: str, place: str) -> None:
    assert said(PROGRAMS[place], statement) == [f"{CASES[statement]}@1"]


@pytest.mark.parametrize(
    "statement", ["write (text, *) b", "read (text, *) b", "flush (6)", "call flush(6)", "inquire (10, number=k)",
                  "b = size(a)", "call mvbits(k, 0, 2, i, 0)", "p => t", "nullify (p)",
                  "allocate (w(n))", "deallocate (w)", "call move_alloc(v, w)", "w = [w, b]"],
)
def test_what_is_the_same_twice(statement: str) -> None:
    assert said(PART, statement) == []


def test_what_lives_in_a_callee_only_is_made_anew_each_time() -> None:
    program = CALL.replace("  real(8), target :: t\n", "  real(8), target :: t\n  real(8), allocatable :: own(:)\n"
                           "  real(8), pointer :: q\n")
    assert said(program, "allocate (own(n))\nq => t") == []


# What is saved of allocations: those that some path leaves otherwise than it found them.
ALLOCATIONS = {
    "allocate (w(n))\ndeallocate (w)": "",
    "allocate (w(n), stat=k)\ndeallocate (w, stat=k)": "",
    "if (n > 2) then\n  allocate (w(n))\n  deallocate (w)\nend if": "",
    "do i = 1, n\n  allocate (w(n))\n  deallocate (w)\nend do": "",
    "if (.not. allocated(w)) allocate (w(n))": "w[]",
    "if (n > 2) then\n  allocate (w(2))\nelse\n  allocate (w(n))\nend if\ndeallocate (w)": "",
    "if (n > 2) allocate (w(n))\nif (n > 3) deallocate (w)": "w[]",
    "allocate (w(n))\nif (n > 3) deallocate (w)": "w[]",
    "if (n > 3) allocate (w(n))\ndeallocate (w)": "w[]",
    "deallocate (w)\nallocate (w(n))": "w[]",
    "allocate (w(n))\ndeallocate (w)\nallocate (w(n))": "w[]",  # 2 makes place for 3 in the second run too
    "allocate (w(n))\nif (n > 4) goto 7\ndeallocate (w)\n7 continue": "w[]",
    "allocate (w(n))\ndo i = 1, n\n  if (a(i) > 4) cycle\n  deallocate (w)\nend do": "w[]",  # twice would be an error
    "if (allocated(w)) deallocate (w)\nallocate (w(n))": "w[]",
    "if (.not. allocated(w)) then\n  allocate (w(n))\nelse\n  deallocate (w)\n  allocate (w(k))\nend if": "w[]",
    "if (allocated(w) .and. n > 3) deallocate (w)\nif (.not. allocated(w)) allocate (w(n))": "w[]",
    "if (.not. allocated(w) .or. n > 3) then\n  k = 1\nelse\n  deallocate (w)\nend if": "w[]",
    "if (.not. allocated(w) .and. n > 3) allocate (w(n))": "w[]",
    "if (.not. allocated(w) .or. n > 3) allocate (w(n))": "w[]",
    "allocate (cells(1)%c(n))\ndeallocate (cells(2)%c)": "cells%c[]",
    "if (.not. allocated(v)) allocate (w(n))": "w[]",
    "if (allocated(w)) allocate (w(n))": "w[]",
    "allocate (v(n))\ncall move_alloc(v, w)": "w[]",
    "if (.not. allocated(w)) then\n  allocate (w(n))\n  b = 0\nend if": "w[]",  # b = 0 is left out the second time
    "if (.not. allocated(w)) then\n  allocate (w(n))\n  w = 0\nend if": "w[]",
    "if (allocated(w)) then\n  b = 2\nelse if (n > 3) then\n  allocate (w(n))\nend if": "w[]",
    "if (.not. allocated(w)) then\n  if (n > 3) allocate (w(n))\nend if": "w[]",
    "k = merge(1, 2, allocated(w))\nif (.not. allocated(w)) allocate (w(n))": "w[]",
    "if (.not. allocated(w)) allocate (w(n))\nk = merge(1, 2, allocated(w))": "w[]",  # it is both times
    "if (.not. allocated(w)) allocate (w(n))\nif (allocated(w)) b = 2": "w[]",
    "do while (.not. allocated(w))\n  b = b + 1\n  if (b > 3) allocate (w(n))\nend do": "w[]",
    "if (allocated(w)) b = 2\nif (allocated(w)) deallocate (w)": "w[]",
    "if (allocated(v)) b = 2\nif (.not. allocated(w)) allocate (w(n))": "w[]",  # another one
}


@pytest.mark.sample(3)
@pytest.mark.parametrize("program", [PART, CALL], ids=["part", "call"])
@pytest.mark.parametrize("statements", ALLOCATIONS)
def test_what_is_allocated_and_gone_again_on_every_path_is_not_saved(statements: str, program: str) -> None:
    assert said(program, statements) == []
    assert saved(program, statements) == ALLOCATIONS[statements]


def saved(program: str, statements: str) -> str:
    """The allocations in the part's snapshot, by the component's or the argument's name."""
    found, _ = result(program, statements)
    names = (name for name in found.parts[0].solutions["lazy"].snp if name.endswith("[]"))
    return " ".join(sorted(name.rpartition("::")[2] for name in names))


# The allocations that are saved because of assignments: what may have another shape than where the part begins.
REALLOCATIONS = {
    "w = [w, b]": "w[]",
    "w = [a, b]": "w[]",
    "w = v": "w[]",
    "w = 2*v": "w[]",
    "w = -v": "w[]",
    "w = a": "w[]",
    "w = v(2:3)": "w[]",
    "w = pack(w, w > 0)": "w[]",
    "w = reshape(w, [n])": "w[]",
    "w = matmul(reshape(w, [n, n]), w)": "w[]",
    "w = spread(b, 1, n)": "w[]",
    "w = twice(w)": "w[]",
    "cells(1)%c = v": "cells%c[]",
    "cells(1) = cells(2)": "cells%c[]",
    "cells = cells(3:1:-1)": "cells%c[]",
    "cells(k)%c = cells(i)%c": "cells%c[]",
    "do i = 1, n\n  w = [w, b]\nend do": "w[]",
    "if (n > 3) w = v": "w[]",
    "v = w\nw = 2*v": "v[]",  # behind 1 both have one shape
    "v = w\nw = [w, b]\nw = v": "v[] w[]",
    "if (n > 3) v = w\nw = v": "v[] w[]",
    "do i = 1, n\n  v = w\n  w = 2*v\nend do": "v[]",
    "do i = 1, n\n  v = w\n  w = [w, b]\n  w = v\nend do": "v[] w[]",
    "do i = 1, n\n  w = v\n  v = [v, b]\nend do": "v[] w[]",
    "deallocate (w)\nallocate (w(n))\nw = a": "w[]",
    "deallocate (w)\nw = v": "w[]",
    "do i = 1, n\n  v = [v, b]\n  w = v\nend do": "v[] w[]",
    "w = v\ndo i = 1, n\n  v = [v, b]\n  w = v\nend do": "v[] w[]",
    "w = v\ndo i = 1, n\n  w = 2*v\n  v = [w, b]\nend do": "v[] w[]",
    "v = w\n7 continue\nv = [v, b]\nw = v\nif (a(1) > 3) goto 7": "v[] w[]",
    "deallocate (w, v)\nk = n\nallocate (w(k), v(k))\nw = v": "v[] w[]",  # k is written: who knows when
    "deallocate (w, v)\nallocate (w(n), v(n))\nw = v(1:n) + v": "v[] w[]",
    "deallocate (w, v)\nallocate (w(n), v(n + 1))\nw = v": "v[] w[]",
    "deallocate (w, v)\nallocate (w(0:n - 1), v(n))\nw = v\nv = w(:)": "v[] w[]",
    "w = v(1:size(w))": "",
    "w = v(1:size(w) - 1)": "w[]",
    "w = 2*w": "",
    "w = b": "",
    "w(:) = v": "",
    "w(1:2) = v(1:2)": "",
    "w = w + v": "",
    "w = sin(v)*w**2": "",
    "w = merge(v, w, v > 0)": "",
    "w = cshift(w, 1)": "",
    "where (w > 0) w = v": "",
    "cells(1)%c = 2*cells(1)%c": "",
    "cells(1)%c(:) = v": "",
    "a = a + v": "",
}


@pytest.mark.sample(3)
@pytest.mark.parametrize("program", [PART, CALL], ids=["part", "call"])
@pytest.mark.parametrize("statements", REALLOCATIONS)
def test_an_assignment_that_may_give_another_shape(statements: str, program: str) -> None:
    text = program.replace("  character(80) :: text\n", "  character(80) :: text\n  interface\n    function twice(x)\n"
                           "      real(8), intent(in) :: x(:)\n      real(8), allocatable :: twice(:)\n"
                           "    end function\n  end interface\n")
    assert [one for one in said(text, statements) if not one.startswith("SN107")] == []
    if "twice" not in statements:  # without source: nothing is known to be the same twice
        assert saved(text, statements) == REALLOCATIONS[statements]


def test_a_dummy_argument_with_intent_out_is_deallocated_on_entry() -> None:
    program = """module m
contains
subroutine f(x, n, y)
  integer :: n
  real(8) :: x(n), y
  real(8), allocatable{target} :: w(:)
  w = x
  call g(w, x, n, y)
  y = y*sum(w)
end
subroutine g(w, x, n, y)
  integer :: n
  real(8), allocatable, intent(out) :: w(:)
  real(8) :: x(n), y
! here
  y = sum(x*x)
end
end module
"""
    for statements in ("allocate (w(n))\nw = 1", "n = n", "w = [(1d0*k, k = 1, n)]"):
        found, _ = result(program.replace("{target}", ""), statements)
        assert found.parts[0].diagnostics == ()
        found, _ = result(program.replace("{target}", ", target"), statements)  # and no pointer leads to it
        assert found.parts[0].diagnostics == ()
        found, _ = result(program.replace("{target}", ", target").replace(
            "  w = x\n", "  real(8), pointer :: q(:)\n  w = x\n  q => w\n"), statements)  # unknown to the callee
        (one,) = found.parts[0].diagnostics
        assert one.code == "SN104"
        assert one.message.startswith("the call changes the allocation of w, which pointers may lead to")


def test_what_pointers_may_lead_to_is_named() -> None:
    for statements, names in (("if (allocated(w)) deallocate (w)\nallocate (w(n))", "w"), ("w = [w, b]", "w"),
                              ("call move_alloc(v, w)", "v, w")):  # what v had is w's now
        found, _ = result(PART.replace("allocatable :: w(:), v(:)", "allocatable, target :: w(:), v(:)"), statements)
        one, *_ = found.parts[0].diagnostics
        assert one.code == "SN104"
        assert f"changes the allocation of {names}, which pointers may lead to" in one.message
        assert "allocate before the part, or take TARGET away" in one.message


@pytest.mark.parametrize("place", PROGRAMS)
@pytest.mark.parametrize("statement", dict(zip(CASES.values(), CASES, strict=True)).values())
def test_every_report_of_the_part_says_so(statement: str, place: str) -> None:
    found, before = result(PROGRAMS[place], statement)
    (one,) = found.parts[0].diagnostics
    assert (one.code, one.span.line) == (CASES[statement], before + 1)
    (said,) = report_json.to_json(found)["regions"][0]["diagnostics"]
    assert (said["code"], said["line"], said["message"]) == (one.code, one.span.line, one.message)
    assert json.dumps(said)
    text = report_text.write(found, Figures({}), width=80, colour=False, ascii_only=False)
    first = " ".join(text.split(f"{found.parts[0].id}: ")[1].split(f"\n{found.head}")[0].split())
    assert one.code in first
    assert one.message in first
    assert one.message.count(":") + one.message.count(";") >= 1, "a consequence and a remedy"
