"""Bands and allocations: an allocatable array of which only columns are named is one location, with its allocation; the
dummy arguments that it is passed to are cut."""

from __future__ import annotations

from pathlib import Path

from snapset.analysis.activity.differentiation_head import parse_heads
from snapset.analysis.dataflow.bitsets import members
from snapset.analysis.memory.locations import EVERY, HIGHEST, LOWEST
from snapset.analysis.pipeline import analyse
from snapset.analysis.procedures.model_builder import Models
from snapset.frontend import ir
from snapset.frontend.load import load_text

from tests.support.execution import proved_by_execution

TEXT = """module fields
  implicit none
  real(8), allocatable :: w(:, :)
contains
subroutine s(n, x, y)
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y
  real(8), allocatable :: v(:, :)
  integer :: k
  allocate (v(n, 2))
  v(:, 1) = x
  v(:, 2) = sin(x)
  w = v*v
  do k = 1, 3
    !$AD CHECKPOINT-START
    if (k /= 2) then
      deallocate (v)
      allocate (v(0:n + k, 1 + k))
      v = x(k)
      v(1:n, 1) = w(:, 1)*x
      v(1:n, 2) = w(:, 2)*v(1:n, 1)
    end if
    call columns(size(v, 1), v)
    call wider(v, x(k))
    !$AD CHECKPOINT-END
    v(1, 1) = v(1, 1)*v(1, 2)
    call columns(n, w)
  end do
  y = sum(v) + sum(w(:, 1)*w(:, 2)) + v(1, 1)*v(2, 2)
end subroutine s
subroutine columns(m, a)
  integer, intent(in) :: m
  real(8), intent(inout) :: a(m, 2)
  a(:, 1) = a(:, 1)*a(:, 2)
  a(:, 2) = cos(a(:, 1))
end subroutine columns
subroutine wider(b, t)
  real(8), allocatable, intent(inout) :: b(:, :)
  real(8), intent(in) :: t
  real(8), allocatable :: more(:, :)
  allocate (more(lbound(b, 1):ubound(b, 1), size(b, 2) + 1))
  more(:, 1) = b(:, 1)*t
  more(:, 2) = b(:, 2)*b(:, 1)
  more(:, 3:) = t*t
  call move_alloc(more, b)
end subroutine wider
end module fields
"""
GIVEN = {"n": 4, "x": [0.7, 1.1, 1.4, 0.9]}


def test_what_is_allocated_is_not_cut_but_the_dummy_argument_is() -> None:
    models = Models(load_text(TEXT)).by_key
    assert models["fields::s"].refs.bands == {}
    assert models["fields::wider"].refs.bands == {}
    assert models["fields::columns"].refs.bands == {"a": ((EVERY, (LOWEST, 1)), (EVERY, (2, HIGHEST)))}


def test_every_column_and_every_call_asks_for_the_allocation() -> None:
    found = Models(load_text(TEXT)).by_key["fields::s"]
    names = {info.name for info in found.space.infos}
    assert {"v", "v[]", "w", "w[]"} <= names
    asked = 0
    for node, effect in enumerate(found.effects):
        touched = {found.space.infos[i].name for i in members(effect.use | effect.out)}
        used = {found.space.infos[i].name for i in members(effect.use)}
        stmt = found.flow.nodes[node].stmt
        column = isinstance(stmt, ir.Assign) and len(stmt.target.parts[0].subscripts or ()) == 2
        if column or isinstance(stmt, ir.Call):
            assert {f"{name}[]" for name in touched & {"v", "w"}} <= used, (node, touched, used)
            asked += 1
    assert asked >= 8


def test_a_part_that_reallocates_saves_the_allocation() -> None:
    (part,) = [one for one in analyse(load_text(TEXT), parse_heads("s(x)>(y)")[0]).parts if one.kind == "region"]
    assert not [one for one in part.diagnostics if one.code == "SN104"]
    assert {"v", "v[]"} <= set(part.solutions["lazy"].sizes)


def test_columns_of_what_parts_reallocate_come_back(tmp_path: Path) -> None:
    proved_by_execution(TEXT, "s(x)>(y)", tmp_path, GIVEN)
