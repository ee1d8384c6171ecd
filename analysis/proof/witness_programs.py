"""Smallest Fortran programs with a location, ``v``, in given sets: what a counterexample looks like in code.

Every statement about ``y`` is linear in ``y``, so that ``v`` alone decides. ``y = y + v*v`` needs v's value
backwards, ``v = v + x`` needs it only to run forwards, ``v = 2.0d0*x`` not at all.
"""

from __future__ import annotations

from snapset.analysis.proof.prover import RefutingSets
from snapset.frontend.base.frozen_records import frozen

NAMES = ("req", "out_c", "out_dbar", "out_cbar", "use_cbar")
HEAD = "s(x)>(y)"
LOCATION = "v"
_READ = "y = y + v*v"


@frozen
class Witness:
    """A program, its head, and the location that is in the sets ``inside`` of the parts ``parts``.

    With two parts the names carry the part's number: ``out_c2``. What is required of the second depends on
    the choice made for the first: they are those under ``strategy``.
    """

    program: str
    head: str
    location: str
    parts: tuple[str, ...]
    inside: frozenset[str]
    strategy: str = "lazy"


def witness(claim: str, model: RefutingSets) -> Witness | None:
    """A program that has the counterexample; None where the claim is not about one program's sets."""
    if claim == "tame-trimmed":  # U is C's first statement, X its second; only the adjoint of C keeps U
        return one_part(frozenset({"out_cbar"}))
    if claim.startswith("successive-"):
        return two_parts(required="req1" in model.inside, written="out_dbar2" in model.inside)
    if set(model.inside + model.outside) <= set(NAMES):
        return one_part(frozenset(model.inside))
    return None


def one_part(inside: frozenset[str]) -> Witness:
    """A program whose only part has v in exactly these of req, out_c, out_dbar, out_cbar, use_cbar."""
    first = _upstream("req" in inside)
    c = _part(inside)
    d = _downstream("out_c" in inside, "out_dbar" in inside)
    lines = [*first, "!$AD CHECKPOINT-START", *c, "!$AD CHECKPOINT-END", *d]
    return Witness(_subroutine(lines), HEAD, LOCATION, (_id(lines, 0),), inside)


def two_parts(*, required: bool, written: bool) -> Witness:
    """Two parts that use v, the second of which overwrites it, also in its adjoint; v in req1, in out_dbar2?

    The first saves v in its snapshot (Opt3+): nothing is left to D, so v is not in req2.
    """
    inside = {"use_cbar1", "out_dbar1", "out_c2", "out_cbar2", "use_cbar2"}
    inside |= {"req1"} if required else set()
    inside |= {"out_dbar2"} if written else set()
    c1 = _part(frozenset({"use_cbar"}))
    c2 = _part(frozenset({"out_c", "out_cbar", "use_cbar"}))
    lines = [*_upstream(required), "!$AD CHECKPOINT-START", *c1, "!$AD CHECKPOINT-END",
             "!$AD CHECKPOINT-START", *c2, "!$AD CHECKPOINT-END", *_downstream(True, written)]
    return Witness(_subroutine(lines), HEAD, LOCATION, (_id(lines, 0), _id(lines, 1)), frozenset(inside), "Opt3+=*")


def _upstream(required: bool) -> list[str]:
    return ["v = x", "y = v*v" if required else "y = 2.0d0*v"]


def _part(inside: frozenset[str]) -> list[str]:
    """C, but for what of it a later use keeps in its first run."""
    written, again, used = ("out_c" in inside), ("out_cbar" in inside), ("use_cbar" in inside)
    if again:
        return ["v = v + x" if used else "v = 2.0d0*x", _READ]
    found = [_READ] if used else []
    return [*found, "v = 2.0d0*x"] if written else found or ["y = y + x"]


def _downstream(kept: bool, written: bool) -> list[str]:
    """D: does it use the v that C leaves (then C's first run computes it), does it overwrite v?"""
    if written:
        return ["v = v + x" if kept else "v = 3.0d0*x", _READ]
    return [_READ] if kept else []


def _subroutine(lines: list[str]) -> str:
    every = ["subroutine s(x, y)", "  real(8) :: x, y, v", *(f"  {line}" for line in lines), "end subroutine s"]
    return "\n".join(every) + "\n"


def _id(lines: list[str], number: int) -> str:
    """A part is named after its first statement's line."""
    starts = [place for place, line in enumerate(lines) if line.endswith("START")]
    return f"s@{starts[number] + 4}"
