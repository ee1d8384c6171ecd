"""Problems for the tests of store or recompute: the figures of CLU, random ones, and brute force over all choices."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, combinations
from random import Random

from snapset.analysis.dag.problem.graphs import Costs, Graph, Prepared, Problem, placeholder


def gb(text: str) -> dict[str, frozenset[str]]:
    """G_b from ``v1: o1 o2; v2: o3``."""
    pairs = (line.split(":") for line in text.split(";"))
    return {v.strip(): frozenset(places.split()) for v, places in pairs}


def edges(text: str) -> tuple[tuple[str, str], ...]:
    """``a>b b>c``"""
    return tuple((a, b) for a, _, b in (item.partition(">") for item in text.split()))


def direct(overwrites: dict[str, frozenset[str]], costs: Costs | None = None) -> Problem:
    """Every vertex of G_b is required itself, in a graph of its own: then U chooses among them, as in Fig. 6."""
    graphs = tuple(Graph(v, (), frozenset({v})) for v in overwrites)
    return Problem(graphs, overwrites, costs or Costs())


# Fig. 5: G*_2; c shares o4 with a of Fig. 4's G_1, and d has o1 alone: what restores a restores d.
FIG5 = Graph("G2", edges("d>t e>t c>p t>p t>r t>r/t c>p/c"), frozenset({"r/t", "p/c"}))
FIG5_GB = gb("c: o4 o6; d: o1; e: o3 o5")

FIG6A = gb("v1: o1; v2: o2; v3: o3; v4: o4; v5: o5")
FIG6B = gb("v1: o1 o2 o3 o4; v2: o5; v3: o5; v4: o5; v5: o5")
FIG6C = gb("v1: o1 o2; v2: o1 o2 o3; v3: o3 o4; v4: o3 o4; v5: o3 o4")


def random_problem(seed: int, graphs: int = 3, vertices: int = 6, places: int = 5, *, priced: bool = False) -> Problem:
    """Graphs over arbitrary vertices, some shared; G_b over all minimal vertices and some others."""
    random = Random(seed)
    made = []
    for number in range(random.randint(1, graphs)):
        size = random.randint(2, vertices)
        names = [f"g{number}v{i}" for i in range(size)]
        if random.random() < 0.3:
            names[0] = "shared"
        arcs = [(names[i], names[j]) for j in range(1, size) for i in range(j) if random.random() < 0.4]
        later = [names[j] for j in range(1, size)]
        required = random.sample(later, random.randint(1, min(3, len(later))))
        made.append(Graph(f"G{number}", tuple(arcs), frozenset(required)))
    overwrites = {}
    for graph in made:
        computed = {b for _, b in graph.edges}
        for v in sorted(graph.vertices):
            if v not in computed or random.random() < 0.2:
                count = random.choice((0, 1, 1, 2, 2, 3))
                overwrites[v] = frozenset(f"o{random.randint(1, places)}" for _ in range(count))
    return Problem(tuple(made), overwrites, _costs(random, made, places) if priced else Costs())


def _costs(random: Random, graphs: list[Graph], places: int) -> Costs:
    names = sorted({v for g in graphs for v in g.vertices})
    return Costs({v: random.randint(1, 5) for v in names}, {f"o{i}": random.randint(1, 5) for i in range(places + 1)},
                 {v: random.randint(0, 2) for v in names})


def random_code(seed: int, *, sections: int = 2, statements: int = 5) -> Problem:
    """Straight-line sections over four variables: each assignment is linear in some operands, not in others.

    A vertex is one value of one variable; the next assignment to the variable overwrites it, the last values
    are lost at placeholders. ``recorded`` is what per-statement To Be Recorded restores.
    """
    random = Random(seed)
    value = {name: f"{name}0" for name in "abcd"}
    holder, graphs, recorded = {}, [], set()
    overwrites = {v: frozenset({placeholder(name)}) for name, v in value.items()}
    for section in range(random.randint(1, sections)):
        arcs, required = [], set()
        for number in range(random.randint(1, statements)):
            target = random.choice("abcd")
            operands = random.sample("abcd", random.randint(1, 2))
            result, place = f"{target}{section}.{number}", f"s{section}.{number}"
            for name in operands:
                arcs.append((value[name], result))
                if random.random() < 0.6:
                    partial = f"{result}/{value[name]}"
                    arcs.append((value[name], partial))
                    required.add(partial)
                    recorded.add(value[name])
            overwrites[value[target]] = frozenset({place})
            value[target], holder[result] = result, target
            overwrites[result] = frozenset({placeholder(target)})
        graphs.append(Graph(f"section {section}", tuple(arcs), frozenset(required)))
    return Problem(tuple(graphs), overwrites, recorded=frozenset(recorded))


def subsets(names: frozenset[str]) -> Iterator[frozenset[str]]:
    ordered = sorted(names)
    return map(frozenset, chain.from_iterable(combinations(ordered, k) for k in range(len(ordered) + 1)))


def recomputable(problem: Prepared, S: frozenset[str], U: frozenset[str]) -> bool:
    """(CR) by running every graph forwards from what is known."""
    known = set(U) | {v for v, places in problem.overwrites.items() if all(o in S for o in places)}
    for graph in problem.graphs:
        have = known & set(graph.order)
        for v in graph.order:
            if graph.arguments[v] and all(a in have for a in graph.arguments[v]):
                have.add(v)
        if not graph.required <= have:
            return False
    return True


def least(problem: Prepared) -> int:
    """min |S| + |U| weighted, over all pairs that satisfy (CR). For problems without prices."""
    best = sum(problem.costs.of(v) for v in problem.required)
    vertices = frozenset(v for g in problem.graphs for v in g.order)
    for S in subsets(problem.places):
        spent = sum(map(problem.costs.of_place, S))
        for U in subsets(vertices):
            cost = spent + sum(map(problem.costs.of, U))
            if cost < best and recomputable(problem, S, U):
                best = cost
    return best
