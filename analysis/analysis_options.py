"""The options of an analysis: one field each gives the library's keyword, the command line, the project file, the docs.

To add one, add its field here, with its record, and use it where it counts. The command line's flag and help, the key
of the project file and its row in docs/project.md follow. Nothing here imports more than dataclasses.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import field, fields
from typing import Any, Literal

from snapset.frontend.base.frozen_records import frozen

OptionKind = Literal["switch", "off switch", "choice", "list", "table", "none"]


@frozen
class OptionRecord:
    """How people give an option. ``kind``: a switch sets it, an off switch clears it, ``none`` has no general form.
    ``flag``: on the command line, empty without one; ``metavar``, ``choices``, ``help`` as argparse has them. ``key``:
    what docs/project.md says of the key in the project file, empty where there is none. ``command``: the only one that
    has the flag; empty: all that analyse."""

    kind: OptionKind
    flag: str
    help: str
    key: str = ""
    metavar: str = ""
    choices: tuple[str, ...] = ()
    command: str = ""


def _switch(flag: str, help: str, key: str = "", command: str = "") -> Any:
    return field(default=False, metadata={"record": OptionRecord("switch", flag, help, key, command=command)})


@frozen(kw_only=True)
class AnalysisOptions:
    """How a head is analysed. ``call_checkpoints``: every call of an active procedure is a checkpoint; ``split``: calls
    that are none, by the procedure's name or by place (``FILE:LINE``). ``distinct_pointers``: those older than the
    head's run share memory only where the program associates them (:mod:`snapset.analysis.memory.alias_classes`).

    ``first_run``: ``trimmed`` by adjoint liveness, or ``whole`` for AD tools that run a marked part's
    first copy unchanged. ``assume``: numbers for sizes and trip counts, which the strategy optimal goes by.
    ``pareto``: also the frontiers of peak against traffic. ``counts``: how often each (file, line) ran, from
    :func:`snapset.config.gcov_counts.read_counts`.
    ``effects``: what procedures without source do, by name, ``{"solve": "in inout out"}``
    (:mod:`snapset.analysis.external.declared_effects`).
    ``save_intact``: save also what a part overwrites without harm (:mod:`snapset.analysis.sections.lost_values`), as
    the paper's equations do. ``context``: an adjoint code for each calling pattern that gains by it
    (:mod:`snapset.analysis.activity.calling_contexts`). ``keep_operands``: never record which side of MAX, MIN, ABS ...
    was taken, even where that takes fewer bytes than the operands (:mod:`snapset.analysis.reversal.nonsmooth_sides`).
    ``record_branches``: record which way every branch went, even where its condition can be evaluated again
    (:mod:`snapset.analysis.reversal.branch_conditions`).
    ``recompute``: what the backward sweep can compute again at no cost in bytes is neither taped nor saved
    (:mod:`snapset.analysis.adjoint.recomputation`). ``dag``: what is taped goes by values,
    and by what others rely on under each strategy (:mod:`snapset.analysis.adjoint.element_tape`,
    :mod:`snapset.analysis.adjoint.repeatable_groups`).
    """

    assume: Mapping[str, int] = field(default_factory=dict, metadata={"record": OptionRecord(
        "table", "--assume", "a value for a size or trip count in the figures, such as n=1000 or 'size(x)=50'; optimal "
        "goes by them (100 where none is given)", "table of names and numbers", "NAME=NUMBER")})
    call_checkpoints: bool = field(default=True, metadata={"record": OptionRecord(
        "off switch", "--no-call-checkpoints", "no call is a checkpoint, only marked parts are",
        "`false`: calls are no checkpoints")})
    split: Collection[str] = field(default=(), metadata={"record": OptionRecord(
        "list", "--split", "calls of this procedure, or the calls on this line, are not checkpoints: the callee's "
        "forward and backward sweeps run apart, as after !$AD NOCHECKPOINT; may be repeated",
        "procedures whose calls are no checkpoints, or `\"src/a.f90:12\"` ([split mode](split.md))", "NAME|FILE:LINE")})
    context: bool = _switch(
        "--context", "an adjoint of its own for each calling pattern of active arguments that needs less than the one "
        "adjoint of a procedure for all its calls",
        "`true`: an adjoint for each calling pattern that gains by it ([split mode and contexts](split.md))")
    distinct_pointers: bool = _switch(
        "--distinct-pointers", "pointers and targets that are older than the head's run lead to the same memory only "
        "where these files associate them, as Tapenade takes it",
        "`true`: pointers older than the head's run share memory only where the files associate them "
        "([real codes](real_codes.md))")
    first_run: Literal["trimmed", "whole"] = field(default="trimmed", metadata={"record": OptionRecord(
        "choice", "--first-run", "does a marked part's first run leave out what the adjoint does not need (default), "
        "or is it whole?", "`\"trimmed\"` or `\"whole\"`", choices=("trimmed", "whole"))})
    effects: Mapping[str, str] = field(default_factory=dict, metadata={"record": OptionRecord(
        "none", "", "", "table: what procedures without source do, see below")})
    save_intact: bool = _switch(
        "--save-intact", "save also what a part overwrites only where its second run does so again before it reads: "
        "the paper's equations to the letter", "`true`: the paper's equations to the letter")
    recompute: bool = _switch(
        "--recompute", "your adjoint computes again what it can at no cost in bytes (t = a*b where a and b still stand "
        "there), instead of taping or saving it; the report says what and where",
        "`true`: what the adjoint can [compute again](recompute.md) is neither taped nor saved")
    dag: bool = _switch(
        "--dag", "your adjoint's tape goes by values, not by variables: a write of an element tapes only where it may "
        "hit an element that is needed; with --recompute also values that several statements make together are "
        "computed again; the report says what and where",
        "`true`: [the tape goes by values](dag.md#the-tape-by-values), not by variables")
    tape_scalars: bool = _switch(
        "--tape-scalars", "a scalar or small array that a loop or a called procedure has for itself is taped where it "
        "is overwritten and needed; else it is computed again where what it is made of still stands there; the report "
        "says what and where",
        "`true`: scalars that a loop or a called procedure has for itself are taped, not [computed "
        "again](recompute.md#scalars)")
    keep_operands: bool = _switch(
        "--keep-operands", "the derivative of MAX, MIN, ABS, SIGN, DIM and MERGE reads its operands again, and that of "
        "an assignment in WHERE what its mask is computed from; else, which it was is recorded where that takes fewer "
        "bytes",
        "`true`: which side of MAX, MIN ... was taken, and which mask a WHERE had, is recorded only where it must be")
    record_branches: bool = _switch(
        "--record-branches", "which way a branch went is always recorded; else, where its condition can be evaluated "
        "again in the backward sweep from values that are there for less, it is",
        "`true`: which way a branch went is always recorded")
    pareto: bool = _switch(
        "--pareto", "also what less peak costs in traffic: for the head, and for each part", command="report")
    counts: Mapping[tuple[str, int], int] | None = field(default=None, metadata={"record": OptionRecord(
        "list", "--counts", "bytes of a run that was counted, from gcov's JSON (gfortran --coverage; run; gcov "
        "--json-format), plain or gzipped; may be repeated", metavar="FILE", command="report")})

    @property
    def record_sides(self) -> bool:
        """May the side of MAX, MIN, ABS ... be recorded?"""
        return not self.keep_operands


def records() -> dict[str, OptionRecord]:
    """The record of each option, by its name."""
    return {one.name: one.metadata["record"] for one in fields(AnalysisOptions)}


def unset(name: str) -> Any:
    """What stands for an option that the command line does not give."""
    return {"switch": False, "off switch": True, "list": (), "table": {}}.get(records()[name].kind)


def joined(name: str, given: Any, below: Any) -> Any:
    """What an option is where the command line gives one thing and the project file another: lists and tables add up,
    of all else the command line's counts where it says something."""
    match records()[name].kind:
        case "switch":
            return given or below
        case "off switch":
            return given and below
        case "list":
            return (*given, *below)
        case "table":
            return {**below, **given}
        case _:
            return below if given is None else given
