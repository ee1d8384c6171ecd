"""Where an adjoint turns: the statements that run forward, and those that run backwards.

    c2 = dot3(c, c)                 forward
    IF (c2 .LT. 1d-8) THEN          this branch turns: what its arms run is undone at once
      c2b = 0.0_8                                            backward
    ELSE
      CALL PUSHREAL8(result1)       forward
      result1 = dot3(r0, r1)        forward
      result1b = tempb/n1                                    backward
      CALL POPREAL8(result1)                                 backward
    END IF
    n1b = result1*n2b                                        backward

The branch stands in both sweeps, each time with what of its arms belongs there.
"""

from __future__ import annotations

from collections.abc import Container

from snapset.analysis.comparison.stack_calls import stack_call
from snapset.frontend import ir
from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.ir.statement_walk import blocks, statements, with_blocks


@frozen
class TwoSweeps:
    """``turning``: the last statement forward and the first one backward are the same branch, which turns."""

    forward: ir.Block
    backward: ir.Block
    turning: bool

    def inside(self, number: int) -> TwoSweeps | None:
        """Of the arm of the branch that turns in which the statement of that id runs forward; None: it is not there."""
        if not self.turning:
            return None
        one, other = self.forward[-1], self.backward[0]
        for first, second in zip(blocks(one), blocks(other), strict=True):
            if any(stmt.id == number for stmt in statements(first)):
                return TwoSweeps(first, second, _same(first, second))
        return None


def two_sweeps(source: ir.Procedure, adjoint: ir.Procedure) -> TwoSweeps:
    """Of an adjoint's own block."""
    return _parted(adjoint.body, set(source.variables))


def _parted(body: ir.Block, own: Container[str]) -> TwoSweeps:
    at = next((at for at, stmt in enumerate(body) if any(_turns(one, own) for one in statements((stmt,)))), len(body))
    plain = TwoSweeps(body[:at], body[at:], False)
    if at == len(body) or not isinstance(body[at], ir.If | ir.Select):
        return plain
    arms = [_parted(arm, own) for arm in blocks(body[at])]
    if not any(arm.forward for arm in arms):
        return plain
    forward, backward = iter([arm.forward for arm in arms]), iter([arm.backward for arm in arms])
    return TwoSweeps((*body[:at], with_blocks(body[at], lambda _: next(forward))),
                     (with_blocks(body[at], lambda _: next(backward)), *body[at + 1:]), True)


def _same(forward: ir.Block, backward: ir.Block) -> bool:
    return bool(forward and backward) and forward[-1].id == backward[0].id


def _turns(stmt: ir.Stmt, own: Container[str]) -> bool:
    """Is an adjoint given a value, or something popped?"""
    call = stack_call(stmt)
    if call is not None:
        return call.role.startswith("pop")
    return isinstance(stmt, ir.Assign) and is_adjoint(stmt.target.name, own)


def is_adjoint(name: str, own: Container[str]) -> bool:
    """``xb`` of x, or ``x_b`` under Tapenade's -adjvarname."""
    return name not in own and name.endswith("b") and (name[:-1] in own or name.removesuffix("_b") in own)
