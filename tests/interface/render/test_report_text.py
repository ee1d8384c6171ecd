"""The printed report of a result made by hand, whole; widths, colours, and names that look like markup."""

from __future__ import annotations

from dataclasses import replace

import pytest
from snapset.render.layout.byte_figures import Figures
from snapset.render.pages.report_text import render, write

from tests.support.interface.results import LAZY, PART, RESULT, size

EXPECTED = """\
Adjoint of burgers(u)>(cost): 1 checkpointed part
C: the part. D: what runs after it until the adjoint turns. adj: its adjoint.

burgers@14: marked part at burgers_region.f90:14-19, in burgers
  set          what it is                   locations
  ──────────────────────────────────────────────────────
  Req          needed by earlier adjoints   -
  use(C)       read by C's first run        dt, n, nu, u
  out(C)       written by C's first run     flux, u
  use(adj C)   read by C's adjoint          dt, n, nu, u
  out(adj C)   changed by C's adjoint       flux, u
  use(adj D)   read by D's adjoint          dt, n, nu, u
  out(adj D)   changed by D's adjoint       cost, nu, u
  Snp0         always in Snp                u
  Opt1         + Sbk, or - Req_C            -
  Opt2         + Sbk, or - Snp and Req_C    -
  Opt3         + Snp, or - Req_D            nu

  solution         lazy      eager
  ──────────────────────────────────
  Snp              u (8*n)   nu (8)
                             u (8*n)
  Sbk              -         -
  Req_D            nu        -
  Req_C            -         -
  snapshot bytes   8*n       8*n + 8
  tape bytes, D    unknown   0
  tape bytes, C    0         0
  control bytes    4         4

  taped at   in   what   lazy       eager
  ───────────────────────────────────────
  line 21    D    nu     8*nsteps   -
  line 25    D    cost   unknown    -

  control at   in   what         lazy   eager
  ───────────────────────────────────────────
  line 12      D    trip count   4      4

  burgers_region.f90:15:7: warning SN101: READ in a part that runs twice reads
  the next record; move it out

About the program
  burgers_region.f90:3:1: warning SN205: no source of plot: taken to read and
  write all

lazy: one snapshot of every part takes 8*n bytes
eager: one snapshot of every part takes 8*n + 8 bytes
"""


def test_the_whole_page() -> None:
    assert render(RESULT, width=80) == EXPECTED


@pytest.mark.parametrize("width", [80, 120])
def test_fits_the_width(width: int) -> None:
    many = tuple(f"a_rather_long_name_{number}%component" for number in range(12))
    sets = replace(PART.sets, use_c=many)
    solution = replace(LAZY, snp=many, req_d=many, sizes={name: size(8, "n", "m", "levels") for name in many})
    part = replace(PART, sets=sets, solutions={"lazy": solution, "eager": solution})
    page = render(replace(RESULT, parts=(part,)), width=width)
    assert max(map(len, page.splitlines())) <= width
    text = "".join(page.split())
    assert all(name in text for name in many)


def test_no_escape_codes_unless_asked_for() -> None:
    assert "\x1b" not in render(RESULT)
    assert "\x1b[" in render(RESULT, colour=True)


def test_ascii_only() -> None:
    page = write(RESULT, Figures(), ascii_only=True)
    assert page.isascii()


def test_assumed_values_are_grouped_digits() -> None:
    assert "u (8,000)" in render(RESULT, {"n": 1000})


def test_brackets_in_names_are_not_markup() -> None:
    part = replace(PART, sets=replace(PART.sets, req=("[bold]", "/blk/x")))
    page = render(replace(RESULT, parts=(part,)))
    assert "/blk/x, [bold]" in page


def test_each_strategys_own_req_when_they_differ() -> None:
    eager = replace(PART.solutions["eager"], req=("u",))
    part = replace(PART, solutions={"lazy": LAZY, "eager": eager})
    rows = [line.split() for line in render(replace(RESULT, parts=(part,))).splitlines()]
    assert ["Req", "-", "u"] in rows
    assert ["Req", "-", "u"] not in [line.split() for line in render(RESULT).splitlines()]


def test_peak_and_traffic_where_known() -> None:
    lazy = replace(LAZY, peak_bytes=size(8, "n"))
    page = render(replace(RESULT, parts=(replace(PART, solutions={"lazy": lazy}),), strategies=("lazy",)))
    assert "peak bytes       8*n" in page
    assert "traffic" not in page


def test_a_head_without_parts() -> None:
    page = render(replace(RESULT, parts=(), diagnostics=(), no_parts="no call, no --region"))
    assert "0 checkpointed parts" in page
    assert "Nothing is checkpointed: no call, no --region." in page


def test_a_call_inside_another_part() -> None:
    part = replace(PART, id="f@3", kind="call", callee="g", procedure="f", parent="main@1", first_line=3, last_line=3)
    page = render(replace(RESULT, parts=(part,)))
    assert "f@3: call of g at burgers_region.f90:3, in f, inside main@1" in page
