"""What a hand-written adjoint pushes and pops, statement by statement, as plain data.

    do step = 1, nsteps
      push(u(2:n-1)); C              the part burgers@13, DH (1)
      push(nu); nu = nu*...          taped
    ...
"""

from __future__ import annotations

from typing import TypeAlias

from snapset.frontend.base.frozen_records import frozen


@frozen
class Kept:
    """Something that is pushed: ``text``, a reference in Fortran; None where it has no name there, then ``what`` says
    what it is. ``what`` says too where a name comes from that the procedure does not have."""

    text: str | None
    what: str = ""


@frozen
class AssignedAgain:
    """Assignments that the backward sweep runs once more, in order. ``text``: in Fortran; None where it has no short
    form, then the statement of ``line`` is meant."""

    line: int
    text: str | None


@frozen
class TapedStatement:
    """What is pushed before the statement of a line, and popped first when it is taken back. ``first``, ``again``: what
    runs again before that, and behind it. ``place``: when, if it is no statement that is taken back; ``{}`` in it is
    the line."""

    line: int
    kept: tuple[Kept, ...]
    first: tuple[AssignedAgain, ...] = ()
    again: tuple[AssignedAgain, ...] = ()
    place: str = ""


@frozen
class DoCount:
    """A loop around a part: DO ``name`` = ``first``, ``last``; "" for what has no such form."""

    name: str
    first: str
    last: str


@frozen
class SavedPart:
    """A part as DH (1) runs it. ``sbk``, ``both``: what is in Sbk alone, and in both; ``snp``: all of Snp, what finds
    the elements of others behind them, so that it is popped first. ``inner``: of a marked part what its second run
    pushes; of a call that is in the callee's own sweeps. ``loops``: those around it. ``again``: what runs again once
    the snapshot is back; ``behind``: when all of the part has been taken back. ``idle``: the lines that its first run
    leaves out, since no adjoint needs what they do; None: all of them."""

    id: str
    first_line: int
    last_line: int
    callee: str | None
    sbk: tuple[Kept, ...]
    both: tuple[Kept, ...]
    snp: tuple[Kept, ...]
    inner: PushedSweeps | None
    loops: tuple[DoCount, ...]
    again: tuple[AssignedAgain, ...]
    idle: tuple[int, ...] | None
    behind: tuple[AssignedAgain, ...] = ()


@frozen
class PushedSweeps:
    """A procedure's body, or a marked part: what its forward sweep pushes, by line. ``idle``: the lines that it leaves
    out, since no adjoint needs what they do."""

    idle: tuple[int, ...]
    entries: tuple[TapedStatement | SavedPart, ...]


@frozen
class CodePushes:
    """One adjoint code. ``key``: its name; ``file``, ``line``: where its procedure begins."""

    procedure: str
    key: str
    file: str
    line: int
    sweeps: PushedSweeps


HeadPushes: TypeAlias = tuple[str, str, tuple[CodePushes, ...]]
"""The head, the strategy, all codes: callers before callees."""
