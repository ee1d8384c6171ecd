"""Expressions through the wall: every reference trap of fparser, and the time it takes."""

from __future__ import annotations

import random
import subprocess
import sys

import pytest
from snapset.frontend.parsing import syntax_tree
from snapset.frontend.parsing.expression_parser import WallError, arguments, designator, expression, expression_list
from snapset.frontend.parsing.fparser_wall import operator_tree
from snapset.frontend.parsing.operator_precedence import shape_of
from snapset.frontend.parsing.syntax_tree import (
    Arg,
    BinaryOp,
    Complex,
    Constructor,
    Implied,
    Name,
    NameLink,
    Number,
    Triplet,
    UnaryOp,
)

from tests.support.growth import ends


def show(tree: object) -> str:
    """A tree as fully bracketed text, to compare by eye."""
    match tree:
        case Number(value, kind, double):
            return f"{value!r}" + (f"_{kind}" if kind else "") + ("d" if double else "")
        case Name(links):
            return "%".join(show(link) for link in links)
        case NameLink(name, args, more):
            return name + "".join("" if a is None else "(" + ",".join(map(show, a)) + ")" for a in (args, more))
        case Arg(value, keyword):
            return (f"{keyword}=" if keyword else "") + show(value)
        case Triplet(lower, upper, step):
            return ":".join(map(show, (lower, upper, step)))
        case UnaryOp(op, operand):
            return f"({op} {show(operand)})"
        case BinaryOp(op, left, right):
            return f"({show(left)} {op} {show(right)})"
        case Complex(real, imag):
            return f"<{show(real)},{show(imag)}>"
        case Constructor(items, type_text):
            return "[" + (f"{type_text} :: " if type_text else "") + ",".join(map(show, items)) + "]"
        case Implied(items, var, start, stop, step):
            return f"({','.join(map(show, items))}, {var}={show(start)},{show(stop)},{show(step)})"
        case None:
            return ""
    raise AssertionError(tree)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a + b * c", "(a + (b * c))"),
        ("a - b - c", "((a - b) - c)"),
        ("(a - b) * c", "((a - b) * c)"),
        ("a - (b - c)", "(a - (b - c))"),
        ("a ** b ** c", "(a ** (b ** c))"),
        ("-a ** 2", "(- (a ** 2))"),
        ("-a * b + c", "((- (a * b)) + c)"),
        ("a / b / c", "((a / b) / c)"),
        ("a // b == c // d", "((a // b) == (c // d))"),
        (".not. a .eq. b .and. c .or. d", "(((.not. (a == b)) .and. c) .or. d)"),
        ("a .lt. b .eqv. c .ge. -d", "((a < b) .eqv. (c >= (- d)))"),
        ("a .ne. b .neqv. x .gt. y", "((a /= b) .neqv. (x > y))"),
        (".inv. a * b .dot. c", "(((.inv. a) * b) .dot. c)"),
    ],
)
def test_operators_keep_precedence_and_direction(text: str, expected: str) -> None:
    assert show(expression(text)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a*-b", "(a * (- b))"),
        ("a**-b*c", "((a ** (- b)) * c)"),
        ("a*-b**2", "(a * (- (b ** 2)))"),
        ("a**-b**-c", "(a ** (- (b ** (- c))))"),
        ("a+-b", "(a + (- b))"),
        ("a - - b", "(a - (- b))"),
        ("x == -b", "(x == (- b))"),
    ],
)
def test_a_sign_after_an_operator_belongs_to_its_operand(text: str, expected: str) -> None:
    assert show(expression(text)) == expected


@pytest.mark.parametrize(
    "text",
    [
        "x(1)",
        "fun(y)",
        "h()",
        "g(x,key=2)",
        "c(1:3:)".replace("3:", "3"),
        "u(1)(2:3:)".replace("3:", "3"),
        "a(i)%b(j)%c",
        "obj%method(x)%y",
        "max(1)",
        "sum(1)",
        "index(i)",
        "sin()",
        "real(x,kind=8)",
    ],
)
def test_every_kind_of_reference_is_a_name_with_links(text: str) -> None:
    tree = expression(text)
    assert isinstance(tree, Name)
    assert show(tree).replace(":)", ")") == text


def test_names_of_intrinsics_are_read_like_any_other() -> None:
    assert show(expression("sum(1) + index(i)")) == "(sum(1) + index(i))"
    assert show(expression("sum")) == "sum"


def test_second_list_is_a_substring() -> None:
    assert designator("u(1)(2:3)") == Name(
        (NameLink("u", (Arg(Number(1)),), (Arg(Triplet(Number(2), Number(3), None)),)),)
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a(:)", "a(::)"),
        ("a(:,1)", "a(::,1)"),
        ("a(2:)", "a(2::)"),
        ("a(:n+1)", "a(:(n + 1):)"),
        ("a(::2)", "a(::2)"),
        ("a(1::2)", "a(1::2)"),
        ("a(n:1:-1)", "a(n:1:(- 1))"),
        ("a(i, :) % b(:, j)", "a(i,::)%b(::,j)"),
    ],
)
def test_triplets(text: str, expected: str) -> None:
    assert show(expression(text)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1", Number(1)),
        ("1_8", Number(1, "8")),
        ("1.", Number(1.0)),
        (".5", Number(0.5)),
        ("1.5e-3_wp", Number(0.0015, "wp")),
        ("1.d0", Number(1.0, None, True)),
        ("1d-2", Number(0.01, None, True)),
        ("2q0", Number(2.0, "16")),
        (".true.", Number(True)),
        (".false._4", Number(False, "4")),
        ("'it''s'", Number("it's")),
        ('"A // b"', Number("A // b")),
        ("c_char_'x'", Number("x", "c_char")),
        ("z'ff'", Number(None)),
        ("4habcd", Number(None)),
        ("3h), ", Number(None)),
    ],
)
def test_constants(text: str, expected: syntax_tree.Raw) -> None:
    assert expression(text) == expected


def test_a_point_before_a_dotted_operator_is_not_a_decimal_point() -> None:
    assert show(expression("1.eq.i.or.2.e0.lt.x")) == "((1 == i) .or. (2.0 < x))"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(1.0, -2.0)", "<1.0,(- 2.0)>"),
        ("(/ 1, a(2), (i*2, i=1,n) /)", "[1,a(2),((i * 2), i=1,n,)]"),
        ("[1, 2]", "[1,2]"),
        ("[real(8) :: 1, 2]", "[real(8) :: 1,2]"),
        ("[character(len=3) ::]", "[character(len=3) :: ]"),
        ("(((a)))", "a"),
        ("f((x), (x+1))", "f((+ x),(x + 1))"),
        ("f(%val(x), %ref(y))", "f((+ x),y)"),
    ],
)
def test_parentheses_and_constructors(text: str, expected: str) -> None:
    assert show(expression(text)) == expected


def test_lists() -> None:
    items = expression_list("a, b(1, 2), ((c(i, j), i = 1, n), j = 1, m, 2), 'x, y'")
    assert [show(item) for item in items] == ["a", "b(1,2)", "((c(i,j), i=1,n,), j=1,m,2)", "'x, y'"]
    assert expression_list("  ") == ()
    assert arguments("x, key = 2, 1:n") == (
        Arg(Name((NameLink("x"),))),
        Arg(Number(2), "key"),
        Arg(Triplet(Number(1), Name((NameLink("n"),)), None)),
    )


@pytest.mark.parametrize(
    "text",
    ["", "a +", "* a", "a b", "(a", "a)", "a(1", "a,b", "'abc", "a < b < c", "a(1)[2]", "(a,b,c)", "5hab", "a%", "a;b",
     "f(a,)", "a..b", "x = 1", "a(1)(2)(3)", "%foo(x)", "[1 2]", "(x, i=1)", "a + b .and", "\u00e9"],
)  # fmt: skip
def test_what_is_no_expression_is_a_wall_error(text: str) -> None:
    with pytest.raises(WallError):
        expression(text)


def test_a_designator_is_nothing_else() -> None:
    for text in ("a+b", "1", "(/1/)"):
        with pytest.raises(WallError):
            designator(text)


def random_expression(rng: random.Random, depth: int) -> str:
    if depth == 0:
        return rng.choice(["a", "b", "c", "d"])
    kind = rng.random()
    left, right = (random_expression(rng, depth - 1) for _ in range(2))
    if kind < 0.2:
        return f"({left})"
    if kind < 0.3:
        return f"(-{left})"
    op = rng.choice(["+", "-", "*", "/", "**", "//", ".and.", ".or.", ".eqv.", " .x. "])
    return f"{left}{op}{right}"


def test_long_expressions_are_split_as_fparser_would_read_them_whole() -> None:
    from fparser.two.Fortran2003 import Expr
    from fparser.two.utils import NoMatchError

    expression("a+b")
    rng = random.Random(7)
    compared = 0
    for _ in range(150):
        text = rng.choice(["", "-", ".not.", ".y."]) + random_expression(rng, rng.choice([2, 3, 4, 5]))
        try:
            tree = Expr(text)
        except NoMatchError:
            continue
        assert show(expression(text)) == bracketed(tree), text
        compared += 1
    assert compared > 100


def bracketed(node: object) -> str:
    items = getattr(node, "items", ())
    if type(node).__name__ == "Name":
        return str(node).lower()
    if type(node).__name__ == "Parenthesis":
        return bracketed(items[1])
    if len(items) == 2:
        return f"({str(items[0]).lower()} {bracketed(items[1])})"
    return f"({bracketed(items[0])} {str(items[1]).lower()} {bracketed(items[2])})"


def depth_of(tree: object) -> int:
    match tree:
        case BinaryOp(_, left, right):
            return 1 + max(depth_of(left), depth_of(right))
        case UnaryOp(_, operand):
            return 1 + depth_of(operand)
    return 0


@pytest.mark.parametrize(
    "text",
    [
        "f(" * 40 + "x" + ")" * 40,
        "(" * 40 + "x" + ")" * 40,
        "a(i,b(" * 20 + "x" + "))" * 20,
        " + ".join(f"a({i})*b({i})" for i in range(2000)),
        " - ".join(f"a{i}" for i in range(2000)),
        "*".join(f"x{i}" for i in range(2000)),
        " .or. ".join(f"a{i} == b" for i in range(2000)),
        "**".join(["a"] * 50),
        "a*" + "-" * 90 + "b",
    ],
    ids=lambda text: text[:12],
)
def test_time_is_bounded_and_trees_stay_shallow(text: str) -> None:
    with ends():
        tree = expression(text)
    assert depth_of(tree) < 250


def test_halving_a_long_sum_keeps_the_signs() -> None:
    text = "".join(f"{'+' if i % 3 else '-'}{i}" for i in range(300))

    def value(tree: object) -> int:
        match tree:
            case Number(int(number)):
                return number
            case UnaryOp("-", operand):
                return -value(operand)
            case BinaryOp("+", left, right):
                return value(left) + value(right)
            case BinaryOp("-", left, right):
                return value(left) - value(right)
        raise AssertionError(tree)

    assert value(expression(text)) == sum(i if i % 3 else -i for i in range(300))


def test_nesting_without_end_is_refused_not_crashed() -> None:
    for text in ("(" * 5000 + "x" + ")" * 5000, "f(" * 5000, "[" * 5000, "x + " * 5000, "- " * 5000 + "x",
                 ".not. " * 5000 + "x", "x**-" * 5000 + "x", "x**" * 5000 + "x", "x/" * 5000 + "x"):  # fmt: skip
        with pytest.raises(WallError):
            expression(text)


def test_the_wall_imports_fparser_only_when_it_must() -> None:
    code = (
        "import sys, snapset.frontend.parsing.expression_parser as wall; "
        "wall.expression('-a+b**c*d < e .and. .not. f .cross. .up. g'); "
        "assert 'fparser' not in sys.modules\n"
        "try: wall.expression('a == b == c')\nexcept wall.WallError: pass\n"
        "assert 'fparser' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize(("text", "same"), [
    ("a .dot. b .or. c", "a .dot. (b .or. c)"), ("a .or. b .dot. c", "(a .or. b) .dot. c"),
    ("a .dot. b .dot. c", "(a .dot. b) .dot. c"), ("-.inv. a**b", "-((.inv. a)**b)"),
    ("a == b .dot. -c + d", "(a == b) .dot. (-c + d)"),
    ("a .dot. .inv. b .eqv. .not. c", "a .dot. ((.inv. b) .eqv. (.not. c))"),
])  # fmt: skip
def test_defined_operators_are_the_weakest_and_the_strongest(text: str, same: str) -> None:
    """R703 and R723 of Fortran 2008."""
    assert expression(text) == expression(same)


_ARITHMETIC = ("+", "-", "*", "/", "**")


def test_precedence_is_fparsers() -> None:
    """Of random operators and signs between operands, defined ones too."""
    draw = random.Random(1)
    operators = [*_ARITHMETIC, *_ARITHMETIC, "==", "/=", "<", "<=", ">", ">=", "//", ".and.", ".or.", ".eqv.", ".neqv.",
                 ".cross.", ".dot."]
    found = 0
    for _ in range(1500):
        words: list[str] = []
        for operand in range(draw.randrange(1, 6)):
            words += [draw.choice(operators)] if operand else []
            words += draw.choices([[], ["-"], ["+"], [".not."], [".inv."]], [6, 1, 1, 1, 1])[0]
            words.append(f"p{operand}")
        tree, fparsers = shape_of(words), operator_tree(words)
        if fparsers is None:  # it has none either for `a .dot. b .or. c`, which is right
            assert tree is None or {".cross.", ".dot."} & set(words), " ".join(words)
        elif tree is None:  # to it .NOT. is a defined operator too: `a + .not. b`
            assert ".not." in words, " ".join(words)
        else:
            assert tree == fparsers, " ".join(words)
        found += tree is not None
    assert found > 300
