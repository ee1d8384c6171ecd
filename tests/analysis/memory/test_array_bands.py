"""Arrays cut into bands: which there are, what of them references and calls touch, and that nothing is lost by it."""

from __future__ import annotations

from pathlib import Path

import pytest
from snapset.analysis.activity.differentiation_head import parse_heads
from snapset.analysis.memory.array_bands import find_bands
from snapset.analysis.memory.locations import EVERY, HIGHEST, LOWEST
from snapset.analysis.memory.storage_units import Storage
from snapset.analysis.pipeline import analyse
from snapset.analysis.procedures.model_builder import Models
from snapset.analysis.procedures.procedure_model import ProcedureModel
from snapset.analysis.recording.strategy_texts import parse_strategies
from snapset.analysis.results import Part
from snapset.frontend.load import load_text

from tests.support.execution import proved_by_execution

COLUMNS = ((EVERY, (LOWEST, 1)), (EVERY, (2, 2)), (EVERY, (3, HIGHEST)))
SQUARE = """subroutine square(m, x, y)
  integer, intent(in) :: m
  real(8), intent(in) :: x(m)
  real(8), intent(out) :: y(m)
  y = x*x
end subroutine square
subroutine swap(a)
  real(8), intent(inout) :: a(4, 3)
  integer :: i
  do i = 1, 4
    a(i, 1) = a(i, 2)*a(i, 3)
  end do
  a(:, 3) = 0.5d0
end subroutine swap
subroutine p(x, y)
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  real(8) :: w(4, 3), v(4, 3)
  integer :: i
  w = x
  v = x
  {body}
  y = sum(w*v)
end subroutine p
"""


def model(body: str, key: str = "p") -> ProcedureModel:
    return Models(load_text(SQUARE.format(body=body))).by_key[key]


def parts(body: str) -> tuple[Part, ...]:
    (head,) = parse_heads("p(x)>(y)")
    return analyse(load_text(SQUARE.format(body=body)), head, parse_strategies("lazy")).parts


@pytest.mark.parametrize(("body", "bands"), [
    ("w(:, 2) = 2*w(:, 2)", COLUMNS),
    ("call square(4, w(1, 1), w(1, 2))", COLUMNS),
    ("do i = 1, 4; w(i, 3) = w(i, 1); end do", ((EVERY, (LOWEST, 1)), (EVERY, (2, 2)), (EVERY, (3, HIGHEST)))),
    ("w(:, 1:2) = 2*w(:, 1:2)", ((EVERY, (LOWEST, 2)), (EVERY, (3, HIGHEST)))),
    ("do i = 1, 3; w(:, i) = 2*w(:, i); end do", None),       # by a name
    ("w(1:4:2, :) = 2*w(1:4:2, :)", None),                    # by a stride
    ("w(:, 1) = x; do i = 1, 3; w(:, i) = w(:, i)*w(i, i); end do", None),   # most of them by a name
])
def test_an_array_is_cut_where_constants_say_what_is_meant(body: str, bands: object) -> None:
    program = load_text(SQUARE.format(body=body))
    assert find_bands(program, "p", Storage(program)).get("w") == bands


def test_the_arrays_of_a_host_its_internal_procedures_see_whole() -> None:
    text = SQUARE.format(body="w(:, 2) = x; call inner").replace(
        "end subroutine p", "contains\nsubroutine inner\nw(1, 1) = x\nend subroutine inner\nend subroutine p")
    program = load_text(text)
    assert find_bands(program, "p", Storage(program)) == {}


@pytest.mark.parametrize(("call", "out", "kill"), [
    ("call square(4, w(1, 1), w(1, 2))", [2], [2]),
    ("call square(4, w(:, 1), w(:, 2))", [2], [2]),
    ("call square(3, w(1, 1), w(2, 2))", [2], []),             # three of four elements
    ("call square(5, w(1, 1), w(4, 2))", [2, 3], []),          # goes on in the next column
    ("call swap(w)", [1, 3], [1, 3]),                          # cut there, too
])
def test_a_call_writes_the_columns_that_it_reaches(call: str, out: list[int], kill: list[int]) -> None:
    found = model(f"w(:, 2) = x; {call}; w(:, 2) = w(:, 1)")
    (node,) = found.calls
    columns = [i for i, info in enumerate(found.space.infos) if info.name == "w"]
    effect = found.effects[node]
    assert [at for at, i in enumerate(columns, 1) if effect.out >> i & 1] == out
    assert [at for at, i in enumerate(columns, 1) if effect.kill >> i & 1] == kill


def test_only_the_column_that_is_lost_is_saved() -> None:
    """The second call overwrites what the adjoint of the first has read, and column 2 is read by nothing before."""
    first, second = parts("call square(4, w(1, 1), w(1, 2)); call square(4, w(1, 2), w(1, 1)); w(:, 3) = w(:, 1)**2")
    assert not first.solutions["lazy"].snp
    assert second.solutions["lazy"].sections == {"w": "w(:, 1)"}


LINE = """subroutine square(m, x, y)
  integer, intent(in) :: m
  real(8), intent(in) :: x(m)
  real(8), intent(out) :: y(m)
  y = x*x
end subroutine square
subroutine halve(z)
  real(8), intent(inout) :: z(8)
  z(3:6) = 0.5d0*z(3:6)
end subroutine halve
subroutine bump(z)
  real(8), intent(inout) :: z
  z = z*z
end subroutine bump
subroutine p(x, y)
  integer, parameter :: n = 4
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  real(8) :: w(5*n), v(4)
  integer :: i, k
  w = x
  v = x
  {body}
  y = sum(w*w) + sum(v)
end subroutine p
"""


def line(body: str) -> str:
    return LINE.format(body="\n  ".join(body.split("; ")))


@pytest.mark.parametrize(("body", "bands"), [
    ("call square(n, w(1:n), w(n + 1))", ((LOWEST, 4), (5, 8), (9, HIGHEST))),
    ("call square(n, v, w(1)); call halve(w(9))", ((LOWEST, 4), (5, 8), (9, 16), (17, HIGHEST))),
    ("call square(n, w(1), w(17)); do k = 1, 3; call square(n, v, w(k*n + 1:(k + 1)*n)); end do",
     ((LOWEST, 4), (5, 16), (17, HIGHEST))),
    ("call square(n, w(1), w(5)); do k = 1, 4; call square(n, v, w(k*n + 1:(k + 1)*n)); end do",
     ((LOWEST, 4), (5, HIGHEST))),                                              # what may be written is in one
    ("call square(n, w(1:n), v); do k = 1, n; call bump(w(5*k - 4)); end do", None),   # in either
    ("call square(n, w(1:n), v); call halve(w)", None),                         # and in either of two
    ("w(1:n) = 2*w(1:n)", None),                                                # no call's
    ("call square(n, w(1:n), v); i = 3; w(i) = x; w(2*i) = x", None),           # most may be anywhere
])
def test_a_vector_is_cut_into_the_runs_that_calls_are_passed(body: str, bands: object) -> None:
    program = load_text(line(body))
    found = find_bands(program, "p", Storage(program)).get("w")
    assert found == (None if bands is None else tuple((one,) for one in bands))  # type: ignore[attr-defined]


@pytest.mark.parametrize(("call", "out", "kill"), [
    ("call square(n, w(1), w(5))", [2], [2]),
    ("call square(n, w(1:n), w(n + 1:2*n))", [2], [2]),
    ("call square(3, v, w(5))", [2], []),                          # three of four
    ("call halve(w(9))", [3], []),                                 # its four in the middle
    ("do i = 1, n; w(n + i) = x; end do", [2], []),
])
def test_of_a_vector_a_call_writes_the_runs_that_it_reaches(call: str, out: list[int], kill: list[int]) -> None:
    found = Models(load_text(line(f"call square(n, w(1:4), w(5:8)); {call}; v(1) = w(2) + w(6)"))).by_key["p"]
    runs = [i for i, info in enumerate(found.space.infos) if info.name == "w"]
    writers = [node for node, effect in enumerate(found.effects) if any(effect.out >> i & 1 for i in runs)]
    effect = found.effects[writers[-1]]
    assert [at for at, i in enumerate(runs, 1) if effect.out >> i & 1] == out
    assert [at for at, i in enumerate(runs, 1) if effect.kill >> i & 1] == kill


def test_only_the_run_that_is_lost_is_saved() -> None:
    (head,) = parse_heads("p(x)>(y)")
    text = line("call square(n, w(1), w(5)); call square(n, w(n + 1:2*n), w(1:n)); v = w(1:n)*w(1:n)")
    first, second = analyse(load_text(text), head, parse_strategies("lazy")).parts
    assert not first.solutions["lazy"].snp
    assert second.solutions["lazy"].sections == {"w": "w(1:4)"}


@pytest.mark.sample(2)
@pytest.mark.parametrize("body", [
    "do k = 1, 3; call square(n, w(k*n + 1), w(1)); call square(n, w(1:n), w(k*n + 1:(k + 1)*n)); end do",
    "do k = 1, 3; call halve(w((k - 1)*n + 1)); call square(n, w(17:20), v); call square(n, v, w(17)); end do",
    "do i = 1, n; call bump(w(i)); call square(n, w(1), w(13)); w(12 + i) = w(i)*w(12 + i); end do",
    "call square(8, w(1), w(9)); call square(n, w(5:8), w(1:4)); call halve(w(9)); call square(n, w(9:12), w(5:8))",
])
def test_of_a_vector_nothing_is_lost(body: str, tmp_path: Path) -> None:
    proved_by_execution(line(body), "p(x)>(y)", tmp_path)


@pytest.mark.sample(2)
@pytest.mark.parametrize("body", [
    "call square(4, w(1, 1), w(1, 2)); call square(4, w(1, 2), w(1, 1)); w(:, 3) = w(:, 1)**2",
    "do i = 1, 3; call swap(w); call square(4, w(1, 1), v(1, 2)); w(:, 3) = sin(v(:, 2)); end do",
    "do i = 1, 3; call square(3, w(2, 1), w(2, 2)); call swap(w); w(i, 1) = w(i, 2)*w(1, 3); end do",
    "call square(4, w(:, 1), w(:, 3)); v(:, 1) = w(:, 3); call swap(v); w(2, :) = v(2, :)*w(2, :)",
])
def test_nothing_is_lost(body: str, tmp_path: Path) -> None:
    proved_by_execution(SQUARE.format(body=body), "p(x)>(y)", tmp_path)


STORE = """module store
  real(8) :: wk(4, 3), line(12)
end module store
subroutine square(x, y)
  real(8), intent(in) :: x(4)
  real(8), intent(out) :: y(4)
  y = x*x
end subroutine square
subroutine inner(c)
  use store, only: v => wk
  real(8), intent(in) :: c
  call square(v(:, 1), v(1, 2))
  v(:, 1) = v(:, 1) + c*v(:, 2)
end subroutine inner
subroutine all(a)
  real(8) :: a(4, 3)
  a = 0.5d0*a
end subroutine all
subroutine p(x, y)
  use store
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  integer :: i
  wk = x
  do i = 1, 3
    call inner(0.3d0*x)
    {body}
  end do
  y = sum(wk*wk)
end subroutine p
"""


@pytest.mark.parametrize(("body", "cut"), [
    ("wk(:, 3) = wk(:, 2)", True),
    ("wk(i, 3) = wk(2, 1)", True),
    ("call all(wk)", False),                          # which may write all of it
    ("call square(wk(:, 2), wk(:, i))", False),       # and this any column
    ("wk(:, i) = x; wk(:, i) = x; wk(:, i) = x; wk(:, i) = x; wk(:, i) = x", False),   # most by a name
])
def test_an_array_of_a_module_is_cut_alike_in_every_procedure(body: str, cut: bool) -> None:
    models = Models(load_text(STORE.format(body=body.replace("; ", "\n"))))
    for key, name in (("p", "wk"), ("inner", "v")):
        found = models.by_key[key]
        assert (COLUMNS[0] in found.refs.bands.get(name, ())) == cut
        places = [one for one in found.space.locations if one.area.name == "wk"]
        assert len(places) == (len(found.refs.bands[name]) if cut else 1)


def test_what_a_callee_does_to_columns_its_callers_see_who_name_the_array_or_not() -> None:
    text = STORE.format(body="wk(:, 3) = wk(:, 2)").replace("call inner(0.3d0*x)", "call outer(x)") + """
subroutine outer(x)
  real(8), intent(in) :: x
  call inner(0.3d0*x)
end subroutine outer
"""
    found = Models(load_text(text)).by_key["outer"]
    (node,) = found.calls
    bands = {one.band for i, one in enumerate(found.space.locations) if found.effects[node].out >> i & 1}
    assert bands == set(COLUMNS[:2])


@pytest.mark.sample(2)
@pytest.mark.parametrize("body", [
    "wk(:, 3) = wk(:, 2)*wk(:, 3)",
    "wk(i, 3) = wk(i, 1)*x; call square(wk(:, 2), wk(:, 3))",
    "call square(wk(1, 3), line(5)); wk(:, 1) = line(5:8); line(1:4) = wk(:, 2)*line(5:8)",
    "if (wk(1, 2) > 0.2d0) call square(wk(:, 2), wk(:, 3)); wk(:, 2) = wk(:, 2)*wk(:, i)",
])
def test_of_a_module_nothing_is_lost(body: str, tmp_path: Path) -> None:
    text = STORE.format(body=body.replace("; ", "\n"))
    for old, new in (("v => wk", "wk"), (" v(", " wk("), ("(v(", "(wk("), ("*v(", "*wk(")):  # the driver knows no =>
        text = text.replace(old, new)
    proved_by_execution(text, "p(x)>(y)", tmp_path)


UNSEEN = """module store
  real(8) :: wk(4, 2), v
end module store
subroutine p(x, y)
  use store
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  wk(:, 1) = x*x
  wk(:, 2) = 2*x
  call between
  y = v
end subroutine p
subroutine between
  call no_source
end subroutine between
"""


def test_what_no_source_shows_reaches_the_bands_that_are_named_elsewhere() -> None:
    """`no_source` may give v what it read of wk. In `between`, which does not name wk, that was another location than
    the bands that `p` writes, so that no derivative led from x to y: a gradient of zero. By hand: the call reads and
    writes wk and v, and both are saved for its second run."""
    program = load_text(UNSEEN)
    models = Models(program, root="p")
    for key in ("p", "between"):
        held = {one.band for one in models.by_key[key].space.locations if one.area.name == "wk"}
        assert held == {(EVERY, (LOWEST, 1)), (EVERY, (2, HIGHEST))}
    parts = {part.id.partition("@")[0]: part for part in analyse(program, parse_heads("p(x)>(y)")[0]).parts}
    assert parts["p"].solutions["lazy"].snp == ("v", "wk")
    assert parts["between"].solutions["lazy"].snp == ("store::v", "store::wk")
