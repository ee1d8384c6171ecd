"""The claims about the equations: verdicts against truth tables, the formulas against analysis/equations.py."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product

import pytest
from snapset.analysis import equations
from snapset.analysis.equations import Partition, PartSets, SnapshotChoice
from snapset.analysis.proof.prover import Query, holds, refutations
from snapset.analysis.proof.published_formulas import Theory
from snapset.analysis.proof.verify import Verdict, all_claims, verify
from sympy import Symbol
from sympy.logic.boolalg import And, Boolean, Equivalent, Implies, Not, Or, false, true

from tests.support.interface.verdicts import all_verdicts

CLAIMS = {one.id: one for one in all_claims()}
CONTEXTS = list(product((0, 1), repeat=5))  # req, out_c, out_dbar, out_cbar, use_cbar
NAMES = ("req", "out_c", "out_dbar", "out_cbar", "use_cbar")
FOUR = ("sbk", "snp", "req_d", "req_c")
Context = tuple[int, int, int, int, int]


@pytest.fixture(scope="module")
def verdicts() -> dict[str, Verdict]:
    return {one.id: one for one in all_verdicts()}


# ---------------------------------------------------------------- truth tables


def columns(symbols: list[Symbol]) -> dict[Boolean, int]:
    """The column of each symbol in the truth table: an int with a bit for each of its 2**n rows."""
    rows = 1 << len(symbols)
    found = {}
    for place, one in enumerate(symbols):
        period = 1 << place
        column, width = ((1 << period) - 1) << period, 2 * period
        while width < rows:
            column |= column << width
            width *= 2
        found[one] = column
    return found


def evaluated(formula: Boolean, known: Mapping[Boolean, int], every: int) -> int:
    """A formula's column: evaluation row by row, all rows at once."""
    if formula in known:
        return known[formula]
    if formula in (true, false):
        return every if formula == true else 0
    parts = [evaluated(one, known, every) for one in formula.args]
    if isinstance(formula, Not):
        return every ^ parts[0]
    if isinstance(formula, Implies):
        return (every ^ parts[0]) | parts[1]
    if isinstance(formula, Equivalent):
        return every ^ parts[0] ^ parts[1]
    found = parts[0]
    for one in parts[1:]:
        found = found & one if isinstance(formula, And) else found | one
    return found


DEAR = ("dh7-all-complete", "nested-local")  # tables of a million rows


@pytest.mark.parametrize("name", [pytest.param(name, marks=pytest.mark.wide) if name in DEAR else name
                                  for name in sorted(CLAIMS)])
def test_the_prover_agrees_with_the_truth_table(name: str, verdicts: dict[str, Verdict]) -> None:
    query = CLAIMS[name].query(Theory())
    symbols = sorted(And(query.given, Not(query.goal)).free_symbols, key=str)
    known, every = columns(symbols), (1 << (1 << len(symbols))) - 1
    wrong = evaluated(query.given, known, every) & ~evaluated(query.goal, known, every)
    assert verdicts[name].holds == (not wrong)
    spoken = [one for one in query.sets if one in known]
    places = set()
    while wrong:  # one row; then all rows of its place are done
        row = wrong & -wrong
        here = {one: bool(known[one] & row) for one in spoken}
        places.add(frozenset(str(one) for one, held in here.items() if held))
        block = wrong
        for one, held in here.items():
            block &= known[one] if held else every ^ known[one]
        wrong &= ~block
    assert {frozenset(one.inside) for one in verdicts[name].counterexamples} == places


def test_the_truth_table_itself() -> None:
    a, b = Symbol("a"), Symbol("b")
    known = columns([a, b])
    assert (known[a], known[b]) == (0b1010, 0b1100)
    table = {And(a, b): 0b1000, Or(a, b): 0b1110, Not(a): 0b0101, Implies(a, b): 0b1101, Equivalent(a, b): 0b1001}
    assert {one: evaluated(one, known, 15) for one in table} == table


def test_every_smallest_choice_of_a_counterexample_is_told() -> None:
    a, b, c = map(Symbol, "abc")
    query = Query(true, Not(And(a, Or(b, c))), (a,), (b, c))
    assert [(one.inside, one.choice) for one in refutations(query, 9)] == [(("a",), ("b",)), (("a",), ("c",))]
    assert len(refutations(query, 1)) == 1
    assert not holds(query)
    assert holds(Query(a, Or(a, b), (a,)))
    assert refutations(Query(a, Or(a, b), (a,)), 9) == ()


# ---------------------------------------------------------------- the formulas are those of analysis/equations.py


def at(formula: Boolean, **values: int) -> bool:
    """The formula's value for these memberships."""
    return formula.xreplace({Symbol(name): true if held else false for name, held in values.items()}) == true


def sets(context: tuple[int, ...]) -> dict[str, int]:
    return dict(zip(NAMES, context, strict=True))


@pytest.mark.parametrize("context", CONTEXTS)
def test_4_and_5_are_those_of_the_solver(context: Context) -> None:
    t, s = Theory(), PartSets.of(context)
    four, five, equalities = t["4"], t["5"], t.equalities()
    for entry in product((0, 1), repeat=4):
        values = {**sets(context), **dict(zip(FOUR, entry, strict=True))}
        assert at(four, **values) == (not equations.preserves_cbar(s, SnapshotChoice.of(entry)))
        assert at(five, **values) == (not equations.preserves_req(s, SnapshotChoice.of(entry)))
        assert at(equalities, **values) == (entry in equations.valid_at(context))


@pytest.mark.parametrize("context", CONTEXTS)
def test_6_is_that_of_the_solver(context: Context) -> None:
    t, options = Theory(), equations.opt_sets(PartSets.of(context))
    found = [at(t[name], **sets(context)) for name in ("Snp₀", "Opt₁", "Opt₂", "Opt₃")]
    assert found == [bool(one) for one in (options.snp0, options.opt1, options.opt2, options.opt3)]


@pytest.mark.parametrize("context", CONTEXTS)
def test_the_corrected_7_is_that_of_the_solver(context: Context) -> None:
    t, s = Theory(), PartSets.of(context)
    formulas = t.four("trimmed")
    for sides in product((0, 1), repeat=3):
        c = equations.solution(s, Partition.of(sides))
        values = {**sets(context), "p1": sides[0], "p2": sides[1], "p3": sides[2]}
        assert [at(one, **values) for one in formulas] == list(map(bool, (c.sbk, c.snp, c.req_d, c.req_c)))


@pytest.mark.parametrize("context", CONTEXTS)
def test_8_9_and_out_are_those_of_the_solver(context: Context) -> None:
    t, s = Theory(), PartSets.of(context)
    lazy = equations.solution(s, equations.lazy_partition())
    assert [at(one, **sets(context)) for one in t.four("9")] == list(
        map(bool, (lazy.sbk, lazy.snp, lazy.req_d, lazy.req_c)))
    if context[3] <= context[1]:
        eager = equations.solution(s, equations.eager_partition(s))
        assert [at(one, **sets(context)) for one in t.four("8")] == list(
            map(bool, (eager.sbk, eager.snp, eager.req_d, eager.req_c)))
    for use_c, use_dbar, kill_c in product((0, 1), repeat=3):
        values = {**sets(context), "use_c": use_c, "use_dbar": use_dbar, "kill_c": kill_c}
        assert at(t["use"], **values) == bool(equations.use_of_part(use_c | (use_dbar & ~kill_c), s.use_cbar))
    assert at(t["out"], **sets(context)) == bool(equations.out_of_part(s) & ~s.req & 1)


# ---------------------------------------------------------------- verdicts by brute force, by other means


def seven(context: Context, p1: int, p2: int, p3: int) -> tuple[int, int, int, int]:
    """DH (7) as printed, in numbers."""
    o = equations.opt_sets(PartSets.of(context))
    return (o.opt1 & p1) | (o.opt2 & p2), o.snp0 | (o.opt2 & ~p2 & 1) | (o.opt3 & p3), o.opt3 & ~p3 & 1, (
        (o.opt1 & ~p1) | (o.opt2 & ~p2)) & 1


def listed(context: Context) -> set[tuple[int, int, int, int]]:
    return {seven(context, *sides) for sides in product((0, 1), repeat=3)}


def found(verdict: Verdict) -> set[tuple[tuple[int, ...], tuple[int, ...]]]:
    """(context, choice) of every counterexample whose sets are all spoken of."""
    return {(tuple(int(name in one.inside) for name in NAMES), tuple(int(name in one.choice) for name in FOUR))
            for one in verdict.counterexamples}


def test_what_7_misses(verdicts: dict[str, Verdict]) -> None:
    missed = {(c, e) for c in CONTEXTS if c[3] <= c[1] for e in equations.valid_at(c) if e not in listed(c)}
    assert len(missed) == 3
    assert found(verdicts["dh7-complete"]) == missed


def test_where_7_is_not_minimal(verdicts: dict[str, Verdict]) -> None:
    """Where a solution of (7) is not minimal, all choices below it that are."""
    wrong = {(c, e) for c in CONTEXTS for solution in listed(c) for e in equations.valid_at(c)
             if e != solution and all(a <= b for a, b in zip(e, solution, strict=True))}
    assert len({c for c, _ in wrong}) == 2
    assert found(verdicts["dh7-minimal-any"]) == wrong


def out(context: Context, e: tuple[int, int, int, int]) -> int:
    _, out_c, out_dbar, out_cbar, _ = context
    sbk, snp, req_d, req_c = e
    return (((out_c | (out_dbar & ~req_d)) & ~snp) | (out_cbar & ~req_c)) & ~sbk & 1


def test_two_nested_checkpoints_by_brute_force(verdicts: dict[str, Verdict]) -> None:
    """C = U;[C1];D1, all contexts of both, all minimal choices: one out set, one set of valid outer choices."""
    for out_u, kill_u, use_u, *inner in product((0, 1), repeat=7):
        if kill_u > out_u:
            continue
        out_cbars = {}
        for req_c in (0, 1):
            taped = out_u & (req_c | use_u)
            context = ((req_c | use_u) & ~kill_u & 1, *inner)
            seen = {(out(context, e) | out_u) & ~taped for e in equations.valid_at(context)}  # type: ignore[arg-type]
            assert len(seen) == 1
            (out_cbars[req_c],) = seen
        assert out_cbars[1] == 0
        for req, out_c, out_dbar, use_cbar in product((0, 1), repeat=4):
            outer = (req, out_c, out_dbar, out_cbars[0], use_cbar)
            for e in equations.valid_at(outer):
                left = (((out_c | (out_dbar & ~e[2])) & ~e[1]) | out_cbars[e[3]]) & ~e[0] & 1
                assert left == equations.out_of_part(PartSets.of(outer)) & ~req & 1
    assert all(verdicts[name].holds for name in ("nested-keeps", "nested-local", "nested-out"))


def test_two_successive_checkpoints_by_brute_force(verdicts: dict[str, Verdict]) -> None:
    both = set()
    for req1, out_dbar2, out_cbar2 in product((0, 1), repeat=3):
        out_dbar1 = out_cbar2  # v is in use(C̄2), so nothing else of [C2];D2 is left changed
        for first in equations.valid_at((req1, 0, out_dbar1, 0, 1)):
            for second in equations.valid_at((first[2], 1, out_dbar2, out_cbar2, 1)):
                assert second[1]
                if first[1]:
                    both.add((req1, out_dbar2, out_cbar2))
    assert both == {(req1, out_dbar2, 1) for req1 in (0, 1) for out_dbar2 in (0, 1)}
    told = {(int("req1" in one.inside), int("out_dbar2" in one.inside), int("out_cbar2" in one.inside))
            for one in verdicts["successive-last"].counterexamples}
    assert told == both
    assert verdicts["successive-kept"].holds
    assert verdicts["successive-lazy"].holds


# ---------------------------------------------------------------- the record


def test_every_verdict_is_as_recorded(verdicts: dict[str, Verdict]) -> None:
    assert [one.id for one in verdicts.values() if not one.as_recorded] == []
    assert [one.id for one in verdicts.values() if one.holds != (not one.counterexamples)] == []
    assert all(one.complete for one in verdicts.values())


def test_the_verdicts_on_the_paper(verdicts: dict[str, Verdict]) -> None:
    expected = {
        "dh45-inclusions": True, "dh7-valid": True, "dh7-minimal": True, "dh7-minimal-any": False,
        "dh7-complete": False, "dh7-all-complete": True, "dh8-instance": True, "dh9-instance": True,
        "opt1-in-snp0": True, "disjoint": True, "out-same": True, "nested-out": True, "nested-local": True,
        "fixed-points": True, "fixed-sbk": False, "fixed-sbk-all": True,
    }
    assert {name: verdicts[name].holds for name in expected} == expected


def test_where_a_claim_fails_is_told_as_a_formula(verdicts: dict[str, Verdict]) -> None:
    assert verdicts["opt1-in-snp0-any"].where == "Req ∩ out(C̄) ∩ use(C̄) \\ out(C)"
    assert verdicts["dh7-valid"].where is None


def test_one_claim_is_proved_alone_and_an_unknown_one_refused() -> None:
    assert [one.id for one in verify(["dh7-valid"])] == ["dh7-valid"]
    with pytest.raises(ValueError, match="no such claim: dh10"):
        verify(["dh10", "dh7-valid"])
