"""What an analysis of one head returns: frozen, printable, without any set arithmetic left to do.

Names are those of docs/json.md: lower case, as the part's procedure sees them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from typing import Literal, TypeAlias

from snapset.analysis.symbolic.polynomials import Quantity
from snapset.frontend.base.diagnostics import Diagnostic
from snapset.frontend.base.frozen_records import frozen

PartKind = Literal["region", "call", "loop"]


Bytes: TypeAlias = Quantity


@frozen
class Sets:
    """The six sets the equations start from, and the two of D, by name, sorted.

    ``req`` is that of the first strategy asked for; each solution has its own. ``intact``: what of use(C̄) ∩ out(C)
    the second run finds unharmed, so that the equations leave it out of use(C̄).
    """

    req: tuple[str, ...]
    use_c: tuple[str, ...]
    out_c: tuple[str, ...]
    use_cbar: tuple[str, ...]
    out_cbar: tuple[str, ...]
    use_dbar: tuple[str, ...]
    out_dbar: tuple[str, ...]
    intact: tuple[str, ...] = ()


@frozen
class OptionalSets:
    """DH (6)."""

    snp0: tuple[str, ...]
    opt1: tuple[str, ...]
    opt2: tuple[str, ...]
    opt3: tuple[str, ...]


@frozen(quick=True)
class TapeEntry:
    """One location taped by the statement at ``file:line``; ``part``: in D or in C's second run.

    ``bytes`` counts all executions within one execution of the procedure that holds the part (D) or of
    the part (C). Branches count as taken; a trip count that is not known stands as ``trips(procedure:line)``.
    ``counted``: in the whole of a run that was counted, if one is given and the line's count is known.
    ``callee``: the procedure (its key) that the statement is in, where it is not the one that holds the part.
    """

    file: str
    line: int
    location: str
    part: Literal["C", "D"]
    bytes: Bytes | None
    counted: Bytes | None = None
    callee: str | None = None


@frozen(quick=True)
class ControlEntry:
    """Control recorded for the reversal: a branch's way, a loop's trip count, a block number."""

    file: str
    line: int
    what: str
    part: Literal["C", "D"]
    bytes: Bytes | None
    counted: Bytes | None = None
    callee: str | None = None


@frozen
class AgainEntry:
    """The assignment ``text`` at ``file:line``, which gives ``location`` its value, runs again in the backward sweep.

    ``part``: in D or in C's second run, when the statement at line ``at`` has been taken back; for ``Snp`` when the
    part's snapshot is back, so that the snapshot does not hold the location.
    """

    file: str
    line: int
    location: str
    text: str
    part: Literal["C", "D", "Snp"]
    at: int


@frozen
class Move:
    """What the strategy optimal does with a location: ``side`` (Sbk, Req_C, Snp or Req_D) and not ``instead``.

    ``over``: which of lazy and eager decide otherwise. ``peak``, ``traffic``: the bytes the whole head would
    need more otherwise, with the numbers assumed. It is right where ``low`` < ``high``, and turns round
    elsewhere; None: for all sizes, loops that run and arrays that are not empty.
    """

    location: str
    side: str
    instead: str
    over: tuple[str, ...]
    peak: int
    traffic: int
    low: Quantity | None = None
    high: Quantity | None = None


@frozen
class Solution:
    """One solution of DH (7) and what it makes the tape hold.

    ``sizes`` gives the bytes of each location named in snp or sbk. ``snapshot_bytes`` counts a
    location in both once. ``peak_bytes`` and ``traffic_bytes``: of [C];D, from the part's first run to the
    turn of the procedure (of the enclosing part), in the procedure's names (equations.md section 4).
    ``moves``: what optimal decides, and why. ``sections``: of the locations in snp or sbk of which only some elements
    are saved, these, in Fortran; ``sizes`` are theirs. ``again``: what is computed again instead of saved.
    """

    req: tuple[str, ...]
    options: OptionalSets
    snp: tuple[str, ...]
    sbk: tuple[str, ...]
    req_d: tuple[str, ...]
    req_c: tuple[str, ...]
    snapshot_bytes: Bytes | None
    peak_bytes: Bytes | None
    traffic_bytes: Bytes | None
    tape: tuple[TapeEntry, ...]
    control: tuple[ControlEntry, ...]
    sizes: Mapping[str, Bytes | None]
    moves: tuple[Move, ...] = ()
    sections: Mapping[str, str] = field(default_factory=dict)
    again: tuple[AgainEntry, ...] = ()

    def __str__(self) -> str:
        """``Snp u(2:n-1); Req_D nu; snapshot 8*n - 16 bytes``"""
        named = {"Snp": self.snp, "Sbk": self.sbk, "Req_D": self.req_d, "Req_C": self.req_c}
        said = [f"{name} {', '.join(self.sections.get(one, one) for one in held)}" for name, held in named.items()
                if held]
        return "; ".join([*said, f"snapshot {_figure(self.snapshot_bytes)} bytes"])


@frozen
class PushedPlace:
    """What a statement, or a part's snapshot, pushes of one location. ``what``: tape, Snp or Sbk. ``part``: the id of
    the part whose snapshot it is. ``bytes``: of all executions in one run of the code that was asked for, in its names.

    While they are gathered, ``line`` counts from the one that ``procedure`` begins in, where it is in the procedure's
    ``file``, and ``part`` leaves it out: ``burgers@{}``.
    """

    procedure: str
    file: str
    line: int
    what: Literal["tape", "Snp", "Sbk"]
    location: str
    bytes: Bytes
    part: str = ""


MessagesVerdict: TypeAlias = Literal["silent", "self-contained", "right-tight", "not right-tight", "unknown"]


@frozen
class MessageCall:
    """A call of MPI in a part, or in what the part calls. ``text``: ``irecv t(1, 0) from left``. ``bytes``: of values
    received or sent in one run of the part; None of what has none. ``logged``, ``resent``: what the plan does with it
    in the second run."""

    file: str
    line: int
    text: str
    bytes: Bytes | None
    logged: bool = False
    resent: bool = False


@frozen
class PartMessages:
    """What a part says to other ranks, and what its second run may do (docs/messages.md).

    ``sizes``: the numbers of ranks that the verdict is proved for; ``why``: what crosses its border, leads back into
    it, or why nothing is proved; ``assumed``: what must hold that is not proved. ``log_bytes``: received values kept
    for the second run of one run of the part; ``held_bytes``: of all its runs that the procedure (the enclosing part)
    makes; ``resent_bytes``: sent again.
    """

    verdict: MessagesVerdict
    sizes: tuple[int, ...]
    why: tuple[str, ...]
    calls: tuple[MessageCall, ...]
    log_bytes: Bytes
    held_bytes: Bytes
    resent_bytes: Bytes
    assumed: tuple[str, ...] = ()


@frozen
class Part:
    """One checkpointed part. ``first_line`` and ``last_line`` are its first and last statement.

    ``options`` are those of the first strategy; ``diagnostics`` are about what happens inside the part
    (what a second run would do differently, what was not understood). ``split``: it stands in a procedure in split
    mode, whose callers go on with D; bytes are those up to that procedure's end. ``context``: which of the
    procedure's codes it belongs to (:class:`ContextCode`), 0: the default one. ``messages``: None where it has none.
    """

    id: str
    kind: PartKind
    procedure: str
    callee: str | None
    parent: str | None
    file: str
    first_line: int
    last_line: int
    sets: Sets
    options: OptionalSets
    solutions: Mapping[str, Solution]
    diagnostics: tuple[Diagnostic, ...]
    split: bool = False
    context: int = 0
    messages: PartMessages | None = None

    def is_meant(self, text: str) -> bool:
        """Is it what a user names so: by its id, a line in it (``FILE:LINE`` or ``LINE``), or the procedure called?"""
        file, _, line = text.rpartition(":")
        if line.isdecimal() and self.first_line <= int(line) <= self.last_line:
            return not file or self.file == file or self.file.endswith("/" + file)
        return text == self.id or (self.callee is not None and text.lower() in self.callee.split(", "))

    def __str__(self) -> str:
        """``burgers@13: lines 13 to 18 of burgers.f90``, and a line for each strategy."""
        what = f"call of {self.callee}, " if self.callee else ""
        lines = f"line {self.first_line}" if self.first_line == self.last_line else (
            f"lines {self.first_line} to {self.last_line}")
        head = f"{self.id}: {what}{lines} of {self.file}"
        return "\n".join([head, *(f"  {name}: {one}" for name, one in self.solutions.items())])

    def renamed(self, id_: str) -> Part:
        """The same part under another id."""
        return replace(self, id=id_)


@frozen
class Total:
    """The whole head under one strategy: the highest point of the adjoint's stack, and all bytes pushed on it.

    ``counted_traffic``: of the run that was counted, if one is given and all counts it needs are known.
    """

    peak_bytes: Bytes | None
    traffic_bytes: Bytes | None
    counted_traffic: Bytes | None = None


@frozen
class Optimality:
    """How the strategy optimal was found. ``exact``: no combination of the ``decisions`` is better.

    ``peak``: of what was found; ``least_peak``: no combination has less, None where that is not known.
    ``default``: the number that stood for every name in ``defaulted``, no value being assumed.
    """

    exact: bool
    decisions: int
    peak: int
    least_peak: int | None
    default: int
    defaulted: tuple[str, ...]


@frozen
class FrontierPoint:
    """Peak and traffic in bytes; ``saved``: what is done otherwise than lazy does (``a in Sbk``)."""

    peak: int
    traffic: int
    saved: tuple[str, ...]


@frozen
class Frontier:
    """The combinations no other one beats in both peak and traffic, by peak. ``title``: a part's id, '' the head.

    ``marks``: peak and traffic of the named strategies. ``exact``: none can be missing.
    """

    title: str
    points: tuple[FrontierPoint, ...]
    marks: Mapping[str, tuple[int, int]]
    exact: bool


@frozen
class SplitCall:
    """A call that is no checkpoint: the callee's forward and backward sweeps run apart."""

    file: str
    line: int
    procedure: str
    callee: str


@frozen
class ContextCode:
    """An adjoint code for the calls at ``calls`` (file, line) alone: with what varies there and is useful behind,
    less is to be done than in the default code. ``number``: from 1 for each procedure; names are the procedure's."""

    procedure: str
    number: int
    calls: tuple[tuple[str, int], ...]
    varied: tuple[str, ...]
    useful: tuple[str, ...]


@frozen
class HeadResult:
    """All parts of one head's call tree, callers before callees, by line. ``head`` is its canonical text.

    ``totals``: by strategy. ``optimal``: None where neither that strategy nor ``frontiers`` (peak against
    traffic) were asked for. ``splits``: the calls that are no checkpoints. ``contexts``: codes by calling pattern.
    ``counted_trips``: what a counted run tells of trip counts that are not known; None where no counts were given.
    ``no_parts``: why nothing is checkpointed, where nothing is. ``dearest``: what pushes most in the whole run under
    the first strategy, the dearest first.
    """

    head: str
    parts: tuple[Part, ...]
    strategies: tuple[str, ...]
    diagnostics: tuple[Diagnostic, ...]
    totals: Mapping[str, Total] = field(default_factory=dict)
    optimal: Optimality | None = None
    frontiers: tuple[Frontier, ...] = ()
    splits: tuple[SplitCall, ...] = ()
    contexts: tuple[ContextCode, ...] = ()
    counted_trips: Mapping[str, int] | None = None
    no_parts: str | None = None
    dearest: tuple[PushedPlace, ...] = ()

    def __str__(self) -> str:
        """The head with its totals, then each part."""
        totals = [f"  {name}: peak {_figure(one.peak_bytes)} bytes, traffic {_figure(one.traffic_bytes)} bytes"
                  for name, one in self.totals.items()]
        return "\n".join([self.head, *totals, *map(str, self.parts)])


def _figure(size: Bytes | None) -> str:
    return "unknown" if size is None else str(size)
