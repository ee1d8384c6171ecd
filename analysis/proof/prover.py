"""The prover: is a claim's negation satisfiable? Quantifiers are eliminated, models minimised, by sympy's logic."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice

from snapset.frontend.base.frozen_records import frozen
from sympy import Dummy, Symbol
from sympy.logic.boolalg import And, Boolean, Equivalent, Implies, Not, Or, false, simplify_logic, true
from sympy.logic.inference import satisfiable

Choice = tuple[Boolean, ...]
"""Membership in Sbk, Snp, Req_D, Req_C (twice four for two checkpoints)."""


@frozen
class Query:
    """A claim in logic: whatever the free symbols, ``given`` implies ``goal``.

    ``sets``: the symbols that say where the location is; ``choice``: those of the choice in question. A
    counterexample says which of them are true; of the choices, only the smallest are told.
    """

    given: Boolean
    goal: Boolean
    sets: tuple[Symbol, ...]
    choice: tuple[Symbol, ...] = ()


@frozen
class RefutingSets:
    """One counterexample: the sets the location is in, those it is not in, and those of the choice it is in."""

    inside: tuple[str, ...]
    outside: tuple[str, ...]
    choice: tuple[str, ...]


def refutations(query: Query, limit: int) -> tuple[RefutingSets, ...]:
    """All counterexamples, but not more than ``limit``; () when the claim is proved.

    For every combination of ``sets`` that refutes the claim there is one model for each minimal choice.
    """
    found = islice(_models(query), limit)
    return tuple(sorted(found, key=lambda m: (len(m.inside), [s.name not in m.inside for s in query.sets], m.choice)))


def holds(query: Query) -> bool:
    """Is the claim proved? Sooner than all its counterexamples."""
    return _model(clauses(And(query.given, Not(query.goal)))) is None


def condition(query: Query) -> Boolean:
    """Where the claim fails, as a formula over ``sets`` alone: everything else is eliminated."""
    wrong = And(query.given, Not(query.goal))
    found = exists(sorted(wrong.free_symbols - set(query.sets), key=str), wrong)
    return simplify_logic(found, form="dnf", force=True)


def _models(query: Query) -> Iterator[RefutingSets]:
    negation = And(query.given, Not(query.goal))
    spoken = [one for one in query.sets if one in negation.free_symbols]
    wrong = clauses(negation)
    blocked: Boolean = true
    while model := _model(And(wrong, blocked)):
        here = And(*(one if model.get(one) else Not(one) for one in spoken))
        chosen = _smallest(And(wrong, here), query.choice, model)
        yield RefutingSets(tuple(s.name for s in spoken if model.get(s)),
                             tuple(s.name for s in spoken if not model.get(s)),
                             tuple(s.name.rstrip("′") for s in query.choice if s in chosen))
        blocked = And(blocked, Not(And(here, *chosen)))


def _smallest(wrong: Boolean, choice: tuple[Symbol, ...], model: Mapping[Symbol, bool]) -> tuple[Symbol, ...]:
    """A minimal set of choice symbols that still makes ``wrong`` satisfiable, below the model's."""
    chosen = [one for one in choice if model.get(one)]
    others = [Not(one) for one in choice if not model.get(one)]
    smaller = _model(And(wrong, *others, Or(*map(Not, chosen)))) if chosen else None
    return _smallest(wrong, choice, smaller) if smaller else tuple(chosen)


def _model(formula: Boolean) -> dict[Symbol, bool] | None:
    """A model, None when there is none. What the model leaves open may be taken as false."""
    found = satisfiable(formula)
    if found is False:
        return None
    return {one: bool(value) for one, value in found.items()} or {Dummy(): True}


def clauses(formula: Boolean) -> Boolean:
    """A conjunction of clauses, satisfiable by the same values (Tseitin): every subformula gets a name.

    Spares the exponential growth of distributing ∨ over ∧.
    """
    named: dict[Boolean, Boolean] = {}
    found: list[Boolean] = []

    def name(part: Boolean) -> Boolean:
        if isinstance(part, Not):
            return Not(name(part.args[0]))
        if not part.args:
            return part
        if part not in named:
            here = Dummy()
            found.extend(_means(here, type(part), [name(one) for one in part.args]))
            named[part] = here
        return named[part]

    top = name(formula)
    return And(top, *found)


def _means(here: Boolean, operator: type[Boolean], parts: list[Boolean]) -> list[Boolean]:
    """The clauses of here ⇔ operator(parts)."""
    if operator is And:
        return [Or(Not(here), one) for one in parts] + [Or(here, *map(Not, parts))]
    if operator is Or:
        return [Or(here, Not(one)) for one in parts] + [Or(Not(here), *parts)]
    if operator is Implies:
        return _means(here, Or, [Not(parts[0]), parts[1]])
    if operator is Equivalent and len(parts) == 2:
        one, other = parts
        return [Or(Not(here), Not(one), other), Or(Not(here), one, Not(other)), Or(here, one, other),
                Or(here, Not(one), Not(other))]
    raise ValueError(f"{operator.__name__} of {len(parts)} is not known here")


# ---------------------------------------------------------------- what claims are built from


def exists(unknowns: Iterable[Symbol], formula: Boolean) -> Boolean:
    """∃ unknowns: formula, without the quantifier: Shannon's expansion."""
    for one in unknowns:
        formula = Or(put(formula, {one: true}), put(formula, {one: false}))
    return formula


def put(formula: Boolean, values: Mapping[Symbol, Boolean]) -> Boolean:
    """The formula with other formulas in the place of symbols."""
    return formula.xreplace(dict(values))


def below(small: Iterable[Boolean], large: Iterable[Boolean]) -> Boolean:
    """Every set of ``small`` is contained in that of ``large``."""
    return And(*(Implies(a, b) for a, b in zip(small, large, strict=True)))


def same(one: Iterable[Boolean], other: Iterable[Boolean]) -> Boolean:
    """Set by set equal."""
    return And(*(Equivalent(a, b) for a, b in zip(one, other, strict=True)))
