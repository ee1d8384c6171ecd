"""Gradients through S, U and recomputation: every required value found again bit by bit, the gradient store-all's."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from snapset.analysis.activity.differentiation_head import find_procedure, parse_heads
from snapset.analysis.dag.fortran.level_problem import level_problem
from snapset.analysis.dag.problem.choice import evaluate
from snapset.analysis.dag.problem.graphs import prepare as prepare_problem
from snapset.analysis.dag.solvers.solve import Options, solve
from snapset.analysis.pipeline import prepare
from snapset.analysis.replay.dag.dag_experiment import DagReplay, PreparedReplay, replay_analysed, replay_dag
from snapset.analysis.replay.experiment.inputs import Inputs
from snapset.analysis.replay.machine.primal import Machine
from snapset.frontend.base.diagnostics import InputError
from snapset.frontend.load import load_program, load_text

from tests.analysis.dag.fortran.test_dag_calls import PASSED
from tests.analysis.replay.machine.test_replay import ANEW, PROGRAMS, SOURCES, inputs_for, loaded
from tests.generators.dag.dag_choices import WAYS, choices
from tests.generators.fuzz_dag import wrong
from tests.oracles.gfortran_driver import compile_driver, drive
from tests.oracles.gfortran_opinion import opinion
from tests.support.corpus import CORPUS, parse_expected

# Calls in split mode, which store or recompute refuses.
SPLIT = {name for name in PROGRAMS if "nocheckpoint" in SOURCES[name].read_text().lower()}


def ready(text: str, head: str, inputs: Inputs | None = None) -> PreparedReplay:
    program = load_text(text, name="t.f90")
    (one,) = parse_heads(head)
    return PreparedReplay(program, prepare(program, one), find_procedure(program, one).key, inputs or Inputs())


def by_solution(text: str, head: str) -> DagReplay:
    (one,) = parse_heads(head)
    return replay_dag(load_text(text, name="t.f90"), one)


def check(one: PreparedReplay, seed: str) -> None:
    for number, way in enumerate(WAYS):
        found = replay_analysed(one, choices(one.analysis, way, Random(f"{seed} {number}")))
        assert found.equal, (way, found.error, found.lost, found.largest)


@pytest.mark.sample(8)
@pytest.mark.parametrize("name", sorted(set(PROGRAMS) - ANEW - SPLIT))
def test_the_corpus(name: str) -> None:
    _, machine, analysis = loaded(name)
    check(PreparedReplay(analysis.models.program, analysis, machine.root, inputs_for(name)), name)


@pytest.mark.sample(8)
@pytest.mark.parametrize("sections", [False, True])
@pytest.mark.parametrize("number", range(20))
def test_random_programs(number: int, sections: bool) -> None:
    found, compared = wrong(number, sections)
    assert not found
    assert compared


# ---------------------------------------------------------------- what the tape holds


def test_the_coupled_model_stores_one_partial_a_step() -> None:
    """CLU Fig. 3: the state is q and two passive numbers, the partial one number; 5 steps of 8 bytes."""
    program = load_program([str(CORPUS / "dag_coupled.f90")])
    (head,) = parse_heads("coupled(q)>(q)")
    analysis = prepare(program, head)
    level = level_problem(analysis.adjoints.by_key["coupled"], 0)
    answer = solve(level.problem, Options(method="search"))
    assert (answer.choice.cost, answer.bounds.tbr.cost) == (1, 3)
    assert not answer.choice.S
    one = PreparedReplay(program, analysis, "coupled", Inputs({"n": 5}))
    found = replay_analysed(one, {("coupled", 0): (level, answer.choice)})
    assert found.equal
    assert (found.values_bytes, found.places_bytes) == (5 * 8, 0)
    assert found.peak_bytes == found.tape_bytes
    state = replay_analysed(one, {("coupled", 0): (level, answer.bounds.tbr)})
    assert state.equal
    assert (state.values_bytes, state.places_bytes) == (0, 5 * 24)


def test_a_chain_stores_one_number() -> None:
    text = "subroutine s(x)\n  real(8) :: x\n" + "  x = sin(x)*1.5d0\n" * 9 + "end subroutine\n"
    found = by_solution(text, "s(x)>(x)")
    assert found.equal
    assert found.tape_bytes == 8
    assert found.store_all_bytes == 9 * 8


# ---------------------------------------------------------------- a forgotten place shows


FORGETFUL = """\
subroutine s(x, y, ix, k)
  integer :: ix(3), k
  real(8) :: x, y, a(3)
  ix = (/ 1, 2, 3 /)
  a = x
  y = sin(a(ix(k)))*x
  {}
  y = y*a(ix(k))*x
end subroutine
"""


@pytest.mark.parametrize("overwriting", ["a(1) = x*x", "a = x*x", "k = 2", "ix(k) = 2", "ix = 2",
                                         "a(1) = x*x\n  k = 3\n  ix(1) = 2"])
def test_what_a_forgotten_place_overwrites_is_not_found_again(overwriting: str) -> None:
    one = ready(FORGETFUL.format(overwriting), "s(x)>(y)", Inputs({"k": 1}))
    key = one.analysis.order[0]
    level = level_problem(one.analysis.adjoints.by_key[key], 0)
    lines = range(7, 7 + 1 + overwriting.count("\n"))
    victims = [o for o, place in level.places.items() if place.span.line in lines]
    assert victims
    for victim in victims:
        kept = {v: places - {victim} for v, places in level.problem.overwrites.items()}
        S = frozenset().union(*kept.values())
        fewer = replace(level, problem=replace(level.problem, overwrites=kept))
        found = solve(fewer.problem, Options(method="biclique")).bounds.tbr
        assert found.S == S
        assert not replay_analysed(one, {(key, 0): (fewer, found)}).equal


def test_a_wrong_partial_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "subroutine s(x, y)\n  real(8) :: x, y\n  y = x*exp(x)\nend subroutine\n"
    assert by_solution(text, "s(x)>(y)").equal
    monkeypatch.setattr("snapset.analysis.replay.dag.vertex_registers.product", lambda one, other: 2*one*other)
    monkeypatch.setattr("snapset.analysis.replay.dag.section_code.NAMES", {
        "product": lambda one, other: 2*one*other, "converted": None})
    found = by_solution(text, "s(x)>(y)")
    assert not found.lost
    assert not found.equal


# ---------------------------------------------------------------- corners


def test_an_infinite_partial_that_nothing_flows_through() -> None:
    text = "subroutine s(x, y)\n  real(8) :: x, y, z\n  z = x - x\n  y = sqrt(z)*z + x*x\nend subroutine\n"
    assert by_solution(text, "s(x)>(y)").largest == 0.0


def test_single_precision_is_compared_less_closely() -> None:
    text = "subroutine s(x, y)\n  real(4) :: x, y\n  x = sin(x)\n  y = x*cos(x)\nend subroutine\n"
    found = by_solution(text, "s(x)>(y)")
    assert found.equal
    assert found.tolerance > 1e-6
    assert found.tape_bytes <= 4


def test_an_allocatable() -> None:
    text = """\
subroutine s(x, y)
  real(8) :: x, y
  real(8), allocatable :: h(:)
  allocate(h(3))
  h = x
  h(2) = sin(h(2))*h(1)
  y = h(2)*h(3)
  deallocate(h)
  allocate(h(2))
  h = y*x
  y = h(1)*h(2)*y
  deallocate(h)
end subroutine
"""
    one = ready(text, "s(x)>(y)")
    check(one, "allocatable")


def test_what_a_part_is_given_back_is_its_own_affair() -> None:
    """h is stored for the part, which leaves h(2) to the statement before as it is, h(5) being overwritten later."""
    text = """\
subroutine s(x, h, y)
  real(8) :: x, y, h(5)
  h(2) = x
  y = sin(h(2))*x
  !$AD CHECKPOINT-START
  y = y*sum(h*h)
  !$AD CHECKPOINT-END
  h(5) = y
  y = y*h(5)*h(2)
end subroutine
"""
    one = ready(text, "s(x)>(y)")
    key = one.analysis.order[0]
    level = level_problem(one.analysis.adjoints.by_key[key], 0)
    U = frozenset(v for v, whole in (level.wholes or {}).items() if level.problem.overwrites[v])
    choice = evaluate(prepare_problem(level.problem), frozenset(), U)
    assert choice is not None
    assert "h at 5" in choice.U
    assert level.problem.overwrites["h at 5"] == {"h@8"}
    assert level.problem.overwrites["h(2) from 3"] == frozenset()
    assert replay_analysed(one, {(key, 0): (level, choice)}).equal


def test_what_the_machine_does_not_run_is_refused() -> None:
    text = "subroutine s(x, y)\n  real(8) :: x, y\n  call unknown(x, y)\nend subroutine\n"
    with pytest.raises(InputError, match="replay does not execute"):
        by_solution(text, "s(x)>(y)")


def test_what_a_passed_expression_reads() -> None:
    check(ready(PASSED, "s(x)>(y)"), "passed")


def test_which_side_of_max_takes_one_byte() -> None:
    """The same as To Be Recorded with recorded sides, where whole operands would be needed (corpus/sides.f90)."""
    program = load_program([str(CORPUS / "sides.f90")])
    (head,) = parse_heads(parse_expected((CORPUS / "sides.expected").read_text()).head)
    one = PreparedReplay(program, prepare(program, head), find_procedure(program, head).key, Inputs({"n": 5}))
    key = one.analysis.order[0]
    level = level_problem(one.analysis.adjoints.by_key[key], 0)
    side = next(v for flat in level.flattened for v in flat.narrow & flat.extended.graph.vertices)
    choice = evaluate(prepare_problem(level.problem), frozenset(), frozenset({side}))
    assert choice is not None
    found = replay_analysed(one, {(key, 0): (level, choice)})
    assert found.equal
    assert found.values_bytes == 5


ELEMENT_PASSED = """module m
contains
  subroutine c(v)
    real(8), intent(inout) :: v
    v = cos(v)
  end subroutine c
  subroutine p(x, n, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x
    real(8), intent(out) :: y
    real(8) :: e(5)
    integer :: i
    e = x
    y = x
    do i = 2, n
      e(i) = y
      y = sin(e(2)*y)
      call c(e(i))
    end do
    y = y*e(3)
  end subroutine p
end module m
"""


@pytest.mark.parametrize("forgotten", ["", "e@16", "y@17", "e@18"])
def test_what_is_taped_of_an_element_that_is_passed(forgotten: str) -> None:
    """By hand: lines 16, 17 and 18 overwrite all that is needed again, so taping there is enough, and each is needed.
    What the call tapes is e(i); the rest of e is as the later iterations, undone by then, have left it."""
    one = ready(ELEMENT_PASSED, "p(x)>(y)", Inputs({"n": 4}))
    chosen = choices(one.analysis, "tbr", Random(0))
    level, choice = chosen["m::p", 0]
    assert (choice.S, choice.U) == (frozenset(("e@16", "y@17", "e@18")), frozenset())
    kept = {v: places - {forgotten} for v, places in level.problem.overwrites.items()}
    fewer = replace(level, problem=replace(level.problem, overwrites=kept))
    chosen["m::p", 0] = fewer, solve(fewer.problem, Options(method="biclique")).bounds.tbr
    assert chosen["m::p", 0][1].S == choice.S - {forgotten}
    found = replay_analysed(one, chosen)
    assert found.equal == (not forgotten), (found.lost, found.error)


def test_the_compiled_original_with_an_element_that_is_passed_agrees(tmp_path: Path) -> None:
    """Store-all's gradient, which the others are held against, by central differences of the program."""
    one, (head,) = ready(ELEMENT_PASSED, "p(x)>(y)", Inputs({"n": 4})), parse_heads("p(x)>(y)")
    file, machine = tmp_path / "p.f90", Machine(load_text(ELEMENT_PASSED), "m::p")
    file.write_text(ELEMENT_PASSED)
    driver = drive(head, machine, one.inputs)
    assert opinion(head, machine, one.inputs, driver, compile_driver(driver, (str(file),), tmp_path)).agrees


@pytest.mark.parametrize("number", [93000056, 93000064, 93000093])
def test_elements_that_are_passed_at_random(number: int) -> None:
    found, compared = wrong(number, sections=False)
    assert not found
    assert compared


SIGNED = """subroutine p(x, u, y)
  integer :: i
  real(8) :: x, y, u(0:6), v(0:6)
  i = 1
  v = 0.6d0
  y = x
  u(1) = {}
end subroutine p
"""


@pytest.mark.parametrize("value", ["sign(exp(-(v(i))**2), 1d0*y)", "sign(b=sin(y), a=v(i)*v(i))"])
def test_no_derivative_passes_through_a_sign(value: str) -> None:
    """By hand: u does not depend on x but by its sign, so nothing is required of line 7, and i is not there then."""
    one = ready(SIGNED.format(value), "p(x,u)>(y,u)")
    level = level_problem(one.analysis.adjoints.by_key["p"], 0)
    assert not any(name.endswith("at 7") or name.startswith("∂") for flat in level.flattened for name in flat.required)
    check(one, "sign")
