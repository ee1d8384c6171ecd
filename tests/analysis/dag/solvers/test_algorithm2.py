"""Algorithm 2: the figures' ratios and first moves, and the bounds it never exceeds."""

from __future__ import annotations

from fractions import Fraction

import pytest
from snapset.analysis.dag.problem.choice import stored
from snapset.analysis.dag.problem.graphs import Costs, Graph, Problem, prepare
from snapset.analysis.dag.solvers.algorithm2_descent import algorithm2, bounds, ratios
from snapset.analysis.dag.solvers.bicliques import Biclique, augmented, cover
from snapset.frontend.base.diagnostics import InputError

from tests.generators.dag.dag_cases import (
    FIG5,
    FIG5_GB,
    FIG6A,
    FIG6B,
    FIG6C,
    direct,
    edges,
    gb,
    random_code,
    random_problem,
    recomputable,
)

NOTHING: frozenset[str] = frozenset()


def figures(graph: dict[str, frozenset[str]], S: str = "") -> dict[str, tuple[Fraction, Fraction]]:
    """(r⁻, r⁺) of each augmented biclique of the cover, by its vertices."""
    problem = prepare(direct(graph))
    found = {}
    for biclique in cover(graph).bicliques:
        (whole,) = augmented([biclique], graph)
        ratio = ratios(problem, whole, frozenset(S.split()))
        found[" ".join(sorted(biclique.vertices))] = (ratio.minus, ratio.plus)
    return found


def test_ratios_of_figure_6a() -> None:
    assert set(figures(FIG6A).values()) == {(Fraction(0), Fraction(1))}
    assert set(figures(FIG6A, "o1 o2 o3 o4 o5").values()) == {(Fraction(1), Fraction(0))}


def test_ratios_of_figure_6b() -> None:
    # (3) with S empty gives r⁻ = 0 for the second, where the paper's text has 1/4: that is with o5 in S.
    assert figures(FIG6B) == {"v1": (0, Fraction(1, 4)), "v2 v3 v4 v5": (0, 4)}
    assert figures(FIG6B, "o5")["v2 v3 v4 v5"] == (Fraction(1, 4), 0)


def test_ratios_of_figure_6c() -> None:
    assert figures(FIG6C) == {
        "v1 v2": (0, Fraction(2, 3)), "v2": (0, Fraction(1, 3)), "v3 v4 v5": (0, Fraction(3, 2))}
    assert figures(FIG6C, "o3 o4")["v1 v2"] == (Fraction(1, 2), 1)


def test_ratios_are_weighted() -> None:
    problem = prepare(direct(gb("v1: o1; v2: o1"), Costs({"v1": 5, "v2": 3}, {"o1": 4})))
    (biclique,) = cover(problem.overwrites).bicliques
    assert ratios(problem, biclique, NOTHING).plus == 2
    assert ratios(problem, biclique, frozenset({"o1"})).minus == Fraction(1, 2)


def test_figure_6a_has_nothing_to_gain() -> None:
    found = algorithm2(prepare(direct(FIG6A)))
    assert found.choice.cost == 5
    assert {step.ratio for step in found.steps} == {1}


def test_figure_6b_starts_with_o5() -> None:
    found = algorithm2(prepare(direct(FIG6B)))
    first = found.steps[0]
    assert (first.move, first.places, first.ratio, first.accepted) == ("add", {"o5"}, 4, True)
    assert (found.choice.S, found.choice.U, found.choice.cost) == ({"o5"}, {"v1"}, 2)
    assert len(found.steps) == 1  # 1/4 is below 1 - delta


def test_figure_6c() -> None:
    # |O| = 4 < |R| = 5, so it starts with all places; from S = ∅ the first move would add o3 and o4.
    found = algorithm2(prepare(direct(FIG6C)))
    assert found.choice.cost == 4


def test_figure_6c_moves_from_nothing() -> None:
    graph = {**FIG6C, "v0": frozenset({"o8", "o9", "o7"})}
    found = algorithm2(prepare(direct(graph)))
    assert found.bounds.required.cost == 6 < found.bounds.tbr.cost
    assert [(step.move, step.places) for step in found.steps[:2]] == [("add", {"o3", "o4"}), ("add", {"o1", "o2"})]
    assert found.steps[0].biclique == Biclique(frozenset({"v3", "v4", "v5"}), frozenset({"o3", "o4"}))
    assert found.steps[1].biclique.places == {"o1", "o2", "o3"}
    assert found.choice.S == {"o1", "o2", "o3", "o4"}
    assert found.choice.U == {"v0"}


def test_figure_5_alone_starts_at_its_optimum() -> None:
    found = algorithm2(prepare(Problem((FIG5,), FIG5_GB)))
    assert found.bounds.required.cost == 2
    assert (found.choice.S, found.choice.U) == (NOTHING, {"r/t", "p/c"})


def test_a_rejected_step_restores_s_and_u() -> None:
    # One biclique of two vertices for three places; adding any two of them only costs.
    problem = prepare(Problem(
        (Graph("G", edges("v1>w v2>w v3>w w>r"), frozenset({"r"})),), gb("v1: o1; v2: o2; v3: o3")))
    found = algorithm2(problem)
    assert [step.accepted for step in found.steps] == [False, False, False]
    assert (found.choice.S, found.choice.U) == (NOTHING, {"r"})


def test_delta_opens_the_search() -> None:
    problem = prepare(direct(FIG6B))
    assert len(algorithm2(problem, Fraction(3, 4)).steps) == 2
    assert not algorithm2(problem, Fraction(3, 4)).steps[1].accepted


def test_equal_costs_are_accepted() -> None:
    assert all(step.accepted for step in algorithm2(prepare(direct(FIG6A))).steps)


@pytest.mark.sample(3)
@pytest.mark.parametrize("n", range(2, 201))
def test_a_chain_stores_one_value(n: int) -> None:
    found = algorithm2(prepare(chain(n)))
    assert found.choice.cost == 1
    assert found.bounds.statements is not None
    assert found.bounds.statements.cost == n


def chain(n: int) -> Problem:
    """x = phi_i(x), i = 1, ..., n, and its preaccumulation: each x is overwritten by the next."""
    arcs, last = [], ""
    for i in range(1, n + 1):
        partial = f"c{i}"
        arcs += [(f"x{i - 1}", f"x{i}"), (f"x{i - 1}", partial)]
        product = f"p{i}" if last else partial
        if last:
            arcs += [(last, product), (partial, product)]
        last = product
    overwrites = {f"x{i}": frozenset({f"statement {i + 1}" if i < n else "end of x"}) for i in range(n + 1)}
    recorded = frozenset(f"x{i}" for i in range(n))
    return Problem((Graph("chain", tuple(arcs), frozenset({last})),), overwrites, recorded=recorded)


def test_flattening_alone_can_cost_more_than_per_statement_recording() -> None:
    # CLU 4.2 says case (i) never costs more than per-statement TBR: r = cos(t), t = 5*d + 4*e refutes it.
    problem = Problem((Graph("G", edges("d>t e>t t>r/t"), frozenset({"r/t"})),), gb("d: o1; e: o2; t: o3"),
                      recorded=frozenset({"t"}))
    found = bounds(prepare(problem))
    assert found.statements is not None
    assert (found.tbr.cost, found.statements.cost) == (2, 1)


def test_what_is_recorded_for_nothing_counts_where_it_is_overwritten() -> None:
    # u and w precede nothing required; nothing overwrites w, so that it costs nothing.
    problem = Problem((Graph("G", edges("t>r t>u w>u"), frozenset({"r"})),),
                      gb("t: o1; u: o2 o3; w: "), recorded=frozenset({"t", "u", "w"}))
    found = bounds(prepare(problem))
    assert found.statements is not None
    assert (found.statements.S, found.statements.U, found.statements.cost) == ({"o1", "o2", "o3"}, NOTHING, 3)


def test_too_little_recorded_is_refused() -> None:
    problem = Problem((FIG5,), FIG5_GB, recorded=frozenset({"c"}))
    with pytest.raises(InputError, match="list every operand"):
        algorithm2(prepare(problem))


@pytest.mark.parametrize("block", range(10))
def test_never_worse_than_a_bound(block: int) -> None:
    for seed in range(block * 100, block * 100 + 100):
        problem = prepare(random_problem(seed, priced=seed % 3 == 2) if seed % 2 else random_code(seed))
        found = algorithm2(problem)
        choice = found.choice
        assert recomputable(problem, choice.S, choice.U)
        bounds = found.bounds
        assert choice.cost <= min(bounds.tbr.cost, bounds.required.cost)
        assert bounds.statements is None or choice.cost <= bounds.statements.cost
        if seed % 3 != 2 or not seed % 2:
            assert choice.cost == stored(problem.costs, choice.S, choice.U)
        if not seed % 2:  # U = ∅, S by (CR), is one of the choices, so what is recorded bounds it
            assert bounds.statements is not None
            assert choice.U or len(choice.S) <= bounds.statements.cost


def test_the_same_problem_in_another_order_gives_the_same_choice() -> None:
    for seed in range(30):
        problem = random_problem(seed)
        turned = Problem(tuple(Graph(g.name, g.edges[::-1], g.required) for g in problem.graphs),
                         dict(reversed(problem.overwrites.items())))
        one, other = algorithm2(prepare(problem)).choice, algorithm2(prepare(turned)).choice
        assert (one.S, one.U) == (other.S, other.U)
