"""What a claim is; the claims about (1) to (5) and about fixed points, with their verdicts as recorded."""

from __future__ import annotations

from collections.abc import Callable

from snapset.analysis.proof.prover import Choice, Query, below, exists, put, same
from snapset.analysis.proof.published_formulas import OTHER, SETS, UNKNOWNS, Theory
from snapset.analysis.proof.set_notation import read, symbol
from snapset.frontend.base.frozen_records import frozen
from sympy import Symbol
from sympy.logic.boolalg import And, Boolean, Equivalent, Implies, Not, Or, true

TAME = "out(C̄) ⊆ out(C)"
"""Holds where C's first run is C itself. A first run trimmed by adjoint liveness may break it."""

ANY = "any five sets"


@frozen
class Claim:
    """``statement`` under ``hypothesis``; ``holds`` is the recorded verdict, ``query`` the same in logic."""

    id: str
    statement: str
    hypothesis: str
    holds: bool
    query: Callable[[Theory], Query]


def claim(id_: str, statement: str, goal: Callable[[Theory], Boolean], *, holds: bool = True, hypothesis: str = ANY,
          given: Callable[[Theory], Boolean] = lambda t: true, choice: tuple[Symbol, ...] = ()) -> Claim:
    """``hypothesis`` is a relation between sets, or prose whose formula is ``given``."""
    related = read(hypothesis) if "⊆" in hypothesis else true

    def query(theory: Theory) -> Query:
        return Query(And(related, given(theory)), goal(theory), SETS, choice)

    return Claim(id_, statement, hypothesis, holds, query)


# ---------------------------------------------------------------- (1) to (5) and the inclusions


def conditions() -> tuple[Claim, ...]:
    """(1) to (5), the inclusions and equalities."""
    return (
        claim("dh2-is-4", "The code (1) up to POP(Snp) and the rules for out turn (2) into (4).",
              lambda t: Equivalent(Not(And(t.left_changed("2"), symbol("use(C̄)"))), t["4"])),
        claim("dh3-is-5", "The whole code (1) and the rules for out turn (3) into (5).",
              lambda t: Equivalent(Not(And(t.left_changed("1"), symbol("Req"))), t["5"])),
        claim("dh45-inclusions", "(4) and (5) hold exactly when the four inclusions hold.",
              lambda t: Equivalent(t.valid(), below(t.four("at least"), UNKNOWNS)), choice=UNKNOWNS),
        claim("valid-grows", "A valid choice stays valid when its sets grow.",
              lambda t: t.valid(OTHER), given=lambda t: And(t.valid(), below(UNKNOWNS, OTHER)), choice=OTHER),
        claim("equalities-minimal", "The solutions of the four equalities are exactly the minimal valid choices.",
              lambda t: Equivalent(t.equalities(), And(t.valid(), Not(exists(OTHER, smaller_valid(t, UNKNOWNS))))),
              choice=UNKNOWNS),
    )


def smaller_valid(t: Theory, choice: Choice) -> Boolean:
    """OTHER is a valid choice, smaller than ``choice``."""
    return And(t.valid(OTHER), below(OTHER, choice), Not(same(OTHER, choice)))


# ---------------------------------------------------------------- X = A ∪ (X ∩ B)


def fixed_points() -> tuple[Claim, ...]:
    """X = A ∪ (X ∩ B), and which values the unknowns really take."""
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

    return claim("inlined-sbk", "With the equalities for Snp and Req_C inlined, that for Sbk reads X = X ∩ B, "
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
    return claim(id_, f"In the solutions of the equalities, {unknown} is {plus}, and nothing else.", goal,
                 holds=holds, hypothesis=TAME, choice=UNKNOWNS)
