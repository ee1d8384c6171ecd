"""Flow graphs: unstructured code, levels of marked parts, what may not jump where."""

import pytest
from snapset.frontend.base.diagnostics import InputError
from snapset.frontend.cfg.builder import build_flow
from snapset.frontend.cfg.graph import FlowGraph
from snapset.frontend.load import load_text


def flow(body: str, header: str = "subroutine s(a, n)\ninteger :: n, i, j\nreal(8) :: a(n)\n") -> FlowGraph:
    return build_flow(load_text(header + body + "\nend subroutine s\n", name="t.f90").procedures["s"])


def reaches(graph: FlowGraph, source: int, target: int) -> bool:
    seen, work = set(), [source]
    while work:
        node = work.pop()
        if node == target:
            return True
        if node not in seen:
            seen.add(node)
            work.extend(graph.succs[node])
    return False


def at(graph: FlowGraph, line: int, kind: str = "simple") -> int:
    return next(n.index for n in graph.nodes if n.span.line == line and n.kind == kind)


def test_a_loop_may_run_no_times() -> None:
    graph = flow("do i = 1, n\n a(i) = 0\nend do\na(1) = 1")
    (loop,) = graph.loops
    assert loop.structured
    assert graph.succs[loop.init] == (loop.test,)
    assert loop.end in graph.succs[loop.test]
    assert at(graph, 5) in loop.body


def test_a_loop_with_constant_trips_runs() -> None:
    graph = flow("do i = 1, 3\n a(i) = 0\nend do")
    (loop,) = graph.loops
    assert loop.structured
    assert loop.test not in graph.succs[loop.init]
    assert set(graph.preds[loop.test]) == {loop.step}


def test_goto_back_makes_a_cycle() -> None:
    graph = flow("10 a(1) = 0\nif (n > 1) goto 10\na(2) = 0")
    assert reaches(graph, graph.succs[at(graph, 4)][0], at(graph, 4))
    assert reaches(graph, at(graph, 4), graph.exit)


def test_code_behind_a_jump_is_reached_by_its_label_only() -> None:
    graph = flow("goto 20\na(1) = 0\n20 a(2) = 0")
    assert not reaches(graph, graph.entry, at(graph, 5))
    assert reaches(graph, graph.entry, at(graph, 6))


def test_stop_ends_and_return_leaves() -> None:
    graph = flow("if (n > 1) stop\nif (n > 2) return\na(1) = 0")
    stop = at(graph, 4, "stop")
    assert graph.succs[stop] == ()
    assert len(graph.preds[graph.exit]) == 2


def test_cycle_and_exit_with_names() -> None:
    graph = flow("outer: do i = 1, n\n do j = 1, n\n if (j > 2) cycle outer\n if (j > 3) exit outer\n a(j) = 0\n"
                 " end do\nend do outer\na(1) = 1")
    outer, inner = graph.loops
    tests = {n.span.line: n.index for n in graph.nodes if n.kind == "test"}
    cycle, leave = (next(s for s in graph.succs[tests[line]] if graph.nodes[s].kind == "join"
                         and graph.nodes[s].span.line == line and graph.succs[s]) for line in (6, 7))
    assert outer.step in graph.succs[cycle] or reaches(graph, cycle, outer.step)
    assert not inner.structured or inner.body
    assert outer.end in graph.succs[leave]


def test_a_jump_into_a_loop_makes_it_irregular() -> None:
    graph = flow("if (n > 1) goto 10\ndo i = 1, n\n10 a(i) = 0\nend do")
    assert not graph.loops[0].structured


def test_levels() -> None:
    graph = flow("a(1) = 0\n!$AD CHECKPOINT-START\na(2) = 0\n!$AD CHECKPOINT-START\na(3) = 0\n!$AD CHECKPOINT-END\n"
                 "!$AD CHECKPOINT-END\na(4) = 0")
    body, outer, inner = graph.levels
    assert (body.parent, outer.parent, inner.parent) == (-1, 0, 1)
    assert graph.nodes[at(graph, 8)].level == inner.index
    assert at(graph, 8) in outer.nodes
    assert graph.nodes[outer.after].level == 0


BAD_JUMPS = {
    "out of": "!$AD CHECKPOINT-START\na(1) = 0\ngoto 10\n!$AD CHECKPOINT-END\n10 a(2) = 0",
    "into": "goto 10\n!$AD CHECKPOINT-START\na(1) = 0\n10 a(2) = 0\n!$AD CHECKPOINT-END",
    "return": "!$AD CHECKPOINT-START\na(1) = 0\nif (n > 1) return\n!$AD CHECKPOINT-END\na(2) = 0",
    "exit": "do i = 1, n\n!$AD CHECKPOINT-START\nif (n > 1) exit\n!$AD CHECKPOINT-END\nend do",
    "cycle": "do i = 1, n\n!$AD CHECKPOINT-START\nif (n > 1) cycle\n!$AD CHECKPOINT-END\nend do",
    "inner to outer": "!$AD CHECKPOINT-START\n!$AD CHECKPOINT-START\ngoto 10\n!$AD CHECKPOINT-END\n10 a(2) = 0\n"
                      "!$AD CHECKPOINT-END",
}


@pytest.mark.parametrize("body", BAD_JUMPS.values(), ids=BAD_JUMPS)
def test_no_jump_crosses_the_border_of_a_part(body: str) -> None:
    with pytest.raises(InputError, match=r"t\.f90:\d+:\d+: error: .*line \d+"):
        flow(body)


def test_a_jump_inside_a_part_is_fine() -> None:
    flow("!$AD CHECKPOINT-START\nif (n > 1) goto 10\na(1) = 0\n10 a(2) = 0\n!$AD CHECKPOINT-END")


@pytest.mark.parametrize("body", ["goto 30", "exit", "cycle", "if (n) 10, 20, 30"])
def test_jumps_to_nowhere(body: str) -> None:
    with pytest.raises(InputError, match=r"t\.f90:4"):
        flow(body)


LOOPS = {
    "nest": "do i = 1, n\n do j = 1, 3\n  a(i) = a(j)\n end do\nend do",
    "exit": "do i = 1, n\n do j = 1, n\n  if (a(j) > 1) exit\n  a(j) = a(i)\n end do\n if (a(i) > 2) exit\nend do",
    "cycle": "outer: do i = 1, n\n do j = 1, n\n  if (a(j) > 1) cycle outer\n end do\nend do outer",
    "jump in": "if (n > 3) goto 10\ndo while (a(1) > 0)\n a(2) = 0\n 10 a(1) = a(2)\nend do",
    "jump out": "do i = 1, n\n do j = 1, n\n  if (a(j) > 1) goto 20\n end do\nend do\n20 a(1) = 0",
    "return": "do i = 1, n\n if (a(i) > 1) return\nend do",
}


@pytest.mark.parametrize("body", LOOPS.values(), ids=LOOPS)
def test_a_loop_knows_the_edges_into_it_and_out_of_it(body: str) -> None:
    graph = flow(body)
    edges = {(source, target) for source, targets in enumerate(graph.succs) for target in targets}
    for loop in graph.loops:
        inside = {node.index for node in graph.nodes if loop.index in node.loops}
        assert sorted(loop.leaving) == sorted((s, t) for s, t in edges if s in inside and t not in inside)
        assert sorted(loop.entering) == sorted((s, t) for s, t in edges if s not in inside and t in inside)
        assert loop.entering
