"""What a derivative statement reads, and a tape should have kept: its operand has another value by then.

    t = t*x(i)      without PUSHREAL8(t) before it, and its POP      xb(i) = xb(i) + t*tb

reads the t of the last turn in each turn back: the gradient is wrong. From before the statement's run to before its
derivative statement all is followed as between a part's first run and its adjoint. Called missing is only what may have
changed there, what this adjoint gives back nowhere, nor computes again, and what the source's own analysis needs, too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Final

from snapset.analysis.comparison.balanced_items import Findings
from snapset.analysis.comparison.judged_adjoint import Judged, all_changed
from snapset.analysis.comparison.part_pairing import group_start
from snapset.analysis.comparison.stack_contents import PartMark, UnpairedError
from snapset.analysis.comparison.sweep_walk import SweepWalk
from snapset.analysis.comparison.verdicts.derivative_groups import DerivativeGroup, derivative_groups
from snapset.analysis.comparison.verdicts.never_saved import turn_of
from snapset.analysis.dataflow.bitsets import May
from snapset.frontend import ir
from snapset.frontend.base.frozen_records import frozen, replace
from snapset.frontend.base.lazy_patterns import pattern_of
from snapset.frontend.interprocedural.lazy_procedures import changed as rewritten
from snapset.frontend.ir.statement_walk import statements


@frozen
class UnkeptOperand:
    """``places``: the adjoint's locations; ``read``: the derivative statement; ``line``: of the source's statement."""

    places: May
    read: ir.Assign
    line: int


def unkept_operands(found: Judged, key: str, source: ir.Procedure,
                    parts: Collection[range]) -> Iterator[UnkeptOperand]:
    """What derivative statements of one procedure of the adjoint find changed; in the order of the source's lines.

    ``parts``: the lines of its marked parts that may be run twice, and are not looked at here."""
    groups = [one for one in derivative_groups(source, found.models.by_key[key].procedure)
              if not any(one.line in lines for lines in parts)]
    return _changed(found, key, groups)


def unkept_made(found: Judged, key: str, source: ir.Procedure) -> Iterator[UnkeptOperand]:
    """The same of variables that the tool has made for results, arguments and operands, ``result1``, and gives a value
    several times in one procedure: the forward sweep's own statements are what is differentiated. What the backward
    sweep gives a value, a marked part's second run among it, is computed again, and left alone."""
    procedure = found.models.by_key[key].procedure
    at = turn_of(source, procedure)
    again = assigned_again(source, procedure)
    counts = Counter(one.name for one in map(_given, statements(procedure.body[:at])) if one is not None)
    names = {name for name, times in counts.items() if times > 1 and name not in again
             and name not in source.variables and MADE.fullmatch(name)}
    if names:
        groups = derivative_groups(rewritten(procedure, procedure.body[:at]), procedure)
        few = [replace(one, operands=frozenset(ref for ref in one.operands if ref.name in names)) for one in groups]
        yield from _changed(found, key, few)


def unkept_rewritten(found: Judged, key: str, source: ir.Procedure) -> Iterator[UnkeptOperand]:
    """The same of the source's variables where the tool has written a statement in another way, or has made it:
    ``arg1 = scale*load`` of CALL relax(x, scale*load). Lines are those of the adjoint."""
    procedure = found.models.by_key[key].procedure
    at = turn_of(source, procedure)
    again = assigned_again(source, procedure)
    said = {(one.target, one.value) for one in statements(source.body) if isinstance(one, ir.Assign)}
    groups = derivative_groups(rewritten(procedure, procedure.body[:at]), procedure)
    yield from _changed(found, key, [
        replace(one, operands=frozenset(ref for ref in one.operands if ref.name in source.variables
                                        and ref.name not in again))
        for one in groups if (one.forward.target, one.forward.value) not in said])


MADE: Final = pattern_of(r"(max|min|abs|arg|result|temp|x|y)\d+")
"""Tapenade's names for operands of MAX, arguments, results of functions."""


def assigned_again(source: ir.Procedure, procedure: ir.Procedure) -> frozenset[str]:
    """What an adjoint's backward sweep gives a value by other means than POPs."""
    behind = procedure.body[turn_of(source, procedure):]
    return frozenset(one.name for one in map(_given, statements(behind)) if one is not None)


def _given(stmt: ir.Stmt) -> ir.Ref | None:
    """What a statement gives a value, but for a POP's."""
    return stmt.target if isinstance(stmt, ir.Assign) else stmt.result if isinstance(stmt, ir.Call) else None


def _changed(found: Judged, key: str, groups: Iterable[DerivativeGroup]) -> Iterator[UnkeptOperand]:
    """The operands of the groups that are not what they were."""
    model = found.models.by_key[key]
    by_last = {one.last.id: one for one in groups if one.operands}
    lost = _lost(found, key, by_last)
    for number, group in sorted(by_last.items(), key=lambda one: one[1].line):
        for operand in sorted(group.operands, key=lambda one: one.name):
            bits = model.refs.touch(operand).bits & lost.get(number, 0)
            if bits:
                yield UnkeptOperand(May(bits), group.last, group.line)


def _lost(found: Judged, key: str, groups: Mapping[int, DerivativeGroup]) -> Mapping[int, int]:
    """By the id of a derivative statement, what may have changed since the statement ran; nothing where the stack is
    not followed."""
    model = found.models.by_key[key]
    forward: dict[int, PartMark] = {}
    backward: dict[int, PartMark] = {}
    for number, group in groups.items():
        place = group_start(model.procedure.body, group.forward.id)
        if place is not None:
            forward[place] = PartMark(group.forward, f"statement {number}")
            backward[number] = PartMark(group.last, f"statement {number}")
    return changed_between(found, key, forward, backward)


def changed_between(found: Judged, key: str, forward: Mapping[int, PartMark],
             backward: Mapping[int, PartMark]) -> Mapping[int, int]:
    """By the id of a statement with a mark, what may have changed since its first mark."""
    findings = Findings()
    try:
        all_changed(SweepWalk(found.models.by_key[key], found.known, forward, backward).net(), findings)
    except UnpairedError:
        return {}
    return findings.lost
