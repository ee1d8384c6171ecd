"""The sets of the corpus's time loops, derived by hand: restart data, dependencies, parameters, bytes."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest
from snapset.analysis.costs.evaluation import valued
from snapset.analysis.loops.loop_analysis import loop_sets
from snapset.analysis.loops.loop_results import HeldLocation
from snapset.analysis.loops.step_numbers import StepNumbers

from tests.support.time_loops import LOOPS, analysed, loop_of, written


@dataclass(frozen=True)
class ByHand:
    """Restart and dependencies as Fortran shows them, parameters, bytes; ``others``: untrimmed alone."""

    restart: str
    dependencies: str
    parameters: str
    bytes: tuple[str, str]
    others: str = ""


BY_HAND = {
    "loop_explicit": ByHand("", "", "kappa n", ("0", "0"), "u(2:n-1)"),
    "loop_burgers_ab2": ByHand("fold(2:n-1) u(2:n-1)", "u(2:n-1)", "n nu", ("16*n - 32", "8*n - 16")),
    "loop_ab3": ByHand("f0 f1 psi zeta", "psi zeta", "beta nu q r", ("2048", "1024")),
    "loop_leapfrog": ByHand("now old", "now", "n", ("16*n", "8*n")),
    "loop_accumulate": ByHand("u", "u", "", ("8*n", "16*n"), "cost"),  # sin(u), and u*u of the new u
    "loop_long_range": ByHand("f1 tices u", "f1 tices u", "", ("16*n + 8", "24*n + 32")),
    "loop_implicit": ByHand("u", "u w", "", ("8*n", "40*n")),
    "loop_small_d": ByHand("w", "w", "n", ("8", "8"), "t(2:n-1)"),
    "loop_while": ByHand("u", "dt u", "", ("8*n", "8*n + 8"), "t"),
    "loop_exit": ByHand("u", "u", "", ("8*n", "16*n + 1")),
    "loop_forced": ByHand("u", "u", "force", ("8*n", "8*n")),
    "loop_varying": ByHand("u", "u", "", ("8*n", "8*k + 8")),
    "loop_nested_call": ByHand("u(2:m-1)", "u(2:m-1)", "m", ("8*m - 16", "8*m - 16")),
    "loop_module_state": ByHand("h v", "h v", "", ("96", "96"), "energy"),
}


@pytest.mark.parametrize("name", BY_HAND)
def test_the_sets_are_those_derived_by_hand(name: str) -> None:
    found, wanted = loop_sets(analysed(name)), BY_HAND[name]
    assert shown(found.restart) == wanted.restart
    assert shown(found.dependencies) == wanted.dependencies
    assert " ".join(found.parameters) == wanted.parameters
    assert (str(found.restart_bytes), str(found.dependency_bytes)) == wanted.bytes
    kept = {one.name for one in found.restart}
    assert shown(one for one in found.untrimmed if one.name not in kept) == wanted.others


def shown(held: object) -> str:
    return " ".join(one.shown for one in held if isinstance(one, HeldLocation))  # type: ignore[attr-defined]


def test_the_corpus_has_a_loop_for_each_thing() -> None:
    assert set(LOOPS) - set(BY_HAND) == {"loop_swap_pointer"}  # whose bytes are what a pointer may lead to


def test_barotropic_vorticity_has_the_sets_of_the_paper() -> None:
    """Maddison, Figures 1 to 3: from step 1 for steps 1 and 2 F_0, zeta and psi, beside beta, r, Q and nu."""
    found = loop_sets(analysed("loop_ab3"))
    assert found.first_steps == (("psi", "zeta"), ("f0", "psi", "zeta"))
    assert {one.name for one in found.dependencies} == {"psi", "zeta"}
    assert found.adjoint_parameters == ("beta", "nu", "r")


def test_what_only_a_later_step_of_the_span_reads_is_long_range(tmp_path: Path) -> None:
    text = """
subroutine p(x, y)
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  real(8) :: a, b, c
  integer :: k
  a = x
  b = x + 1
  c = x + 2
  y = 0
  do k = 1, 5
    y = y + a*a
    a = b
    b = c
    c = c + 1
  end do
end subroutine
"""
    found = loop_sets(loop_of([written(tmp_path, text)], "p(x)>(y)", 11))
    assert found.spans == (("a",), ("b",), ("c",))


def test_steps_of_several_iterations(tmp_path: Path) -> None:
    found = loop_sets(analysed("loop_burgers_ab2"), period=3)
    assert str(found.dependency_bytes) == "24*n - 48"
    assert str(found.restart_bytes) == "16*n - 32"


def test_a_stretch_that_a_callee_leaves_out_is_a_parameter() -> None:
    found = loop_sets(analysed("loop_nested_call"))
    assert found.parameters == ("m",)


def test_steps_that_are_not_alike_are_said_with_their_ratio() -> None:
    found = loop_sets(analysed("loop_varying"), numbers=StepNumbers(valued({"nt": 40})))
    (said,) = found.diagnostics
    assert found.varies
    assert said.code == "SN501"
    assert "at most 320, 164.0 on average, a ratio of 1.95" in said.message


@pytest.mark.parametrize(("statement", "code"), [
    ("call random_number(r)", "SN103"), ("read (5, *) r", "SN101"), ("allocate (node%next)", "SN104"),
    ("call unknown(r)", "SN107")])
def test_what_a_step_that_is_run_again_does_otherwise_is_said(tmp_path: Path, statement: str, code: str) -> None:
    """Every schedule but all in memory runs steps again; nothing in the sets makes these do what they did."""
    found = loop_of([written(tmp_path, f"""\
subroutine drawn(x, n, y)
  integer, intent(in) :: n
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  real(8) :: r
  integer :: i
  type link
    real(8) :: v
    type(link), pointer :: next
  end type
  type(link), pointer :: node
  y = x
  allocate (node)
  do i = 1, n
    r = 1
    {statement}
    y = y*y*r
  end do
end subroutine
""")], "drawn(x)>(y)", 14)
    assert code in {said.code for said in loop_sets(found).diagnostics}
