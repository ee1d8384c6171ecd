"""Of an array that a marked part writes a stretch of, only that is saved: which, how many bytes, by execution."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from snapset.analysis.activity.differentiation_head import parse_heads
from snapset.analysis.pipeline import analyse
from snapset.analysis.recording.strategy_texts import parse_strategies
from snapset.analysis.replay.experiment.compare_strategies import compare
from snapset.analysis.replay.experiment.inputs import Inputs
from snapset.analysis.results import Solution
from snapset.frontend.load import load_text
from snapset.render.layout.byte_figures import Figures

START = """module m
  type grid
    real(8) :: w(0:20)
    integer :: first
  end type grid
contains
  subroutine shift(k)
    integer, intent(inout) :: k
    k = k + 1
  end subroutine shift
  subroutine smooth(a, m)
    integer, intent(in) :: m
    real(8), intent(inout) :: a(m)
    integer :: i
    do i = 2, m-1
      a(i) = a(i)*a(i+1)
    end do
  end subroutine smooth
  subroutine shaped(a, m)
    integer, intent(in) :: m
    real(8), intent(inout) :: a(:)
    call smooth(a, m)
  end subroutine shaped
  subroutine all(a, m)
    integer, intent(in) :: m
    real(8), intent(inout) :: a(m)
    a = a*a
  end subroutine all
  subroutine unend(a, m)
    integer, intent(in) :: m
    real(8), intent(inout) :: a(0:*)
    a(m:m+1) = a(m:m+1)**2
  end subroutine unend
  subroutine boxed(b, m)
    integer, intent(in) :: m
    type(grid), intent(inout) :: b
    b%w(b%first:m) = b%w(b%first:m)**2
  end subroutine boxed
  subroutine plane(a, m, rows)
    integer, intent(in) :: m, rows
    real(8), intent(inout) :: a(rows, *)
    integer :: i
    do i = 1, m-1
      a(i, 2) = a(i, 2)*a(i+1, 1)
    end do
  end subroutine plane
  subroutine deep(a, m)
    integer, intent(in) :: m
    real(8), intent(inout) :: a(m)
    call smooth(a(2), m-2)
  end subroutine deep
  subroutine one(r)
    real(8), intent(inout) :: r
    r = r*r
  end subroutine one
  subroutine changing(a, m)
    integer, intent(inout) :: m
    real(8), intent(inout) :: a(*)
    m = m + 1
    a(m) = a(m)**2
  end subroutine changing
  subroutine set(a, m)
    integer, intent(in) :: m
    real(8), intent(out) :: a(m)
    a(1) = 2
  end subroutine set
  recursive subroutine again(a, m)
    integer, intent(in) :: m
    real(8), intent(inout) :: a(20)
    a(m) = a(m)**2
    if (m > 2) call again(a, m-1)
  end subroutine again
end module m
subroutine p(x, n, q, r, k, y)
  use m
  integer, intent(in) :: n, q
  integer, intent(inout) :: k
  real(8), intent(in) :: x, r(*)
  real(8), intent(out) :: y
  real(8) :: u(n), c(n, n), e(20), f(0:20), s, h(20), b(20)
  real(8), target :: t(20)
  real(8), allocatable :: v(:)
  real(8) :: o(20), o2(20)
  equivalence (o(3), o2(1))
  common /blk/ h
  type(grid) :: g, many(20)
  integer :: i, j, l
  allocate(v(0:n))
  u = x; c = x; e = x; f = x; v = x; t = x; o = x; h = x; s = x; b = 0.7d0
  g%w = x; g%first = 2
  do i = 1, 20
    many(i)%w = x
    many(i)%first = 2
  end do
"""
END = """
  y = sum(u*u) + sum(c*c) + sum(e*e) + sum(f*f) + sum(v*v) + sum(t*t) + sum(o*o) + sum(h*h) + sum(g%w*g%w) + s*s
  do i = 1, 20
    y = y + sum(many(i)%w*many(i)%w)
  end do
end subroutine p
"""
STRATEGIES = parse_strategies("lazy,eager,Opt1+=*;Opt2+=*;Opt3+=*")


def program(body: str) -> str:
    return START + body + END


def solved(body: str, numbers: tuple[int, ...] = (6, 2, 0)) -> Solution:
    """Lazy's solution of the first part of a program, executed for several n."""
    (head,) = parse_heads("p(x)>(y)")
    text = program(body)
    for n in numbers:
        for run in compare(load_text(text), head, STRATEGIES, Inputs({"n": n, "q": 3, "k": 2})).runs:
            assert run.equal, (n, run.differences, run.error)
            assert (run.predicted_peak_bytes, run.predicted_traffic_bytes) == (run.peak_bytes, run.traffic_bytes), n
    return analyse(load_text(text), head).parts[0].solutions["lazy"]


def shown(found: Solution) -> Mapping[str, str]:
    return {name: found.sections.get(name, name) for name in (*found.snp, *found.sbk)}


def part(*lines: str) -> str:
    return "!$AD CHECKPOINT-START\n" + "\n".join(lines) + "\n!$AD CHECKPOINT-END\n"


def loop(limits: str, *lines: str) -> str:
    return f"do {limits}\n" + "\n".join(lines) + "\nend do"


@pytest.mark.sample(3)
@pytest.mark.parametrize(("body", "section", "size"), [
    (loop("i = 2, n-1", "u(i) = u(i)*u(i+1)"), "u(2:n-1)", "8*n - 16"),
    (loop("i = n-1, 2, -1", "u(i) = u(i)*u(i+1)"), "u(2:n-1)", "8*n - 16"),
    (loop("i = 1, n-1", "u(i+1) = u(i)*u(i+1)"), "u(2:n)", "8*n - 8"),
    (loop("i = 0, n-1", "f(n-i) = f(n-i)**2"), "f(1:n)", "8*n"),
    (loop("i = 1, q", "e(2*i+1) = e(2*i+1)**2"), "e(3:2*q+1)", "16*q - 8"),
    (loop("i = 2, n-1, 2", "u(i) = u(i)**2"), "u(2:n-1)", "8*n - 16"),
    ("u(2:n-1) = u(2:n-1)**2", "u(2:n-1)", "8*n - 16"),
    ("where (u(2:n-1) > 0.1d0) u(2:n-1) = u(2:n-1)**2", "u(2:n-1)", "8*n - 16"),
    ("forall (i = 2:n-1) u(i) = u(i)**2", "u(2:n-1)", "8*n - 16"),
    ("do concurrent (i = 2:n-1)\nu(i) = u(i)**2\nend do", "u(2:n-1)", "8*n - 16"),
    (loop("i = 1, 4", loop("j = 1, 3", "e(i+j) = e(i+j)**2")), "e(2:7)", "48"),
    ("e(q) = e(q)**2", "e(q)", "8"),
    (loop("i = 2, n-1", loop("j = 1, n-1", "c(i,j) = c(i,j)**2")), "c(2:n-1, 1:n-1)", "8*n**2 - 24*n + 16"),
    (loop("i = 2, n-1", loop("j = 1, i", "c(j,i) = c(j,i)**2")), "c(1:n-1, 2:n-1)", "8*n**2 - 24*n + 16"),
    (loop("i = 2, n-1", "c(i,q) = c(i,q)**2"), "c(2:n-1, q)", "8*n - 16"),
    (loop("i = 1, n", "c(i,2) = c(i,2)**2"), "c(:, 2)", "8*n"),
    (loop("i = 2, 5", "g%w(i) = g%w(i)**2"), "g%w(2:5)", "32"),
    (loop("i = g%first, 5", "g%w(i) = g%w(i)**2"), "g%w(g%first:5)", "48 - 8*g%first"),
    (loop("i = 2, 5", "many(i)%w(3) = many(i)%w(3)**2"), "many(2:5)%w(3)", "32"),
    (loop("i = 2, 5", "many(q)%w(i) = many(q)%w(i)**2"), "many(q)%w(2:5)", "32"),
    (loop("i = 2, 5", "h(i) = h(i)**2"), "h(2:5)", "32"),  # in COMMON
])
def test_what_is_written_is_what_is_saved(body: str, section: str, size: str) -> None:
    found = solved(part(body), numbers=(6, 3) if "2) =" in body else (6, 2, 0))
    assert list(shown(found).values()) == [section]
    assert str(Figures()(found.snapshot_bytes)) == size


@pytest.mark.parametrize(("body", "section"), [
    (loop("i = 3, n-2", "u(i) = u(i)**2*s", "u(i-1) = u(i-1)*u(i)"), "u(2:n-2)"),
    (loop("i = 2, n-1", "u(i) = u(i)**2") + "\n" + loop("i = 3, n-2", "u(i) = u(i)**2"), "u(2:n-1)"),
    ("f(3) = f(3)**2\nf(0) = f(0)**2", "f(3), f(0)"),
    ("u(2) = u(2)**2\n" + loop("i = 2, n-1", "u(i) = u(i)**2"), "u(2), u(2:n-1)"),  # n - 1 may be less than 2
    ("e(k) = e(k)**2\ne(q) = e(q)**2", "e(k), e(q)"),                       # which is the greater?
    ("h(2) = h(2)**2\no(4) = o(4)**2\nh(3) = h(3)**2", "h(2:3)"),
])
def test_several_assignments_make_one_stretch(body: str, section: str) -> None:
    assert section in shown(solved(part(body), numbers=(6, 3))).values()


@pytest.mark.parametrize("body", [
    "l = 3\ne(l) = e(l)**2",                                                # a limit that the part sets
    loop("i = 1, q", "call shift(k)", "e(k) = e(k)**2"),
    loop("i = 1, 4", loop("j = 1, 3", "e(i*j) = e(i*j)**2")),
    loop("i = 2, 5", "many(i)%w(i) = many(i)%w(i)**2"),                     # Fortran has no such section
    loop("i = 2, 5", "o(i) = o(i)**2", "o2(i) = o2(i)**2"),
    loop("i = 1, n", "u(i) = u(i)**2"),                                     # all there is
    "v = v*v",
])
def test_what_is_no_stretch_is_saved_whole(body: str) -> None:
    (head,) = parse_heads("p(x)>(y)")
    text = program(part(body))
    found = analyse(load_text(text), head).parts[0].solutions["lazy"]
    assert found.snp
    assert not found.sections
    for run in compare(load_text(text), head, STRATEGIES, Inputs({"n": 6, "q": 3, "k": 2})).runs:
        assert run.equal, (run.differences, run.error)


@pytest.mark.sample(2)
@pytest.mark.parametrize(("body", "section"), [
    (loop("i = 2, n-1", "{0}(i) = {0}(i)**2"), "{0}(2:n-1)"),
    (loop("i = 2, n-1", "if ({0}(i) > 0.1d0) {0}(i) = {0}(i)**2"), "{0}(2:n-1)"),  # each turn reads v(i)
    (loop("i = 2, n-1", "if ({0}(1) > 0.1d0) {0}(i) = {0}(i)**2"), ("u(2:n-1)", "v")),
    (loop("i = 2, n-1", "if ({0}(i) > 5d0) exit", "{0}(i) = {0}(i)**2"), ("u(2:n-1)", "v")),
    (loop("i = 2, n-1, 2", "{0}(i) = {0}(i)**2"), ("u(2:n-1)", "v")),
    (loop("i = 2, n-1", "{0}(i) = {0}(i)**2", "{0}(i-1) = {0}(i-1)**2"), ("u(1:n-1)", "v")),
    (loop("i = 1, n", loop("j = 1, 1", "{0}(i+j-1) = {0}(i+j-1)**2")), ("u", "v")),
    (loop("i = 2, n-1", "{0}(i-1:i) = {0}(i-1:i)**2"), "{0}(1:n-1)"),
    (loop("i = 2, n-1", "{0}(i:n) = {0}(i:n)**2"), "{0}(2:n)"),
    (loop("i = 1, 2", "{0}(i:2*i-1) = {0}(i:2*i-1)**2"), ("u", "v")),       # the first of these may be empty
])
def test_a_stretch_has_to_be_there(body: str, section: str | tuple[str, str]) -> None:
    """The bounds of u are known, those of v are not: it may have been allocated too small, or not at all."""
    for at, name in enumerate("uv"):
        expected = section.format(name) if isinstance(section, str) else section[at]
        (head,) = parse_heads("p(x)>(y)")
        text = program(part(body.format(name)))
        assert shown(analyse(load_text(text), head).parts[0].solutions["lazy"])[name] == expected
        for run in compare(load_text(text), head, STRATEGIES, Inputs({"n": 6, "q": 3, "k": 2})).runs:
            assert run.equal, (run.differences, run.error)


def test_where_nothing_is_written_nothing_need_be_there() -> None:
    """v is not allocated at all, c has no column q."""
    gone = "deallocate(v)\n" + part(loop("i = 2, n-1", "v(i) = v(i)**2")) + "allocate(v(0:n))\nv = x\n"
    assert shown(solved(gone, numbers=(2,))) == {}
    assert shown(solved(part(loop("i = 2, n-1", "c(i,q) = c(i,q)**2")), numbers=(2, 1))) == {"c": "c(2:n-1, q)"}


INTERIOR = loop("i = 2, n-1", "u(i) = u(i)*u(i+1)")
GROW = loop("i = 2, n-1", "s = s*u(i)", "u(i) = 2*u(i)")


def test_what_is_lost_behind_the_part_is_saved_whole() -> None:
    assert shown(solved(part(INTERIOR) + "u = u + s\n"))["u"] == "u"
    assert shown(solved(part(INTERIOR) + "s = sum(u*u)\n"))["u"] == "u(2:n-1)"


def test_limits_are_found_again_or_the_array_is_saved_whole() -> None:
    """k is needed for nothing else: the part's adjoint does not read it."""
    body = part("s = s*s*b(3)", "b(k) = 0.4d0")
    assert shown(solved(body + "l = k\ne(l) = e(l)**2\ns = s*b(l)\n")) == {"b": "b(k)", "s": "s"}
    assert shown(solved(body + "k = k + 1\ne(k) = e(k)**2\ns = s*b(k)\n")) == {"b": "b", "s": "s"}


def test_limits_that_change_in_the_loop_around() -> None:
    assert shown(solved(loop("l = 1, q", part("u(l:n-1) = u(l:n-1)**2")) + "\n", numbers=(6, 3)))["u"] == "u(l:n-1)"
    moving = loop("l = 1, q", part("e(k:k+2) = e(k:k+2)**2"), "k = k + 2") + "\n"
    assert shown(solved(moving))["e"] == "e(k:k+2)"


def test_a_part_in_a_part_destroys_no_more_than_the_outer_one_saves() -> None:
    """Eager keeps u(2:n-1) of the outer part to the end, and the inner one nothing: its u is free to be lost."""
    for inner in (GROW, loop("i = 3, n-2", "s = s*u(i)", "u(i) = 2*u(i)")):
        found = solved("s = s*sum(u*u)\n" + part("s = s*u(2)", part(inner), GROW), numbers=(6, 3, 2))
        assert shown(found)["u"] == "u(2:n-1)"
        assert "u" in found.req


def test_the_machine_notices_a_section_restored_elsewhere() -> None:
    import numpy as np
    from snapset.analysis.memory.locations import Location
    from snapset.analysis.replay.machine.saved_copies import selected
    from snapset.analysis.replay.memory.frames import Frame, Memory
    from snapset.analysis.replay.memory.runtime_support import ReplayError, Slot
    from snapset.frontend.ir import Area

    slot = Slot(np.zeros(5), None, (1,))
    place = Location(Area("module", "m", "u"))
    frame = Frame(None, Memory({}, {}, {(place.area, ()): slot}), None)
    before = selected(frame, {place: lambda s, f: ((slot, (slice(1, 3),)), (slot, (0,)))})
    assert selected(frame, {place: lambda s, f: ((slot, (slice(1, 3),)), (slot, (0,)))}, before) == before
    for end, last in ((4, 0), (3, 4)):
        now = (slot, (slice(1, end),)), (slot, (last,))
        with pytest.raises(ReplayError, match="elements of `u`"):
            selected(frame, {place: lambda s, f, now=now: now}, before)


@pytest.mark.sample(6)
@pytest.mark.parametrize(("call", "section"), [
    ("call smooth(u, n)", "u(2:n-1)"),
    ("call smooth(f, n)", "f(1:n-2)"),              # from 0
    ("call smooth(f(0), n)", "f(1:n-2)"),
    ("call smooth(e(k), q)", "e(k+1:k+q-2)"),
    ("call smooth(c(1,k), n)", "c(2:n-1, k)"),      # a column
    ("call smooth(c(2,k), n-1)", "c(3:n-1, k)"),
    ("call smooth(c(2,k), n)", "c(3:n, k)"),
    ("call smooth(c(3,k), n)", "c(:, k:)"),         # goes on in the next one
    ("call shaped(c(:,k), n)", "c(2:n-1, k)"),
    ("call shaped(f(3:), q)", "f(4:q+1)"),
    ("call shaped(e(3:9:2), q)", "e(3:9:2)"),
    ("call all(e(3), q)", "e(3:q+2)"),
    ("call all(c(1,2), n)", "c(:, 2)"),
    ("call unend(e(3), k)", "e(k+3:k+4)"),
    ("call boxed(g, q)", "g%w(g%first:q)"),
    ("call boxed(many(q), q)", "many(q)%w(many(q)%first:q)"),
    ("call plane(c, n, n)", "c(1:n-1, 2)"),
    ("call plane(c, n-1, n-1)", "c"),               # other columns
    ("call deep(e, n+3)", "e(3:n+1)"),
    ("call smooth(g%w, n)", "g%w(1:n-2)"),
    ("call smooth(many(q)%w(3), n)", "many(q)%w(4:n+1)"),
    ("call one(e(k+1))", "e(k+1)"),
    ("call smooth(h, n)", "h(2:n-1)"),              # in COMMON
    ("call smooth(v, n)", "v"),                     # its lower bound is not known
    ("call shaped(t, n)", "t(2:n-1)"),
    ("call changing(e, k)", "e"),
    ("call again(e, q)", "e"),
])
def test_what_a_procedure_writes_of_what_it_is_passed(call: str, section: str) -> None:
    """As a part of its own, and in a marked part with nothing else."""
    (head,) = parse_heads("p(x)>(y)")
    for body in (call, part(call)):
        text = program(body + "\n")
        for n in (6, 4):
            for run in compare(load_text(text), head, STRATEGIES, Inputs({"n": n, "q": 3, "k": 2})).runs:
                assert run.equal, (n, run.differences, run.error)
        found = shown(analyse(load_text(text), head).parts[0].solutions["lazy"])
        assert {one for name, one in found.items() if name not in ("k", "s")} == {section}


def test_what_is_undefined_in_a_procedure_is_saved_whole() -> None:
    """set writes its first element only, but the others are lost too, with INTENT(OUT)."""
    assert shown(solved("s = s*sum(e*e)\ncall set(e, q)\n"))["e"] == "e"
    assert shown(solved("s = s*sum(e*e)\ncall all(e, q)\n"))["e"] == "e(1:q)"


@pytest.mark.sample(2)
@pytest.mark.parametrize(("body", "section"), [
    (loop("i = 1, 3", "call one(e(i+2))"), "e(3:5)"),
    (loop("i = 2, n-1", "call smooth(c(1,i), n)"), "c(2:n-1, 2:n-1)"),
    (loop("i = 1, n", "call shaped(c(:,i), n)"), "c(2:n-1, :)"),
    ("call smooth(e, q)\ne(1) = e(1)**2", "e"),      # q - 1 may be less than 1
    ("call smooth(e, 5)\ne(1) = e(1)**2", "e(1:4)"),
    ("call shift(k)\ncall smooth(e(k), 5)", "e"),
    ("if (s > 0.1d0) call smooth(u, n)", "u(2:n-1)"),
    ("if (s > 0.1d0) call smooth(e, n)", "e"),       # has e so many?
])
def test_calls_in_a_part(body: str, section: str) -> None:
    assert section in shown(solved(part(body), numbers=(6, 4))).values()


PASSED = """subroutine work(z, n, k, y)
  integer :: n, k, i, j
  real(8) :: z(3, *), y
  !$AD CHECKPOINT-START
  {0}
  !$AD CHECKPOINT-END
  y = z(1, 2)**2
  k = 1
end subroutine work
subroutine p(x, n, y)
  integer :: n, k
  real(8) :: x, y, a(3, 5)
  a = x
  k = 2
  call work(a, n, k, y)
  y = y + sum(a*a)
end subroutine p
"""


@pytest.mark.parametrize(("body", "section"), [
    (loop("i = 2, n", "z(:, i) = z(:, i)**2"), "z(:, 2:n)"),
    (loop("i = 2, n", "z(k, i) = z(k, i)**2"), "z(k, 2:n)"),
    (loop("i = 2, n", "z(1, i) = z(1, i)**2*z(3, i+1)"), "z(1, 2:n)"),
    (loop("i = 2, 3", "j = i + 1", "z(1, j) = z(1, j)**2"), "z"),  # z(1, :) has no end
])
def test_arrays_without_a_last_bound(body: str, section: str) -> None:
    (head,) = parse_heads("p(x)>(y)")
    text = PASSED.format(body)
    parts = analyse(load_text(text), head).parts
    assert shown(next(p for p in parts if p.kind == "region").solutions["lazy"])["z"] == section
    for run in compare(load_text(text), head, STRATEGIES, Inputs({"n": 4})).runs:
        assert run.equal, (run.differences, run.error)


def test_sections_are_in_both_reports() -> None:
    from snapset.render.records.report_json import to_json

    (head,) = parse_heads("p(x)>(y)")
    result = analyse(load_text(program(part(INTERIOR))), head)
    solution = to_json(result)["regions"][0]["solutions"]["lazy"]
    assert (solution["snp"], solution["sections"], solution["sizes"]) == (["u"], {"u": "u(2:n-1)"}, {"u": "8*n - 16"})
