"""What the machine refuses is what the report names (SN402): neither more nor less, whatever the machine learns."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from snapset.analysis.activity.differentiation_head import Head, find_procedure, parse_heads
from snapset.analysis.pipeline import analyse
from snapset.analysis.replay.experiment.gradient import store_all
from snapset.analysis.replay.experiment.inputs import Inputs
from snapset.analysis.replay.machine.primal import Machine
from snapset.analysis.replay.memory.runtime_support import ReplayError
from snapset.analysis.replay.memory.variable_slots import RefusedError
from snapset.frontend.base.diagnostics import InputError, Span
from snapset.frontend.ir import Program
from snapset.frontend.load import load_program, load_text

from tests.analysis.replay.machine.test_replay import RANKED, SOURCES
from tests.support.corpus import CORPUS, parse_expected

HEAD = "s(x)>(y)"
START = "subroutine s(x, y)\n  real(8), intent(inout) :: x(4)\n  real(8), intent(out) :: y\n"
# One statement or declaration each. What the machine learns to execute stays: then nobody may name it.
PIECES = {
    "READ": ("", "read (5, *) y"),
    "INQUIRE": ("logical :: l", "inquire (5, opened=l)"),
    "no source": ("", "call nobody(x, y)"),
    "coarray": ("real(8) :: c(3)[*]", "c(1)[2] = 1d0"),
    "complex": ("complex(8) :: z", "z = cmplx(x(1), x(2), 8)"),
    "character": ("character(8) :: c", "c = 'a'"),
    "quadruple": ("real(16) :: q", "q = x(1)"),
    "real DO variable": ("real(8) :: t", "do t = 0d0, 1d0, 0.5d0\n y = t\nend do"),
    "eoshift": ("", "x = eoshift(x, 1)"),
    "pack": ("", "x(1:2) = pack(x, x > 1d0)"),
    "implied DO": ("integer :: i", "x = [(x(i)*2d0, i = 1, 4)]"),
    "maxval with DIM": ("real(8) :: a(2, 2)", "x(1:2) = maxval(a*x(1), 1)"),
    "vector subscripts": ("real(8) :: a(2, 2)\n integer :: k(2)", "a(k, k) = x(1)"),
    "saved start": ("real(8), save :: a(2) = sin(1d0)*[1d0, 2d0]", "y = a(1)"),
    "linked list": ("type t\n real(8) :: v\n type(t), pointer :: next\n end type\n type(t) :: h", "h%v = x(1)"),
    "bounds": ("real(8), target :: a(4)\n real(8), pointer :: p(:)", "a = x\n p(0:) => a\n y = p(0)"),
    "class": ("type t\n real(8) :: c\n end type\n class(t), allocatable :: p", "allocate (p)\n p%c = x(1)"),
    "class(*)": ("class(*), pointer :: p\n real(8), target :: a", "p => a"),
    "extensions that differ": ("type t\n end type\n type, extends(t) :: t1\n real(8) :: c\n end type\n"
                               "type, extends(t) :: t2\n real(8) :: c(2)\n end type\n"
                               "class(t), allocatable :: p", "allocate (t1 :: p)"),
    "class in arrays": ("type t\n real(8) :: c\n end type\n type h\n class(t), allocatable :: p\n end type\n"
                        "type(h) :: a(2)", "allocate (a(1)%p)"),
    "select rank": ("", "select rank (x)\n rank (1)\n y = 1d0\n end select"),
    "allocatable in arrays": ("type t\n real(8), allocatable :: v(:)\n end type\n type(t) :: h(3)",
                              "allocate (h(2)%v(3))"),
}


def refusal(program: Program, head: Head) -> tuple[str, Span | None] | None:
    """What the machine refuses first, in the primal or in the store-all adjoint."""
    try:
        machine = Machine(program, find_procedure(program, head).key)
        store_all(head, machine, Inputs())
    except RefusedError as error:
        return error.what, error.span
    except ReplayError:  # the program stopped
        return None
    return None


def named(program: Program, head: Head) -> list[tuple[str, Span]]:
    return [(one.message, one.span) for one in analyse(program, head).diagnostics if one.code == "SN402"]


def kinds(text: str) -> str:
    """The text without the names in it."""
    return "".join(text.split("`")[::2])


def check(program: Program, head: Head) -> bool:
    """Is something refused? Then it is named, of its kind."""
    first, said = refusal(program, head), named(program, head)
    assert (first is None) == (not said), (first, said)
    if first is not None:
        assert any(kinds(first[0]) in kinds(message) for message, _ in said), (first, said)
    return first is not None


@pytest.mark.sample(4)
@pytest.mark.parametrize("name", sorted(SOURCES.keys() - RANKED))
def test_the_report_names_what_the_machine_refuses_of_the_corpus(name: str) -> None:
    (head,) = parse_heads(parse_expected((CORPUS / f"{name}.expected").read_text()).head)
    check(load_program([str(SOURCES[name])]), head)


@pytest.mark.parametrize("name", PIECES)
def test_the_report_names_what_the_machine_refuses(name: str) -> None:
    declared, statements = PIECES[name]
    text = f"{START}  {declared}\n  y = x(1)\n  {statements}\n  y = y*sum(x)\nend subroutine s\n"
    (head,) = parse_heads(HEAD)
    check(load_text(text), head)


def test_all_kinds_are_named_each_once_and_none_hides_another() -> None:
    text = (f"{START}  real(16) :: q, r\n  read (5, *) y\n  q = 1\n  read (5, *) x(2)\n  r = 2\n"
            "  inquire (5, number=n)\n  y = y*sum(x)\nend subroutine s\n")
    (head,) = parse_heads(HEAD)
    said = named(load_text(text), head)
    assert [span.line for _, span in said] == [5, 6, 9]
    assert [word in message for (message, _), word in zip(said, ("READ", "`q`", "INQUIRE"), strict=True)] == [True] * 3


def test_every_refusal_is_of_the_class_that_the_report_collects() -> None:
    """A plain InputError raised while lowering would end a replay and be in no report."""
    replay = Path(__import__("snapset.analysis.replay", fromlist=["x"]).__file__).parent
    for path in [replay / "memory" / "variable_slots.py", *replay.glob("codegen/*.py"),
                 *replay.glob("statements/*.py")]:
        tree = ast.parse(path.read_text())
        for node in ast.walk(tree):
            raised = node.exc if isinstance(node, ast.Raise) else None
            called = raised.func if isinstance(raised, ast.Call) else None
            assert not (isinstance(called, ast.Name) and called.id == InputError.__name__), f"{path.name}:{node.lineno}"
