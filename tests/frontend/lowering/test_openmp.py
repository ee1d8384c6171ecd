"""OpenMP directives: comments that give variables private copies."""

from __future__ import annotations

import pytest
from snapset.frontend import ir
from snapset.frontend.ir.statement_walk import statements
from snapset.frontend.load import load_text
from snapset.frontend.lowering.openmp_directives import parsed


def assigned(text: str, name: str = "x.f90") -> list[str]:
    """What the assignments write, in order; those of the directives themselves have the directive's line."""
    procedure = next(iter(load_text(text, name).procedures.values()))
    return [stmt.target.name for stmt in statements(procedure.body) if isinstance(stmt, ir.Assign)]


def body(*lines: str) -> str:
    return "\n".join(("subroutine s(a, t, u)", "real a(9), t, u", "integer i", *lines, "end subroutine"))


def test_a_loop_directive_is_for_the_next_loop_alone() -> None:
    assert assigned(body("!$omp parallel do private(t)", "do i = 1, 9", "t = i", "end do", "t = 1")) == [
        "t@4", "t@4", "t"]


def test_a_region_ends_with_its_end() -> None:
    text = body("!$OMP PARALLEL PRIVATE(T)", "t = 1", "u = 2", "!$omp end parallel", "t = 3")
    assert assigned(text) == ["t@4", "t@4", "u", "t"]


def test_a_region_ends_with_its_block() -> None:
    assert assigned(body("if (u > 0) then", "!$omp parallel private(t)", "t = 1", "end if", "t = 3")) == [
        "t@5", "t@5", "t"]


def test_regions_in_regions() -> None:
    text = body("!$omp parallel private(t)", "!$omp single private(u)", "t = 1", "u = 1", "!$omp end single",
                "u = 2", "!$omp end parallel", "t = 3")
    assert assigned(text) == ["t@4", "u@5", "t@4", "u@5", "u", "t"]


def test_a_loop_in_a_region_keeps_the_regions_copies() -> None:
    text = body("!$omp parallel private(t)", "!$omp do private(u)", "do i = 1, 9", "t = i", "u = i", "end do",
                "!$omp end do", "t = 1", "u = 1", "!$omp end parallel")
    assert assigned(text) == ["t@4", "u@5", "t@4", "u@5", "t@4", "u"]


def test_firstprivate_is_a_copy() -> None:
    procedure = next(iter(load_text(body("!$omp parallel firstprivate(t)", "u = t", "!$omp end parallel"))
                          .procedures.values()))
    copy = next(stmt for stmt in statements(procedure.body) if isinstance(stmt, ir.Assign))
    assert copy.target.name == "t@4"
    assert isinstance(copy.value, ir.Ref)
    assert copy.value.name == "t"


@pytest.mark.parametrize("clause", ["shared(t)", "reduction(+: t)", "lastprivate(t)", "if(u > 0)"])
def test_what_has_no_private_value(clause: str) -> None:
    assert assigned(body(f"!$omp parallel do {clause}", "do i = 1, 9", "t = i", "end do")) == ["t"]


@pytest.mark.parametrize("lines", [
    ("!$omp parallel do &", "!$omp private(t)"), ("!$omp parallel do&", "!$omp& private(t)"),
    ("!$omp parallel do", "!$omp& private(t)"), ("!$omp parallel do ! says who", "!$omp&private(t)"),
])  # fmt: skip
def test_continued_directives(lines: tuple[str, str]) -> None:
    assert assigned(body(*lines, "do i = 1, 9", "t = i", "end do"))[-1] == "t@4"


def test_fixed_form() -> None:
    text = """      subroutine s(a, t)
      real a(9), t
c$omp parallel do
c$omp+ private(t)
      do 10 i = 1, 9
        t = i
10    continue
      t = 1
      end
"""
    assert assigned(text, "x.f") == ["t@3", "t@3", "t"]


def test_directives_stand_anywhere() -> None:
    text = """module m
      !$omp declare target
      type p
        !$omp nothing
        real x
      end type
      real c
      !$omp threadprivate(c)
      interface
        !$omp nothing
        subroutine f(x)
          !$omp declare simd
          real x
        end subroutine
      end interface
    contains
      !$omp nothing
      subroutine s(a, t)
        real a(9), t
        !$omp barrier
        !$omp atomic
        t = 1
        !$omp flush
        !$omp critical (name)
        t = 2
        !$omp end critical (name)
        !$omp end parallel
      end subroutine
      !$omp nothing
    end module
    !$omp nothing
    """
    assert assigned(text) == ["t", "t"]


def test_clauses() -> None:
    found = parsed("parallel do collapse(2) private(a, b), private(c) firstprivate(d) if(f(a) > g(1))")
    assert (found.words, found.private, found.copied) == (("parallel", "do"), ("a", "b", "c"), ("d",))
