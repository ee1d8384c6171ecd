"""Why a location is saved, worked out by hand: the rule of DH (6), (7), the statements, what the other choice costs."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest
import snapset
from snapset import Choices, Explanation, InputError

HEADER = "subroutine s(x, n, y)\n  implicit none\n  integer :: n\n  real(8) :: x(n), y, a(n)\n"


@dataclass(frozen=True)
class Case:
    """``body`` begins in line 5. ``evidence``: by set the line that all comes down to, and what it does."""

    body: str
    at: str
    variable: str
    saved: tuple[str, ...]
    evidence: dict[str, tuple[int, str]]
    strategy: str = "lazy"
    rest: str = ""


CASES = {
    "overwritten by C, read by its adjoint": Case(
        """\
  a = x
  !$AD CHECKPOINT-START
  a = a*a
  !$AD CHECKPOINT-END
  y = sum(a*a)
""", "s@7", "a", ("Snp",), {"out(C)": (7, "overwrites"), "use(C̄)": (7, "adjoint reads")}),
    "overwritten behind C, read by its adjoint: taped there, lazily": Case(
        """\
  a = x
  !$AD CHECKPOINT-START
  y = sum(a*a)
  !$AD CHECKPOINT-END
  a = 2.0d0*y
  y = y*sum(a*a)
""", "s@7", "a", ("Req_D",), {"out(D̄)": (9, "overwrites"), "use(C̄)": (7, "adjoint reads")}),
    "the same, saved before it, eagerly": Case(
        """\
  a = x
  !$AD CHECKPOINT-START
  y = sum(a*a)
  !$AD CHECKPOINT-END
  a = 2.0d0*y
  y = y*sum(a*a)
""", "s@7", "a", ("Snp",), {"out(D̄)": (9, "overwrites"), "use(C̄)": (7, "adjoint reads")}, "eager"),
    "required before the part, overwritten in it: Snp and Req_C": Case(
        """\
  a = x
  y = sum(a*a)
  !$AD CHECKPOINT-START
  a = 2.0d0*a + x
  y = y*sum(a)
  !$AD CHECKPOINT-END
  y = y*sum(a)
""", "s@8", "a", ("Snp", "Req_C"),
        {"out(C)": (8, "overwrites"), "use(C̄)": (8, "reads"), "out(C̄)": (8, "overwrites"),
         "Req": (6, "adjoint reads")}),
    "the same, kept to the end": Case(
        """\
  a = x
  y = sum(a*a)
  !$AD CHECKPOINT-START
  a = 2.0d0*a + x
  y = y*sum(a)
  !$AD CHECKPOINT-END
  y = y*sum(a)
""", "s@8", "a", ("Snp", "Sbk"),
        {"out(C)": (8, "overwrites"), "use(C̄)": (8, "reads"), "out(C̄)": (8, "overwrites"),
         "Req": (6, "adjoint reads")},
        "eager"),
    "never overwritten": Case(
        """\
  !$AD CHECKPOINT-START
  y = sum(x*x)
  !$AD CHECKPOINT-END
  y = y*y
""", "s@6", "x", (), {"use(C̄)": (6, "adjoint reads")}),
    "never read: linear": Case(
        """\
  a = x
  !$AD CHECKPOINT-START
  a = 3.0d0*x
  !$AD CHECKPOINT-END
  y = sum(a)
""", "s@7", "a", (), {}),
    "in a procedure of a procedure": Case(
        """\
  a = x
  call outer(a, n)
  y = sum(a*a)
""", "s@6", "a", ("Snp",), {"out(C)": (17, "overwrites"), "use(C̄)": (17, "adjoint reads")}, rest="""\
subroutine outer(b, n)
  integer :: n
  real(8) :: b(n)
  call inner(b, n)
end subroutine outer
subroutine inner(c, n)
  integer :: n
  real(8) :: c(n)
  c = sin(c)
end subroutine inner
"""),
    "required by the caller of the procedure that the part is in": Case(
        """\
  a = x
  y = sum(a*a)
  call outer(a, n, y)
""", "outer@13", "b", ("Snp", "Req_C"), {
            "out(C)": (13, "overwrites"), "use(C̄)": (13, "reads"), "out(C̄)": (13, "overwrites"),
            "Req": (6, "adjoint reads")}, rest="""\
subroutine outer(b, n, y)
  integer :: n
  real(8) :: b(n), y
  !$AD CHECKPOINT-START
  b = 2.0d0*b + 1.0d0
  y = y*sum(b)
  !$AD CHECKPOINT-END
  y = y*sum(b)
end subroutine outer
"""),
}


def explained(case: Case, tmp_path: Path) -> Explanation:
    file = tmp_path / "s.f90"
    file.write_text(f"{HEADER}{case.body}end subroutine s\n{case.rest}")
    choices = Choices(strategies=case.strategy)
    (found,) = snapset.explain([str(file)], "s(x)>(y)", case.at, case.variable, choices)
    return found


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_reasons_worked_out_by_hand(case: Case, tmp_path: Path) -> None:
    found = explained(case, tmp_path)
    assert found.member.saved == case.saved
    assert {chain.set: (chain.steps[-1].line, chain.steps[-1].role) for chain in found.chains} == case.evidence


def test_the_other_choice_has_its_cost(tmp_path: Path) -> None:
    """a and x have n elements of 8 bytes: taped once where D overwrites it, or saved once before C."""
    found = explained(CASES["overwritten behind C, read by its adjoint: taped there, lazily"], tmp_path)
    assert found.other is not None
    assert (found.other.side, found.other.instead) == ("Snp", "Req_D")
    assert str(found.traffic) == str(found.other.traffic) == "8*n"


def test_a_partial_derivative_is_named(tmp_path: Path) -> None:
    case = Case("  a = x\n  !$AD CHECKPOINT-START\n  a = x*sin(a)\n  !$AD CHECKPOINT-END\n  y = sum(a)\n", "s@7", "a",
                (), {})
    (chain,) = (one for one in explained(case, tmp_path).chains if one.set == "use(C̄)")
    assert chain.steps[-1].note == "the derivative of x*sin(a) by x is sin(a)"


def test_what_is_not_there_is_said(tmp_path: Path) -> None:
    case = CASES["never overwritten"]
    for at, variable, said in (("s@9", "x", "no checkpointed part"), ("s@6", "xx", "nothing is called xx there")):
        with pytest.raises(InputError, match=said):
            explained(Case(case.body, at, variable, (), {}), tmp_path)


def test_recursion_ends(tmp_path: Path) -> None:
    case = Case("  a = x\n  call turn(a, n)\n  y = sum(a*a)\n", "s@6", "a", (), {}, rest="""\
recursive subroutine turn(b, n)
  integer :: n
  real(8) :: b(n)
  if (n > 1) call turn(b(2:), n - 1)
  b(1) = b(1)*b(1)
end subroutine turn
""")
    found = explained(case, tmp_path)
    assert found.member.saved == ("Snp",)
    assert {chain.steps[-1].line for chain in found.chains} == {13}
