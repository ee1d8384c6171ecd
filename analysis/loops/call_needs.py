r"""What a call that runs for some of its results must find defined: the rest of what it reads may be anything.

    call advance(u, spent)          u = f(u);  spent = spent + sum(u)          for u alone: u

The call runs whole, so what it reads must be as it was where that decides which statements run, which memory they
touch and whether they can run at all: tests, subscripts, bounds, associations, what is converted to an integer. A value
that only goes into values which nobody demands need not. Backward over the procedure that is called ::

    needed(entry I) = use(I) ∪ (needed(exit I) \ kill(I))      if I gives something needed, or is no plain assignment
                      place(I) ∪ needed(exit I)                otherwise: what its subscripts and pointers read

and calls inside likewise. So a cost that a step's only call sums up restarts nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from snapset.analysis.dataflow.bitsets import EMPTY, May, exactly
from snapset.analysis.dataflow.framework import Direction, MayProblem
from snapset.analysis.memory.references import References
from snapset.analysis.procedures.array_lives import ArrayLives
from snapset.analysis.procedures.effect_sets import Effect
from snapset.analysis.procedures.live_code import read_before
from snapset.analysis.procedures.model_builder import Models
from snapset.analysis.procedures.procedure_model import ProcedureModel
from snapset.frontend import ir
from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.cfg.graph import Node

_FLOATING = ("real", "complex")


@frozen(eq=False)
class NeededReads(MayProblem):
    """See the head of this module. ``places``: place(I) of plain assignments; ``needs``: what a call must find. Without
    a name for ``--dump``: no report asks it, ``snapset schedule`` does."""

    direction = Direction.BACKWARD

    effects: tuple[Effect, ...]
    lives: ArrayLives
    places: Mapping[int, May]
    needs: Callable[[int, May], May]

    def transfer(self, node: int, state: May) -> May:
        lives, e = self.lives, self.effects[node]
        state = lives.closed_backward(node, state)
        if node in self.places and not lives.touched(node, e.out, state):
            state = state | lives.demanded(node, self.places[node])
        else:
            state = read_before(node, state, replace(e, use=self.needs(node, lives.fold(state))), lives)
        return lives.opened_backward(node, state)

    def plain(self, state: May) -> int:
        return self.lives.fold(state)


class CallNeeds:
    """Answers for all procedures of a program, each solved once for each set that is demanded of it."""

    def __init__(self, models: Models) -> None:
        self.models = models
        self._places: dict[str, Mapping[int, May]] = {}
        self._found: dict[tuple[str, int], May] = {}

    def of_call(self, model: ProcedureModel, node: int, after: May) -> May:
        """What a node must find, ``after`` being demanded behind it: less than it reads where it is a call."""
        e, site = model.effects[node], model.calls.get(node)
        if site is None or not site.targets or e.everything or e.globals:
            return e.use
        found = site.reads
        for target in site.targets:
            callee = self.models.by_key[target.key]
            found |= target.uses(self.of_procedure(target.key, target.holding(after) & callee.visible))
        return e.use & model.space.with_descriptors(model.space.with_aliases(found))

    def of_procedure(self, key: str, demanded: May) -> May:
        """What a procedure must find when it is called. Of one that calls itself: all that it reads."""
        asked = key, int(demanded)
        if asked not in self._found:
            model = self.models.by_key[key]
            self._found[asked] = model.summary.use
            if not self.models.recurs(key):
                problem = NeededReads(model.scope, demanded, model.effects, model.lives(), self.places(model),
                                      lambda node, after: self.of_call(model, node, after))
                entry = problem.solve(model.backward).at_entry(model.flow.entry)
                self._found[asked] = model.lives().fold(entry) & model.summary.use
        return self._found[asked]

    def places(self, model: ProcedureModel) -> Mapping[int, May]:
        """place(I) of each assignment of numbers that can run with whatever numbers there are."""
        key = model.procedure.key
        if key not in self._places:
            found = {node.index: _place(model, node, node.stmt) for node in model.flow.nodes
                     if isinstance(node.stmt, ir.Assign) and _is_plain(node, node.stmt, model.effects[node.index])}
            self._places[key] = found
        return self._places[key]


def _is_plain(node: Node, stmt: ir.Assign, e: Effect) -> bool:
    """Does it give numbers to memory that is there, outside of WHERE and FORALL?"""
    return (node.kind == "simple" and not node.masks and not stmt.initial and not e.keep and not e.shaped
            and not e.everything and not e.globals and stmt.target.type.kind in (*_FLOATING, "integer"))


def _place(model: ProcedureModel, node: Node, stmt: ir.Assign) -> May:
    """What an assignment reads but for the values that only its own value is made of."""
    refs, space = model.refs, model.space
    kinds = _FLOATING if stmt.target.type.kind in _FLOATING else ("integer",)
    free, needed = _operands(stmt.value, refs, kinds)
    needed |= refs.subscripts(stmt.target)
    held = space.with_aliases(space.with_descriptors(needed)) | space.descriptors
    return model.effects[node.index].use & ~exactly(space.with_aliases(free) & ~held)


def _operands(expr: ir.Expr, refs: References, kinds: tuple[str, ...]) -> tuple[May, May]:
    """The locations whose values an expression is computed from, whatever they are, and those that it must find."""
    free: May = EMPTY
    needed: May = EMPTY
    work = [expr]
    while work:
        one = work.pop()
        if isinstance(one, ir.Ref) and one.type.kind in kinds and one.substring is None:
            touch = refs.touch(one)
            free |= touch.bits
            needed |= touch.subscripts
        elif isinstance(one, ir.Unary) and one.type.kind in kinds:
            work.append(one.operand)
        elif isinstance(one, ir.Binary) and one.type.kind in kinds and one.op in _harmless(kinds):
            work += (one.left, one.right)
        elif isinstance(one, ir.Intrinsic) and one.type.kind in kinds and kinds == _FLOATING:
            work += (argument.value for argument in one.args)
        else:
            needed |= refs.values(one)
    return free, needed


def _harmless(kinds: tuple[str, ...]) -> tuple[str, ...]:
    """The operators that no operand can stop: integers are not divided."""
    return ("+", "-", "*", "/", "**") if kinds == _FLOATING else ("+", "-", "*")
