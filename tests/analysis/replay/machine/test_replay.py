"""The replay machine: its store-all adjoint against differences, every plan against store-all, seeded faults caught."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
import snapset.analysis.procedures.model_builder as modelling
from snapset.analysis.activity.differentiation_head import Head, find_procedure, parse_heads
from snapset.analysis.head_analysis import Analysis
from snapset.analysis.pipeline import prepare
from snapset.analysis.procedures.effect_sets import NO_EFFECT, Effect
from snapset.analysis.recording.program_recording import record_program
from snapset.analysis.recording.strategies import LAZY, Strategy
from snapset.analysis.recording.strategy_texts import parse_strategies
from snapset.analysis.recording.to_be_recorded import LevelRecord, ProcedureRecord
from snapset.analysis.replay.experiment.gradient import Gradient, planned, primal, store_all
from snapset.analysis.replay.experiment.inputs import Inputs
from snapset.analysis.replay.machine.primal import Machine
from snapset.analysis.replay.memory.runtime_support import ReplayError
from snapset.frontend.base.diagnostics import InputError
from snapset.frontend.cfg.graph import Node
from snapset.frontend.ir import Program
from snapset.frontend.load import load_program, load_text

from tests.support.corpus import CORPUS, parse_expected

# Programs of several ranks, which run in tests/analysis/replay/experiment/test_ranked_corpus.py.
RANKED = {"messages", *(path.stem for path in CORPUS.glob("mpi_*.f90"))}
# What the machine refuses: READ, procedures without source, and ranks of which nobody says how many there are.
REFUSED = {"declared_effects", "files", "read_io", "unknown", *RANKED}
# Parts whose second run draws other random numbers or reads a later time (SN103, SN108).
ANEW = {"random", "timer"}
STRATEGIES = parse_strategies("lazy,eager,Opt1+=*,Opt2+=*,Opt3+=*,Opt1+=*;Opt3+=*,Opt1+=*;Opt2+=*;Opt3+=*")
SOURCES = {path.stem: path for path in sorted(CORPUS.iterdir()) if path.suffix in (".f", ".f90")}
PROGRAMS = sorted(SOURCES.keys() - REFUSED)


@cache
def loaded(name: str) -> tuple[Head, Machine, Analysis]:
    program = load_program([str(SOURCES[name])])
    (head,) = parse_heads(parse_expected((CORPUS / f"{name}.expected").read_text()).head)
    return ready(program, head)


def inputs_for(name: str) -> Inputs:
    """Forty coupled steps of the shallow water program need calm water."""
    return Inputs({"dt": 1e-3} if name == "calls" else {})


def from_text(text: str, head: str) -> tuple[Head, Machine, Analysis]:
    program = load_text(text)
    (found,) = parse_heads(head)
    return ready(program, found)


def ready(program: Program, head: Head) -> tuple[Head, Machine, Analysis]:
    """With the machine for the program as it is analysed."""
    analysis = prepare(program, head)
    return head, Machine(analysis.models.program, find_procedure(program, head).key), analysis


RANDOM = Inputs()


def by_plan(parts: tuple[Head, Machine, Analysis], records: Mapping[str, ProcedureRecord],
            inputs: Inputs = RANDOM) -> Gradient | None:
    """The gradient under a plan; None where the plan sent the program out of bounds."""
    try:
        return planned(*parts, records, inputs)[0]
    except ReplayError:
        return None


def records_of(analysis: Analysis, strategy: Strategy = LAZY) -> dict[str, ProcedureRecord]:
    return dict(record_program(analysis.adjoints, analysis.order, strategy))


@pytest.mark.sample(2)
@pytest.mark.parametrize("name", PROGRAMS)
def test_store_all_is_the_derivative(name: str) -> None:
    head, machine, _ = loaded(name)
    inputs = inputs_for(name)
    gradient, _ = store_all(head, machine, inputs)
    random = np.random.default_rng(3)
    ways = {n: random.uniform(-1, 1, a.shape) for n, a in gradient.values.items()}
    step = 1e-6
    ends = [primal(head, machine, inputs, {n: sign * step * d for n, d in ways.items()}) for sign in (1, -1)]
    expected = (ends[0] - ends[1]) / (2 * step)
    found = sum(float(np.sum(ways[n] * a)) for n, a in gradient.values.items())
    assert found == pytest.approx(expected, rel=1e-6, abs=1e-7)


@pytest.mark.sample(3)
@pytest.mark.parametrize("name", sorted(set(PROGRAMS) - ANEW))
def test_every_plan_gives_the_store_all_gradient(name: str) -> None:
    parts = loaded(name)
    inputs = inputs_for(name)
    expected, reference = store_all(*parts[:2], inputs)
    for strategy in STRATEGIES:
        gradient, run = planned(*parts, records_of(parts[2], strategy), inputs)
        assert gradient.same(expected), strategy.name
        assert run.stack.height == 0
        assert run.stack.peak <= run.stack.traffic
        assert reference.stack.traffic > 0


@pytest.mark.parametrize("name", sorted(ANEW))
def test_what_comes_out_differently_in_the_second_run_shows(name: str) -> None:
    parts = loaded(name)
    expected, _ = store_all(*parts[:2], Inputs())
    for strategy in parse_strategies("lazy,eager"):
        assert not planned(*parts, records_of(parts[2], strategy), Inputs())[0].same(expected)


@pytest.mark.parametrize("name", sorted(REFUSED))
def test_what_cannot_run_is_refused_by_line(name: str) -> None:
    with pytest.raises(InputError, match=rf"{name}\.f90:\d+:\d+: error: replay does not execute"):
        store_all(*loaded(name)[:2], inputs_for(name))


# ---------------------------------------------------------------- counted bytes


def test_the_stack_of_the_burgers_region() -> None:
    """Five steps, each a snapshot of u(2:4), 24 bytes; lazy tapes nu at each step too (in D), eager snapshots it."""
    parts = loaded("burgers_region")
    counts = {}
    for strategy in parse_strategies("lazy,eager"):
        _, run = planned(*parts, records_of(parts[2], strategy), Inputs())
        counts[strategy.name] = (run.stack.peak, run.stack.traffic, run.stack.pushes)
    assert counts == {"lazy": (5 * 32, 5 * 32, 10), "eager": (5 * 32, 5 * 32, 10)}


def test_eager_beats_lazy_where_downstream_writes_often() -> None:
    parts = loaded("eager_wins")
    peaks = [planned(*parts, records_of(parts[2], s), Inputs())[1].stack.peak for s in parse_strategies("lazy,eager")]
    assert peaks == [200, 80]


# ---------------------------------------------------------------- seeded faults


def without_one_snapshot(records: Mapping[str, ProcedureRecord]) -> Iterator[dict[str, ProcedureRecord]]:
    for key, record in records.items():
        for at, level in enumerate(record.levels):
            for node, solved in level.solved.items():
                for bit in range(solved.choice.snp.bit_length()):
                    if solved.choice.snp >> bit & 1:
                        choice = replace(solved.choice, snp=solved.choice.snp & ~(1 << bit))
                        changed = {**level.solved, node: replace(solved, choice=choice)}
                        yield {**records, key: with_level(record, at, replace(level, solved=changed))}


def without_one_tape_entry(records: Mapping[str, ProcedureRecord]) -> Iterator[dict[str, ProcedureRecord]]:
    for key, record in records.items():
        for at, level in enumerate(record.levels):
            for node in level.taped:
                taped = {n: bits for n, bits in level.taped.items() if n != node}
                yield {**records, key: with_level(record, at, replace(level, taped=taped))}


def with_level(record: ProcedureRecord, at: int, level: LevelRecord) -> ProcedureRecord:
    return replace(record, levels=(*record.levels[:at], level, *record.levels[at + 1:]))


@pytest.mark.parametrize("name", ["burgers_region", "in_place", "derived_whole", "common_views", "calls"])
def test_every_lost_snapshot_shows(name: str) -> None:
    parts = loaded(name)
    expected, _ = store_all(*parts[:2], inputs_for(name))
    faulty = [by_plan(parts, records, inputs_for(name)) for records in without_one_snapshot(records_of(parts[2]))]
    assert faulty
    assert not any(g is not None and g.same(expected) for g in faulty)


@pytest.mark.parametrize("name", ["burgers_region", "loop_part", "nested_loop", "index_array", "do_while"])
def test_every_skipped_tape_entry_shows(name: str) -> None:
    parts = loaded(name)
    expected, _ = store_all(*parts[:2], Inputs())
    faulty = [by_plan(parts, records) for records in without_one_tape_entry(records_of(parts[2]))]
    assert faulty
    assert not any(g is not None and g.same(expected) for g in faulty)


def wrong_somewhere(names: list[str]) -> list[str]:
    """The programs for which the analysis, made wrong, gives a plan with another gradient."""
    found = []
    for name in names:
        head, machine, _ = loaded(name)
        analysis = prepare(machine.program, head)
        expected, _ = store_all(head, machine, Inputs())
        gradient = by_plan((head, machine, analysis), records_of(analysis))
        if gradient is None or not gradient.same(expected):
            found.append(name)
    return found


def test_a_kill_that_is_none_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every write of an element is taken to rewrite its whole array."""
    right = modelling.effect

    def wrong(node: Node, refs: modelling.References) -> Effect:
        found = right(node, refs)
        return replace(found, kill=found.out) if node.kind == "simple" else found

    names = ["element_read", "index_array", "partial_loops"]
    assert wrong_somewhere(names) == []
    monkeypatch.setattr(modelling, "effect", wrong)
    assert "element_read" in wrong_somewhere(names)


def test_a_call_taken_for_effect_free_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    names = ["common_hidden", "module_hidden", "inactive_call", "called_region"]
    monkeypatch.setattr(modelling._Builder, "call_effect", lambda *_: NO_EFFECT)
    assert wrong_somewhere(names)


# ---------------------------------------------------------------- expressions


EXPRESSIONS = ["sqrt(x)", "exp(x)", "log(x)", "log10(x)", "sin(x)", "cos(x)", "tan(x)", "asin(x/2)", "acos(x/2)",
         "atan(x)", "sinh(x)", "cosh(x)", "tanh(x)", "asinh(x)", "acosh(x+1)", "atanh(x/2)", "abs(-x)", "sign(x, -2d0)",
         "min(x, 2d0)", "max(x, x*x, 0.3d0)", "mod(7*x, 2d0)", "modulo(-7*x, 2d0)", "atan2(x, 2*x*x)", "x**3", "x**n",
         "x**(-2)", "x**2.5d0", "2d0**x", "x**x", "hypot(x, 3d0)", "erf(x)", "erfc(x)", "merge(x, x*x, x > 2)",
         "dim(3d0, x)", "real(x*x, 8)", "dble(x)", "dsqrt(x)", "-x + (+x)*x", "1/x/x", "sum((/ x, x*x, 1d0 /))",
         "product((/ x, x, 2d0 /))", "maxval((/ x, 3*x /))", "minval((/ x, 3*x /))", "dot_product((/ x, 2d0 /), "
         "(/ x, x /))", "sum(matmul(reshape((/ x, 1d0, 2d0, x*x /), (/ 2, 2 /)), (/ x, 1d0 /)))",
         "sum(transpose(reshape((/ x, 1d0, 2d0, x*x /), (/ 2, 2 /)))*reshape((/ 1d0, x, 3d0, 4d0 /), (/ 2, 2 /)))",
         "sum(spread((/ x, x*x /), 1, 3))", "norm2((/ x, 2*x /))", "sum(cshift((/ x, x*x, x**3 /), 1)*(/ 1, 2, 3 /))",
         "sum((/ x, x*x /), mask=(/ .true., .false. /))"]


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_partial_derivatives(expression: str) -> None:
    """Each intrinsic's derivative, under a factor, against central differences."""
    text = ("subroutine p(x, y, n)\n real(8) :: x, y\n integer :: n, i\n"
            f" y = 3d0*({expression})\nend subroutine p\n")
    head, machine, analysis = from_text(text, "p(x)>(y)")
    inputs = Inputs({"x": 0.7, "n": 3})
    gradient, _ = store_all(head, machine, inputs)
    step = np.asarray(1e-6)
    expected = (primal(head, machine, inputs, {"x": step}) - primal(head, machine, inputs, {"x": -step})) / 2e-6
    assert float(gradient.values["x"]) == pytest.approx(expected, rel=1e-7, abs=1e-8)
    assert planned(head, machine, analysis, records_of(analysis), inputs)[0].same(gradient)


def test_integer_arithmetic_is_fortrans() -> None:
    text = """subroutine p(x, y)
  real(8) :: x, y
  integer :: i, j, k, l
  i = -7/2
  j = mod(-7, 2)
  k = 2**5 + (-2)**3
  l = nint(-2.5d0) + int(-2.7d0) + floor(-2.2d0)
  y = x*(i*1000000 + j*10000 + k*100 + l)
end subroutine p
"""
    head, machine, _ = from_text(text, "p(x)>(y)")
    assert primal(head, machine, Inputs({"x": 1.0})) == -3000000 - 10000 + 2400 - 8


def test_a_vector_subscript_assigns_each_element_once() -> None:
    """What comes of an element assigned twice is nobody's to say, and so is its derivative."""
    text = ("subroutine p(x, y, k)\n real(8) :: x, y, a(4)\n integer :: k(2)\n a = x\n a(k) = (/ x, x*x /)\n"
            " y = sum(a)\nend subroutine p\n")
    head, machine, _ = from_text(text, "p(x)>(y)")
    assert primal(head, machine, Inputs({"x": 3.0, "k": [4, 2]})) == 18
    with pytest.raises(ReplayError, match="names one twice"):
        primal(head, machine, Inputs({"x": 3.0, "k": [2, 2]}))


def test_bounds_are_checked() -> None:
    text = "subroutine p(x, y, n)\n real(8) :: x(3), y\n integer :: n\n y = x(n)\nend subroutine p\n"
    head, machine, _ = from_text(text, "p(x)>(y)")
    with pytest.raises(ReplayError, match="subscript 4 is out of bounds"):
        primal(head, machine, Inputs({"n": 4}))


def test_arguments_are_passed_by_reference() -> None:
    """Elements start a sequence, sections are views, another shape is the same memory in storage order."""
    text = """subroutine fill(a, n)
  integer :: n, i
  real(8) :: a(n)
  do i = 1, n
    a(i) = 10d0*a(i) + i
  end do
end subroutine fill
subroutine p(x, y)
  real(8) :: x(2, 3), y
  call fill(x(2, 1), 3)
  call fill(x(:, 3), 2)
  call fill(x, 6)
  y = x(1, 1) + 2*x(2, 1) + 3*x(1, 2) + 4*x(2, 2) + 5*x(1, 3) + 6*x(2, 3)
end subroutine p
"""
    head, machine, analysis = from_text(text, "p(x)>(y)")
    a = [0.0] * 6
    for start, count in ((1, 3), (4, 2), (0, 6)):
        for i in range(count):
            a[start + i] = 10 * a[start + i] + i + 1
    inputs = Inputs({"x": 0.0})
    assert primal(head, machine, inputs) == sum((k + 1) * v for k, v in enumerate(a))
    gradient, _ = store_all(head, machine, inputs)
    assert gradient.values["x"].tolist() == [[10.0, 300.0, 500.0], [200.0, 400.0, 600.0]]
    assert planned(head, machine, analysis, records_of(analysis), inputs)[0].same(gradient)
