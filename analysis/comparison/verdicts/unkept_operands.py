"""What a derivative statement reads, and a tape should have kept: its operand has another value by then.

    t = t*x(i)      without PUSHREAL8(t) before it, and its POP      xb(i) = xb(i) + t*tb

reads the t of the last turn in each turn back: the gradient is wrong. From before the statement's run to before its
derivative statement all is followed as between a part's first run and its adjoint. Called missing is only what may have
changed there, what this adjoint gives back nowhere, nor computes again, and what the source's own analysis needs, too.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from snapset.analysis.comparison.balanced_items import Findings
from snapset.analysis.comparison.judged_adjoint import Judged, all_changed
from snapset.analysis.comparison.part_pairing import group_start
from snapset.analysis.comparison.stack_contents import PartMark, UnpairedError
from snapset.analysis.comparison.sweep_walk import SweepWalk
from snapset.analysis.comparison.verdicts.derivative_groups import DerivativeGroup, derivative_groups
from snapset.analysis.dataflow.bitsets import May
from snapset.frontend import ir
from snapset.frontend.base.frozen_records import frozen
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
    model = found.models.by_key[key]
    procedure = model.procedure
    counters = {stmt.var.name for stmt in statements(procedure.body) if isinstance(stmt, ir.Do)}
    groups = {one.last.id: one for one in derivative_groups(source, procedure)
              if one.operands and not any(one.line in lines for lines in parts)}
    lost = _lost(found, key, groups)
    for number, group in sorted(groups.items(), key=lambda one: one[1].line):
        for operand in sorted(group.operands, key=lambda one: one.name):
            bits = model.refs.touch(operand).bits & lost.get(number, 0)
            if bits and operand.name not in counters:
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
    findings = Findings()
    try:
        all_changed(SweepWalk(model, found.known, forward, backward).net(), findings)
    except UnpairedError:
        return {}
    return findings.lost
