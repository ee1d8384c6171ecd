"""The claims about the solutions (6) to (9), (7) as corrected, and what encloses a checkpoint sees."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from snapset.analysis.proof.claims import ANY, TAME, Claim, claim, conditions, fixed_points, smaller_valid
from snapset.analysis.proof.prover import Choice, Query, below, exists, put, same
from snapset.analysis.proof.published_formulas import OTHER, SETS, SIDES, UNKNOWNS, Theory
from snapset.analysis.proof.set_notation import read, symbol
from sympy import Symbol
from sympy.logic.boolalg import And, Boolean, Equivalent, Implies, Not, Or, false

P0 = symbol("P₀")


def one_checkpoint() -> tuple[Claim, ...]:
    """Every claim about a single checkpoint, in the paper's order."""
    return (*conditions(), *fixed_points(), *_solutions(), *_trimmed(), *_strategies(), *_out_sets())


# ---------------------------------------------------------------- (6) and (7)


def _solutions() -> tuple[Claim, ...]:
    return (
        claim("opt1-in-snp0", "Opt₁ ⊆ Snp₀.", lambda t: read("Opt₁ ⊆ Snp₀", t.meaning), hypothesis=TAME),
        claim("opt1-in-snp0-any", "Opt₁ ⊆ Snp₀.", lambda t: read("Opt₁ ⊆ Snp₀", t.meaning), holds=False),
        claim("disjoint", "Snp₀, Opt₂ and Opt₃ are disjoint.", _disjoint, hypothesis=TAME),
        claim("disjoint-any", "Snp₀, Opt₂ and Opt₃ are disjoint.", _disjoint, holds=False),
        claim("dh7-valid", "Every solution of (7) is valid.", lambda t: t.valid(t.four("7"))),
        *_minimal("dh7", "7", any_holds=False),
        *_complete("dh7", "7", lambda t: t.four("7")),
        claim("dh7-misses", "The minimal valid choices that (7) misses are Sbk alone, for every location of Opt₀ = "
              "Req ∩ (out(C) ∪ out(D̄)) \\ use(C̄) \\ out(C̄), and no others.", _missed, hypothesis=TAME,
              choice=UNKNOWNS),
        *_completed("dh7-all", "7", "(7) together with Sbk alone for any subset of Opt₀", TAME),
        claim("dh7-distinct", "Different partitions give different solutions of (7).", _distinct, hypothesis=TAME),
        claim("dh7-empty", "Some solution of (7) has Req_D and Req_C empty.",
              lambda t: exists(SIDES, And(*map(Not, t.four("7")[2:])))),
        claim("dh7-stored-once", "No solution of (7) has a location in both Sbk and Snp.",
              lambda t: Not(And(*t.four("7")[:2])), holds=False, hypothesis=TAME),
        claim("dh7-stored-opt1", "Only locations of Opt₁⁺ are in both Sbk and Snp of (7).",
              lambda t: Implies(And(*t.four("7")[:2]), t["Opt₁⁺"]), hypothesis=TAME),
    )


def _disjoint(t: Theory) -> Boolean:
    snp0, opt2, opt3 = t["Snp₀"], t["Opt₂"], t["Opt₃"]
    return And(Not(And(snp0, opt2)), Not(And(snp0, opt3)), Not(And(opt2, opt3)))


def _minimal(id_: str, number: str, *, any_holds: bool) -> tuple[Claim, ...]:
    statement = f"No valid choice is smaller than {'a solution of (7)' if number == '7' else f'({number})'}."

    def goal(t: Theory) -> Boolean:
        return Not(smaller_valid(t, t.four(number)))

    wide = claim(f"{id_}-minimal-any", statement, goal, holds=any_holds, choice=OTHER)
    return (claim(f"{id_}-minimal", statement, goal, hypothesis=TAME, choice=OTHER), wide)


def _complete(id_: str, number: str, four: Callable[[Theory], Choice]) -> tuple[Claim, ...]:
    statement = f"Every valid choice is equal to or larger than a solution of {_named(number)}."

    def goal(t: Theory) -> Boolean:
        return exists(SIDES, below(four(t), UNKNOWNS))

    return (
        claim(f"{id_}-complete", statement, goal, holds=False, hypothesis=TAME, given=Theory.valid, choice=UNKNOWNS),
        claim(f"{id_}-complete-any", statement, goal, holds=False, given=Theory.valid, choice=UNKNOWNS),
    )


def _completed(id_: str, number: str, what: str, hypothesis: str) -> tuple[Claim, ...]:
    def complete(t: Theory) -> Boolean:
        return exists((*SIDES, P0), below(t.completed(number), UNKNOWNS))

    return (
        claim(f"{id_}-valid", f"Every choice in {what} is valid.", lambda t: t.valid(t.completed(number)),
              hypothesis=hypothesis),
        claim(f"{id_}-minimal", f"No valid choice is smaller than one in {what}.",
              lambda t: Not(smaller_valid(t, t.completed(number))), hypothesis=hypothesis, choice=OTHER),
        claim(f"{id_}-complete", f"Every valid choice is equal to or larger than one in {what}.", complete,
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
        claim("our7-is-7", f"{text}. It is (7).", lambda t: same(t.four("trimmed"), t.four("7")), hypothesis=TAME),
        claim("our7-valid", "Every solution of (7) as corrected is valid.", lambda t: t.valid(t.four("trimmed"))),
        claim("our7-minimal", "No valid choice is smaller than a solution of (7) as corrected.",
              lambda t: Not(smaller_valid(t, t.four("trimmed"))), choice=OTHER),
        replace(_complete("our7", "trimmed", lambda t: t.four("trimmed"))[1], id="our7-complete"),
        *_completed("our7-all", "trimmed", "(7) as corrected together with Sbk alone for any subset of Opt₀",
                    ANY),
    )


# ---------------------------------------------------------------- eager and lazy


def _strategies() -> tuple[Claim, ...]:
    return (
        claim("dh8-partition", "The two sides of Opt₃ called eager are a partition of it.",
              lambda t: And(Equivalent(t["Opt₃"], Or(t["8 Opt₃⁺"], t["8 Opt₃⁻"])),
                             Not(And(t["8 Opt₃⁺"], t["8 Opt₃⁻"])))),
        claim("dh8-instance", "(8) is (7) for the partition called eager.",
              lambda t: same(t.four("8"), _at(t, "7", [t[f"8 Opt{n}⁺"] for n in "₁₂₃"]))),
        *_minimal("dh8", "8", any_holds=False),
        claim("dh9-instance", "(9) is (7) with empty plus sides.",
              lambda t: same(t.four("9"), _at(t, "7", [false] * 3)), hypothesis=TAME),
        claim("dh9-instance-any", "(9) is (7) with empty plus sides.",
              lambda t: same(t.four("9"), _at(t, "7", [false] * 3)), holds=False),
        claim("our7-is-9", "(9) is (7) as corrected with empty plus sides.",
              lambda t: same(t.four("9"), _at(t, "trimmed", [false] * 3))),
        claim("dh9-minimal-any", "No valid choice is smaller than (9).",
              lambda t: Not(smaller_valid(t, t.four("9"))), choice=OTHER),
        claim("dh9-requires-most", "No minimal valid choice has a larger Req_D or Req_C than (9).",
              lambda t: below(UNKNOWNS[2:], t.four("9")[2:]), given=Theory.equalities, choice=UNKNOWNS),
        _grows("dh8-grows", "(8)", "8"),
        _grows("dh9-grows", "(9)", "9"),
        _grows("our7-grows", "a solution of (7) as corrected, its partition kept,", "trimmed"),
    )


def _grows(id_: str, what: str, number: str) -> Claim:
    """Req meets Req_D again in loops: a fixed point is sure to exist, and to be found, only if this holds."""
    more = symbol("Req′")

    def goal(t: Theory) -> Boolean:
        four = t.four(number)[2:]
        return below(four, [put(one, {symbol("Req"): more}) for one in four])

    return claim(id_, f"Req_D and Req_C of {what} grow with Req.", goal,
                 given=lambda t: Implies(symbol("Req"), more))


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
        claim("out-same-7", f"For every solution of (7), {same_out}.", out_of_7),
        claim("out-same", f"For every minimal valid choice, {same_out}.", out, given=Theory.equalities,
              choice=UNKNOWNS),
        claim("out-same-valid", f"For every valid choice, {same_out}.", out, holds=False, given=Theory.valid,
              choice=UNKNOWNS),
    )
