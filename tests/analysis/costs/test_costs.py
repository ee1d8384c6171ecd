"""The cost model against the replay machine, and by hand."""

from __future__ import annotations

import pytest
from snapset.analysis.costs.evaluation import predicted, valued
from snapset.analysis.costs.stack_figures import Cost
from snapset.analysis.costs.stack_model import CostModel, HeadStructure
from snapset.analysis.head_analysis import Analysis
from snapset.analysis.placement.optimal_partition import PartitionSearch, optimise
from snapset.analysis.recording.strategies import EAGER, LAZY, Strategy
from snapset.analysis.replay.experiment.gradient import planned, store_all
from snapset.analysis.replay.experiment.inputs import DEFAULT_INTEGER, Inputs
from snapset.analysis.symbolic.atoms import Sym
from snapset.analysis.symbolic.numeric_value import value
from snapset.analysis.symbolic.polynomials import Quantity
from snapset.analysis.symbolic.rendering import text

from tests.analysis.replay.machine.test_replay import (
    ANEW,
    PROGRAMS,
    STRATEGIES,
    from_text,
    inputs_for,
    loaded,
    records_of,
)

# What a recursion costs is a name, so is the size of what an ASSOCIATE name leads to: no number predicts it.
EXECUTED = sorted(set(PROGRAMS) - ANEW - {"recursion", "recursive_tree", "associate_pointer"})
# Programs whose run does not take the costlier side of every branch: the model's figures are bounds.
BRANCHING = {
    "adaptive_grid": "an outer iteration has 1, 2 or 4 inner ones",
    "adaptive_step": "a step is thrown away, or taken",
    "amr_levels": "the grid has 2 to 16 points",
    "goto_machine": "the machine does not pass all its states every time",
    "loop_exit": "a step asks whether it is the last",
    "loop_long_range": "every third step reads more",
    "inner_worst": "the first outer iteration has 40 inner ones, the others 1",
    "do_cycle_named": "the iterations that CYCLE skip what the others tape",
    "goto_return": "the part lies on the branch that is not taken",
    "if_block": "one side records a branch more",
    "split_return": "the callee returns early",
    "class_dispatch": "the object is not of the type that tapes most",
    "common_physics": "microphysics tapes where water condenses or falls",
    "growing_mesh": "only steep cells are halved",
    "particles": "not every particle is the fastest one, and no two links lead to as many",
    "semi_implicit": "energy is called again in every second step",
}
# More decisions, at several parts, than all combinations of which are tried.
MANY = {"particles", "semi_implicit"}
# How often these loops run depends on values: DO WHILE, EXIT, jumps.
TRIPS = {
    "do_while": {"trips(whileloop:11)": 3},
    "goto_loop": {"trips(round:8)": 3},
    "loop_taped_only": {"trips(restoring:15)": 5},
    "loop_while": {"trips(adaptive:10)": 18},
}
# The greatest value that a run gives a name which the model knows no value of. A mesh of 4 cells never has more than
# 16: a cell is halved twice at most. A list of 4 particles takes 4 loops, and a link leads to 4*32 bytes at most.
_LIST = ("cool:123", "force:54", "step:67", "step:73", "turn:84")
_LINKS = ("bunch%first%next", "fastest@120%next", "hot%next", "p%next")
GREATEST: dict[str, dict[str, int]] = {
    "adaptive_grid": {"trips(f:14)": 4},
    "adaptive_step": {"trips(decay:8)": 33},
    "amr_levels": {"size(u)": 16},
    "inner_worst": {"trips(worst:9)": 40},
    "growing_mesh": {"size(cells)": 16, "size(cells%u)": 16, "size(cells%width)": 16, "size(cells%flux)": 2*16},
    "particles": {f"trips({place})": 4 for place in _LIST} | {f"bytes({name})": 4*32 for name in _LINKS},
}


def cost_of(analysis: Analysis, strategy: Strategy = LAZY) -> Cost:
    return CostModel(HeadStructure(analysis.adjoints, analysis.order), records_of(analysis, strategy)).head()


def numbers(name: str) -> dict[str, int]:
    """The sizes of a run: every integer input is 5, arrays without declared size have 5 elements."""
    found: dict[str, int] = {**TRIPS.get(name, {}), **GREATEST.get(name, {})}

    def note(sym: Sym) -> int:
        return found.setdefault("".join(sym.name.split()), DEFAULT_INTEGER)

    for strategy in STRATEGIES:
        cost = cost_of(loaded(name)[2], strategy)
        value(cost.peak + cost.traffic, note)
    return found


@pytest.mark.sample(6)
@pytest.mark.parametrize("name", EXECUTED)
def test_predicted_is_measured(name: str) -> None:
    parts = loaded(name)
    for strategy in STRATEGIES:
        records = records_of(parts[2], strategy)
        _, run = planned(*parts, records, inputs_for(name))
        found = predicted(parts[2].adjoints, parts[2].order, records, numbers(name))
        if name in BRANCHING:
            assert found.peak is not None
            assert found.traffic is not None
            assert run.stack.peak <= found.peak
            assert run.stack.traffic <= found.traffic
        else:
            assert (found.peak, found.traffic) == (run.stack.peak, run.stack.traffic), strategy.name


@pytest.mark.parametrize("name", sorted(TRIPS))
def test_a_trip_count_that_is_not_known_is_named(name: str) -> None:
    analysis = loaded(name)[2]
    assert predicted(analysis.adjoints, analysis.order, records_of(analysis), {}).traffic is None
    (trips,) = TRIPS[name]
    assert trips in text(cost_of(analysis).traffic)


def test_eager_wins_by_hand() -> None:
    """Snp = {a, b}: 16*n. Lazy tapes a at every overwrite, sweeps*n times 8 bytes, after POP(Snp)."""
    analysis = loaded("eager_wins")[2]
    lazy, eager = cost_of(analysis, LAZY), cost_of(analysis, EAGER)
    assert text(lazy.peak) == "max(16*n, 8*n*sweeps)"
    assert text(lazy.traffic) == "8*n*(sweeps + 2)"
    assert (text(eager.peak), text(eager.traffic)) == ("16*n", "16*n")


@pytest.mark.parametrize("sweeps", [1, 2, 3, 50])
def test_optimal_keeps_a_to_the_end_for_every_sweeps(sweeps: int) -> None:
    analysis = loaded("eager_wins")[2]
    found = optimise(PartitionSearch(analysis.adjoints, analysis.order, {"sweeps": sweeps}))
    (solved,) = records_of(analysis, found.strategy)["relax"].levels[0].solved.values()
    assert analysis.adjoints.by_key["relax"].model.space.names(solved.choice.sbk) == ("a",)


def test_optimal_needs_24_bytes_a_step_less_than_tapenade() -> None:
    """Tapenade saves nu and u at each step, 8*n + 8, and tapes nu in D too; optimal saves u(2:n-1)."""
    analysis = loaded("burgers_region")[2]
    found = optimise(PartitionSearch(analysis.adjoints, analysis.order, {}))
    best = cost_of(analysis, found.strategy)
    assert text(best.peak) == text(best.traffic) == "8*nsteps*(n - 1)"
    for n, steps in ((5, 1), (100, 40)):
        tapenade = steps * (8*n + 8) + steps * 8
        assert tapenade - (value(best.peak, valued({"n": n, "nsteps": steps})) or 0) == 24*steps


@pytest.mark.parametrize(("m", "n", "saved"), [(10, 11, ("w",)), (10, 10, ()), (11, 10, ())])
def test_what_is_best_depends_on_a_size(m: int, n: int, saved: tuple[str, ...]) -> None:
    """A snapshot of w takes 8*m, taping it 8*n; of equal ones the smaller snapshot."""
    analysis = loaded("size_threshold")[2]
    found = optimise(PartitionSearch(analysis.adjoints, analysis.order, {"m": m, "n": n}))
    (solved,) = records_of(analysis, found.strategy)["sparse"].levels[0].solved.values()
    assert analysis.adjoints.by_key["sparse"].model.space.names(solved.choice.snp) == saved
    assert found.best.figures.peak == 8*min(m, n)


@pytest.mark.sample(8)
@pytest.mark.parametrize("name", EXECUTED)
def test_optimal_is_never_worse_and_right(name: str) -> None:
    parts = loaded(name)
    inputs = inputs_for(name)
    expected, _ = store_all(*parts[:2], inputs)
    found = optimise(PartitionSearch(parts[2].adjoints, parts[2].order, numbers(name)))
    assert found.exact == (name not in MANY)
    peaks = {}
    for strategy in (LAZY, EAGER, found.strategy):
        gradient, run = planned(*parts, records_of(parts[2], strategy), inputs)
        assert gradient.same(expected)
        peaks[strategy.name] = run.stack.peak
        model = predicted(parts[2].adjoints, parts[2].order, records_of(parts[2], strategy), numbers(name))
        assert (found.best.figures.peak, found.best.figures.traffic) <= (model.peak, model.traffic)
    if name not in BRANCHING:  # goto_return: the run takes the way that costs lazy less
        assert peaks["optimal"] <= min(peaks["lazy"], peaks["eager"])


# ---------------------------------------------------------------- elemental calls


ELEMENTS = """subroutine p(x, z, n, m)
  integer, intent(in) :: n, m
  real(8), intent(inout) :: x(n), z(n, m)
  call step(x, 2d0)
  call step(z(2:n, 1:m - 1), 3d0)
  call step(x, z(:, 1)*x)
contains
  elemental subroutine step(u, by)
    real(8), intent(inout) :: u
    real(8), intent(in) :: by
    u = sin(u)*by
    u = u*u
  end subroutine step
end subroutine p
"""


@pytest.mark.parametrize(("n", "m"), [(2, 1), (2, 2), (5, 3)])
def test_an_elemental_procedure_tapes_for_each_element(n: int, m: int) -> None:
    """By hand: an element's adjoint tapes what `u = sin(u)*by` overwrites, 8 bytes; before the next element's it is
    gone. Snapshots: x before the first call, the section of z before the second."""
    head, machine, analysis = from_text(ELEMENTS, "p(x, z)>(x, z)")
    kept, each = 8*n + 8*(n - 1)*(m - 1), n + (n - 1)*(m - 1) + n
    for strategy in (LAZY, EAGER):
        records = records_of(analysis, strategy)
        _, run = planned(head, machine, analysis, records, Inputs({"n": n, "m": m}))
        found = predicted(analysis.adjoints, analysis.order, records, {"n": n, "m": m})
        assert (found.peak, found.traffic) == (run.stack.peak, run.stack.traffic) == (kept + 8, kept + 8*each)


# ---------------------------------------------------------------- nests


NEST = """subroutine p(x, y, n, m)
  integer, intent(in) :: n, m
  real(8) :: x(n), y, a
  integer :: i, j
  a = 1d0
  do i = 1, n
    do j = {bounds}
      a = a*x(j)
    end do
  end do
  y = a
end subroutine p
"""

NESTS = {
    "1, i": ("4*n*(n + 1)", lambda n, m: sum(range(1, n + 1))),
    "i, n": ("4*n*(n + 1)", lambda n, m: sum(range(1, n + 1))),
    "i + 1, n": ("4*n*(n - 1)", lambda n, m: sum(range(n))),
    "1, i - 2": ("4*n**2 - 12*n + 8", lambda n, m: sum(max(0, i - 2) for i in range(1, n + 1))),
    "i, n, 2": (None, lambda n, m: sum((n - i + 2)//2 for i in range(1, n + 1))),
    "n, i, -1": ("4*n*(n + 1)", lambda n, m: sum(range(1, n + 1))),
    "1, min(n, m)": ("8*n*min(m, n)", lambda n, m: n*max(0, min(n, m))),
    "m, n": ("8*n*(n - m + 1)", lambda n, m: n*max(0, n - m + 1)),
}


@pytest.mark.parametrize("bounds", NESTS)
def test_nests_are_summed_exactly(bounds: str) -> None:
    head, machine, analysis = from_text(NEST.format(bounds=bounds), "p(x)>(y)")
    written, trips = NESTS[bounds]
    cost = cost_of(analysis)
    if written is not None:
        assert text(cost.left) == written
    for n in range(7):
        for m in (1, 3, 9):
            assert value(cost.left, valued({"n": n, "m": m})) == 8*trips(n, m), (n, m)
    for n in (1, 4, 5):
        _, run = planned(head, machine, analysis, records_of(analysis), Inputs({"n": n, "m": 3}))
        assert (run.stack.peak, run.stack.traffic) == (8*trips(n, 3),)*2


PART_IN_NEST = """subroutine p(x, y, n)
  integer, intent(in) :: n
  real(8) :: x(n), y, a
  integer :: i, j
  a = 1d0
  do i = 1, n
    !$AD CHECKPOINT-START
    do j = {bounds}
      a = a*x(j)
    end do
    !$AD CHECKPOINT-END
  end do
  y = a*a
end subroutine p
"""


@pytest.mark.parametrize("bounds", ["1, i", "i, n", "1, n", "i, n, 2", "1, n - 2*i + 2", "2*i, n"])
@pytest.mark.parametrize("n", [1, 2, 3, 6, 9])
def test_the_part_of_some_iteration_is_the_highest(bounds: str, n: int) -> None:
    """A snapshot of 8 bytes an iteration before it, and what the part's own iterations tape."""
    head, machine, analysis = from_text(PART_IN_NEST.format(bounds=bounds), "p(x)>(y)")
    cost = cost_of(analysis)
    _, run = planned(head, machine, analysis, records_of(analysis), Inputs({"n": n}))
    given = valued({"n": n})
    assert (value(cost.peak, given), value(cost.traffic, given)) == (run.stack.peak, run.stack.traffic)


CALLED = """subroutine work(a, k, m)
  integer, intent(in) :: k, m
  real(8) :: a(m)
  integer :: i
  do i = 1, k
    a = a*a
  end do
end subroutine work
subroutine p(x, y, n)
  integer, intent(in) :: n
  real(8) :: x(n), y, b(2*n), s
  integer :: i, half
  half = n/2
  b = 1d0
  b(1) = x(1)
  do i = 1, n
    call work(b, i, 2*n)
    call work(x, half, n)
  end do
  y = sum(b) + sum(x)
end subroutine p
"""


@pytest.mark.parametrize("n", [1, 2, 5, 6])
def test_calls_are_in_the_callers_names(n: int) -> None:
    """The callee's k is the caller's loop variable at one call, and n/2, assigned once, at the other."""
    head, machine, analysis = from_text(CALLED, "p(x)>(y)")
    for strategy in (LAZY, EAGER):
        records = records_of(analysis, strategy)
        _, run = planned(head, machine, analysis, records, Inputs({"n": n}))
        found = predicted(analysis.adjoints, analysis.order, records, {"n": n})
        assert (found.peak, found.traffic) == (run.stack.peak, run.stack.traffic)
    assert {s for s in text(cost_of(analysis).traffic) if s.isalpha()} <= set("nfloormaxsu")


def test_formulas_of_zero_trips_are_zero() -> None:
    analysis = loaded("eager_wins")[2]
    lazy = cost_of(analysis, LAZY)
    assert value(lazy.peak, valued({"n": 4, "sweeps": 0})) == 64
    assert isinstance(lazy.peak, Quantity)
