"""Affine forms: one form for an expression, whoever asks; each says which scalars may stand in it."""

from __future__ import annotations

import pytest
from snapset.analysis.memory.affine_forms import affine, gap
from snapset.analysis.symbolic.polynomials import named, number
from snapset.frontend import ir

ROW, COLUMN = (ir.Ref((ir.PartRef(name),), ir.INTEGER) for name in "ij")


def plus(left: ir.Expr, right: ir.Expr) -> ir.Expr:
    return ir.Binary("+", left, right, ir.INTEGER)


def two(expr: ir.Expr) -> ir.Expr:
    return ir.Binary("*", ir.Literal_(2, ir.INTEGER), expr, ir.INTEGER)


def test_who_asks_says_what_may_stand_in_it() -> None:
    expr = plus(two(ROW), COLUMN)
    assert affine(expr, lambda _: True) == named("i").scaled(2) + named("j")
    assert affine(expr, lambda ref: ref.name == "i") is None
    assert affine(expr, lambda _: True) == named("i").scaled(2) + named("j")


def test_every_scalar_is_asked_for_where_all_may_stand() -> None:
    asked: list[str] = []

    def noted(ref: ir.Ref) -> bool:
        asked.append(ref.name)
        return True

    assert affine(plus(plus(ROW, COLUMN), ROW), noted) is not None
    assert asked == ["i", "j", "i"]


def test_extents_are_asked_for_apart() -> None:
    array = ir.Ref((ir.PartRef("a"),), ir.INTEGER, rank=1)
    size = ir.Intrinsic("size", (ir.Argument(array),), ir.INTEGER)
    assert affine(plus(size, ROW), lambda _: True) is None
    assert affine(plus(size, ROW), lambda _: True, lambda ref: ref.name == "a") == named("size(a,1)") + named("i")


def test_what_is_no_form() -> None:
    assert affine(None, lambda _: True) is None
    assert affine(ir.Binary("*", ROW, COLUMN, ir.INTEGER), lambda _: True) is None
    assert affine(plus(ROW, ir.Binary("*", ROW, COLUMN, ir.INTEGER)), lambda _: True) is None


@pytest.mark.parametrize("terms", [50, 3000])
def test_no_sum_is_too_long(terms: int) -> None:
    expr: ir.Expr = ROW
    for _ in range(terms):
        expr = plus(expr, COLUMN)
    assert affine(expr, lambda _: True) == named("i") + named("j").scaled(terms)


def test_a_gap_is_a_number_or_not_told() -> None:
    two_more = plus(ROW, ir.Literal_(2, ir.INTEGER))
    assert gap(ROW, two_more) == 2
    assert gap(two_more, ROW) == -2
    assert gap(ROW, COLUMN) is None
    assert affine(ir.Literal_(7, ir.INTEGER), lambda _: True) == number(7)
