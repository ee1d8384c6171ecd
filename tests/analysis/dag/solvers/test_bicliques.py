"""Covers of G_b by maximal bicliques."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest
from snapset.analysis.dag.solvers import bicliques
from snapset.analysis.dag.solvers.bicliques import Biclique, augmented, cover

from tests.generators.dag.dag_cases import FIG6A, FIG6B, FIG6C, gb


def pairs(graph: dict[str, frozenset[str]]) -> set[tuple[str, str]]:
    return {(f"{' '.join(sorted(b.vertices))}", f"{' '.join(sorted(b.places))}") for b in cover(graph).bicliques}


def test_figure_6a() -> None:
    assert pairs(FIG6A) == {(f"v{i}", f"o{i}") for i in range(1, 6)}


def test_figure_6b() -> None:
    assert pairs(FIG6B) == {("v1", "o1 o2 o3 o4"), ("v2 v3 v4 v5", "o5")}


def test_figure_6c() -> None:
    # The paper's ({v2}, {o3}) is not maximal; the maximal biclique is what its augmentation makes of it.
    assert pairs(FIG6C) == {("v1 v2", "o1 o2"), ("v2", "o1 o2 o3"), ("v3 v4 v5", "o3 o4")}
    overlapping = Biclique(frozenset({"v2"}), frozenset({"o3"}))
    assert augmented([overlapping], FIG6C)[0].places == {"o1", "o2", "o3"}


def test_augmentation_leaves_the_others_alone() -> None:
    assert augmented(cover(FIG6B).bicliques, FIG6B) == list(cover(FIG6B).bicliques)


def test_what_nothing_overwrites_is_in_no_biclique() -> None:
    assert cover(gb("v1: ; v2: ")).bicliques == ()
    assert pairs(gb("v1: ; v2: o1")) == {("v2", "o1")}


def random_gb(seed: int, vertices: int, places: int) -> dict[str, frozenset[str]]:
    random = Random(seed)
    return {f"v{i}": frozenset(f"o{random.randrange(places)}" for _ in range(random.randint(1, 3)))
            for i in range(vertices)}


def check_cover(graph: dict[str, frozenset[str]], found: bicliques.BicliqueCover) -> None:
    edges = {(v, o) for v, places in graph.items() for o in places}
    assert {(v, o) for b in found.bicliques for v in b.vertices for o in b.places} == edges
    for b in found.bicliques:
        assert b.vertices == {v for v, places in graph.items() if b.places <= places}
        assert b.places == frozenset.intersection(*(graph[v] for v in b.vertices))


def all_maximal(graph: dict[str, frozenset[str]]) -> set[tuple[frozenset[str], frozenset[str]]]:
    """By trying every set of vertices."""
    names = sorted(graph)
    found = set()
    for mask in range(1, 1 << len(names)):
        common = frozenset.intersection(*(graph[v] for i, v in enumerate(names) if mask >> i & 1))
        if common:
            found.add((frozenset(v for v in names if common <= graph[v]), common))
    return found


def fewest(graph: dict[str, frozenset[str]]) -> int:
    edges = frozenset((v, o) for v, places in graph.items() for o in places)
    blocks = [frozenset((v, o) for v in vs for o in os) for vs, os in all_maximal(graph)]
    reached, count = {frozenset[tuple[str, str]]()}, 0
    while edges not in reached:
        reached = {done | block for done in reached for block in blocks}
        count += 1
    return count


def least_overlap(graph: dict[str, frozenset[str]], count: int) -> int:
    """The fewest edges, each counted as often as it is covered, of all covers by ``count`` maximal bicliques."""
    edges = {(v, o) for v, places in graph.items() for o in places}
    covers = [chosen for chosen in combinations(all_maximal(graph), count)
              if edges == {(v, o) for vs, os in chosen for v in vs for o in os}]
    return min(sum(len(vs) * len(os) for vs, os in chosen) for chosen in covers)


@pytest.mark.parametrize("seed", range(40))
def test_exact_covers_are_minimal(seed: int) -> None:
    graph = random_gb(seed, 5, 4)
    found = cover(graph)
    assert found.exact
    check_cover(graph, found)
    count = fewest(graph)
    assert len(found.bicliques) == count
    assert sum(len(b.vertices) * len(b.places) for b in found.bicliques) == least_overlap(graph, count)


def test_large_graphs_are_covered_greedily_and_say_so() -> None:
    graph = random_gb(1, 60, 40)
    found = cover(graph)
    assert not found.exact
    check_cover(graph, found)


def test_the_greedy_cover_is_a_cover(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bicliques, "EXACT_BICLIQUES", 0)
    for seed in range(20):
        graph = random_gb(seed, 8, 5)
        found = cover(graph)
        assert not found.exact
        check_cover(graph, found)


def test_the_greedy_cover_is_near_the_smallest(monkeypatch: pytest.MonkeyPatch) -> None:
    graphs = [random_gb(seed, 6, 4) for seed in range(100)]
    smallest = sum(map(fewest, graphs))
    monkeypatch.setattr(bicliques, "EXACT_BICLIQUES", 0)
    assert sum(len(cover(graph).bicliques) for graph in graphs) <= 1.15 * smallest


def test_the_order_of_the_input_does_not_matter() -> None:
    for seed in range(20):
        graph = random_gb(seed, 7, 5)
        shuffled = dict(Random(seed).sample(sorted(graph.items()), len(graph)))
        assert cover(graph) == cover(shuffled)
