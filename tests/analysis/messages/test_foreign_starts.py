"""A message that is started where its buffer is not seen: a call that leads to it reads and writes all there is.

The judge is the same program with the callee's statements in the part's place: nothing in its snapshot may be missing.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from snapset import Choices, analyse, load, report
from snapset.analysis.results import Solution
from snapset.render.layout.whole_result import all_diagnostics

PROGRAM = """\
module shared
  integer :: req(2)
  real(8) :: edge
end module
subroutine model(u, cost)
  use mpi
  use shared
  real(8), intent(inout) :: u(0:4)
  real(8), intent(out) :: cost
  integer :: mine(2), ierr
  {prepare}
  !$AD CHECKPOINT-START
  u(1:4) = u(1:4)*u(0:3)
  {start}
  !$AD CHECKPOINT-END
  cost = sum(u**2) + edge
end subroutine
subroutine begin(r)
  use mpi
  integer :: r(2), ierr
  call mpi_startall(2, r, ierr)
  call mpi_waitall(2, r, mpi_statuses_ignore, ierr)
end subroutine
subroutine prepare(v, r)
  use mpi
  real(8) :: v(0:4)
  integer :: r(2), ierr
  call mpi_recv_init(v(0), 1, mpi_double_precision, mpi_any_source, 1, mpi_comm_world, r(1), ierr)
  call mpi_send_init(v(4), 1, mpi_double_precision, 0, 1, mpi_comm_world, r(2), ierr)
end subroutine
"""
INLINE = "call mpi_recv_init({}, 1, mpi_double_precision, 0, 1, mpi_comm_world, {}(1), ierr)"
START = "call mpi_start({}(1), ierr)"


def said(directory: Path, prepare: str, start: str) -> list[tuple[int, str]]:
    file = directory / "m.f90"
    file.write_text(PROGRAM.format(prepare=prepare, start=start))
    result = analyse(load([str(file)]), "model(u)>(cost)", Choices(("lazy",)))
    return [(one.span.line, one.message) for one in all_diagnostics(result) if one.code == "SN602"]


@pytest.mark.parametrize(("prepare", "buffer"), [
    (INLINE.format("u(0)", "mine"), "u (m.f90:11)"), ("call prepare(u, mine)", "v (m.f90:28)")])
def test_a_start_that_does_not_see_the_buffer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, prepare: str,
                                              buffer: str) -> None:
    """u(0) is received in the part and not in its snapshot u(1:4)."""
    monkeypatch.chdir(tmp_path)
    ((line, text),) = said(Path(), prepare, "call begin(mine)")
    assert line == 21
    assert buffer in text


def snapshot(file: Path, text: str) -> set[str]:
    """What the lazy snapshot of the one marked part holds; ``u`` is not ``u(1:4)``."""
    file.write_text(text)
    (part,) = (one for one in report([str(file)], "model(u)>(cost)").parts if one.kind == "region")
    lazy = part.solutions["lazy"]
    return {lazy.sections.get(name, name) for name in lazy.snp}


INLINED = "call mpi_startall(2, mine, ierr); call mpi_waitall(2, mine, mpi_statuses_ignore, ierr)"
PASSED_ON = "call outer(mine)"
OUTER = """\
subroutine outer(r)
  integer :: r(2)
  call begin(r)
end subroutine
"""
OWN_TOO = """\
subroutine begin(r)
  use mpi
  integer :: r(2), mine(2), ierr
  real(8) :: x
  call mpi_send_init(x, 1, mpi_double_precision, 0, 2, mpi_comm_world, mine(1), ierr)
  call mpi_start(mine(1), ierr)
  call mpi_start(r(1), ierr)
  call mpi_start(r(2), ierr)
"""
BEGIN = """\
subroutine begin(r)
  use mpi
  integer :: r(2), ierr
  call mpi_startall(2, r, ierr)
"""


@pytest.mark.parametrize("prepare", [INLINE.format("u(0)", "mine"), "call prepare(u, mine)"])
@pytest.mark.parametrize(("start", "changed"), [
    ("call begin(mine)", ("", "")),
    (PASSED_ON, ("subroutine prepare", OUTER + "subroutine prepare")),
    ("call begin(mine)", (BEGIN, OWN_TOO)),
    ("call begin(mine)", ("call mpi_startall(2, r", "call pmpi_startall(2, r")),
])
def test_what_is_inlined_is_saved(tmp_path: Path, prepare: str, start: str, changed: tuple[str, str]) -> None:
    """u(0) is received in the part: all of u is in its snapshot, and not u(1:4), which the part's own lines write."""
    inlined = snapshot(tmp_path / "inlined.f90", PROGRAM.format(prepare=prepare, start=INLINED))
    assert "u" in inlined
    text = PROGRAM.replace(*changed) if changed[0] else PROGRAM
    assert text.count("start(") + text.count("startall(") >= 1
    assert inlined - {"ierr"} <= snapshot(tmp_path / "called.f90", text.format(prepare=prepare, start=start))


def test_a_caller_in_between_does_not_hide_it(tmp_path: Path) -> None:
    """``step`` is given the request and not the buffer; the part around its call is the model's."""
    text = PROGRAM.replace("subroutine prepare", OUTER.replace("outer", "step") + "subroutine prepare")
    assert "u" in snapshot(tmp_path / "m.f90", text.format(prepare="call prepare(u, mine)", start="call step(mine)"))


def test_derivatives_travel_through_such_a_call(tmp_path: Path) -> None:
    """What arrives in u varies: the lines behind the call that read it are differentiated."""
    text = PROGRAM.format(prepare="call prepare(u, mine)", start="call begin(mine)").replace(
        "u(1:4) = u(1:4)*u(0:3)", "u(1:4) = 1d0").replace("cost = sum", "cost = u(0)*u(0) + sum")
    file = tmp_path / "m.f90"
    file.write_text(text.replace("!$AD CHECKPOINT-START", "").replace("!$AD CHECKPOINT-END", ""))
    parts = report([str(file)], "model(u)>(cost)").parts
    assert any(one.callee == "begin" for one in parts)


@pytest.mark.parametrize(("prepare", "start"), [
    (INLINE.format("u(0)", "mine"), START.format("mine")),
    ("call prepare(u, mine)", START.format("mine")),  # all that the model can reach may be received into
    (INLINE.format("edge", "req"), "call begin(req)"),  # edge is global
])
def test_what_is_seen_needs_no_word(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, prepare: str, start: str) -> None:
    monkeypatch.chdir(tmp_path)
    assert said(Path(), prepare, start) == []


def test_another_request_than_the_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    text = PROGRAM.replace("  call mpi_startall(2, r", "  call mpi_send_init(x, 1, mpi_double_precision, 0, 1, "
                           "mpi_comm_world, other, ierr)\n  call mpi_startall(2, r")
    monkeypatch.setattr(f"{__name__}.PROGRAM", text)
    assert [line for line, _ in said(Path(), "call prepare(u, mine)", "call begin(mine)")] == [22]


def part_of_call(file: Path, text: str, callee: str, strategy: str = "lazy") -> Solution:
    """What is saved for the call itself, no marked part around it."""
    file.write_text(text.replace("!$AD CHECKPOINT-START", "").replace("!$AD CHECKPOINT-END", ""))
    parts = report([str(file)], "model(u)>(cost)", Choices((strategy,))).parts
    (found,) = (one for one in parts if one.callee == callee)
    return found.solutions[strategy]


@pytest.mark.parametrize("strategy", ["lazy", "eager", "optimal"])
def test_the_call_itself_leaves_nothing_to_its_callee(tmp_path: Path, strategy: str) -> None:
    """begin receives into u(0), which the adjoint of u(1:4) = u(1:4)*u(0:3) needs: begin cannot name u, so nothing in
    its adjoint could put u back."""
    text = PROGRAM.format(prepare="call prepare(u, mine)", start="call begin(mine)")
    found = part_of_call(tmp_path / "m.f90", text, "begin", strategy)
    assert "u" in found.sbk
    assert not found.req_c


WITHOUT = PROGRAM.replace(PROGRAM[PROGRAM.index("subroutine begin"):PROGRAM.index("subroutine prepare")], "")


@pytest.mark.parametrize("prepare", [INLINE.format("u(0)", "mine"), "call prepare(u, mine)"])
def test_a_procedure_without_source_may_start(tmp_path: Path, prepare: str) -> None:
    text = WITHOUT.format(prepare=prepare, start="call begin(mine)")
    assert "u" in snapshot(tmp_path / "m.f90", text)
    found = part_of_call(tmp_path / "m.f90", text, "begin")
    assert "u" in found.sbk
    assert not found.req_c


def test_a_procedure_without_source_may_prepare(tmp_path: Path) -> None:
    """setup is given u, and begin starts what it may have prepared."""
    text = PROGRAM.format(prepare="call setup(u, mine)", start="call begin(mine)")
    assert "u" in snapshot(tmp_path / "m.f90", text[:text.index("subroutine prepare")])


def test_where_nothing_is_prepared_a_procedure_without_source_reaches_what_it_is_given(tmp_path: Path) -> None:
    text = WITHOUT[:WITHOUT.index("subroutine prepare")].format(prepare="", start="call begin(mine)")
    assert "u" not in snapshot(tmp_path / "m.f90", text)
