"""Preaccumulation by vertex elimination: the paper's figures, and products of Jacobians by value."""

from __future__ import annotations

from random import Random

import pytest
from snapset.analysis.dag.problem.graphs import Problem, prepare
from snapset.analysis.dag.problem.vertex_elimination import (
    CONSTANT,
    ONE,
    ORDERS,
    Extended,
    Label,
    Operation,
    Order,
    Partial,
    extend,
)
from snapset.analysis.dag.solvers.algorithm1_cuts import complete
from snapset.analysis.dag.solvers.algorithm2_descent import algorithm2
from snapset.frontend.base.diagnostics import InputError


def reads(*names: str) -> Partial:
    return Partial(frozenset(names))


FIG2 = (
    Operation("o", ("a",), {"a": reads("a")}),
    Operation("p", ("b",), {"b": reads("b")}),
    Operation("q", ("o", "p"), {"o": reads("p"), "p": reads("o")}),
)
FIG5 = (
    Operation("t", ("d", "e"), {"d": CONSTANT, "e": CONSTANT}),
    Operation("p", ("c", "t"), {"c": reads("c"), "t": ONE}),
    Operation("r", ("t",), {"t": reads("t")}),
)


@pytest.mark.parametrize("order", ORDERS)
def test_figure_2(order: Order) -> None:
    found = extend("fig2", FIG2, order=order)
    assert found.graph.required == {"∂q/∂a", "∂q/∂b"}
    assert found.graph.vertices == {
        "a", "b", "o", "p", "q", "∂o/∂a", "∂p/∂b", "∂q/∂o", "∂q/∂p", "∂q/∂a", "∂q/∂b"}
    assert set(found.graph.edges) == {
        ("a", "o"), ("b", "p"), ("o", "q"), ("p", "q"),
        ("a", "∂o/∂a"), ("b", "∂p/∂b"), ("p", "∂q/∂o"), ("o", "∂q/∂p"),
        ("∂q/∂o", "∂q/∂a"), ("∂o/∂a", "∂q/∂a"), ("∂q/∂p", "∂q/∂b"), ("∂p/∂b", "∂q/∂b")}
    assert found.operations == 2
    assert found.recorded == {"a", "b", "o", "p"}


@pytest.mark.parametrize("order", ORDERS)
def test_figure_5_stops_for_scarcity(order: Order) -> None:
    found = extend("fig5", FIG5, order=order)
    assert found.eliminated == ()
    assert len(found.remainder) == 5
    assert found.graph.required == {"∂r/∂t", "∂p/∂c"}
    overwrites = {"c": {"o4", "o6"}, "d": {"o1"}, "e": {"o3", "o5"}}
    problem = prepare(Problem((found.graph,), {v: frozenset(o) for v, o in overwrites.items()}))
    assert complete(problem, frozenset({"o4", "o6"})).U == {"t"}


@pytest.mark.parametrize("order", ORDERS)
def test_what_makes_nothing_scarcer_is_not_eliminated(order: Order) -> None:
    # Two in, two out: four labels on four edges, before and after.
    code = (Operation("m", ("a", "b"), {"a": reads("a"), "b": reads("b")}),
            Operation("y", ("m",), {"m": reads("m")}), Operation("z", ("m",), {"m": reads("m")}))
    found = extend("cross", code, order=order)
    assert (found.eliminated, found.operations) == ((), 0)
    assert extend("cross", code, order=order, scarce=False).operations == 4


def test_figure_5_without_stopping() -> None:
    found = extend("fig5", FIG5, scarce=False)
    assert found.eliminated == ("t",)
    assert found.graph.required == {"∂r/∂d", "∂r/∂e", "∂p/∂c"}
    assert found.remainder["d", "p"].constant  # 1 * 5


@pytest.mark.parametrize("order", ORDERS)
def test_every_chain_stores_one_value(order: Order) -> None:
    for n in (*range(2, 20), 50, 100, 200):
        found = extend("chain", chain(n), order=order)
        assert found.graph.required == {f"∂x{n}/∂x0"}
        assert found.operations == n - 1
        overwrites = {f"x{i}": frozenset({f"s{i + 1}"}) for i in range(n + 1)}
        if order == "forward":
            assert algorithm2(prepare(Problem((found.graph,), {"x0": overwrites["x0"]}))).choice.cost == 1
        assert len(found.recorded) == n


def chain(n: int) -> tuple[Operation, ...]:
    return tuple(Operation(f"x{i}", (f"x{i - 1}",), {f"x{i - 1}": reads(f"x{i - 1}")}) for i in range(1, n + 1))


def test_outputs_are_kept_and_what_leads_to_none_is_dropped() -> None:
    code = (*chain(3), Operation("y", ("x1",), {"x1": reads("x1")}))
    found = extend("kept", code, outputs=frozenset({"x2", "x3"}))
    assert set(found.remainder) == {("x0", "x2"), ("x2", "x3")}
    assert found.recorded == {"x0", "x1", "x2"}


def test_a_partial_may_read_the_result() -> None:
    code = (Operation("x1", ("x0",), {"x0": reads("x1")}),)  # exp
    found = extend("exp", code)
    assert ("x1", "∂x1/∂x0") in found.graph.edges
    assert found.recorded == {"x1"}


def test_passive_arguments_carry_values_only() -> None:
    code = (Operation("y", ("k", "x"), {"x": reads("k")}),)
    found = extend("passive", code, values=frozenset({"i"}))
    assert set(found.remainder) == {("x", "y")}
    assert found.graph.required == {"∂y/∂x", "i"}
    assert found.recorded == {"k", "i"}


def test_markowitz_takes_the_cheapest_first() -> None:
    wide = (Operation("m", ("a", "b", "c"), {v: reads(v) for v in "abc"}),
            Operation("n", ("m",), {"m": reads("m")}),
            Operation("y", ("n",), {"n": reads("n")}), Operation("z", ("n",), {"n": reads("n")}))
    assert extend("wide", wide, order="markowitz", scarce=False).eliminated == ("n", "m")
    assert extend("wide", wide, order="forward", scarce=False).eliminated == ("m", "n")
    assert extend("wide", wide, order="reverse", scarce=False).eliminated == ("n", "m")


@pytest.mark.parametrize("seed", range(40))
def test_markowitz_at_every_step(seed: int) -> None:
    code = random_operations(seed)
    edges = {(a, o.result) for o in code for a in o.partials}
    place = {o.result: n for n, o in enumerate(code)}
    ends = place.keys() - {a for a, _ in edges}
    for vertex in extend("G", code, order="markowitz", scarce=False).eliminated:
        into, out = neighbours(edges, vertex)
        near = {v: neighbours(edges, v) for v in place if v not in ends}
        pairs = {v: len(i) * len(k) for v, (i, k) in near.items() if i and k}
        assert vertex == min(pairs, key=lambda v: (pairs[v], place[v]))
        edges -= {(i, vertex) for i in into} | {(vertex, k) for k in out}
        edges |= {(i, k) for i in into for k in out}


def neighbours(edges: set[tuple[str, str]], vertex: str) -> tuple[set[str], set[str]]:
    return {a for a, b in edges if b == vertex}, {b for a, b in edges if a == vertex}


def test_a_product_with_one_is_the_other_factor() -> None:
    code = (Operation("s", ("a", "b"), {"a": ONE, "b": ONE}), Operation("y", ("s",), {"s": reads("s")}))
    found = extend("sum", code, scarce=False)
    assert found.graph.required == {"∂y/∂s"}
    assert set(found.remainder) == {("a", "y"), ("b", "y")}
    assert found.operations == 0


@pytest.mark.parametrize(("code", "message"), [
    ((Operation("a", ("b",)), Operation("a", ("b",))), "a is computed after"),
    ((Operation("a", ("b",)), Operation("b", ("c",))), "b is computed after"),
    ((Operation("a", ("a",)),), "a is computed after"),
    ((Operation("a", ("b",), {"c": ONE}),), "a partial for c"),
])
def test_what_is_refused(code: tuple[Operation, ...], message: str) -> None:
    with pytest.raises(InputError, match=message):
        extend("bad", code)


def random_operations(seed: int) -> tuple[Operation, ...]:
    random = Random(seed)
    names, code = ["a", "b", "c"], []
    for number in range(random.randint(2, 9)):
        chosen = tuple(random.sample(names, random.randint(1, min(3, len(names)))))
        kinds = (ONE, CONSTANT, reads(chosen[0]), reads(*chosen))
        code.append(Operation(f"v{number}", chosen, {a: random.choice(kinds) for a in chosen}))
        names.append(f"v{number}")
    return tuple(code)


def paths(edges: dict[tuple[str, str], frozenset[str]]) -> set[tuple[str, str]]:
    """All (start, end) connected."""
    reach = set(edges)
    while True:
        more = reach | {(a, d) for a, b in reach for c, d in edges if b == c}
        if more == reach:
            return reach
        reach = more


@pytest.mark.parametrize("seed", range(60))
@pytest.mark.parametrize("order", ORDERS)
def test_every_order_keeps_what_depends_on_what(seed: int, order: Order) -> None:
    code = random_operations(seed)
    full = extend("G", code, order=order, scarce=False)
    local = {(a, o.result): p.reads for o in code for a, p in o.partials.items()}
    ends = {o.result for o in code} - {a for a, _ in local}
    expected = {(a, b) for a, b in paths(local) if a in "abc" and b in ends}
    assert set(full.remainder) == expected
    scarce = extend("G", code, order=order)
    assert len(scarce.graph.required) <= min(len(full.graph.required), sum(map(bool, local.values())))
    assert not scarce.graph.required & set("abc")


@pytest.mark.parametrize("scarce", [True, False])
@pytest.mark.parametrize("order", ORDERS)
def test_the_remainder_is_the_jacobian_by_value(order: Order, scarce: bool) -> None:
    for seed in range(40):
        code = random_operations(seed)
        random = Random(seed)
        local = {(a, o.result): 1 if p.one else random.randint(2, 9) for o in code for a, p in o.partials.items()}
        found = extend("G", code, order=order, scarce=scarce)
        known = {f"∂{k}/∂{i}": value for (i, k), value in local.items()}
        remainder = {edge: valued(label, known, found) for edge, label in found.remainder.items()}
        ends = {o.result for o in code} - {a for a, _ in local}
        assert jacobian(remainder, code, ends) == jacobian(local, code, ends)


def valued(label: Label, known: dict[str, int], found: Extended) -> int:
    if label.one or label.name not in found.products:
        return known[label.name]
    product = found.products[label.name]
    old = 0 if product.old is None else valued(product.old, known, found)
    return old + valued(product.left, known, found) * valued(product.right, known, found)


def jacobian(edges: dict[tuple[str, str], int], code: tuple[Operation, ...], ends: set[str]) -> dict[str, list[int]]:
    """d end / d(a, b, c), by forward accumulation."""
    rows = {"a": [1, 0, 0], "b": [0, 1, 0], "c": [0, 0, 1]}
    for operation in code:
        into = [(rows[i], value) for (i, k), value in edges.items() if k == operation.result]
        rows[operation.result] = [sum(row[n] * value for row, value in into) for n in range(3)]
    return {end: rows[end] for end in ends}
