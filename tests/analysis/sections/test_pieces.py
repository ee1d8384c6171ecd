"""Of an array that a call gets an element or section of, only that is saved: when, how many bytes, by execution."""

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

TEXT = """module m
  real(8) :: g(6)
contains
  subroutine one(h, q)
    real(8), intent(inout) :: h
    real(8), intent(in) :: q
    h = h*h*q
  end subroutine one
  subroutine two(h, q)
    real(8), intent(inout) :: h, q
    h = h*q*q
    q = h*q
  end subroutine two
  subroutine grow(h, q)
    real(8), intent(inout) :: h, q
    h = 2*h + 0.1d0
    q = q*h
  end subroutine grow
  subroutine take(h, q)
    real(8), intent(inout) :: h
    real(8), intent(in) :: q
    h = 2*h*q + 0.1d0
  end subroutine take
  subroutine fill(h, q)
    real(8), intent(out) :: h
    real(8), intent(in) :: q
    h = q*q
  end subroutine fill
  subroutine some(v)
    real(8), intent(inout) :: v(:)
    v = v*v
  end subroutine some
  subroutine fixed(v)
    real(8), intent(inout) :: v(3)
    v = v*v
  end subroutine fixed
  subroutine both(v, w)
    real(8), intent(inout) :: v(:), w(:)
    v = v*w
    w = w*cos(v)
  end subroutine both
  subroutine first(v, w)
    real(8), intent(inout) :: v(:)
    real(8), intent(in) :: w(:)
    v = v*w
  end subroutine first
  subroutine open(m, v, w)
    integer, intent(in) :: m
    real(8), intent(inout) :: v(*), w(*)
    integer :: i
    i = m
    v(i) = v(i)**2
    w(i) = sin(w(i))
    i = 1
  end subroutine open
  subroutine lift(h, q, z)
    real(8), intent(inout) :: h, z
    real(8), intent(in) :: q
    h = 2*h + 0.1d0
    z = z*h + q*q
  end subroutine lift
  subroutine rest(m, v, q)
    integer, intent(in) :: m
    real(8), intent(inout) :: v(*), q
    integer :: i
    i = m
    v(i) = v(i)*q
    q = q*v(i)
    i = 1
  end subroutine rest
  subroutine turned(i, h)
    integer, intent(inout) :: i
    real(8), intent(inout) :: h
    h = h*h*i
    i = 5 - i
  end subroutine turned
  subroutine crossed(i, j, h)
    integer, intent(inout) :: i, j
    real(8), intent(inout) :: h
    h = h*h*i*j
    i = 5 - i
    j = 5 - j
  end subroutine crossed
  subroutine hidden(h)
    real(8), intent(in) :: h
    g(2) = g(2)*h
  end subroutine hidden
end module m
subroutine p(x, n, y)
  use m
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  type box
    real(8) :: v(6)
  end type box
  type(box) :: c
  real(8) :: a(n, 4), b(n), s
  integer :: k, j, at(4) = (/3, 1, 4, 2/), to(4) = (/1, 2, 3, 4/)
  a = x(1)
  b = x
  g = 1
  s = 1
  c%v = x(1)
  do k = 2, 4
    {call}
    {behind}
  end do
  y = s + sum(a*a) + sum(b*b) + sum(g*g) + sum(c%v*c%v)
end subroutine p
"""
STRATEGIES = parse_strategies("lazy,eager,optimal,Opt1+=*;Opt2+=*;Opt3+=*")


def solved(call: str, behind: str = "") -> Solution:
    (head,) = parse_heads("p(x)>(y)")
    text = TEXT.format(call=call, behind=behind)
    for run in compare(load_text(text), head, STRATEGIES, Inputs({"n": 6})).runs:
        assert run.equal, (run.differences, run.error)
        assert (run.predicted_peak_bytes, run.predicted_traffic_bytes) == (run.peak_bytes, run.traffic_bytes)
    return analyse(load_text(text), head).parts[0].solutions["lazy"]


def shown(found: Solution) -> Mapping[str, str]:
    return {name: found.sections.get(name, name) for name in (*found.snp, *found.sbk)}


@pytest.mark.parametrize(("call", "section", "size"), [
    ("call one(b(k), x(1))", {"b": "b(k)"}, 8),
    ("call one(a(k, 2), x(1))", {"a": "a(k, 2)"}, 8),
    ("call one(b(k+1), b(k))", {"b": "b(k+1)"}, 8),          # the other element is only read
    ("call two(b(k), a(2, k))", {"a": "a(2, k)", "b": "b(k)"}, 16),
    ("call two(b(k), b(k-1))", {"b": "b(k), b(k-1)"}, 16),       # two elements of one array
    ("call two(a(2, k), a(k, 1))", {"a": "a(2, k), a(k, 1)"}, 16),
    ("call two(a(2, at(k)), a(3, at(k-1)))", {"a": "a(2, at(k)), a(3, at(k-1))"}, 16),
    ("call one(a(2, at(k)), x(1))", {"a": "a(2, at(k))"}, 8),    # of what it writes only a(2, :) is known
    ("call both(a(:, k), a(:, k-1))", {"a": "a(:, k), a(:, k-1)"}, "16*n"),
    ("call both(a(2, :), a(n, :))", {"a": "a(2, :), a(n, :)"}, 64),
    ("call both(b(1:n:2), b(2:n:2))", {"b": "b(1:n:2), b(2:n:2)"}, "8*floor((n + 1)/2) + 8*floor(n/2)"),
    ("call first(b(1:2), b(5:6))", {"b": "b(1:2)"}, 16),          # the other section is only read
    ("call some(a(:, k))", {"a": "a(:, k)"}, "8*n"),
    ("call some(a(2:n-1, k))", {"a": "a(2:n-1, k)"}, "8*n - 16"),
    ("call some(b(k:))", {"b": "b(k:)"}, "8*n - 8*k + 8"),
    ("call fixed(a(1:3, k))", {"a": "a(1:3, k)"}, 24),
    ("call fixed(b(k-1))", {"b": "b(k-1:k+1)"}, 24),            # an element that stands for what follows it, too
    ("call some(b(1:n:2))", {"b": "b(1:n:2)"}, "8*floor((n + 1)/2)"),          # every second element
    ("call hidden(b(k))", {"g": "g(2)"}, 8),                    # of a module's variable, which p names too
])
def test_what_is_passed_is_what_is_saved(call: str, section: Mapping[str, str], size: int | str) -> None:
    found = solved(call)
    assert shown(found) == section
    figure = Figures()(found.snapshot_bytes)
    assert figure == size or str(figure).replace("8*(", "") == "-k + n + 1)"


@pytest.mark.parametrize("call", ["call some(b)", "call open(n - k, b(k-1), b(k))"])
def test_what_is_not_plain_is_saved_whole(call: str) -> None:
    """b(k-1:) and b(k:) would be more than all of b."""
    assert not solved(call).sections


def test_of_strides_what_is_passed_is_saved() -> None:
    assert shown(solved("call some(a(2:n:2, k))")) == {"a": "a(2:n:2, k)"}


@pytest.mark.parametrize(("call", "section"), [
    ("call turned(at(at(k)), b(k))", {"at": "at", "b": "b(k)"}),           # by an element that the call may change
    ("call turned(at(k), b(at(k)))", {"at": "at(k)", "b": "b(at(k))"}),    # at(k) is back first
    ("call crossed(at(to(k)), to(at(k)), b(k))", {"at": "at", "to": "to", "b": "b(k)"}),   # each by the other
])
def test_a_piece_is_found_where_it_is_restored(call: str, section: Mapping[str, str]) -> None:
    assert {name: text for name, text in shown(solved(call, "b(at(1)) = b(at(1))*b(to(2))")).items()
            if name in ("at", "b", "to")} == section


@pytest.mark.parametrize(("body", "section"), [
    ("call one(a(2, at(k)), x(1))", "a(2, at(k))"),
    ("call one(a(2, at(k)), x(1)); s = 2*s", "a(2, at(k))"),
    ("if (x(1) > 0) call one(a(2, at(k)), x(1))", "a"),  # perhaps at(k) is no subscript where it does not run
    ("call one(a(2, at(k)), x(1)); a(2, 1) = a(2, 1)*s", "a(2, at(k)), a(2, 1)"),
    ("call turned(at(k), a(2, at(k)))", "a(2, :)"),  # it changes at(k)
])
def test_a_marked_part_that_passes_an_array_once(body: str, section: str) -> None:
    found = solved(f"!$AD CHECKPOINT-START\n{body}\n!$AD CHECKPOINT-END".replace("; ", "\n"))
    assert shown(found)["a"] == section


def test_two_elements_are_saved_where_the_code_behind_changes_others() -> None:
    """C̄ reads b by these two elements only, and each other call saves its own."""
    found = solved("call two(b(k), b(k-1))", "call two(b(1), b(6))")
    assert shown(found) == {"b": "b(k), b(k-1)"}


def test_what_is_lost_behind_the_call_is_preserved_there() -> None:
    """The next statement changes another element: D tapes it, so the call's own is enough."""
    found = solved("call one(b(k), x(1))", "b(1) = 0.5d0*b(1)")
    assert shown(found) == {"b": "b(k)"}
    assert "b" in found.req_d


def test_where_behind_the_call_the_whole_array_is_changed_all_is_saved() -> None:
    """To preserve the other elements D would tape all of b, each time."""
    found = solved("call one(b(k), x(1))", "b = 0.5d0*b")
    assert shown(found) == {"b": "b"}
    assert "b" not in found.req_d


def test_what_later_calls_change_elsewhere_is_no_loss_to_this_one() -> None:
    """The adjoint of grow leaves its element changed, so D̄ does so with others: C̄ reads none of those."""
    assert shown(solved("call grow(b(k), s)")) == {"b": "b(k)", "s": "s"}
    assert shown(solved("call grow(a(1, k), s)")) == {"a": "a(1, k)", "s": "s"}


def test_but_it_is_where_an_argument_reads_others() -> None:
    """Later calls leave b(4) changed: that is for them to tape."""
    assert "b" not in solved("call lift(b(k), x(1), s)").req_d
    assert "b" in solved("call lift(b(k), 2*b(4), s)").req_d
    assert "b" not in solved("call lift(b(2), 2*b(4), s)").req_d  # all calls change the same element
    assert "b" in solved("call lift(b(at(1)), 2*b(4), s)", "at(1) = k").req_d


def test_from_an_element_on() -> None:
    """The dummy argument does not say where it ends."""
    assert shown(solved("call rest(n - k, b(k), s)"))["b"] == "b(k:)"
    assert shown(solved("call rest(1, c%v(k), s)"))["c%v"] == "c%v(k:)"


def test_where_it_is_required_all_of_it_is_brought_back() -> None:
    """Eager and lazy do so in different ways; :func:`solved` executes both."""
    found = solved("call grow(b(k), s)", "y = s*b(1)\n    s = s*y")
    assert "b" in found.req


def test_what_is_required_and_lost_in_later_iterations_is_left_to_them() -> None:
    """Each call saves the element that it overwrites: together they bring back all of b."""
    found = solved("s = s + sum(b*b)\n    do j = 1, n\n      call fill(b(j), x(j)*s)\n    end do")
    assert shown(found) == {"b": "b(j)"}
    assert "b" not in found.req_d  # no later iteration overwrites the element of this one


def test_and_where_the_call_reads_another_element() -> None:
    assert shown(solved("call grow(b(k), b(k-1))"))["b"] == "b(k), b(k-1)"
    assert shown(solved("call take(b(k), b(k-1))"))["b"] == "b(k)"
    solved("call grow(b(k), s)", "call one(b(k), b(k-1))")


def test_sections_are_in_both_reports() -> None:
    from snapset.render.records.report_json import to_json

    (head,) = parse_heads("p(x)>(y)")
    result = analyse(load_text(TEXT.format(call="call some(a(:, k))", behind="")), head)
    solution = to_json(result)["regions"][0]["solutions"]["lazy"]
    assert (solution["snp"], solution["sections"], solution["sizes"]) == (["a"], {"a": "a(:, k)"}, {"a": "8*n"})


COMMON = """subroutine p(x, y)
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  real(8) :: b(6), w(2), s
  integer :: k
  common /blk/ b, w
  b = x
  w = x
  s = 1
  do k = 2, 4
    call one(b(k), w(1))
    s = s*b(k)
  end do
  y = s + sum(b)
end subroutine p
subroutine one(h, q)
  real(8), intent(inout) :: h
  real(8), intent(in) :: q
  {view}
  h = h*h*q
end subroutine one
"""


@pytest.mark.parametrize(("view", "section"), [
    ("", {"b": "b(k)"}),
    ("real(8) :: u(6), v(2)\n common /blk/ u, v\n v(2) = q*v(2)", {"b": "b(k)", "w": "w"}),  # another variable of it
    ("real(8) :: u(8)\n common /blk/ u\n u(1) = u(1)*q", {"b": "b", "w": "w"}),              # all of it, otherwise
    ("real(8) :: u(3), v(5)\n common /blk/ u, v\n v(5) = q*v(5)", {"b": "b", "w": "w"}),     # cut elsewhere
])  # fmt: skip
def test_an_array_in_common(view: str, section: Mapping[str, str]) -> None:
    (head,) = parse_heads("p(x)>(y)")
    text = COMMON.format(view=view)
    for run in compare(load_text(text), head, STRATEGIES, Inputs({})).runs:
        assert run.equal, (run.differences, run.error)
    assert shown(analyse(load_text(text), head).parts[0].solutions["lazy"]) == section
