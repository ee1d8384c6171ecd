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

Context = tuple[int, int, int, int, int]
CONTEXTS: list[Context] = list(product((0, 1), repeat=5))  # type: ignore[arg-type]
COVERED = [context for context in CONTEXTS if context[3] <= context[1]]  # the part overwrites what its adjoint does
PARTITIONS = [Partition.of(p) for p in product((0, 1), repeat=3)]
WITH_KEPT = [Partition.of(p) for p in product((0, 1), repeat=4)]


def sets(context: tuple[int, ...]) -> PartSets:
    return PartSets.of(context)


def entry(choice: SnapshotChoice) -> tuple[int, int, int, int]:
    return choice.sbk, choice.snp, choice.req_d, choice.req_c


def test_every_solution_of_7_preserves_the_derivatives() -> None:
    for context, partition in product(CONTEXTS, WITH_KEPT):
        assert is_valid(sets(context), solution(sets(context), partition)), (context, partition)


def test_every_solution_is_minimal_where_the_part_overwrites_what_its_adjoint_does() -> None:
    for context, partition in product(COVERED, WITH_KEPT):
        assert entry(solution(sets(context), partition)) in valid_at(context), (context, partition)


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


def test_every_minimal_choice_can_be_asked_for() -> None:
    for context in COVERED:
        assert {entry(solution(sets(context), p)) for p in WITH_KEPT} == set(valid_at(context)), context


def test_lazy_is_equation_9() -> None:
    for context in CONTEXTS:
        s = sets(context)
        needed = s.req | s.use_cbar
        assert solution(s, lazy_partition()) == SnapshotChoice(
            sbk=0, snp=s.out_c & needed, req_d=s.out_dbar & needed & ~s.out_c, req_c=s.out_cbar & s.req), context


def test_eager_is_equation_8() -> None:
    for context in COVERED:
        s = sets(context)
        assert solution(s, eager_partition(s)) == SnapshotChoice(
            sbk=s.req & s.out_cbar,
            snp=(s.out_c & (s.use_cbar | (s.req & ~s.out_cbar))) | (s.out_dbar & s.use_cbar & ~s.req & ~s.out_c),
            req_d=s.out_dbar & s.req & ~s.out_c, req_c=0), context


def test_a_trimmed_first_run_is_not_saved_twice() -> None:
    """out(C-bar) without out(C): (7) as printed would put v into Snp as well as Req_C."""
    s = PartSets(req=1, out_c=0, out_dbar=0, out_cbar=1, use_cbar=0)
    assert solution(s, lazy_partition()) == SnapshotChoice(sbk=0, snp=0, req_d=0, req_c=1)
    s = PartSets(req=1, out_c=0, out_dbar=1, out_cbar=1, use_cbar=0)
    assert solution(s, eager_partition(s)) == SnapshotChoice(sbk=1, snp=0, req_d=0, req_c=0)


def test_the_out_set_is_the_same_for_every_choice() -> None:
    for context, p in product(CONTEXTS, PARTITIONS):
        s = sets(context)
        c = solution(s, p)
        downstream = (s.out_c | (s.out_dbar & ~c.req_d)) & ~c.snp
        assert ((downstream | (s.out_cbar & ~c.req_c)) & ~c.sbk & ~s.req
                == out_of_part(s) & ~s.req), (context, p)


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


def test_what_no_adjoint_code_could_tape_is_never_left_to_the_part() -> None:
    """Valid, nothing in Req_C, and as small as what is valid so."""
    for context, partition in product(CONTEXTS, WITH_KEPT):
        bare = sets(context)
        found = entry(solution(replace(bare, untaped=EVERYTHING), partition))
        assert is_valid(bare, SnapshotChoice.of(found)), (context, partition)
        assert found[3] == 0, (context, partition)
        if context in COVERED:
            others = [e for e in product((0, 1), repeat=4) if not e[3] and is_valid(bare, SnapshotChoice.of(e))]
            smaller = [e for e in others if e != found and all(a <= b for a, b in zip(e, found, strict=True))]
            assert not smaller, (context, partition)
