"""Procedures as one Python function: the same memory, errors and statement counts as node by node, bit for bit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

import numpy as np
import pytest
from snapset.analysis.activity.differentiation_head import find_procedure, parse_heads
from snapset.analysis.replay.experiment.inputs import Inputs, start
from snapset.analysis.replay.machine.primal import Machine
from snapset.analysis.replay.machine.stack import FAILURES
from snapset.analysis.replay.memory.frames import Frame
from snapset.analysis.replay.memory.runtime_support import ReplayError
from snapset.frontend.base.diagnostics import InputError
from snapset.frontend.ir import Program
from snapset.frontend.load import load_program, load_text

from tests.analysis.replay.fused.direct_cases import STATEMENTS
from tests.analysis.replay.fused.direct_programs import PROGRAMS
from tests.generators.random_fortran import HEAD, program
from tests.support.corpus import CORPUS, parse_expected

SOURCES = {path.stem: path for path in sorted(CORPUS.iterdir()) if path.suffix in (".f", ".f90")}


class Watched(Machine):
    """Remembers what it handed over to the node functions. Every procedure is compiled at once."""

    def __init__(self, program: Program, root: str) -> None:
        super().__init__(program, root)
        self.patience = 0
        self.handed: list[str] = []

    def hand_over(self, name: str, frame: Frame, error: Exception, local: Mapping[str, Any]) -> int:
        self.handed.append(type(error).__name__)
        return super().hand_over(name, frame, error, local)


@dataclass(frozen=True)
class End:
    """What a run leaves: the statements run or the error, and all memory the program can reach, as bytes."""

    outcome: int | str
    memory: dict[object, bytes | None]


def end_of(machine: Machine, inputs: Inputs) -> End:
    outcome: int | str
    with np.errstate(all="ignore"):
        frame = start(machine, inputs)
        try:
            outcome = machine.run(frame)
        except FAILURES as error:
            outcome = f"{type(error).__name__}: {error}"
    memory: dict[object, bytes | None] = {k: None if s.a is None else s.a.tobytes() for k, s in enumerate(frame.s)
                                          if s.a is None or s.a.dtype.kind != "O"}
    memory |= {k: None if s.a is None else s.a.tobytes() for k, s in frame.memory.slots.items()
               if s.a is None or s.a.dtype.kind != "O"}
    memory |= {k: b.a.tobytes() for k, b in frame.memory.buffers.items()}
    return End(outcome, memory)


def both(parsed: Program, head: str, inputs: Inputs) -> tuple[End, Watched]:
    """The end both ways give, and the machine that ran functions. Fails where they differ."""
    by_node, machine = machines(parsed, head)
    return same_end(by_node, machine, inputs), machine


def machines(parsed: Program, head: str) -> tuple[Machine, Watched]:
    (found,) = parse_heads(head)
    key = find_procedure(parsed, found).key
    return Machine(parsed, key, direct=False), Watched(parsed, key)


def same_end(by_node: Machine, machine: Watched, inputs: Inputs) -> End:
    one, other = end_of(by_node, inputs), end_of(machine, inputs)
    assert other.outcome == one.outcome
    assert [k for k in one.memory if one.memory[k] != other.memory[k]] == []
    return one


def by_nodes(machine: Machine) -> list[str]:
    """The procedures that were run and have no function."""
    return [key for key, code in machine.codes.items() if key in machine.compiled and machine.directly(code) is None]


@pytest.mark.sample(2)
@pytest.mark.parametrize("name", sorted(SOURCES))
def test_corpus(name: str) -> None:
    parsed = load_program([str(SOURCES[name])])
    head = parse_expected((CORPUS / f"{name}.expected").read_text()).head
    try:
        end, machine = both(parsed, head, Inputs({"dt": 1e-3} if name == "calls" else {}))
    except InputError:
        return
    unstructured = {"alternate_return", "goto_computed", "goto_machine", "if_arithmetic", "split_return"}
    assert bool(by_nodes(machine)) == (name in unstructured)
    assert machine.handed == []
    assert isinstance(end.outcome, int)


@pytest.mark.sample(3)
@pytest.mark.parametrize("first", range(0, 60, 10))
def test_random_programs(first: int) -> None:
    """With arrays of three sizes, none of which is special to the functions. Where GOTOs cross each other, a procedure
    is run node by node; nearly all are structured."""
    counts = [0, 0]
    for seed in range(first, first + 10):
        by_node, machine = machines(load_text(program(Random(seed))), HEAD)
        for n, m in ((3, 2), (0, 1), (4, 4)):
            same_end(by_node, machine, Inputs({"n": n, "m": m}))
        for code in machine.codes.values():
            counts[machine.directly(code) is None] += 1
    assert counts[0] > 10*counts[1]


def test_crossing_jumps_are_run_node_by_node() -> None:
    parsed = load_text("subroutine p(x, n)\n  integer :: n\n  real(8) :: x\n"
                       "  if (n > 3) goto 20\n10 x = x + 1\n  if (x > 9) goto 30\n20 x = 2*x\n  if (x < 8) goto 10\n"
                       "30 continue\nend subroutine p\n")
    for n in (3, 4):
        _, machine = both(parsed, "p(x)>(x)", Inputs({"n": n, "x": 1.0}))
        assert by_nodes(machine) == ["p"]


# ---------------------------------------------------------------- one case each

DECLARATIONS = """  integer, intent(in) :: n
  real(8) :: x(0:5), y, s
  real(4) :: f, g, h(4)
  integer :: i, j, k, l, ia(4)
  integer(8) :: big
  integer(1) :: tiny8
  logical :: yes, no
  integer, parameter :: three = 3
  real(8), parameter :: half = 0.5d0, table(3) = (/ 1d0, 2d0, 4d0 /)
"""


def cases(text: str) -> dict[str, tuple[str, list[str]]]:
    """By name: the Fortran, and what it hands over."""
    found = {}
    for case in text.split("\n== ")[1:]:
        head, body = case.split("\n", 1)
        name, _, handed = head.partition(" -> ")
        found[name] = body, handed.split(", ") if handed else []
    return found


CASES = cases(STATEMENTS)
PROCEDURES = cases(PROGRAMS)


def text_of(body: str) -> str:
    """A subroutine that copies its local variables to arguments, so that they are compared."""
    outs = "  x = x\n  rs(1:3) = (/ s, y, s*0 + 1 /)\n  hs(1:4) = h\n  hs(5:6) = (/ f, g /)\n"
    return (f"subroutine p(x, y, n, ks, big, tiny8, rs, hs)\n{DECLARATIONS}"
            "  integer(8) :: ks(0:9)\n  real(8) :: rs(3)\n  real(4) :: hs(6)\n"
            "  k = 1\n  l = 2\n  i = 3\n  j = 4\n  s = 0.25d0\n  f = 1\n  g = 2\n  h = 3\n  ia = 4\n  yes = .false.\n"
            "  no = .false.\n"
            f"{body}\n"
            "  ks(0) = k\n  ks(1) = l\n  ks(2) = i\n  ks(3) = j\n  ks(4:7) = ia\n  if (yes) ks(8) = -1\n"
            f"  if (no) ks(9) = -1\n{outs}end subroutine p\n")


@pytest.mark.parametrize("name", sorted(CASES))
def test_cases(name: str) -> None:
    body, handed = CASES[name]
    _, machine = both(load_text(text_of(body)), "p(x)>(y)", Inputs({"n": 5}))
    assert by_nodes(machine) == []
    assert machine.handed == handed


def test_the_program_does_not_end() -> None:
    for body in ("10 continue\ngoto 10", "do\nend do", "do\nk = 1 - k\nend do", "do while (n > 0)\nend do",
                 "do i = 1, 100000\ny = y + 1\nend do", "do i = 1, 100000\nif (i > 0) y = y + 1\nend do"):
        parsed = load_text(text_of(body))
        (head,) = parse_heads("p(x)>(y)")
        machine = Watched(parsed, find_procedure(parsed, head).key)
        machine.limits.left = 50_000
        with pytest.raises(ReplayError, match="does not end"):
            machine.run(start(machine, Inputs()))
        assert by_nodes(machine) == []


# ---------------------------------------------------------------- several procedures

@pytest.mark.parametrize("name", sorted(PROCEDURES))
def test_several_procedures(name: str) -> None:
    text, handed = PROCEDURES[name]
    end, machine = both(load_text(text), "p(x)>(y)", Inputs())
    assert isinstance(end.outcome, int) == (not handed)
    assert by_nodes(machine) == []
    assert machine.handed == handed


def test_a_procedure_is_compiled_when_it_has_run_a_while() -> None:
    parsed = load_text(PROCEDURES["global scalars"][0])
    key = find_procedure(parsed, parse_heads("p(x)>(y)")[0]).key
    patient, prompt = Machine(parsed, key), Machine(parsed, key)
    patient.patience, prompt.patience = 10, 2
    assert end_of(patient, Inputs()) == end_of(prompt, Inputs())
    assert set(patient.compiled) == {"p"}
    assert set(prompt.compiled) == {"p", "bump"}


# ---------------------------------------------------------------- random expressions

LEAVES = {"r8": ["x(1)", "x(k)", "s", "half", "1.5d0", "table(l)", "-0.75d0"],
          "i4": ["i", "k", "l", "n", "ia(2)", "3", "-2"], "r4": ["f", "g", "h(k)", "0.3"], "i8": ["big", "5_8"]}


def expression(random: Random, depth: int) -> str:
    """A numeric expression over variables of all types, and operators and functions that mix them."""
    if depth == 0 or random.random() < 0.15:
        return random.choice(random.choice(list(LEAVES.values())))
    one, two = expression(random, depth - 1), expression(random, depth - 1)
    real = f"real({one}, 8)"
    return random.choice((
        f"({one} + {two})", f"({one} - {two})", f"({one}*{two})", f"({one}/{two})", f"(-{one})", f"{real}**2",
        f"{real}**{random.choice(('3', 'k', '(-2)'))}", f"sin({real})", f"abs({one})", f"max({real}, s, 0.3d0)",
        f"min({random.choice(LEAVES['i4'])}, k, l)", f"sqrt(abs({real}))", f"int(sin({real})*9)",
        f"nint(cos({real})*9)",
        f"mod({random.choice(LEAVES['i4'])}, 3)", f"mod({real}, 1.25d0)", f"sign({real}, s)", f"real({one}, 4)",
        f"merge({real}, s, {one} < {two})"))


@pytest.mark.sample(3)
@pytest.mark.parametrize("seed", range(120))
def test_random_expressions(seed: int) -> None:
    random = Random(seed)
    targets = "y", "s", "x(2)", "x(l)", "f", "h(1)", "big", "ia(1)", "k"
    lines = [f"{random.choice(targets)} = {expression(random, 3)}\n"
             f"if ({expression(random, 2)} {random.choice(('<', '>=', '=='))} {expression(random, 2)}) y = y + 1\n"
             "k = 1 + modulo(k, 4)" for _ in range(6)]
    _, machine = both(load_text(text_of("big = 12345678901_8\n" + "\n".join(lines))), "p(x)>(y)", Inputs({"n": 5}))
    assert by_nodes(machine) == []
