"""The claims about two checkpoints, one in the other or one after the other, and about whole programs.

Sets of the inner (or first) checkpoint carry a 1, those of the second a 2.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from snapset.analysis.proof.claims import Claim
from snapset.analysis.proof.prover import Query, put
from snapset.analysis.proof.published_formulas import SETS, UNKNOWNS, Theory
from snapset.analysis.proof.set_notation import read, symbol
from sympy import Symbol
from sympy.logic.boolalg import And, Boolean, Equivalent, Implies, Not, false

REQ, OUT_C, OUT_DBAR, OUT_CBAR, USE_CBAR = SETS
REQ_C = symbol("Req_C")
OUT_U, KILL_U, USE_UBAR, OUT_XBAR = map(symbol, ("out(U)", "kill(U)", "use(Ū)", "out(X̄)"))


def two_checkpoints() -> tuple[Claim, ...]:
    """Nested checkpoints, the hypothesis out(C̄) ⊆ out(C) for whole programs, checkpoints one after the other."""
    return (*_nested(), *_tame(), *_successive())


def level(number: str, formula: Boolean, values: Mapping[Symbol, Boolean]) -> Boolean:
    """The formula about checkpoint ``number``: its symbols carry the number, ``values`` replace some of them."""
    own = {one: values.get(one, Symbol(one.name + number)) for one in formula.free_symbols}
    return put(formula, own)


def _levels(number: str, symbols: tuple[Symbol, ...]) -> tuple[Symbol, ...]:
    return tuple(Symbol(one.name + number) for one in symbols)


# ---------------------------------------------------------------- C = U;[C₁];D₁


def _nested() -> tuple[Claim, ...]:
    every = "C = U;[C₁];D₁, U a statement; minimal valid choices"
    sets = (*SETS, OUT_U, KILL_U, USE_UBAR, *_levels("1", SETS))
    choice = (*UNKNOWNS, *_levels("1", UNKNOWNS))

    def claim(id_: str, statement: str, given: Callable[[Theory], Boolean], goal: Callable[[Theory], Boolean]) -> Claim:
        return Claim(id_, statement, every, True,
                     lambda t: Query(And(read("kill(U) ⊆ out(U)"), given(t)), goal(t), sets, choice))

    def twice_inside(t: Theory) -> Boolean:
        return And(_inner_minimal(t, "1"), _inner_minimal(t, "1'"), _same_sets("1", "1'"))

    def outer_minimal(t: Theory) -> Boolean:
        return And(_inner_minimal(t, "1"), put(t.equalities(), {OUT_CBAR: _seen(t)}))

    return (
        claim("nested-keeps", "out(Req_C ⊢ C̄) = out(C̄) \\ Req_C also where C holds a checkpoint.",
              lambda t: _inner_minimal(t, "1"),
              lambda t: Equivalent(_under_req_c(t, "1"), And(_seen(t), Not(REQ_C)))),
        claim("nested-local", "Which choices are valid for C does not depend on the choice made for C₁.", twice_inside,
              lambda t: Equivalent(_outer_valid(t, "1"), _outer_valid(t, "1'"))),
        claim("nested-out", "out(Req ⊢ [C];D) = (out(C̄) ∪ ((out(D̄) ∪ out(C)) \\ use(C̄))) \\ Req, for every choice for "
              "C and for C₁.", outer_minimal,
              lambda t: Equivalent(put(t.left_changed("1"), {OUT_CBAR: _under_req_c(t, "1")}),
                                   put(t["out"], {OUT_CBAR: _seen(t)}))),
    )


def _inner_req(t: Theory, req: Boolean) -> Boolean:
    return put(t["plain Req"], {REQ: req})


def _inner_minimal(t: Theory, number: str) -> Boolean:
    """The inner choice is minimal for what C₁ is required to keep once the outer choice is made."""
    return level(number, t.equalities(), {REQ: _inner_req(t, REQ_C)})


def _under_req_c(t: Theory, number: str) -> Boolean:
    """out(Req_C ⊢ C̄), the inner checkpoint's code written out."""
    inner = level(number, t.left_changed("1"), {REQ: _inner_req(t, REQ_C)})
    return put(t["plain out"], {OUT_XBAR: inner, REQ: REQ_C})


def _seen(t: Theory) -> Boolean:
    """out(C̄) as the paper has it, without a look at the inner choice."""
    inner = level("1", t["out"], {REQ: _inner_req(t, false)})
    return put(t["plain out"], {OUT_XBAR: inner, REQ: false})


def _outer_valid(t: Theory, number: str) -> Boolean:
    return put(t.valid(), {OUT_CBAR: _under_req_c(t, number)})


def _same_sets(one: str, other: str) -> Boolean:
    return And(*(Equivalent(Symbol(s.name + one), Symbol(s.name + other)) for s in SETS if s != REQ))


# ---------------------------------------------------------------- where out(C̄) ⊆ out(C) comes from


def _tame() -> tuple[Claim, ...]:
    here = (OUT_U, USE_UBAR, OUT_XBAR, *map(symbol, ("out(X)", "use(X)", "use(X̄)")))
    inside = read("out(X̄) ⊆ out(X)")

    def statement(t: Theory) -> Query:
        return Query(inside, Implies(put(t["plain out"], {REQ: false}), read("out(U) ∪ out(X)")), here)

    def checkpoint(t: Theory) -> Query:
        given = And(read("out(C̄) ⊆ out(C)"), read("out(D̄) ⊆ out(D)"))
        return Query(given, Implies(t["out"], read("out(C) ∪ out(D)")), (*SETS, symbol("out(D)")))

    def kept(t: Theory) -> Query:
        return Query(And(inside, read("use(X̄) ⊆ use(X)")), Implies(t["kept adjoint"], t["kept first"]), here)

    def trimmed(t: Theory) -> Query:
        return Query(inside, Implies(t["kept adjoint"], t["kept first"]), here)

    return (
        Claim("tame-statement", "The adjoint of U;X overwrites only what U;X does.", "out(X̄) ⊆ out(X)", True,
              statement),
        Claim("tame-checkpoint", "The adjoint of [C];D overwrites only what C;D does.",
              "out(C̄) ⊆ out(C), out(D̄) ⊆ out(D)", True, checkpoint),
        Claim("tame-kept", "The adjoint of U;X overwrites only what its first run does when the adjoint of X uses "
              "nothing that its first run does not.", "out(X̄) ⊆ out(X), use(X̄) ⊆ use(X)", True, kept),
        Claim("tame-trimmed", "The adjoint of U;X overwrites only what the first run of U;X does when adjoint liveness "
              "keeps of each only what it needs.", "out(X̄) ⊆ out(X)", False, trimmed),
    )


# ---------------------------------------------------------------- [C₁];[C₂];D₂


def _successive() -> tuple[Claim, ...]:
    used = "v in use(C̄₁), use(C̄₂) and out(C₂), not in out(C₁), out(C̄₁)"
    only_last = ("Of two successive checkpoints that use v, only the last of which overwrites it, only the last has v "
                 "in Snp")

    def claim(id_: str, statement: str, hypothesis: str, given: Callable[[Theory], Boolean], *, holds: bool) -> Claim:
        def query(t: Theory) -> Query:
            common = And(*map(Symbol, ("use_cbar1", "use_cbar2", "out_c2")), Not(Symbol("out_c1")),
                         Not(Symbol("out_cbar1")), given(t))
            return Query(common, And(Symbol("snp2"), Not(Symbol("snp1"))),
                         (*_levels("1", SETS), *_levels("2", SETS)), (*_levels("1", UNKNOWNS), *_levels("2", UNKNOWNS)))
        return Claim(id_, statement, hypothesis, holds, query)

    return (
        claim("successive-last", f"{only_last}, whatever minimal choices are made.", used, _both_minimal, holds=False),
        claim("successive-kept", f"{only_last}, whatever minimal choices are made.", f"{used}, not in out(C̄₂)",
              lambda t: And(_both_minimal(t), Not(Symbol("out_cbar2"))), holds=True),
        claim("successive-lazy", f"{only_last}, under (9).", used, _both_lazy, holds=True),
    )


def _both_minimal(t: Theory) -> Boolean:
    return _both(t, t.equalities())


def _both_lazy(t: Theory) -> Boolean:
    return _both(t, And(*(Equivalent(one, chosen) for one, chosen in zip(UNKNOWNS, t.four("9"), strict=True))))


def _both(t: Theory, chosen: Boolean) -> Boolean:
    """The same way to choose for C₁, whose D is [C₂];D₂, and for C₂, whose Req is what C₁ leaves to D."""
    after = level("2", t["out"], {REQ: false})
    first = level("1", chosen, {OUT_DBAR: after})
    return And(first, level("2", chosen, {REQ: Symbol("req_d1")}))
