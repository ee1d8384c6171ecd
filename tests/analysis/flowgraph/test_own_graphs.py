"""An AD tool's own graph: the sets of programs handed over node by node are those of their Fortran."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from random import Random

import networkx as nx
import pytest
from snapset import flow
from snapset.analysis.results import Part
from snapset.library.analysis import Choices, report

from tests.support.corpus import CORPUS

NAMES = ("use_c", "out_c", "use_cbar", "out_cbar", "use_dbar", "out_dbar", "req")


def node(out: str, partials: dict[str, set[str]]) -> flow.Node:
    """A scalar assignment."""
    return flow.Node(use=frozenset(partials), out=frozenset({out}), kill=frozenset({out}), partials=partials)


STRAIGHT_LINE = {  # corpus/straight_line.f90, by hand
    7: node("a", {"x": {"x"}}), 8: node("b", {"x": {"a"}, "a": {"x"}}), 9: node("c", {"b": {"a"}, "a": {"b"}}),
    10: node("d", {"c": {"c"}}), 11: node("e", {"d": {"x"}, "x": {"d"}}), 12: node("f", {"e": {"c"}, "c": {"e"}}),
    13: node("t", {"a": {"b"}, "b": {"a"}}),
    15: node("a", {"a": {"t"}, "t": {"a"}}), 16: node("b", {"c": {"d"}, "d": {"c"}}),
    17: node("t", {"b": {"a"}, "a": {"b"}}), 18: node("c", {"x": set()}),
    20: node("d", {"d": {"t"}, "t": {"d"}}), 21: node("e", {"e": {"e"}}),
    22: node("y", {"a": {"b", "c"}, "b": {"a", "c"}, "c": {"a", "b"}, "d": {"e", "f"}, "e": {"d", "f"},
                   "f": {"d", "e"}}),
    23: node("f", {"y": {"t"}, "t": {"y"}}), 24: node("t", {"f": {"f"}}), 25: node("y", {"t": {"d"}, "d": {"t"}}),
}


def line(nodes: dict[int, flow.Node], parts: dict[str, list[int]], size: dict[str, int] | None = None) -> flow.Graph:
    order = sorted(nodes)
    return flow.Graph(nodes, list(pairwise(order)), order[0], parts, size or {})


def same(found: flow.Part, part: Part, strategy: str) -> None:
    for name in NAMES:
        if name != "req":
            assert set(getattr(part.sets, name)) == getattr(found, name), name
    solution = part.solutions[strategy]
    assert set(solution.req) == found.req
    for name in ("snp", "sbk", "req_d", "req_c"):
        assert set(getattr(solution, name)) == getattr(found.solution, name), name


@pytest.mark.parametrize("strategy", ["lazy", "eager"])
def test_a_corpus_program_by_hand(strategy: str) -> None:
    result = report([str(CORPUS / "straight_line.f90")], "mix(x)>(y)", Choices(strategies=strategy, save_intact=True))
    size = dict.fromkeys("abcdefxyt", 8)
    found = flow.adjoint(line(STRAIGHT_LINE, {"mix@15": [15, 16, 17, 18]}, size), {"x"}, {"y"}, strategy)
    (part,) = result.parts
    same(found.parts["mix@15"], part, strategy)
    assert found.parts["mix@15"].snapshot_bytes == part.solutions[strategy].snapshot_bytes
    assert found.traffic_bytes == result.totals[strategy].traffic_bytes
    taped = {(entry.line, entry.location) for entry in part.solutions[strategy].tape}
    assert {(at, name) for at, names in found.taped.items() for name in names if at >= 15} == taped


def test_the_figures_of_the_paper() -> None:
    """Snp₀, Opt₂ and the tapes of the published table, in corpus/straight_line.expected too."""
    found = flow.adjoint(line(STRAIGHT_LINE, {"C": [15, 16, 17, 18]}), {"x"}, {"y"}).parts["C"]
    assert sorted(found.solution.snp0) == ["a", "c", "t"]
    assert found.solution.opt2 == {"b"}
    assert sorted(found.solution.snp) == ["a", "b", "c", "t"]
    assert found.solution.req_c == {"b"}


@dataclass(frozen=True)
class RandomLine:
    """Random assignments of scalars in which parts are marked: as Fortran, and as a graph."""

    text: str
    nodes: dict[int, flow.Node]
    parts: dict[str, list[int]]


def random_line(seed: int) -> RandomLine:
    random = Random(seed)
    names = ["a", "b", "c", "d", "e"]
    lines = ["subroutine r(x, y)", "  real(8), intent(in) :: x", "  real(8), intent(out) :: y",
             "  real(8) :: a, b, c, d, e"]
    nodes: dict[int, flow.Node] = {}
    parts: list[list[int]] = []
    stack: list[list[int]] = []

    def add(out: str, text: str, partials: dict[str, set[str]]) -> None:
        lines.append(f"  {out} = {text}")
        nodes[len(lines)] = node(out, partials)
        for one in stack:
            one.append(len(lines))

    for name in names:
        add(name, f"x*{random.randint(1, 9)}.0d0", {"x": set()})
    for _ in range(random.randint(6, 16)):
        if random.random() < 0.25 and len(stack) < 2:
            lines.append("  !$AD CHECKPOINT-START")
            stack.append([])
        add(*statement(random, names))
        if stack and random.random() < 0.3:
            parts.append(stack.pop())
            lines.append("  !$AD CHECKPOINT-END")
            add(*statement(random, names))
    while stack:
        parts.append(stack.pop())
        lines.append("  !$AD CHECKPOINT-END")
    add("y", "a*b", {"a": {"b"}, "b": {"a"}})
    found: dict[str, list[int]] = {}
    for inside in sorted(parts, key=lambda one: (one[0], -len(one))):
        if inside not in found.values():
            found[str(len(found))] = inside
    return RandomLine("\n".join([*lines, "end subroutine", ""]), nodes, found)


def statement(random: Random, names: list[str]) -> tuple[str, str, dict[str, set[str]]]:
    out, one, other = random.choice(names), *random.sample(names, 2)
    return random.choice([
        (out, f"{one}*{other}", {one: {other}, other: {one}}), (out, f"sin({one})", {one: {one}}),
        (out, f"{one} + {other}", {one: set(), other: set()}), (out, f"2.0d0*{one}", {one: set()}),
        (out, f"{one}*{one}", {one: {one}}), (out, "1.5d0", {})])


def random_parts(seeds: range) -> Iterator[tuple[RandomLine, int]]:
    for seed in seeds:
        one = random_line(seed)
        if one.parts and len({(inside[0], inside[-1]) for inside in one.parts.values()}) == len(one.parts):
            yield one, seed


def check(seeds: range, directory: Path) -> int:
    count = 0
    for one, seed in random_parts(seeds):
        path = directory / "r.f90"
        path.write_text(one.text)
        for strategy in ("lazy", "eager"):
            result = report([str(path)], "r(x)>(y)", Choices(strategies=strategy, save_intact=True))
            found = flow.adjoint(line(one.nodes, one.parts, dict.fromkeys("abcdexy", 8)), {"x"}, {"y"}, strategy)
            if len(result.parts) != len(one.parts):
                continue  # marks around one and the same statements
            for part in result.parts:
                name = next(name for name, inside in one.parts.items()
                            if (inside[0], inside[-1]) == (part.first_line, part.last_line))
                same(found.parts[name], part, strategy)
                count += 1
            assert found.traffic_bytes == result.totals[strategy].traffic_bytes, (seed, strategy)
            assert found.peak_bytes == result.totals[strategy].peak_bytes, (seed, strategy)
    return count


def test_random_programs_have_the_sets_of_their_fortran(tmp_path: Path) -> None:
    assert check(range(40), tmp_path) > 60


@pytest.mark.slow
def test_more_random_programs(tmp_path: Path) -> None:
    assert check(range(40, 600), tmp_path) > 900


LOOP = {
    "w": node("w", {"x": set()}), "test": flow.Node(use=frozenset({"n", "i"}), runs=11),
    "c": flow.Node(use=frozenset("uw"), out=frozenset("u"), kill=frozenset("u"), runs=10,
                   partials={"u": frozenset("w"), "w": frozenset("u")}),
    "d": flow.Node(use=frozenset("w"), out=frozenset("w"), kill=frozenset("w"), runs=10,
                   partials={"w": frozenset()}),
    "y": node("y", {"u": {"u"}}),
}
EDGES = [("w", "test"), ("test", "c"), ("c", "d"), ("d", "test"), ("test", "y")]


def test_a_time_loop_by_hand() -> None:
    """w = x; n times: [u = u*w]; w = 2*w; then y = u*u. C overwrites u, its adjoint reads u and w, D overwrites w
    before C̄ runs: Snp is u, w is taped at each step (Req_D). 10 steps: 10*(80 + 8) bytes."""
    found = flow.adjoint(flow.Graph(LOOP, EDGES, "w", {"C": ["c"]}, {"u": 80, "w": 8, "y": 8}), {"x", "u"}, {"y"})
    part = found.parts["C"]
    assert (part.out_c, part.use_cbar) == ({"u"}, {"u", "w"})
    assert (part.solution.snp, part.solution.sbk) == ({"u"}, set())
    assert (part.solution.req_d, part.solution.req_c) == ({"w"}, set())
    assert {key: set(names) for key, names in found.taped.items() if names} == {"d": {"w"}}
    assert (found.traffic_bytes, found.peak_bytes) == (880, 880)
    eager = flow.adjoint(flow.Graph(LOOP, EDGES, "w", {"C": ["c"]}, {"u": 80, "w": 8, "y": 8}), {"x", "u"}, {"y"},
                         sides={"C": ((), (), {"w"})})
    assert eager.parts["C"].solution.snp == {"u", "w"}


def test_the_peak_stands_where_the_second_run_is_on_top() -> None:
    """u = u*w three times in the part: of its second run the first two tape u, and no adjoint needs what the third
    makes. They stand on what is left then: 10 snapshots less the one that was popped, and 9 runs of w, the tenth being
    taken back already. 9*(80 + 8) + 2*80 = 952, above the 880 of the forward sweep."""
    nodes = {**LOOP, "c2": LOOP["c"], "c3": LOOP["c"]}
    edges = [("w", "test"), ("test", "c"), ("c", "c2"), ("c2", "c3"), ("c3", "d"), ("d", "test"), ("test", "y")]
    size = {"u": 80, "w": 8, "y": 8}
    found = flow.adjoint(flow.Graph(nodes, edges, "w", {"C": ["c", "c2", "c3"]}, size), {"x", "u"}, {"y"})
    assert {key: set(names) for key, names in found.taped.items() if names} == {"d": {"w"}, "c": {"u"}, "c2": {"u"}}
    assert found.traffic_bytes == 10*(80 + 8 + 160)
    assert found.peak_bytes == 952


@pytest.mark.parametrize("seed", range(6))
def test_optimal_is_never_dearer_and_no_single_move_is_better(seed: int) -> None:
    one = next(one for one, at in random_parts(range(seed*50, seed*50 + 50)) if one.parts)
    graph = line(one.nodes, one.parts, {name: 8*(place + 1) for place, name in enumerate("abcdexy")})
    cost = {strategy: (found.peak_bytes, found.traffic_bytes) for strategy in ("lazy", "eager", "optimal")
            for found in [flow.adjoint(graph, {"x"}, {"y"}, strategy)]}  # type: ignore[arg-type]
    assert cost["optimal"] <= min(cost["lazy"], cost["eager"])
    best = flow.adjoint(graph, {"x"}, {"y"}, "optimal")
    chosen = {name: (part.solution.opt1 & part.solution.sbk, part.solution.opt2 & part.solution.sbk,
                     part.solution.opt3 & part.solution.snp) for name, part in best.parts.items()}
    for name, part in best.parts.items():
        for place, options in enumerate((part.solution.opt1, part.solution.opt2, part.solution.opt3)):
            for location in options:
                sides = list(chosen[name])
                sides[place] = sides[place] ^ {location}
                try:
                    other = flow.adjoint(graph, {"x"}, {"y"}, sides={**chosen, name: tuple(sides)})  # type: ignore
                except ValueError:
                    continue  # an inner part's Opt sets are others then
                assert (other.peak_bytes or 0, other.traffic_bytes or 0) >= cost["optimal"]


def test_sections_are_locations_of_their_own() -> None:
    """An array of which a tool tells pieces apart: a part that writes u(1) alone saves no more than that."""
    nodes = {"c": flow.Node(use=frozenset({"u(1)", "w"}), out=frozenset({"u(1)"}), kill=frozenset({"u(1)"}),
                            partials={"u(1)": frozenset({"w"}), "w": frozenset({"u(1)"})}),
             "y": flow.Node(use=frozenset({"u(1)", "u(2:)"}), out=frozenset({"y"}), kill=frozenset({"y"}),
                            partials={"u(1)": frozenset({"u(2:)"}), "u(2:)": frozenset({"u(1)"})})}
    graph = flow.Graph(nodes, [("c", "y")], "c", {"C": ["c"]}, {"u(1)": 8, "u(2:)": 792, "w": 8, "y": 8})
    part = flow.adjoint(graph, {"u(1)", "u(2:)", "w"}, {"y"}).parts["C"]
    assert (part.solution.snp, part.snapshot_bytes) == ({"u(1)"}, 8)


def test_activity() -> None:
    """What no independent reaches has no derivative, and nothing is kept for it."""
    nodes = {1: node("a", {"x": {"x"}}), 2: node("b", {"k": {"k"}}), 3: node("y", {"a": {"b"}, "b": {"a"}})}
    found = flow.adjoint(line(nodes, {}), {"x"}, {"y"})
    assert found.varied[3] == {"x", "a"}
    assert found.useful[1] == {"a", "k"}
    assert (found.reads[2], found.reads[3]) == (set(), {"b"})


def test_networkx_graphs_are_the_same() -> None:
    graph = nx.DiGraph(EDGES)
    for key, one in LOOP.items():
        graph.add_node(key, use=one.use, out=one.out, kill=one.kill, partials=one.partials, runs=one.runs)
    graph.nodes["c"]["part"] = "C"
    own = flow.Graph(LOOP, EDGES, "w", {"C": ["c"]}, {"u": 80, "w": 8})
    given = {"u": 80, "w": 8}
    assert flow.adjoint(flow.Graph.of(graph, "w", given), {"x", "u"}, {"y"}) == flow.adjoint(own, {"x", "u"}, {"y"})


@pytest.mark.parametrize("strategy", ["lazy", "eager", "optimal"])
def test_a_part_may_be_the_whole_graph(strategy: str) -> None:
    """It is what it is between two nodes that do nothing."""
    size = {"x": 8, "w": 8, "u": 80, "y": 8}
    parts = {"C": ["c"], "all": list(LOOP)}
    alone = flow.adjoint(flow.Graph(LOOP, EDGES, "w", parts, size), {"x", "u"}, {"y"}, strategy)
    nodes = {"before": flow.Node(), **LOOP, "behind": flow.Node()}
    edges = [("before", "w"), *EDGES, ("y", "behind")]
    between = flow.adjoint(flow.Graph(nodes, edges, "before", parts, size), {"x", "u"}, {"y"}, strategy)
    assert alone.parts["all"].use_cbar
    assert alone.parts["C"].out_dbar == {"w"}
    assert alone.parts == between.parts
    assert (alone.traffic_bytes, alone.peak_bytes) == (between.traffic_bytes, between.peak_bytes)
    assert [alone.taped[key] for key in LOOP] == [between.taped[key] for key in LOOP]


def test_unknown_sizes_are_unknown_figures() -> None:
    found = flow.adjoint(flow.Graph(LOOP, EDGES, "w", {"C": ["c"]}), {"x", "u"}, {"y"})
    assert (found.traffic_bytes, found.peak_bytes) == (None, None)
    assert found.parts["C"].snapshot_bytes is None


@pytest.mark.parametrize(("change", "message"), [
    ({"edges": [*EDGES, ("y", "z")]}, "there is no node 'z'"), ({"entry": "q"}, "there is no node 'q'"),
    ({"parts": {"C": ["q"]}}, "part C has 'q', which is no node"), ({"parts": {"C": []}}, "part C has no node"),
    ({"parts": {"C": ["c", "d"], "B": ["d", "test"]}}, "parts C and B overlap"),
    ({"parts": {"C": ["c", "d"], "B": ["d", "c"]}}, "parts C and B hold the same nodes"),
    ({"edges": EDGES[:-1]}, "'y' cannot be reached from 'w'"),
    ({"parts": {"C": ["c", "test"]}}, "part C is followed by more than one node"),
    ({"parts": {"": ["c"]}}, "needs a name"),
])
def test_what_is_no_graph_is_said(change: dict[str, object], message: str) -> None:
    given: dict[str, object] = {"nodes": LOOP, "edges": EDGES, "entry": "w", **change}
    with pytest.raises(ValueError, match=message):
        flow.Graph(**given)  # type: ignore[arg-type]


def test_what_is_no_node_is_said() -> None:
    with pytest.raises(ValueError, match="kill holds b, which is not in out"):
        flow.Node(out=frozenset("a"), kill=frozenset("ab"))
    with pytest.raises(ValueError, match="partials has b, which is not in use"):
        flow.Node(use=frozenset("a"), partials={"b": frozenset()})
    with pytest.raises(TypeError):
        flow.Node(use="alpha")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="unknown strategy 'best'"):
        flow.adjoint(line(STRAIGHT_LINE, {}), {"x"}, {"y"}, "best")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="optimal needs the size of every location"):
        flow.adjoint(line(STRAIGHT_LINE, {"C": [15, 16]}), {"x"}, {"y"}, "optimal")
    with pytest.raises(ValueError, match="sides: there is no part D"):
        flow.adjoint(line(STRAIGHT_LINE, {}), {"x"}, {"y"}, sides={"D": ((), (), ())})


RECURRENCE = """\
subroutine model(x, n, m, y)
  integer, intent(in) :: n, m
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8) :: g(n)
  integer :: i, k
  g = x
  {loop}
    !$AD CHECKPOINT-START
    do i = 2, n
      g(i) = g(i - 1)*x(i)
    end do
    !$AD CHECKPOINT-END
    {more}
  y = sum(g*g)
end subroutine model
"""


@pytest.mark.parametrize(("loop", "more", "saved"), [("", "", False), ("do k = 1, m", "g = 2*g; end do", True)])
def test_what_is_intact_is_not_saved_unless_the_rest_changes_it(loop: str, more: str, saved: bool,
                                                                tmp_path: Path) -> None:
    """As of the same in Fortran, where it is proved element by element, and executed: doubled behind the part, g is no
    more what the first run found."""
    (tmp_path / "g.f90").write_text(RECURRENCE.format(loop=loop, more=more))
    (part,) = report([str(tmp_path / "g.f90")], "model(x)>(y)").parts
    assert any(name.startswith("g") for name in part.solutions["lazy"].snp) == saved
    nodes = {"g = x": flow.Node(use={"x"}, out={"g"}, kill={"g"}, partials={"x": ()}),
             "part": flow.Node(use={"g", "x"}, out={"g"}, partials={"g": {"x"}, "x": {"g"}}),
             "y": flow.Node(use={"g"}, out={"y"}, kill={"y"}, partials={"g": {"g"}})}
    edges = [("g = x", "part"), ("part", "y")]
    if more:
        nodes |= {"do": flow.Node(), "more": flow.Node(use={"g"}, out={"g"}, kill={"g"}, partials={"g": ()})}
        edges = [("g = x", "do"), ("do", "part"), ("part", "more"), ("more", "do"), ("do", "y")]
    plain = flow.Graph(nodes, edges, "g = x", {"C": ["part"]})
    assert flow.adjoint(plain, {"x"}, {"y"}).parts["C"].solution.snp == {"g"}
    told = flow.Graph(nodes, edges, "g = x", {"C": ["part"]}, intact={"C": {"g"}})
    found = flow.adjoint(told, {"x"}, {"y"}).parts["C"]
    assert (found.solution.snp == {"g"}) == saved
    assert "g" in found.use_cbar
    if not saved:
        assert "g" not in found.out_dbar


def test_intact_of_no_part_is_an_error() -> None:
    nodes = {1: flow.Node(out={"a"}), 2: flow.Node()}
    with pytest.raises(ValueError, match="intact: there is no part D"):
        flow.Graph(nodes, [(1, 2)], 1, {"C": [1]}, intact={"D": {"a"}})
    with pytest.raises(TypeError):
        flow.Graph(nodes, [(1, 2)], 1, {"C": [1]}, intact={"C": "a"})


def test_slips_of_the_pen_are_said() -> None:
    """An empty adjoint was the answer to a name that nothing has."""
    nodes = {1: flow.Node(use={"x"}, out={"a"}, partials={"x": ()}), 2: flow.Node(use={"a"}, out={"y"})}
    graph = flow.Graph(nodes, [(1, 2)], 1)
    with pytest.raises(ValueError, match="dependents: no node reads or writes z"):
        flow.adjoint(graph, {"x"}, {"y", "z"})
    with pytest.raises(ValueError, match="independents: no node reads or writes w"):
        flow.adjoint(graph, {"w"}, {"y"})
    with pytest.raises(ValueError, match="size: a has -8 bytes"):
        flow.Graph(nodes, [(1, 2)], 1, size={"a": -8})
