"""The partial derivatives of operators and intrinsics.

Three judges: gfortran's central differences of each operation against the rule as printed, compiled by gfortran; the
compiled program against the machine, for each record that the machine executes; and sets derived by hand of what a
derivative reads.
"""

from __future__ import annotations

import shutil
import subprocess
from itertools import cycle
from pathlib import Path

import pytest
from snapset.analysis.dataflow.bitsets import union
from snapset.analysis.derivative_rules import derivatives
from snapset.analysis.procedures.procedure_model import ProcedureModel
from snapset.frontend import ir
from snapset.frontend.ir.expression_queries import names_in
from snapset.frontend.ir.intrinsic_table import DIGAMMA, FUNCTIONS, IntrinsicFunction
from snapset.frontend.ir.pretty_print import expr as printed

from tests.support.judged import judge
from tests.support.modelled import model, names

OPERATORS = ("a + b", "a - b", "a*b", "a/b", "a**b", "a**3", "a**(-2)", "b**k", "-a", "k*a", "a/k", "k**b")
PLAIN = {"acosh": "acosh(a + 1d0)", "atanh": "atanh(0.5d0*a)", "asin": "asin(0.5d0*a)", "acos": "acos(0.5d0*a)",
         "asind": "asind(0.5d0*a)", "acosd": "acosd(0.5d0*a)", "sind": "sind(-100d0*a)", "cosd": "cosd(500d0*a)",
         "tand": "tand(180d0 + 30d0*a)", "cotand": "cotand(225d0 + 10d0*a)",
         "merge": "merge(a, b, k > 1)", "max": "max(a, b, c)", "min": "min(c, a, b)", "dprod": "dprod(s, r)",
         "mod": "mod(b*6.7d0, a)", "modulo": "modulo(-b*6.7d0, a)", "sign": "sign(a, -b)",
         "dim": "dim(a, b) - dim(b, a)", "bessel_jn": "bessel_jn(k, a)", "bessel_yn": "bessel_yn(k, a)"}
TYPES = "real(8) :: a, b, c\n real :: r, s\n integer :: k\n"


def products() -> list[IntrinsicFunction]:
    """The functions of which each derivative is a factor."""
    return [one for one in FUNCTIONS.values() if one.extreme or (one.partials and not one.transposed)]


def reference(function: IntrinsicFunction) -> str:
    """A reference to it with operands that its derivative exists for."""
    return PLAIN.get(function.name) or f"{function.name}({', '.join('abc'[:len(function.arguments)])})"


REFERENCES = [*OPERATORS, *map(reference, products()), "real(a)*b", "dble(a)"]


def value_of(text: str) -> ir.Expr:
    return modelled(f"y = {text}")[1]


def slope(value: ir.Expr, name: str) -> str:
    """The derivative of an expression by a variable, put together by the chain rule, as Fortran."""
    if isinstance(value, ir.Ref):
        return "1d0" if value.name == name else ""
    if not isinstance(value, ir.Unary | ir.Binary | ir.Intrinsic):
        return ""
    terms = []
    for one in derivatives(value):
        inner = slope(one.operand, name)
        if inner:
            assert one.factor is not None
            terms.append(f"({printed(one.factor)})*({inner})")
    return " + ".join(terms)


JUDGE = """program judge
  implicit none
  {types}
  real(8) :: h = 1d-5
  integer :: point
  do point = 1, 3
  a = 0.35d0 + 0.3d0*point; b = 1.45d0 - 0.4d0*point; c = 0.9d0; r = 1.5d0; s = 0.25d0*point; k = 1 + point/2
{checks}
  end do
contains
subroutine compare(what, difference, rule)
  character(*) :: what
  real(8) :: difference, rule
  if (.not. abs(difference - rule) <= 1d-7*max(1d0, abs(rule))) print *, what, point, difference, rule
end subroutine
real(8) function digamma(x)
  real(8) :: x
  digamma = (log_gamma(x + 1e-9_16) - log_gamma(x - 1e-9_16))/2e-9_16
end function
{functions}
end program
"""
FUNCTION = """real(8) function f{number}(a, b, c, r, s, k)
{types} f{number} = {text}
end function
"""
# Differences need all digits.
OPTIONS = ("-ffree-line-length-none", "-fdec-math", "-fdefault-real-8", "-fdefault-double-8")


@pytest.mark.skipif(shutil.which("gfortran") is None, reason="needs gfortran; test_gfortran_is_there says so")
def test_every_rule_as_printed_gives_the_central_difference(tmp_path: Path) -> None:
    """All in one program: a function for each operation, differences at three points, and the printed derivative."""
    names = ("a", "b", "c", "r", "s")
    functions, checks = [], []
    for number, text in enumerate(REFERENCES):
        double = text.replace("dprod(s, r)", "s*r")  # gfortran has DPROD for single precision only
        functions.append(FUNCTION.format(number=number, text=double, types=TYPES))
        for name in names:
            by = slope(value_of(text), name)
            more, less = (", ".join(f"{one} {sign} h" if one == name else one for one in names) for sign in "+-")
            if by:
                checks.append(f"  call compare('{text} by {name}', (f{number}({more}, k) - f{number}({less}, k))/(2*h)"
                              f", {by} + 0d0)")
    text = JUDGE.format(types=TYPES, checks="\n".join(checks), functions="\n".join(functions))
    (tmp_path / "judge.f90").write_text(text.replace(DIGAMMA, "digamma"))
    done = subprocess.run(["gfortran", *OPTIONS, "-o", "judge", "judge.f90"], cwd=tmp_path, capture_output=True,
                          text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert len(checks) >= len(REFERENCES)
    assert subprocess.run(["./judge"], cwd=tmp_path, capture_output=True, text=True, check=True).stdout == ""


BODY = """subroutine head(a, b, c, r, s, k, y)
  real(8), intent(inout) :: a, b, c
  real, intent(in) :: r, s
  integer, intent(in) :: k
  real(8), intent(out) :: y
  y = 0d0
  !$AD CHECKPOINT-START
{lines}
  !$AD CHECKPOINT-END
  y = y + a*b*c + r*s
end subroutine
"""


def test_the_machine_differentiates_every_operation_as_the_compiled_program(tmp_path: Path) -> None:
    """Plans with poison against store-all, store-all against the compiled program: for each function that has factors
    and is executed. What a derivative reads and use(I') forgot would be poison, for a and b change behind each: there
    and back again, so that one more function moves no other one's point."""
    texts = [*OPERATORS, *(reference(one) for one in products() if one.machine and one.name != "dprod")]
    changes = ("a = a*1.01d0 - 0.003d0*b; b = 0.99d0*b + 0.004d0*c",
               "b = (b - 0.004d0*c)/0.99d0; a = (a + 0.003d0*b)/1.01d0")
    lines = "\n".join(f"  y = y + {text}*c\n  {change}" for text, change in zip(texts, cycle(changes), strict=False))
    judge(BODY.format(lines=lines), "head(a, b, c)>(y)", tmp_path)


# What use(I') is, by hand: statement, independents that vary, the primal values that its derivative reads.
READS = [
    ("y = a + b", "ab", ""), ("y = a*b", "ab", "ab"), ("y = a*b", "a", "b"), ("y = a*2d0", "a", ""),
    ("y = a/b", "a", "b"), ("y = a/b", "ab", "ab"), ("y = a**2", "a", "a"), ("y = a**1", "a", ""),
    ("y = a**0", "a", ""), ("y = a**k", "a", "ak"), ("y = a**b", "b", "ab"), ("y = -a", "a", ""),
    ("y = sqrt(a)", "a", "a"), ("y = sin(a*b)", "a", "ab"), ("y = mod(a, b)", "a", ""), ("y = mod(a, b)", "b", "ab"),
    ("y = atan2(a, b)", "a", "ab"), ("y = real(a)*b", "a", "b"), ("y = abs(a)", "a", "a"), ("y = max(a, b)", "a", "ab"),
    ("y = merge(a, b, k > 1)", "ab", "k"), ("y = sign(a, b)", "ab", "ab"), ("y = sign(a, b)", "b", ""),
    ("y = dprod(r, s)", "r", "s"), ("y = cmplx(a, b)", "a", ""), ("y = gamma(a)", "a", "a"),
    ("y = int(a) + b", "ab", ""), ("y = aint(a)*b", "ab", "a"), ("y = nearest(a, b)", "a", "ab"),
    ("y = a*b*c", "a", "bc"), ("y = a*(b + c)", "b", "a"), ("y = dmax1(a, b)", "b", "ab"),
]


@pytest.mark.parametrize(("statement", "varied", "reads"), READS)
def test_what_a_derivative_reads(statement: str, varied: str, reads: str) -> None:
    found, value = modelled(statement)
    assert read(found, value, varied) == set(reads)


@pytest.mark.parametrize(("text", "factors"), [
    ("a**2", ["(2 * a)"]), ("a**1", ["1"]), ("a**0", []), ("a*b", ["b", "a"]), ("-a", ["-1.0"]),
    ("exp(a)", ["exp(a)"]), ("a - b", ["1.0", "-1.0"]),
])  # fmt: skip
def test_what_changes_nothing_is_simplified_away(text: str, factors: list[str]) -> None:
    value = value_of(text)
    assert isinstance(value, ir.Unary | ir.Binary | ir.Intrinsic)
    found = [one.factor for one in derivatives(value) if isinstance(one.operand, ir.Ref)]
    assert [printed(one) for one in found if one is not None] == factors


@pytest.mark.parametrize("text", REFERENCES)
def test_the_variables_of_the_rules_are_what_the_analysis_reads(text: str) -> None:
    """Of the outermost operation; what stands inside adds at most what the expression names."""
    found, value = modelled(f"y = {text}")
    assert isinstance(value, ir.Unary | ir.Binary | ir.Intrinsic)
    rules = derivatives(value)
    for name in "abcrs":
        through = [rule for rule in rules if name in names_in(rule.operand)]
        mine = {one for rule in through for read in rule.reads for one in names_in(read)}
        assert mine <= read(found, value, name) <= mine | names_in(value)
        if all(isinstance(rule.operand, ir.Ref) for rule in rules):
            assert read(found, value, name) == mine


def modelled(statement: str) -> tuple[ProcedureModel, ir.Expr]:
    """The model of a procedure with one statement, and the value it assigns."""
    found = model(f"subroutine p(a, b, c, r, s, k, y)\n {TYPES} real(8) :: y\n {statement}\nend", "p")
    stmt = found.procedure.body[0]
    assert isinstance(stmt, ir.Assign)
    return found, stmt.value


def read(found: ProcedureModel, value: ir.Expr, varied: str) -> set[str]:
    """The variables that the derivative by these reads."""
    active = union(found.formal(name) for name in varied)
    return names(found, found.refs.partials(value, active))
