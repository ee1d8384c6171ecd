"""Procedures without source whose effects are declared: by the user, the library or an interface body."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from snapset.analysis.activity.differentiation_head import parse_heads
from snapset.analysis.external.declared_effects import WRITTEN, from_library, parse
from snapset.analysis.external.library_effects import LIBRARY
from snapset.analysis.messages.mpi_calls import CALLS
from snapset.analysis.pipeline import AnalysisOptions, analyse
from snapset.analysis.results import HeadResult, Part
from snapset.frontend.base.diagnostics import InputError
from snapset.frontend.load import load_text

HEAD = parse_heads("f(x)>(y)")[0]


def report(body: str, effects: Mapping[str, str] = {}, declarations: str = "") -> HeadResult:
    text = f"""module state
      real(8) :: hidden
    end module
    subroutine f(x, y, n)
      use state
      integer, intent(in) :: n
      real(8), intent(in) :: x(n)
      real(8), intent(out) :: y
      real(8) :: a(n), b(n)
      integer :: k, status(6), ierr
      {declarations}
      a = x
      b = 2*x
      {body}
      y = sum(a*b)*hidden
    end subroutine"""
    return analyse(load_text(text), HEAD, options=AnalysisOptions(effects=effects))


def called(body: str, effects: Mapping[str, str] = {}, declarations: str = "") -> Part:
    (part,) = report(body, effects, declarations).parts
    return part


def test_without_a_declaration_everything_global_is_touched() -> None:
    part = called("call solve(a, b, k)")
    assert set(part.sets.out_c) == {"a", "b", "k", "hidden"}
    assert set(part.sets.use_c) >= {"a", "b", "k", "hidden"}


def test_what_is_declared_is_all_that_is_touched() -> None:
    part = called("call solve(a, b, k)", {"SOLVE": "in inout none"})
    assert set(part.sets.out_c) == {"b"}
    assert set(part.sets.use_c) == {"a", "b"}


def test_globals_as_the_last_word() -> None:
    part = called("call solve(a, b, k)", {"solve": "in, inout, none, globals"})
    assert set(part.sets.out_c) == {"b", "hidden"}


SAID = """subroutine f(x, y)
  real(8) :: x, y, e
  call c(x, y, e)
  call say(e)
end subroutine
subroutine c(x, y, e)
  real(8) :: x, y, e
  x = x*x
  y = x*x
  e = y - 1
end subroutine"""


@pytest.mark.parametrize(("words", "runs"), [
    ("in", True), ("in skippable", False), ("inout skippable", False), ("in globals skippable", True),
    ("sent skippable", True),
])  # fmt: skip
def test_what_is_skippable_is_not_run_for_itself(words: str, runs: bool) -> None:
    found = analyse(load_text(SAID), HEAD, options=AnalysisOptions(effects={"say": words})).parts[0]
    assert bool(found.sets.use_c) == runs
    assert ("x" in found.solutions["lazy"].snp) == runs


def test_what_is_skippable_is_run_where_it_is_needed() -> None:
    part = called("call solve(a, b, k)", {"solve": "in inout none skippable"})
    assert set(part.sets.out_c) == {"b"}


def test_more_arguments_than_declared_are_unknown() -> None:
    assert set(called("call solve(a, b, k)", {"solve": "in inout"}).sets.out_c) == {"a", "b", "k", "hidden"}


def test_a_scalar_that_is_out_is_not_needed_before() -> None:
    found = report("k = 3; !$AD\n      call solve(a, b, k); a(1) = a(1)*k", {"solve": "in inout out"})
    assert "k" not in found.parts[0].sets.use_c


def test_what_is_known_is_not_reported() -> None:
    said = [d.message for d in report("call solve(a, b, k); call other(b); call other(a)", {"solve": "in inout in"})
            .diagnostics if d.code == "SN301"]
    assert len(said) == 1
    assert "other" in said[0]


def test_an_interface_is_taken_at_its_word() -> None:
    interface = """interface
      pure subroutine solve(p, q, r)
        real(8), intent(in) :: p(*)
        real(8), intent(out) :: q(*)
        integer, intent(in) :: r
      end subroutine
    end interface"""
    assert set(called("call solve(a, b, k)", declarations=interface).sets.out_c) == {"b"}
    assert set(called("call solve(q=a, p=b, r=k)", declarations=interface).sets.out_c) == {"a"}
    impure = interface.replace("pure ", "")
    assert set(called("call solve(a, b, k)", declarations=impure).sets.out_c) == {"b", "hidden"}


def test_intent_in_arguments_of_the_caller_are_safe_from_anyone() -> None:
    assert "n" not in called("call solve(a, b, n)").sets.out_c


def test_a_procedure_that_is_passed_may_be_called() -> None:
    part = called("call solve(g, b, k)", {"solve": "none out none"}, "real(8), external :: g")
    assert "hidden" in part.sets.out_c


def test_what_other_processes_send_varies_and_what_they_get_counts() -> None:
    """The adjoint of a call of MPI is another call of MPI, with nothing to run twice: the two calls are no parts. What
    they pass on is active: the part between them has an adjoint, which nothing else here gives it."""
    found = report("a = 1\n      call mpi_recv(a, n, k, k, k, k, status, ierr)\n      !$AD CHECKPOINT-START\n      "
                   "a = a*a\n      !$AD CHECKPOINT-END\n      call mpi_send(a, n, k, k, k, k, ierr)")
    (part,) = found.parts
    assert part.kind == "region"
    assert "a" in part.sets.use_cbar
    assert "a" in part.solutions["lazy"].snp


def test_a_dummy_procedure_is_no_library_procedure() -> None:
    text = """subroutine f(x, y, dscal)
      real(8), intent(in) :: x
      real(8), intent(out) :: y
      external dscal
      real(8) :: t
      t = x
      call dscal(1, 2.0d0, t, 1)
      y = t
    end subroutine"""
    found = analyse(load_text(text), HEAD)
    assert [d.code for d in found.diagnostics] == ["SN301", "SN402"]  # and nothing that runs it is executed


def test_an_unknown_word_is_an_error() -> None:
    with pytest.raises(InputError, match="effects: solve: 'input' says nothing"):
        parse("solve", "input out")


@pytest.mark.parametrize(("name", "words"), [
    ("dgemm", "in in in in in in in in in in in inout in"), ("zdotc", "in in in in in"),
    ("dlamch", "in"), ("dgesv", "in in inout in out inout in out"), ("mpi_wtime", ""),
    ("mpi_bcast", "exchanged in in in in out")])  # fmt: skip
def test_the_library(name: str, words: str) -> None:
    assert LIBRARY[name] == tuple(words.split())


@pytest.mark.parametrize("name", sorted(CALLS))
def test_effects_of_mpi_are_those_of_all_its_arguments(name: str) -> None:
    """One too few, and a call of MPI_SENDRECV_REPLACE was one without source."""
    effects = from_library(name)
    assert effects is not None
    for argument, word in zip(CALLS[name].arguments, effects.accesses, strict=True):
        assert argument != "ierror" or word == "out"
        assert argument not in ("count", "datatype", "dest", "tag", "comm") or word not in WRITTEN or "type_" in name \
            or name in ("mpi_comm_free", "mpi_get_count"), argument
