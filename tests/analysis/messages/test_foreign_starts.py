"""A receive that is started where its buffer is not seen: nothing there shows what it overwrites, so it is said."""

from __future__ import annotations

from pathlib import Path

import pytest
from snapset import Choices, analyse, load
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
