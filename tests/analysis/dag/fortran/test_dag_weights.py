"""What storing costs in bytes over a run: loops, branches, sizes, a counted run; and every region of a head."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from snapset.analysis.activity.differentiation_head import parse_heads
from snapset.analysis.dag.fortran import head_problems
from snapset.analysis.dag.fortran.head_problems import head_regions
from snapset.analysis.dag.fortran.solved_levels import HeadRegions, Wanted
from snapset.analysis.dag.problem.graphs import Costs
from snapset.analysis.dag.solvers.solve import Options
from snapset.analysis.pipeline import AnalysisOptions
from snapset.frontend.base.diagnostics import InputError
from snapset.frontend.load import load_text

LOOP = """\
subroutine s(x, c, n, m)
  integer :: n, m, k, j
  real(8) :: x, c(n)
  real(4) :: t
  do k = 1, n
    do j = 1, m
      t = c(k)*x
      x = sin(t)*x
    end do
    x = x*x
  end do
end subroutine
"""
BRANCHES = """\
subroutine s(x, y, i)
  integer :: i
  real(8) :: x, y
  x = x*y
  if (i > 0) then
    y = y*x
    if (i > 1) y = x*y
  else if (i < -5) then
    y = sin(x)*y
  end if
  if (i > 3) return
  y = y*y
  x = y*x
end subroutine
"""


def decided(text: str, head: str, wanted: Wanted) -> HeadRegions:
    (one,) = parse_heads(head)
    return head_regions(load_text(text, name="s.f90"), one, wanted)


def costs(text: str, head: str, wanted: Wanted) -> Costs:
    return decided(text, head, wanted).regions[0].level.problem.costs


def test_loops_multiply() -> None:
    found = costs(LOOP, "s(x)>(x)", Wanted(unit="bytes", assume={"n": 10, "m": 7}))
    assert (found.of_place("t@7"), found.of_place("x@8"), found.of_place("x@10")) == (4*70, 8*70, 8*10)
    assert (found.of("t from 7"), found.of("x from 8"), found.of("x at 10")) == (4*70, 8*70, 8*10)
    assert found.of("∂x from 8.1/∂t from 7") == 4*70
    assert found.of("∂x from 8/∂x at 7") == 8*70
    assert found.again("x from 8") == 0


def test_a_price_counts_every_execution() -> None:
    found = costs(LOOP, "s(x)>(x)", Wanted(unit="bytes", assume={"n": 10, "m": 7}, price=2))
    assert (found.again("x from 8"), found.again("x from 10")) == (2*70, 2*10)


def test_names_without_a_number_count_100_and_are_named() -> None:
    found = decided(LOOP, "s(x)>(x)", Wanted(unit="bytes", assume={"m": 7}))
    assert found.regions[0].level.problem.costs.of_place("x@10") == 800
    assert found.defaulted == ("n",)


def test_each_way_of_a_branch_is_as_likely() -> None:
    found = costs(BRANCHES, "s(x,y)>(x,y)", Wanted(unit="bytes"))
    assert found.of_place("x@4") == 8
    assert found.of_place("y@6") == 4
    assert found.of_place("y@7") == 2
    assert found.of_place("y@9") == 2
    assert found.of_place("y@12") == 8  # behind a conditional return


def test_the_ways_of_a_select_and_parts_inside() -> None:
    text = """\
subroutine s(x, y, i)
  integer :: i
  real(8) :: x, y
  x = x*y
  select case (i)
  case (1)
    x = sin(x)
  case (2:3)
    x = cos(x)*y
    if (i == 3) then
      !$AD CHECKPOINT-START
      x = x*x
      !$AD CHECKPOINT-END
    end if
  end select
  x = x*x
end subroutine
"""
    found = decided(text, "s(x,y)>(x,y)", Wanted(unit="bytes"))
    outer, inner = (region.level.problem.costs for region in found.regions)
    assert [outer.of_place(f"x@{line}") for line in (4, 7, 9)] == [8, 3, 3]  # a third of the runs, rounded up
    (place,) = (o for o in found.regions[0].level.places if o.startswith("x@1") and o != "x@16")
    assert outer.of_place(place) == 2
    assert inner.of("x at 12") == 8  # of one run of the part


def test_a_counted_run() -> None:
    lines = {("s.f90", line): count for line, count in ((4, 3), (6, 2), (9, 0), (12, 1))}
    found = decided(BRANCHES, "s(x,y)>(x,y)", Wanted(unit="bytes", lines=lines))
    costs = found.regions[0].level.problem.costs
    assert (costs.of_place("x@4"), costs.of_place("y@6"), costs.of_place("y@12")) == (24, 16, 8)
    assert costs.of_place("y@9") == 1  # never executed
    assert found.uncounted == (("s.f90", 7),)
    assert costs.of_place("y@7") == 2


def test_whole_arrays_have_their_size() -> None:
    text = "subroutine s(a, b, n)\n integer :: n\n real(8) :: a(n), b(n)\n b = a*b\n b = b*b\n a = b*a\nend\n"
    found = costs(text, "s(a,b)>(a,b)", Wanted(unit="bytes", assume={"n": 50}))
    assert found.of_place("b@4") == 400
    assert found.of("a at 4") == 400


def test_values_where_nothing_is_said() -> None:
    found = costs(LOOP, "s(x)>(x)", Wanted(price=3))
    assert (found.of("x from 8"), found.of_place("x@8"), found.again("x from 8")) == (1, 1, 3)


def test_weights_change_the_choice() -> None:
    # |S| + |U| stores x at one place in the loop for both statements before it; bytes know how often that runs.
    text = """\
subroutine s(x, y, c, n)
  integer :: n, k
  real(8) :: x, y, c
  if (c > 0) y = sin(x)*y
  if (c > 1) y = cos(x)*y
  do k = 1, n
    x = x + c
  end do
  y = x*y
end subroutine
"""
    count = decided(text, "s(x,y)>(x,y)", Wanted()).regions[0].answer
    assert "x@7" in count.choice.S
    bytes_ = decided(text, "s(x,y)>(x,y)", Wanted(unit="bytes", assume={"n": 1000})).regions[0].answer
    assert "x@7" not in bytes_.choice.S
    assert bytes_.choice.cost == 16 < bytes_.bounds.tbr.cost


# ---------------------------------------------------------------- regions


NESTED = """\
subroutine outer(x, y)
  real(8) :: x, y
  !$AD CHECKPOINT-START
  x = sin(x)*y
  !$AD CHECKPOINT-START
  y = x*y
  !$AD CHECKPOINT-END
  !$AD CHECKPOINT-END
  call inner(x)
  y = y*x
end subroutine
subroutine inner(x)
  real(8) :: x
  x = x*x
end subroutine
"""


def test_every_level_of_every_procedure() -> None:
    found = decided(NESTED, "outer(x,y)>(x,y)", Wanted())
    assert [(r.id, r.kind, r.parent, r.first.line, r.last_line) for r in found.regions] == [
        ("outer", "procedure", None, 1, 10), ("outer@4", "region", "outer", 4, 6),
        ("outer@6", "region", "outer@4", 6, 6), ("inner", "procedure", None, 12, 14)]
    costs = [region.answer.choice.cost for region in found.regions]
    assert found.total(lambda answer: answer.choice.cost) == sum(costs)
    assert decided(NESTED, "outer(x,y)>(x,y)", Wanted(Options(method="biclique"))).total(lambda a: a.lower) is None \
        or not sum(costs)


def test_some_regions_only() -> None:
    found = decided(NESTED, "outer(x,y)>(x,y)", Wanted(only=frozenset({"inner", "outer@6"})))
    assert [region.id for region in found.regions] == ["outer@6", "inner"]
    with pytest.raises(InputError, match=r"--at nowhere: no region .* there are outer, outer@4, outer@6, inner"):
        decided(NESTED, "outer(x,y)>(x,y)", Wanted(only=frozenset({"nowhere"})))


def test_what_is_being_done_is_told() -> None:
    heard: list[str] = []
    (one,) = parse_heads("outer(x,y)>(x,y)")
    head_regions(load_text(NESTED), one, heard=heard.append)
    assert heard[0] == "analysing outer(x,y)>(x,y)"
    assert any(text.startswith("inner, 4 of 4 regions: optimum, ") for text in heard)


def test_an_executor_decides_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(head_problems, "LARGE", 1)
    (one,) = parse_heads("outer(x,y)>(x,y)")
    with ThreadPoolExecutor(2) as pool:
        aside = head_regions(load_text(NESTED, name="s.f90"), one, executor=pool)
    assert aside == decided(NESTED, "outer(x,y)>(x,y)", Wanted())


def test_the_same_name_twice() -> None:
    text = "".join(f"module m{n}\ncontains\nsubroutine f(x)\n real(8) :: x\n x = x*x\nend subroutine\nend module\n"
                   for n in (1, 2))
    text += "subroutine s(x)\n use m1, only: a => f\n use m2, only: b => f\n real(8) :: x\n call a(x)\n call b(x)\n" \
            "end subroutine\n"
    assert [region.id for region in decided(text, "s(x)>(x)", Wanted()).regions] == ["s", "f", "f#2"]


def test_unknown_calls_are_reported(tmp_path: Path) -> None:
    text = "subroutine s(x)\n real(8) :: x\n x = x*x\n call elsewhere(x)\nend subroutine\n"
    assert [one.code for one in decided(text, "s(x)>(x)", Wanted()).diagnostics] == ["SN107", "SN301"]


def test_what_a_second_run_does_differently_is_reported() -> None:
    text = "subroutine s(x)\n real(8) :: x, r\n!$AD CHECKPOINT-START\n call random_number(r)\n x = x*r\n" \
           "!$AD CHECKPOINT-END\n x = x*x\nend subroutine\n"
    assert [one.code for one in decided(text, "s(x)>(x)", Wanted()).diagnostics] == ["SN103"]


def test_contexts_have_regions_of_their_own() -> None:
    text = "subroutine s(x, c)\n real(8) :: x, c\n call f(x, c)\n c = 2\n call f(x, c)\nend subroutine\n" \
           "subroutine f(x, c)\n real(8) :: x, c\n x = x*c*c\nend subroutine\n"
    (one,) = parse_heads("s(x,c)>(x)")
    found = head_regions(load_text(text), one, options=AnalysisOptions(context=True))
    assert [region.id for region in found.regions] == ["s", "f", "f:context1"]
