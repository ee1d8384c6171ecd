"""What one ALLOCATE gives a variable is its size; what is not certain keeps its name."""

from __future__ import annotations

from pathlib import Path

import pytest
import snapset
from snapset.render.layout.byte_figures import Figures, parse_assumption, total
from snapset.render.pages.report_text import render

TOP = """\
subroutine top(x, y, n)
  integer :: n, k, m
  real(8) :: x(n), y
  real(8), allocatable :: h(:), g(:, :)
  {declared}
  {code}
  do k = 1, 3
    call step(size(h), h)
  end do
  y = sum(h*h)
contains
  subroutine step(l, a)
    integer :: l
    real(8) :: a(l)
    a = sin(a)*a
  end subroutine
  subroutine other(a)
    real(8), allocatable :: a(:)
    a = [a, 1d0]
  end subroutine
  subroutine hosted
    deallocate (h)
    allocate (h(2*n))
    h = x(1)
  end subroutine
end subroutine
"""
KNOWN = {
    "a bound": ("allocate (h(n)); h = x", "8*n"),
    "both bounds": ("allocate (h(0:n)); h(1:) = x; h(0) = 1", "8*n + 8"),
    "computed before": ("m = 2*n; allocate (h(m)); h(:n) = x; h(n+1:) = x", "16*n"),
    "as long as another": ("allocate (h(n)); h = 2*x + 1", "8*n"),
    "each time the same": ("do k = 1, 2; if (allocated(h)) deallocate (h); allocate (h(n)); end do; h = x", "8*n"),
}
UNKNOWN = {
    "two": "allocate (h(n)); deallocate (h); allocate (h(2*n)); h(:n) = x; h(n+1:) = x",
    "grown": "allocate (h(n)); h = x; h = [h, 1d0]",
    "another length": "allocate (h(n)); h = x(2:)",
    "an allocatable dummy": "allocate (h(n)); h = x; call other(h)",
    "the procedure inside": "allocate (h(n)); h = x; call hosted",
    "moved": "allocate (g(1, 1)); block; real(8), allocatable :: v(:); allocate (v(2*n)); v = 1; allocate (h(n)); "
             "h = x; call move_alloc(v, h); end block",
    "by assignment": "h = x",
    "growing bounds": "do k = 1, 2; if (allocated(h)) deallocate (h); allocate (h(k*n)); end do; h = 1; h(:n) = x",
}


def size(tmp_path: Path, code: str, declared: str = "") -> int | str | None:
    file = tmp_path / "top.f90"
    file.write_text(TOP.format(declared=declared, code=code.replace("; ", "\n  ")))
    parts = snapset.report([str(file)], "top(x)>(y)").parts
    part = next(one for one in parts if one.callee == "step")
    return Figures()(part.solutions["lazy"].sizes["h"])


@pytest.mark.parametrize("name", KNOWN)
def test_the_only_allocate_gives_the_size(tmp_path: Path, name: str) -> None:
    code, expected = KNOWN[name]
    assert size(tmp_path, code) == expected


@pytest.mark.parametrize("name", UNKNOWN)
def test_what_may_be_otherwise_is_not_taken(tmp_path: Path, name: str) -> None:
    assert size(tmp_path, UNKNOWN[name]) == "8*size(h)"


@pytest.mark.parametrize("name", KNOWN)
def test_the_machine_saves_as_many_bytes(tmp_path: Path, name: str) -> None:
    size(tmp_path, KNOWN[name][0])
    found = snapset.replay([str(tmp_path / "top.f90")], "top(x)>(y)", snapset.Choices("lazy"), values={"n": 4})
    (run,) = found.runs
    assert run.equal
    assert run.error is None
    assert (run.predicted_peak_bytes, run.predicted_traffic_bytes) == (run.peak_bytes, run.traffic_bytes)


def test_figures_of_both_kinds_are_added(tmp_path: Path) -> None:
    """A part whose sizes are declared and one whose are allocated."""
    file = tmp_path / "top.f90"
    file.write_text(TOP.format(declared="real(8) :: w((n + 1)/2)", code="allocate (h(n)); h = x; w = x(1); call step("
                               "size(w), w); h(1) = h(1)*w(1)".replace("; ", "\n  ")).replace("; ", "\n  "))
    every = [one.solutions["lazy"].snapshot_bytes for one in snapset.report([str(file)], "top(x)>(y)").parts]
    figures = Figures()
    assert sorted(map(str, map(figures, every))) == ["8*floor((n + 1)/2)", "8*n"]
    assert figures(total(every)) == "8*floor((n + 1)/2) + 8*n"
    assert Figures({"n": 6})(total(every)) == 6*8 + 3*8


def test_what_is_not_known_is_listed_once_with_what_settles_it(tmp_path: Path) -> None:
    size(tmp_path, "h = x; do while (y < 1); y = y + x(1); h = h*y; end do")
    result = snapset.report([str(tmp_path / "top.f90")], "top(x)>(y)")
    found = snapset.to_json(result)["unknown"]
    assert found == ["size(h)", "trips(top:7)"]
    (said,) = [line for line in render(result, width=1000).splitlines() if line.startswith("not known")]
    assert "size(h), trips(top:7)" in said
    options = [text.partition("'")[0] for text in said.split("--assume '")[1:]]
    assumed = dict(parse_assumption(option) for option in options)
    assert set(assumed) == {"size(h)", "trips(top:7)"}
    assert isinstance(snapset.to_json(result, assumed)["totals"]["lazy"]["peak_bytes"], int)
    assert "not known" not in render(result, assumed)
    size(tmp_path, "allocate (h(n)); h = x")
    assert snapset.to_json(snapset.report([str(tmp_path / "top.f90")], "top(x)>(y)"))["unknown"] == []


def test_every_kind_of_name_can_be_assumed() -> None:
    for name in ("size(h)", "size(c%p,2)", "trips(top:7)", "bytes(missing_module::dt)", "bytes(/blk/x)", "m::n"):
        assert parse_assumption(f"{name}=5") == (name, 5)
