"""The checkpoint equations against brute force over all 32 contexts and 16 choices."""

from dataclasses import replace
from itertools import product

import pytest
from snapset.analysis.dataflow.bitsets import EVERYTHING
from snapset.analysis.equations import (
    Partition,
    PartSets,
    SnapshotChoice,
    eager_partition,
    is_valid,
    lazy_partition,
    out_of_part,
    solution,
    solve,
    valid_at,
)

CONTEXTS = list(product((0, 1), repeat=5))
PARTITIONS = [Partition.of(p) for p in product((0, 1), repeat=3)]
WITH_KEPT = [Partition.of(p) for p in product((0, 1), repeat=4)]


def sets(context: tuple[int, ...]) -> PartSets:
    return PartSets.of(context)


def entry(choice: SnapshotChoice) -> tuple[int, int, int, int]:
    return choice.sbk, choice.snp, choice.req_d, choice.req_c


@pytest.mark.parametrize("context", CONTEXTS)
@pytest.mark.parametrize("partition", WITH_KEPT)
def test_every_solution_of_7_preserves_the_derivatives(context: tuple[int, ...], partition: Partition) -> None:
    assert is_valid(sets(context), solution(sets(context), partition))


@pytest.mark.parametrize("context", CONTEXTS)
@pytest.mark.parametrize("partition", WITH_KEPT)
def test_every_solution_is_minimal_where_the_part_overwrites_what_its_adjoint_does(
        context: tuple[int, ...], partition: Partition) -> None:
    req, out_c, out_dbar, out_cbar, use_cbar = context
    if out_cbar <= out_c:
        assert entry(solution(sets(context), partition)) in valid_at((req, out_c, out_dbar, out_cbar, use_cbar))


def test_the_choice_7_misses_is_backward_snapshot_alone() -> None:
    missed = {}
    for context in CONTEXTS:
        req, out_c, out_dbar, out_cbar, use_cbar = context
        if out_cbar <= out_c:
            listed = {entry(solution(sets(context), p)) for p in PARTITIONS}
            rest = [e for e in valid_at((req, out_c, out_dbar, out_cbar, use_cbar)) if e not in listed]
            if rest:
                missed[context] = rest
    # v in Req, not in use(C-bar), not in out(C-bar), in out(C) or out(D-bar): equations.md section 3
    assert missed == {c: [(1, 0, 0, 0)] for c in ((1, 0, 1, 0, 0), (1, 1, 0, 0, 0), (1, 1, 1, 0, 0))}


@pytest.mark.parametrize("context", [c for c in CONTEXTS if c[3] <= c[1]])
def test_every_minimal_choice_can_be_asked_for(context: tuple[int, int, int, int, int]) -> None:
    assert {entry(solution(sets(context), p)) for p in WITH_KEPT} == set(valid_at(context))


@pytest.mark.parametrize("context", CONTEXTS)
def test_lazy_is_equation_9(context: tuple[int, ...]) -> None:
    s = sets(context)
    needed = s.req | s.use_cbar
    assert solution(s, lazy_partition()) == SnapshotChoice(
        sbk=0, snp=s.out_c & needed, req_d=s.out_dbar & needed & ~s.out_c, req_c=s.out_cbar & s.req)


@pytest.mark.parametrize("context", [c for c in CONTEXTS if c[3] <= c[1]])
def test_eager_is_equation_8(context: tuple[int, ...]) -> None:
    s = sets(context)
    assert solution(s, eager_partition(s)) == SnapshotChoice(
        sbk=s.req & s.out_cbar,
        snp=(s.out_c & (s.use_cbar | (s.req & ~s.out_cbar))) | (s.out_dbar & s.use_cbar & ~s.req & ~s.out_c),
        req_d=s.out_dbar & s.req & ~s.out_c, req_c=0)


def test_a_trimmed_first_run_is_not_saved_twice() -> None:
    """out(C-bar) without out(C): (7) as printed would put v into Snp as well as Req_C."""
    s = PartSets(req=1, out_c=0, out_dbar=0, out_cbar=1, use_cbar=0)
    assert solution(s, lazy_partition()) == SnapshotChoice(sbk=0, snp=0, req_d=0, req_c=1)
    s = PartSets(req=1, out_c=0, out_dbar=1, out_cbar=1, use_cbar=0)
    assert solution(s, eager_partition(s)) == SnapshotChoice(sbk=1, snp=0, req_d=0, req_c=0)


@pytest.mark.parametrize("context", CONTEXTS)
def test_the_out_set_is_the_same_for_every_choice(context: tuple[int, ...]) -> None:
    s = sets(context)
    for p in PARTITIONS:
        c = solution(s, p)
        downstream = (s.out_c | (s.out_dbar & ~c.req_d)) & ~c.snp
        assert ((downstream | (s.out_cbar & ~c.req_c)) & ~c.sbk & ~s.req
                == out_of_part(s) & ~s.req)


def test_sets_of_names() -> None:
    found = solve(req={"a"}, out_c={"a", "b"}, out_dbar={"nu"}, out_cbar={"a", "b"}, use_cbar={"a", "b", "nu"})
    assert found.snp == {"a", "b"}
    assert found.req_d == {"nu"}
    assert found.req_c == {"a"}
    eager = solve(req={"a"}, out_c={"a", "b"}, out_dbar={"nu"}, out_cbar={"a", "b"}, use_cbar={"a", "b", "nu"},
                  strategy="eager")
    assert eager.sbk == {"a"}
    assert eager.snp == {"a", "b", "nu"}
    assert not eager.req_d | eager.req_c


@pytest.mark.parametrize("number", [1, 2, 3])
def test_a_partition_may_only_name_what_is_optional(number: int) -> None:
    plus: dict[str, set[str]] = {f"plus{number}": {"b"}}
    with pytest.raises(ValueError, match=f"Opt{number} does not hold b"):
        solve(req={"a"}, out_c={"a"}, out_dbar=(), out_cbar={"a"}, use_cbar={"a", "b"}, strategy="partition", **plus)


@pytest.mark.parametrize("context", CONTEXTS)
@pytest.mark.parametrize("partition", WITH_KEPT)
def test_what_no_adjoint_code_could_tape_is_never_left_to_the_part(context: tuple[int, ...],
                                                                   partition: Partition) -> None:
    """Valid, nothing in Req_C, and as small as what is valid so."""
    bare = sets(context)
    found = entry(solution(replace(bare, untaped=EVERYTHING), partition))
    assert is_valid(bare, SnapshotChoice.of(found))
    assert found[3] == 0
    if context[3] <= context[1]:
        others = [e for e in product((0, 1), repeat=4) if not e[3] and is_valid(bare, SnapshotChoice.of(e))]
        assert not [e for e in others if e != found and all(a <= b for a, b in zip(e, found, strict=True))]
