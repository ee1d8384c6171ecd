"""Where the two sweeps of an adjoint are parted, in an alternative too.

    w = SUM(part)
    IF (w .GE. 1d-8) THEN         of a source that RETURNs where w is less
      CALL PUSHREAL8(a(1))
      a(1) = a(1) - w             the forward sweep of this alternative
      ...
      CALL POPREAL8(a(1))         its backward sweep
    END IF
    vb = ...                      behind it, the backward sweep of what stands before it
"""

from __future__ import annotations

from collections.abc import Iterator

from snapset.analysis.comparison.stack_calls import stack_call
from snapset.analysis.comparison.verdicts.never_saved import turn_in
from snapset.frontend import ir
from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.ir.statement_walk import statements


@frozen
class PartedSweeps:
    """The statements of one way through an adjoint, parted where it turns. ``own``: those of the forward sweep that no
    other :class:`PartedSweeps` of the adjoint looks at."""

    forward: ir.Block
    backward: ir.Block
    own: ir.Block


def sweeps_of(source: ir.Procedure, body: ir.Block) -> Iterator[PartedSweeps]:
    """The adjoint's own block, then the alternatives in which it turns, and those in these. ``body``: of the adjoint of
    ``source``."""
    at = turn_in(source, body)
    yield PartedSweeps(body[:at], body[at:], body[:at])
    pending = [(body[:at], body[at:])]
    while pending:
        before, backward = pending.pop()
        branch, behind = backward[0] if backward else None, backward[1:]
        for way in (branch.then, branch.orelse) if isinstance(branch, ir.If) else ():
            at = turn_in(source, way)
            if at < len(way) and _pushes(way[:at]):
                here = PartedSweeps((*before, *way[:at]), (*way[at:], *behind), way[:at])
                yield here
                pending.append((here.forward, here.backward))


def _pushes(block: ir.Block) -> bool:
    return any((call := stack_call(one)) is not None and call.role.startswith("push") for one in statements(block))
