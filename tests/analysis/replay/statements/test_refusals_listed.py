"""docs/replay.md lists what the machine refuses: every message in its source, each shown by a program or explained.

A new ``refuse(...)`` must be listed before this test passes, and what the machine learns to execute must go.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
from snapset.analysis.activity.differentiation_head import find_procedure, parse_heads
from snapset.analysis.memory.storage_units import Overlays
from snapset.analysis.pipeline import analyse
from snapset.analysis.replay.experiment.gradient import store_all
from snapset.analysis.replay.experiment.inputs import Inputs
from snapset.analysis.replay.machine.primal import Machine
from snapset.analysis.replay.memory.variable_slots import RefusedError
from snapset.analysis.replay.statements import refused_constructs
from snapset.analysis.replay.statements.node_functions import NodeFunctions
from snapset.frontend.base.diagnostics import Diagnostic, InputError
from snapset.frontend.cfg.builder import build_flow
from snapset.frontend.load import load_text

from tests.support.paths import ROOT

HEAD = "s(x)>(y)"
START = "subroutine s(x, y)\n  real(8), intent(inout) :: x(4)\n  real(8), intent(out) :: y\n"
BOX = "type t\n real(8) :: v\n end type\n type(t) :: h(3)"
ALLOCATABLE = "type t\n real(8), allocatable :: v\n end type\n type(t) :: h(3)"
CLASS = "type t\n real(8) :: c\n end type\n class(t), allocatable :: p"
# By message the declarations and statements of a program that gets it; a third text stands behind CONTAINS.
PROGRAMS: dict[str, tuple[str, ...]] = {
    "READ": ("", "read (5, *) y"),
    "INQUIRE": ("logical :: l", "inquire (5, opened=l)"),
    "`…`": ("real(8) :: c(3)[*]", "c(1)[2] = 1d0"),
    "`…`…": ("real(16) :: q", "q = x(1)"),
    "`…` as a pointer": ("real(8), target :: a", "a => x(1)"),
    "`…` of a type it cannot lay out": ("type(nobody) :: h", "h%v = x(1)"),
    "`…`, a pointer in overlaid storage": (
        "real(8), pointer :: p(:)\n common /blk/ p", "y = p(1)",
        "subroutine c\n integer :: k\n common /blk/ k\n k = 1\n end subroutine"),
    "`…`, whose extensions have a procedure `…` and other data": (
        "type t\n end type\n type, extends(t) :: t1\n real(8) :: c\n end type\n type, extends(t) :: t2\n"
        "procedure(), pointer, nopass :: c\n end type\n class(t), allocatable :: p", "allocate (t1 :: p)"),
    "ALLOCATE with a type that it cannot lay out": (CLASS, "allocate (unknown_t :: p)"),
    "SELECT RANK": ("", "select rank (x)\n rank (1)\n y = 1d0\n end select"),
    "SELECT TYPE with a type that no type here extends": (
        CLASS, "allocate (p)\n select type (p)\n type is (nobody)\n y = 1d0\n end select"),
    "a DO loop over a variable of type …": ("complex(8) :: c", "do c = 1, 3\n y = 1\n end do"),
    "a FORALL with several statements that use `…`": (
        "integer :: i, j",
        "forall (i = 1:3)\n forall (j = 1:1) x(i) = x(i + j)\n x(i) = x(i)*2\n end forall"),
    "this statement in a FORALL": (f"integer :: i\n {BOX}", "forall (i = 1:3) h(i) = h(4 - i)"),
    "a WRITE to substrings of an array": ("character(4) :: c(2)", "write (c(:)(1:2), '(a)') 'a', 'b'"),
    "a … that gives substrings values": ("character(8) :: c, d", "c = '1 2'\n read (c, *) d(1:2)"),
    "a … with a … item": (f"character(40) :: c\n {BOX}", "write (c, *) h(1)"),
    "the FINAL procedure of `…`": (
        "type t\n real(8) :: v\n contains\n final :: ends\n end type\n type(t) :: h", "h%v = x(1)",
        "subroutine ends(h)\n type(t), intent(inout) :: h\n y = h%v\n end subroutine"),
    "the format …": ("character(40) :: c", "write (c, '(dt)') x(1)"),
    "this …": ("namelist /nl/ y\n character(80) :: c", "read (c, nml=nl)"),
    "a constant of type …": ("integer :: k", "k = int(z'ff')"),
    "a constant that does not fit …(…)": ("integer(1) :: k", "k = 300_1"),
    "a constructor that leaves `…` out": ("type t\n real(8) :: a, b\n end type\n type(t) :: c", "c = t(a=x(1))"),
    "a constant of type … of a kind or value that is not known": (
        "", "call c(x(1))", "subroutine c(p)\n use nowhere, only: wp\n real(8) :: p\n p = 1.0_wp*p\n end subroutine"),
    "a pointer assignment with such bounds": ("real(8), target :: a(4)\n real(8), pointer :: p(:)", "p(1) => a"),
    "a pointer to a substring": (
        "character(4), target :: c\n character(2), pointer :: p", "c = 'abcd'\n p => c(2:3)"),
    "a pointer to what is no variable": ("real(8), pointer :: p", "p => 2d0*x(1)"),
    "this form of the intrinsic associated": ("real(8), pointer :: p", "if (associated(2d0*x(1))) y = 2"),
    "an object of CLASS(*)": (
        "class(*), allocatable :: p", "select type (p)\n type is (real(8))\n y = 1d0\n end select"),
    "the type of this expression": ("class(*), allocatable :: p", "y = merge(1d0, 2d0, same_type_as(p, p))"),
    "an operation on arrays whose elements have the allocatable component `…`": (ALLOCATABLE, "y = sum(h%v)"),
    "this value of a type with allocatable components": (ALLOCATABLE, "h = reshape(h, [3])"),
    "this value of derived type": (BOX, "h = transfer(x(1:3), h)"),
    "MERGE of objects with components that are arrays": (
        BOX.replace(":: v", ":: v(2)"), "h = merge(t(x(1)), t(x(2)), x(1:3) > 1)"),
    "… of objects with components that are arrays": (BOX.replace(":: v", ":: v(2)"), "h = reshape(h, [3])"),
    "the argument `…` of …, which is a pointer": (
        "", "call c(2d0*x(1))", "subroutine c(p)\n real(8), pointer :: p\n y = p\n end subroutine"),
    "the argument … of …": ("", "call random_number(harvest=x(1:2)*2)"),
    "the bounds of `…`, whose type has no component of its own": (
        "type t\n end type\n type(t) :: a(3)\n integer :: k", "k = lbound(a, 1)"),
    "the call of `…`, …": ("", "call nobody(x, y)"),
    "the call of `…`, whose arguments are not those of MPI's procedure": ("include 'mpif.h'", "call mpi_send(x)"),
    "… of a value; assign it to a variable, and send that": (
        "include 'mpif.h'\n integer :: e\n real(8) :: v(2)",
        "call mpi_allreduce([x(1), x(2)], v, 2, mpi_double_precision, mpi_sum, mpi_comm_world, e)"),
    "the call of …: …": ("", "call c(x(1), x(2))", "subroutine c(p)\n real(8) :: p\n y = p\n end subroutine"),
    "the initial value of `…`": ("real(8) :: a(2)\n data a(1) /z'3ff0'/", "y = a(1)"),
    "the intrinsic subroutine …": ("character(9) :: name", "call get_command(name)"),
    "the intrinsic …": ("", "y = fraction(x(1))"),
}
LISTED = re.compile(r"^\| `{1,2} ?(.+?) ?`{1,2} \| (.*) \|$", re.MULTILINE)


def in_source() -> set[str]:
    """What ``refuse`` is called with, names as dots."""
    found = set()
    replay = Path(__import__("snapset.analysis.replay", fromlist=["x"]).__file__).parent
    for path in replay.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "refuse":
                found.add(template(node.args[0]))
    return found


def template(message: ast.expr) -> str:
    if isinstance(message, ast.Constant):
        return str(message.value)
    if isinstance(message, ast.JoinedStr):
        return "".join(str(part.value) if isinstance(part, ast.Constant) else "…" for part in message.values)
    return {"procedure.opaque": "`…`", "stmt.action.upper()": "READ"}[ast.unparse(message)]


def listed() -> dict[str, str]:
    """The rows of the two tables, by message."""
    text = (ROOT / "docs" / "replay.md").read_text()
    return dict(LISTED.findall(text[text.index("## What it refuses"):]))


def test_every_refusal_in_the_source_is_listed() -> None:
    assert in_source() - listed().keys() == set()
    assert listed().keys() - in_source() - PROGRAMS.keys() == set()


def test_each_is_shown_by_a_program_or_explained() -> None:
    text = (ROOT / "docs" / "replay.md").read_text()
    guards = dict(LISTED.findall(text[text.index("## Guards"):]))
    assert listed().keys() - guards.keys() == PROGRAMS.keys()
    assert all(guards.values())


@pytest.mark.parametrize("message", PROGRAMS)
def test_a_program_gets_the_refusal_and_the_report_names_it(message: str) -> None:
    is_refused(message, *PROGRAMS[message])


@pytest.mark.parametrize("statement", ["write (c, nml=nl)", "write (c, nl)", "assign 10 to k\n write (c(1), k) y\n"
                                       " 10 format (f8.3)"])
def test_what_has_no_format_is_not_taken_for_one(statement: str) -> None:
    """A namelist's first variable, or the label that an ASSIGN gives, was: the run ended with a traceback."""
    is_refused("this WRITE of an internal file", "character(80) :: c(2)\n integer :: k\n namelist /nl/ k, y", statement)


def is_refused(message: str, declared: str, statements: str, *inside: str) -> None:
    rest = f"contains\n{inside[0]}\n" if inside else ""
    program = load_text(f"{START}  {declared}\n  y = x(1)\n  {statements}\n  y = y*sum(x)\n{rest}end subroutine s\n")
    (head,) = parse_heads(HEAD)
    with pytest.raises(RefusedError) as caught:
        store_all(head, Machine(program, find_procedure(program, head).key), Inputs())
    pattern = ".+".join(map(re.escape, message.split("…")))
    assert re.fullmatch(pattern, caught.value.what)
    said = [one.message for one in analyse(program, head).diagnostics if one.code == "SN402"]
    assert any(re.search(pattern, one) for one in said)


def test_what_is_not_lowered_would_not_have_been_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Statements of nothing but numbers and references are passed over: all of the corpus, lowered whole instead."""
    def found() -> dict[str, tuple[Diagnostic, ...]]:
        return {f"{path.name} {key}": refused_constructs.refused_in(
                    program, procedure, build_flow(procedure), Overlays(program).sizes)
                for path, program in programs.items() for key, procedure in program.procedures.items()}

    programs = {}
    for path in sorted((ROOT / "corpus").glob("*.f90")):
        try:
            programs[path] = load_text(path.read_text(), path.name)
        except InputError:  # of several files
            continue
    short = found()
    monkeypatch.setattr(refused_constructs.Trial, "node", NodeFunctions.node)
    assert found() == short
    assert len(short) > 200
