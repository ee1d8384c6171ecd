"""The claims about one checkpoint, each with its verdict as recorded. Two checkpoints: :mod:`.nested`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from snapset.analysis.proof.notation import read, symbol
from snapset.analysis.proof.prover import Choice, Query, below, exists, put, same
from snapset.analysis.proof.theory import OTHER, SETS, SIDES, UNKNOWNS, Theory
from sympy import Symbol
from sympy.logic.boolalg import And, Boolean, Equivalent, Implies, Not, Or, false, true

TAME = "out(C̄) ⊆ out(C)"
"""Holds where C's first run is C itself. A first run trimmed by adjoint liveness may break it."""

P0 = symbol("P₀")
ANY = "any five sets"


@dataclass(frozen=True, slots=True)
class Claim:
    """``statement`` under ``hypothesis``; ``holds`` is the recorded verdict, ``query`` the same in logic."""

    id: str
    statement: str
    hypothesis: str
    holds: bool
    query: Callable[[Theory], Query]


def one_checkpoint() -> tuple[Claim, ...]:
    """Every claim about a single checkpoint, in the paper's order."""
    return (*_conditions(), *_fixed_points(), *_solutions(), *_trimmed(), *_strategies(), *_out_sets())


def _claim(id_: str, statement: str, goal: Callable[[Theory], Boolean], *, holds: bool = True, hypothesis: str = ANY,
           given: Callable[[Theory], Boolean] = lambda t: true, choice: tuple[Symbol, ...] = ()) -> Claim:
    """``hypothesis`` is a relation between sets, or prose whose formula is ``given``."""
    related = read(hypothesis) if "⊆" in hypothesis else true

    def query(theory: Theory) -> Query:
        return Query(And(related, given(theory)), goal(theory), SETS, choice)

    return Claim(id_, statement, hypothesis, holds, query)


# ---------------------------------------------------------------- (1) to (5) and the inclusions


def _conditions() -> tuple[Claim, ...]:
    return (
        _claim("dh2-is-4", "The code (1) up to POP(Snp) and the rules for out turn (2) into (4).",
               lambda t: Equivalent(Not(And(t.left_changed("2"), symbol("use(C̄)"))), t["4"])),
        _claim("dh3-is-5", "The whole code (1) and the rules for out turn (3) into (5).",
               lambda t: Equivalent(Not(And(t.left_changed("1"), symbol("Req"))), t["5"])),
        _claim("dh45-inclusions", "(4) and (5) hold exactly when the four inclusions hold.",
               lambda t: Equivalent(t.valid(), below(t.four("at least"), UNKNOWNS)), choice=UNKNOWNS),
        _claim("valid-grows", "A valid choice stays valid when its sets grow.",
               lambda t: t.valid(OTHER), given=lambda t: And(t.valid(), below(UNKNOWNS, OTHER)), choice=OTHER),
        _claim("equalities-minimal", "The solutions of the four equalities are exactly the minimal valid choices.",
               lambda t: Equivalent(t.equalities(), And(t.valid(), Not(exists(OTHER, _smaller_valid(t, UNKNOWNS))))),
               choice=UNKNOWNS),
    )


def _smaller_valid(t: Theory, choice: Choice) -> Boolean:
    """OTHER is a valid choice, smaller than ``choice``."""
    return And(t.valid(OTHER), below(OTHER, choice), Not(same(OTHER, choice)))


# ---------------------------------------------------------------- X = A ∪ (X ∩ B)


def _fixed_points() -> tuple[Claim, ...]:
    x, some = symbol("X"), symbol("S")
    equation = read("X = A ∪ (X ∩ B)")
    letters = (symbol("A"), symbol("B"))

    def fixed(id_: str, statement: str, goal: Boolean) -> Claim:
        return Claim(id_, statement, "any sets A, B, X", True, lambda t: Query(true, goal, letters, (x,)))

    return (
        fixed("fixed-points", "The solutions of X = A ∪ (X ∩ B) are exactly the X with A ⊆ X ⊆ A ∪ B.",
              Equivalent(equation, And(read("A ⊆ X"), read("X ⊆ A ∪ B")))),
        fixed("fixed-points-plus", "X = A ∪ (X ∩ B) exactly when X is A plus some subset of B.",
              Equivalent(equation, exists([some], And(read("S ⊆ B"), read("X = A ∪ S"))))),
        _inlined(),
        _range("fixed-sbk", "Sbk", "∅", "Opt₁ ∪ Opt₂", holds=False),
        _range("fixed-snp", "Snp", "Snp₀", "Opt₂ ∪ Opt₃", holds=False),
        _range("fixed-req-d", "Req_D", "∅", "Opt₃"),
        _range("fixed-req-c", "Req_C", "∅", "Opt₁ ∪ Opt₂"),
        _range("fixed-sbk-all", "Sbk", "∅", "Opt₁ ∪ Opt₂ ∪ Opt₀"),
        _range("fixed-snp-all", "Snp", "Snp₀ \\ Opt₀", "Opt₂ ∪ Opt₃ ∪ (Opt₀ ∩ out(C))"),
    )


def _inlined() -> Claim:
    sbk, snp, _, req_c = UNKNOWNS
    text = "Req ∩ (out(C̄) ∪ ((out(C) ∪ (out(D̄) \\ Req_D)) \\ use(C̄)))"

    def goal(t: Theory) -> Boolean:
        equation = put(t["at least Sbk"], {snp: t["at least Snp"], req_c: t["at least Req_C"]})
        return Equivalent(equation, And(sbk, read(text)))

    return _claim("inlined-sbk", "With the equalities for Snp and Req_C inlined, that for Sbk reads X = X ∩ B, "
                  f"B = {text}.", goal, choice=(sbk,))


def _range(id_: str, unknown: str, lower: str, free: str, *, holds: bool = True) -> Claim:
    """Which values one unknown takes in the solutions of the equalities, the others being eliminated."""
    wanted = symbol(unknown)
    others = [one for one in UNKNOWNS if one != wanted]

    def goal(t: Theory) -> Boolean:
        a, b = (read(text, t.meaning) for text in (lower, free))
        within = And(Implies(a, wanted), Implies(wanted, Or(a, b)))
        return And(Implies(t.equalities(), within), Implies(within, exists(others, t.equalities())))

    plus = f"any subset of {free}" if lower == "∅" else f"{lower} plus any subset of {free}"
    return _claim(id_, f"In the solutions of the equalities, {unknown} is {plus}, and nothing else.", goal,
                  holds=holds, hypothesis=TAME, choice=UNKNOWNS)


# ---------------------------------------------------------------- (6) and (7)


def _solutions() -> tuple[Claim, ...]:
    return (
        _claim("opt1-in-snp0", "Opt₁ ⊆ Snp₀.", lambda t: read("Opt₁ ⊆ Snp₀", t.meaning), hypothesis=TAME),
        _claim("opt1-in-snp0-any", "Opt₁ ⊆ Snp₀.", lambda t: read("Opt₁ ⊆ Snp₀", t.meaning), holds=False),
        _claim("disjoint", "Snp₀, Opt₂ and Opt₃ are disjoint.", _disjoint, hypothesis=TAME),
        _claim("disjoint-any", "Snp₀, Opt₂ and Opt₃ are disjoint.", _disjoint, holds=False),
        _claim("dh7-valid", "Every solution of (7) is valid.", lambda t: t.valid(t.four("7"))),
        *_minimal("dh7", "7", any_holds=False),
        *_complete("dh7", "7", lambda t: t.four("7")),
        _claim("dh7-misses", "The minimal valid choices that (7) misses are Sbk alone, for every location of Opt₀ = "
               "Req ∩ (out(C) ∪ out(D̄)) \\ use(C̄) \\ out(C̄), and no others.", _missed, hypothesis=TAME,
               choice=UNKNOWNS),
        *_completed("dh7-all", "7", "(7) together with Sbk alone for any subset of Opt₀", TAME),
        _claim("dh7-distinct", "Different partitions give different solutions of (7).", _distinct, hypothesis=TAME),
        _claim("dh7-empty", "Some solution of (7) has Req_D and Req_C empty.",
               lambda t: exists(SIDES, And(*map(Not, t.four("7")[2:])))),
        _claim("dh7-stored-once", "No solution of (7) has a location in both Sbk and Snp.",
               lambda t: Not(And(*t.four("7")[:2])), holds=False, hypothesis=TAME),
        _claim("dh7-stored-opt1", "Only locations of Opt₁⁺ are in both Sbk and Snp of (7).",
               lambda t: Implies(And(*t.four("7")[:2]), t["Opt₁⁺"]), hypothesis=TAME),
    )


def _disjoint(t: Theory) -> Boolean:
    snp0, opt2, opt3 = t["Snp₀"], t["Opt₂"], t["Opt₃"]
    return And(Not(And(snp0, opt2)), Not(And(snp0, opt3)), Not(And(opt2, opt3)))


def _minimal(id_: str, number: str, *, any_holds: bool) -> tuple[Claim, ...]:
    statement = f"No valid choice is smaller than {'a solution of (7)' if number == '7' else f'({number})'}."

    def goal(t: Theory) -> Boolean:
        return Not(_smaller_valid(t, t.four(number)))

    wide = _claim(f"{id_}-minimal-any", statement, goal, holds=any_holds, choice=OTHER)
    return (_claim(f"{id_}-minimal", statement, goal, hypothesis=TAME, choice=OTHER), wide)


def _complete(id_: str, number: str, four: Callable[[Theory], Choice]) -> tuple[Claim, ...]:
    statement = f"Every valid choice is equal to or larger than a solution of {_named(number)}."

    def goal(t: Theory) -> Boolean:
        return exists(SIDES, below(four(t), UNKNOWNS))

    return (
        _claim(f"{id_}-complete", statement, goal, holds=False, hypothesis=TAME, given=Theory.valid, choice=UNKNOWNS),
        _claim(f"{id_}-complete-any", statement, goal, holds=False, given=Theory.valid, choice=UNKNOWNS),
    )


def _completed(id_: str, number: str, what: str, hypothesis: str) -> tuple[Claim, ...]:
    def complete(t: Theory) -> Boolean:
        return exists((*SIDES, P0), below(t.completed(number), UNKNOWNS))

    return (
        _claim(f"{id_}-valid", f"Every choice in {what} is valid.", lambda t: t.valid(t.completed(number)),
               hypothesis=hypothesis),
        _claim(f"{id_}-minimal", f"No valid choice is smaller than one in {what}.",
               lambda t: Not(_smaller_valid(t, t.completed(number))), hypothesis=hypothesis, choice=OTHER),
        _claim(f"{id_}-complete", f"Every valid choice is equal to or larger than one in {what}.", complete,
               hypothesis=hypothesis, given=Theory.valid, choice=UNKNOWNS),
    )


def _named(number: str) -> str:
    return {"trimmed": "(7) as corrected"}.get(number, f"({number})")


def _missed(t: Theory) -> Boolean:
    sbk, *others = UNKNOWNS
    listed = exists(SIDES, same(t.four("7"), UNKNOWNS))
    alone = And(t["Opt₀"], sbk, *map(Not, others))
    return Equivalent(And(t.equalities(), Not(listed)), alone)


def _distinct(t: Theory) -> Boolean:
    """Two partitions that are the same four sets have the same plus sides."""
    other = {side: Symbol(side.name + "'") for side in SIDES}
    four = t.four("7")
    sides = [t[name] for name in ("Opt₁⁺", "Opt₂⁺", "Opt₃⁺")]
    return Implies(same(four, [put(one, other) for one in four]), same(sides, [put(one, other) for one in sides]))


# ---------------------------------------------------------------- (7) where the first run is trimmed


def _trimmed() -> tuple[Claim, ...]:
    text = "(7) as corrected: Opt₂⁻ meets out(C) in Snp, Opt₃ loses Opt₂⁺"
    return (
        _claim("our7-is-7", f"{text}. It is (7).", lambda t: same(t.four("trimmed"), t.four("7")), hypothesis=TAME),
        _claim("our7-valid", "Every solution of (7) as corrected is valid.", lambda t: t.valid(t.four("trimmed"))),
        _claim("our7-minimal", "No valid choice is smaller than a solution of (7) as corrected.",
               lambda t: Not(_smaller_valid(t, t.four("trimmed"))), choice=OTHER),
        replace(_complete("our7", "trimmed", lambda t: t.four("trimmed"))[1], id="our7-complete"),
        *_completed("our7-all", "trimmed", "(7) as corrected together with Sbk alone for any subset of Opt₀",
                    ANY),
    )


# ---------------------------------------------------------------- eager and lazy


def _strategies() -> tuple[Claim, ...]:
    return (
        _claim("dh8-partition", "The two sides of Opt₃ called eager are a partition of it.",
               lambda t: And(Equivalent(t["Opt₃"], Or(t["8 Opt₃⁺"], t["8 Opt₃⁻"])),
                             Not(And(t["8 Opt₃⁺"], t["8 Opt₃⁻"])))),
        _claim("dh8-instance", "(8) is (7) for the partition called eager.",
               lambda t: same(t.four("8"), _at(t, "7", [t[f"8 Opt{n}⁺"] for n in "₁₂₃"]))),
        *_minimal("dh8", "8", any_holds=False),
        _claim("dh9-instance", "(9) is (7) with empty plus sides.",
               lambda t: same(t.four("9"), _at(t, "7", [false] * 3)), hypothesis=TAME),
        _claim("dh9-instance-any", "(9) is (7) with empty plus sides.",
               lambda t: same(t.four("9"), _at(t, "7", [false] * 3)), holds=False),
        _claim("our7-is-9", "(9) is (7) as corrected with empty plus sides.",
               lambda t: same(t.four("9"), _at(t, "trimmed", [false] * 3))),
        _claim("dh9-minimal-any", "No valid choice is smaller than (9).",
               lambda t: Not(_smaller_valid(t, t.four("9"))), choice=OTHER),
    )


def _at(t: Theory, number: str, plus: list[Boolean]) -> Choice:
    """The solution for these plus sides."""
    return tuple(put(one, dict(zip(SIDES, plus, strict=True))) for one in t.four(number))


# ---------------------------------------------------------------- what encloses the checkpoint sees


def _out_sets() -> tuple[Claim, ...]:
    same_out = "out(Req ⊢ [C];D) = (out(C̄) ∪ ((out(D̄) ∪ out(C)) \\ use(C̄))) \\ Req"

    def out(t: Theory) -> Boolean:
        return Equivalent(t.left_changed("1"), t["out"])

    def out_of_7(t: Theory) -> Boolean:
        return put(out(t), dict(zip(UNKNOWNS, t.four("7"), strict=True)))

    def use(t: Theory) -> Query:
        kept = And(t.valid(), read("kill(C) ⊆ out(C)"))
        return Query(kept, Equivalent(t.entry_read("1"), t["use"]), (*SETS, *more), UNKNOWNS)

    more = tuple(map(symbol, ("use(C)", "use(D̄)", "kill(C)")))
    return (
        Claim("use-same", "For every valid choice, use(Req ⊢ [C];D) = use(C) ∪ (use(D̄) \\ kill(C)) ∪ use(C̄).",
              "kill(C) ⊆ out(C)", True, use),
        _claim("out-same-7", f"For every solution of (7), {same_out}.", out_of_7),
        _claim("out-same", f"For every minimal valid choice, {same_out}.", out, given=Theory.equalities,
               choice=UNKNOWNS),
        _claim("out-same-valid", f"For every valid choice, {same_out}.", out, holds=False, given=Theory.valid,
               choice=UNKNOWNS),
    )
