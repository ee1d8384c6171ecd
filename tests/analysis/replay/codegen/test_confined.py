"""Generated code of the machine: nothing of a program's text is in it, and it could reach nothing if it was."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from snapset.analysis.activity.differentiation_head import parse_heads
from snapset.analysis.replay.codegen import compiled_procedure as code_module
from snapset.analysis.replay.codegen import confined_code
from snapset.analysis.replay.codegen.compiled_procedure import GeneratedCode
from snapset.analysis.replay.codegen.confined_code import EscapeError, define
from snapset.analysis.replay.experiment.compare_strategies import ExperimentOptions
from snapset.analysis.replay.fused import compile
from snapset.analysis.replay.memory.runtime_support import NAMES
from snapset.frontend import ir
from snapset.frontend.ir.statement_walk import statements
from snapset.library import analysis
from snapset.library.analysis import Choices
from snapset.library.replay import parse_inputs, replay_head

from tests.support.corpus import CORPUS

MARK = "zqmark"
PROGRAM = f"""\
module {MARK}_m
  implicit none
  type {MARK}_t
    real(8) :: {MARK}_c(3) = 0.5d0
  end type
  real(8) :: {MARK}_g
contains
  subroutine {MARK}_s({MARK}_x, {MARK}_y)
    real(8), intent(in) :: {MARK}_x(3)
    real(8), intent(out) :: {MARK}_y
    type({MARK}_t) :: {MARK}_v
    real(8) :: {MARK}_a(6)
    integer :: {MARK}_i, {MARK}_j
    {MARK}_a = [(1.5d0*{MARK}_i, {MARK}_i = 1, 3), (({MARK}_i*2.0d0, {MARK}_i = 1, 1), {MARK}_j = 1, 3)]
    {MARK}_outer: do {MARK}_i = 1, 3
      if ({MARK}_x({MARK}_i) > 1.0d6) exit {MARK}_outer
      {MARK}_v%{MARK}_c({MARK}_i) = {MARK}_f({MARK}_a({MARK}_i))*{MARK}_x({MARK}_i)
    end do {MARK}_outer
    where ({MARK}_a > 1.0d0) {MARK}_a = {MARK}_a**2
    print *, '{MARK}'
    {MARK}_g = {MARK}_v%{MARK}_c(2)
    {MARK}_y = sum({MARK}_v%{MARK}_c) + {MARK}_g + {MARK}_a(1)
  end subroutine
  real(8) function {MARK}_f({MARK}_z)
    real(8), intent(in) :: {MARK}_z
    {MARK}_f = sin({MARK}_z)*{MARK}_z
  end function
end module
"""


@pytest.fixture
def generated(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Every text that is run through Python's compiler."""
    found: list[str] = []

    def listen(text: str, title: str, names: dict[str, object]) -> None:
        found.append(text)
        define(text, title, names)

    for module in (code_module, compile):
        assert module.confined_code is confined_code
    monkeypatch.setattr(confined_code, "define", listen)
    return found


def replayed(text: str, head: str, tmp_path: Path) -> bool:
    (tmp_path / "a.f90").write_text(text)
    program = analysis.load([str(tmp_path / "a.f90")], heads=[head])
    return run(program, head)


def run(program: ir.Program, head: str) -> bool:
    (parsed,) = parse_heads(head)
    return replay_head(program, parsed, Choices(), parse_inputs([], 1), ExperimentOptions(True, False, False)).equal


def test_no_name_of_the_program_is_in_it(generated: list[str], tmp_path: Path) -> None:
    assert replayed(PROGRAM, f"{MARK}_s({MARK}_x)>({MARK}_y)", tmp_path)
    assert len(generated) > 4
    assert MARK in PROGRAM
    assert MARK not in "".join(generated)


def test_numbers_and_short_words_are_all_there_is(generated: list[str]) -> None:
    """Over a part of the corpus: a string is a type's name, an intrinsic's, or a message of the machine's."""
    for name, head in (("burgers_region.f90", "burgers(u)>(cost)"), ("alternate_return.f", "caller(x)>(y)"),
                       ("select_case.f90", "cases(x)>(y)"), ("where_mask.f90", "masked(x)>(y)"),
                       ("allocate.f90", "allocating(x)>(y)"), ("forall_shift.f90", "shift(x)>(y)")):  # fmt: skip
        program = analysis.load([str(CORPUS / name)], heads=[head])
        run(program, head)
    assert generated
    strings = {found[2] for text in generated for found in re.finditer(r"""(['"])(.*?)\1""", text)}
    assert strings <= {"a DO loop has step zero", "direct", *re.findall(r"\w{1,20}", " ".join(strings))}


def test_a_poisoned_program_does_not_reach_it(generated: list[str], tmp_path: Path) -> None:
    """As an entry of the cache could be: the variable of an implied DO was spelt out, whatever it was called."""
    text = """\
subroutine f(x, y)
  real(8) :: x(3), y, a(3)
  integer :: i
  a = [(2.0d0, i = 1, 3)]
  y = a(1)*x(2)
end subroutine f
"""
    (tmp_path / "a.f90").write_text(text)
    program = analysis.load([str(tmp_path / "a.f90")])
    evil = f"i in [open('{tmp_path}/harm', 'w')] for k"
    for procedure in program.procedures.values():
        for one in statements(procedure.body):
            for expr in ir_nodes(one):
                if isinstance(expr, ir.ImpliedDo):
                    object.__setattr__(expr, "var", evil)
    assert run(program, "f(x)>(y)")
    assert not (tmp_path / "harm").exists()
    assert "open" not in "".join(generated)


def ir_nodes(node: object) -> list[object]:
    """A node and all in it."""
    found, todo = [], [node]
    while todo:
        one = todo.pop()
        found.append(one)
        if isinstance(one, tuple):
            todo += one
        elif hasattr(one, "__dataclass_fields__"):
            todo += [getattr(one, name) for name in one.__dataclass_fields__]
    return found


# ---------------------------------------------------------------- what could not be reached all the same

ESCAPES = [
    "def f(s): return s.__class__",
    "def f(s): return ().__class__.__base__.__subclasses__()",
    "def f(s): return [x.__globals__ for x in s]",
    "def f(s): return (lambda: s._private)()",
    "def f(s): return (i for i in s).gi_frame",
    "def f(s): return '{0.real}'.format(s)",
    "def f(s): s.tofile('harm')",
    "def f(s): s.dump('harm')",
    "import _io",
]


@pytest.mark.parametrize("text", ESCAPES)
def test_what_is_refused_before_it_runs(text: str) -> None:
    with pytest.raises(EscapeError):
        define(text, "test", dict(NAMES))


UNKNOWN = ["open('harm', 'w')", "eval('1')", "exec('1')", "getattr(s, 'a')", "globals()", "vars()", "input()",
           "type(s)", "compile('1', '', 'eval')", "np.load('harm')", "np.memmap('harm', shape=1)", "np.lib",
           "np.fromfile('harm')", "np.f2py", "np.ctypeslib", "np.savetxt('harm', [1])"]  # fmt: skip


@pytest.mark.parametrize("text", UNKNOWN)
def test_what_is_not_there(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = dict(NAMES)
    define(f"def f(s): return {text}", "test", names)
    function = names["f"]
    assert callable(function)
    with pytest.raises((NameError, AttributeError)):
        function([1.0])
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("text", ["import os", "from os import system", "def f(s):\n import os"])
def test_nothing_can_be_imported(text: str) -> None:
    names: dict[str, object] = dict(NAMES)

    def imported() -> None:
        define(text + "\n", "test", names)
        names["f"]([])  # type: ignore[operator]

    with pytest.raises(ImportError):
        imported()


def test_a_function_has_a_name_that_is_one() -> None:
    with pytest.raises(AssertionError):
        GeneratedCode("test", {}).define({}, 0, "f(): pass\nimport os #", "s", ["pass"])
