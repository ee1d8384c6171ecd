"""Equal quantities that are written with other names: ``m - P1`` with P1 = m - 3 equals ``n - P2`` with P2 = n - 3, and
3. What was asked of one tells nothing of the other's names. Judged by Python's integers."""

from __future__ import annotations

import pickle
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias

import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st
from snapset import Quantity
from snapset.analysis.symbolic.atoms import Clamp, Counter, Power, Quotient, SharedPart, Sym
from snapset.analysis.symbolic.extrema import clamp, runs
from snapset.analysis.symbolic.numeric_value import Evaluation, value
from snapset.analysis.symbolic.polynomials import named, number, of
from snapset.analysis.symbolic.rendering import RenderingMemo, text
from snapset.frontend.persistence.serialization import dumps, loads
from snapset.render.layout.byte_figures import Figures


def shared(quantity: Quantity) -> Quantity:
    return of(SharedPart(quantity))


def three(name: str) -> Quantity:
    """Always 3, and written with a name."""
    return named(name) - shared(named(name) - 3)


def names(quantity: Quantity) -> set[str]:
    return {one.name for one in quantity.names}


def test_names_are_those_of_the_quantity_asked() -> None:
    a, b = three("m"), three("n")
    assert a == b == 3
    assert names(a) == {"m"}
    assert names(b) == {"n"}
    assert names(number(3)) == set()
    assert a.evaluate(m=7) == b.evaluate(n=5) == 3


@pytest.mark.parametrize("value", [-3, 0, 3, 1 << 40, Fraction(1, 2)])
def test_what_is_equal_has_one_hash(value: int | Fraction) -> None:
    written = named("n") - shared(named("n") - number(value))
    assert len({written, number(value)}) == 1
    assert written != number(value + 1)
    if isinstance(value, int):
        assert len({written, number(value), value}) == 1
        assert written != value + 1
    assert written != str(value)


@pytest.mark.parametrize("wrap", [shared, lambda one: of(Clamp(one)), lambda one: of(Quotient(named("k"), one)),
                                  lambda one: of(Power(one, named("k"))), lambda one: Quantity.max(one, named("k")),
                                  lambda one: runs(of(Clamp(one)))*named("k")], ids=list("swqpmr"))
def test_what_is_made_of_one_is_not_made_of_the_other(wrap: Any) -> None:
    for first, second in (("m", "n"), ("n", "m")):
        one, other = wrap(three(first)), wrap(three(second))
        assert one == other
        assert names(one) - {"k"} == {first}
        assert names(other) - {"k"} == {second}
        assert one.evaluate({first: 9, "k": 2}) == other.evaluate({second: 1, "k": 2})


def test_products_keep_their_own_names() -> None:
    k = named("k")
    one, other = shared(three("m"))*k, shared(three("n"))*k
    assert names(one) == {"m", "k"}
    assert names(other) == {"n", "k"}
    assert names(one + other) == {"m", "n", "k"}
    assert (one + other).evaluate(m=4, n=5, k=2) == 12


def test_equal_ones_within_one_quantity_count_both() -> None:
    """The names of what stands deeper too, where an equal one stands further out."""
    both = of(Clamp(named("k") - shared(three("n")))) + shared(three("m"))
    assert names(both) == {"k", "n", "m"}
    assert both.evaluate(k=10, n=1, m=2) == 10


def test_replacing_names_in_equal_ones() -> None:
    changed = (shared(three("m"))*named("j") + shared(three("n"))*named("k")).given(m=2*named("p"), n=named("q"))
    assert names(changed) == {"p", "q", "j", "k"}
    assert changed.evaluate(p=1, q=2, j=3, k=4) == 21


def test_text_of_equal_ones() -> None:
    memo, figures = RenderingMemo(), Figures()
    for name in ("m", "n"):
        written = text(2*shared(8*three(name)*named("k")), memo)
        assert written.replace(name, "x") == text(2*shared(8*three("x")*named("k")))
        assert figures(8*three(name)*named("k")) == text(8*three(name)*named("k"))


def test_what_refers_to_nothing_is_written_out() -> None:
    """Where an equal one was met before that refers to a shared part."""
    inside = named("first")*named("second") + 5
    seen = Figures()
    assert seen(shared(inside)) == "P1; P1 = first*second + 5"
    assert seen(inside) == "first*second + 5"
    assert text(of(Quotient(shared(inside), number(2)))) == "floor(P1/2); P1 = first*second + 5"
    assert text(of(Quotient(inside, number(2)))) == "floor((first*second + 5)/2)"


def test_stored_and_read_names_are_asked_anew() -> None:
    b = three("n")
    assert names(three("m")) == {"m"}
    assert names(b) == {"n"}
    for again in (loads(dumps(b)), pickle.loads(pickle.dumps(b))):
        assert again == b
        assert names(again) == {"n"}


def test_sympy_of_equal_ones() -> None:
    both = shared(three("m"))*named("j") + shared(three("n"))*named("k")
    assert both.to_sympy().subs({"m": 1}) == 3*sympy.Symbol("j", integer=True) + 3*sympy.Symbol("k", integer=True)


OUTER, INNER, OTHER = (Counter(name, name) for name in "ijk")


def follower(counter: Counter, other: Counter) -> Quantity:
    """The other counter plus one, written with the first one too."""
    return of(Clamp(shared(of(counter)*2 + of(other)) - shared(of(counter)*2 - 1)))


def test_iterations_of_other_loops_are_not_mixed_up() -> None:
    """Both are j + 1; one counts by (i, j), the other by (j, k)."""
    one, other = follower(OUTER, INNER), follower(OTHER, INNER)
    assert one == other
    numbers = Evaluation(lambda sym: None, {OUTER: 2, INNER: 5, OTHER: 40})
    assert numbers.of(one) == 6
    numbers.counters = {INNER: 2, OTHER: 5}
    assert numbers.of(other) == 3
    numbers.counters = {INNER: 5, OTHER: 2}
    assert numbers.of(other) == 6


def test_an_equal_one_without_a_loop_around() -> None:
    numbers = Evaluation({Sym("n"): 4}.get, {OUTER: 2})
    inside = of(Clamp(shared(of(OUTER) + named("n")) - of(OUTER)))
    outside = of(Clamp(shared(2*named("n")) - named("n")))
    assert inside == outside
    assert numbers.of(inside) == 4
    del numbers.counters[OUTER]
    assert numbers.of(outside) == 4


def test_no_number_for_one_is_none_for_it_alone() -> None:
    """Not known, or divided by zero; the equal one has a number."""
    numbers = Evaluation({Sym("n"): 4, Sym("z"): 0}.get, {OUTER: 1})
    assert numbers.of(of(Clamp(three("m")))) is None
    assert numbers.of(of(Clamp(three("n")))) == 3
    inverse = of(Quotient(named("n"), named("z")))
    assert numbers.of(shared(inverse - shared(inverse - 3))) is None
    assert numbers.of(shared(three("z"))) == 3
    assert numbers.of(of(Clamp(of(OUTER)*three("m")))) is None
    assert numbers.of(of(Clamp(of(OUTER)*three("n")))) == 3


@pytest.mark.parametrize("wider", [lambda one: Quantity.max(one, 2*one + 1), lambda one: of(Quotient(one, one + 1)),
                                   lambda one: of(Power(one, one + 1)), lambda one: clamp(one) + shared(one - 1)],
                         ids=list("mqps"))
def test_what_has_no_number_is_not_asked_again_at_each_level(wider: Any) -> None:
    nested = named("n")
    for _ in range(60):
        nested = wider(nested)
    asked: list[Sym] = []
    assert value(nested, lambda sym: asked.append(sym)) is None  # type: ignore[func-returns-value]
    assert len(asked) <= 60


# ---------------------------------------------------------------- any

Tree: TypeAlias = "tuple[Any, ...]"
NAMES = ("n", "m", "k")


@dataclass(frozen=True)
class Made:
    """A quantity, its value by Python, and the names it was made of."""

    quantity: Quantity
    value: int
    names: frozenset[str]


def made(tree: Tree, values: dict[str, int]) -> Made:
    """A tree of operations both ways."""
    op, *rest = tree
    if op == "name":
        return Made(named(rest[0]), values[rest[0]], frozenset(rest))
    if op == "number":
        return Made(number(rest[0]), rest[0], frozenset())
    one = made(rest[0], values)
    p, x = one.quantity, one.value
    if op == "twin":
        return Made(p - shared(p - rest[1]), rest[1], one.names)
    if op in ("share", "clamp"):
        return Made(*((shared(p), x) if op == "share" else (clamp(p), max(0, x))), one.names)
    other = made(rest[1], values)
    q, y = other.quantity, other.value
    quantity, result = {"+": (p + q, x + y), "-": (p - q, x - y), "*": (p*q, x*y),
                        "max": (Quantity.max(p, q), max(x, y)), "min": (Quantity.min(p, q), min(x, y))}[op]
    return Made(quantity, result, one.names | other.names)


def larger(inner: st.SearchStrategy[Tree]) -> st.SearchStrategy[Tree]:
    return (st.tuples(st.just("twin"), inner, st.integers(-2, 2))
            | st.tuples(st.sampled_from(("share", "clamp")), inner)
            | st.tuples(st.sampled_from(("+", "-", "*", "max", "min")), inner, inner))


TREES = st.recursive(st.tuples(st.just("name"), st.sampled_from(NAMES))
                     | st.tuples(st.just("number"), st.integers(-2, 2)), larger, max_leaves=12)


@settings(max_examples=400, deadline=None)
@given(st.lists(TREES, min_size=1, max_size=3), st.fixed_dictionaries({name: st.integers(-7, 12) for name in NAMES}))
def test_any_quantity_needs_numbers_of_its_own_names_alone(trees: list[Tree], values: dict[str, int]) -> None:
    for tree in trees:
        one = made(tree, values)
        assert names(one.quantity) <= one.names
        for quantity in (one.quantity, one.quantity.given(zz=1), loads(dumps(one.quantity))):
            own = {name: values[name] for name in names(quantity)}
            assert quantity.evaluate(own) == one.value
            assert quantity.given(own).constant in (one.value, None)
        part = one.quantity.given(n=named("q"))
        assert names(part) <= one.names - {"n"} | {"q"}
        assert part.evaluate({**values, "q": values["n"]}) == one.value
