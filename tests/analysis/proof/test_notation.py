"""Set formulas in the paper's notation, read and written."""

from __future__ import annotations

import pytest
from snapset.analysis.proof.set_notation import paper, plain, read, shown
from sympy import Symbol
from sympy.logic.boolalg import And, Equivalent, Implies, Not, Or, false

A, B, C = map(Symbol, "abc")


@pytest.mark.parametrize(("text", "meaning"), [
    ("A", A),
    ("A ∪ B ∩ C", Or(A, And(B, C))),
    ("A ∩ B \\ C", And(A, B, Not(C))),
    ("A \\ B ∩ C", And(A, Not(B), C)),
    ("A \\ (B ∩ C)", And(A, Not(And(B, C)))),
    ("A ∪ B \\ C", Or(A, And(B, Not(C)))),
    ("(A ∪ B) \\ C", And(Or(A, B), Not(C))),
    ("∅", false),
    ("A = ∅", Not(A)),
    ("A ⊆ B", Implies(A, B)),
    ("A ⊇ B", Implies(B, A)),
    ("A = B ∪ C", Equivalent(A, Or(B, C))),
])
def test_a_formula_is_logic_over_one_location(text: str, meaning: object) -> None:
    assert read(text) == meaning


@pytest.mark.parametrize(("name", "key"), [
    ("Req", "req"), ("Sbk", "sbk"), ("Req_D", "req_d"), ("out(C)", "out_c"), ("out(C\u0304)", "out_cbar"),
    ("use(D\u0304\u2082)", "use_dbar2"), ("Req\u2081", "req1"), ("use(\u016a)", "use_ubar"),
    ("Req_C\u2032", "req_c\u2032"),
])
def test_names_and_their_keys(name: str, key: str) -> None:
    assert plain(name) == key
    assert plain(paper(key)) == key
    assert read(name) == Symbol(key)


def test_a_macron_may_be_typed_either_way() -> None:
    assert read("use(\u016a)") == read("use(U\u0304)")


@pytest.mark.parametrize("text", ["", "A ∪", "(A", "A B", "A = B = C", "A & B", "∪ A", "A ⊆", "A )"])
def test_what_cannot_be_read_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=" in '"):
        read(text)


def test_definitions_are_put_in() -> None:
    assert read("Opt ∩ B", lambda name: Or(A, C) if name == "Opt" else Symbol(plain(name))) == And(Or(A, C), B)


def test_a_formula_is_written_in_the_papers_notation() -> None:
    text = "(Req ∩ out(C) \\ use(C̄)) ∪ out(D̄)"
    assert read(shown(read(text))) == read(text)
    assert shown(And(Symbol("req"), Not(Symbol("out_cbar")))) == "Req \\ out(C̄)"
