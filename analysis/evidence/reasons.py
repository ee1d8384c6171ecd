"""Why the equations save a location, or do not: the rule of DH (6), (7) that it falls under, in words.

The rule is pointwise: membership in Req, out(C), out(D̄), out(C̄), use(C̄) decides (equations.md). So a reason names the
sets that the location is in, and evidence for each of them is all the evidence there is.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

from snapset.analysis.dataflow.bitsets import May
from snapset.analysis.equations import OptSets, PartSets, SnapshotChoice
from snapset.frontend.base.frozen_records import frozen

Side: TypeAlias = Literal["Snp", "Sbk", "Req_D", "Req_C"]


@frozen
class Reason:
    """``text``: one sentence. ``sets``: those that the evidence is to be found for, what overwrites first. ``cure``:
    what the source would have to be like for the location not to be saved; "" where it is not."""

    text: str
    sets: tuple[str, ...]
    cure: str = ""


@frozen
class Membership:
    """One location in the sets of one part. ``intact``: it is in C's second run's use, but C overwrites it again
    before that; ``again``: the snapshot holds it not because it is computed again."""

    req: bool
    out_c: bool
    out_dbar: bool
    out_cbar: bool
    use_cbar: bool
    snp: bool
    sbk: bool
    req_d: bool
    req_c: bool
    option: int
    intact: bool
    again: bool

    @property
    def names(self) -> tuple[str, ...]:
        """The sets that hold it, by the paper's names."""
        held = {"Req": self.req, "use(C̄)": self.use_cbar, "out(C)": self.out_c, "out(C̄)": self.out_cbar,
                "out(D̄)": self.out_dbar}
        return tuple(name for name, there in held.items() if there)

    @property
    def saved(self) -> tuple[Side, ...]:
        """Where the solution keeps it."""
        held: Mapping[Side, bool] = {"Snp": self.snp, "Sbk": self.sbk, "Req_D": self.req_d, "Req_C": self.req_c}
        return tuple(name for name, there in held.items() if there)


def membership(sets: PartSets, options: OptSets, choice: SnapshotChoice, bit: May, intact: bool,
               again: bool) -> Membership:
    """What is known of the location with this bit."""
    number = next((k for k, held in enumerate((options.opt1, options.opt2, options.opt3), 1) if held & bit), 0)
    return Membership(
        req=bool(sets.req & bit), out_c=bool(sets.out_c & bit), out_dbar=bool(sets.out_dbar & bit),
        out_cbar=bool(sets.out_cbar & bit), use_cbar=bool(sets.use_cbar & bit), snp=bool(choice.snp & bit),
        sbk=bool(choice.sbk & bit), req_d=bool(choice.req_d & bit), req_c=bool(choice.req_c & bit), option=number,
        intact=intact, again=again)


def reasons(m: Membership) -> tuple[Reason, ...]:
    """Why the location is where it is: a reason for each rule that puts it there, or the one why it is nowhere."""
    found: list[Reason] = []
    if m.snp or m.req_d:
        found += _before(m)
    if m.sbk or m.req_c:
        kept = "Sbk keeps it to the end of C̄" if m.sbk else "C's second run tapes it where it is overwritten (Req_C)"
        found.append(Reason(
            f"C̄ overwrites it, and the adjoint of what stands before the part still reads its value: {kept}.",
            ("out(C̄)", "Req"), "the part began before the statement that requires it, or C did not overwrite it"))
    return tuple(found) or (_nowhere(m),)


def _before(m: Membership) -> list[Reason]:
    """Why its value at the part's entry is kept."""
    reader, who = ("use(C̄)", "C̄") if m.use_cbar else ("Req", "the adjoint of what stands before the part")
    if m.out_c:
        return [Reason(
            f"C overwrites it, and {who} reads the value it had before: every solution saves it before the part.",
            ("out(C)", reader),
            "C did not overwrite it (another variable, or the statement outside the part), or wrote it whole before "
            "its old value is read")]
    kept = "Snp saves it before the part" if m.snp else "it is taped where it is overwritten (Req_D)"
    return [Reason(f"What runs behind the part overwrites it, and {who} reads the value it had before: {kept}.",
                   ("out(D̄)", reader), "what runs behind the part wrote another variable")]


def _nowhere(m: Membership) -> Reason:
    if m.again:
        return Reason("It is computed again from values that are there, when the snapshot is back.",
                      tuple(one for one in ("out(C)", "use(C̄)") if one in m.names))
    readers = tuple(one for one in ("use(C̄)", "Req") if one in m.names)
    writers = tuple(one for one in ("out(C)", "out(D̄)") if one in m.names)
    if m.intact:
        return Reason("C̄ reads it, but nothing overwrites it after that reading in C, nor behind the part, so C's "
                      "second run finds what it reads.", writers)
    if not readers:
        return Reason("No adjoint reads the value that it has before the part: not C̄, nor that of what stands before "
                      "the part.", writers)
    return Reason("Nothing overwrites it between the part's first run and the adjoint that reads it.", readers)
