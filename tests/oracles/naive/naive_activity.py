"""Names, states and activity for the naive reference (naive.py): varied, useful and use(I'), path by path."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TypeVar

from tests.oracles.naive.naive_program import INTEGERS, Assign, Do, If, Part, Ref, Statement, inside

Names = frozenset[str]
S = TypeVar("S")
NONE: Names = frozenset()


def closure(states: frozenset[S], trip: Callable[[frozenset[S]], frozenset[S]]) -> frozenset[S]:
    """The states after any number of trips, none included."""
    while not (more := trip(states)) <= states:
        states |= more
    return states


def united(states: Iterable[Names]) -> Names:
    return NONE.union(*states)


def killed(target: Ref) -> Names:
    """A scalar is written whole, an element does not kill its array."""
    return frozenset({target.name}) if target.index is None else NONE


def read_by(statement: Assign) -> Names:
    """Operands, and the subscripts on both sides."""
    operands = (factor.ref.names for term in statement.terms for factor in term)
    return united(operands) | statement.target.index_names


def reals_of(statement: Assign) -> Names:
    return frozenset(factor.ref.name for term in statement.terms for factor in term) - set(INTEGERS)


# ---------------------------------------------------------------- activity


@dataclass
class Activity:
    """Varied before each assignment on some path, and useful after it with an adjoint that may not be zero:
    an adjoint is added to only where the name varies. ``sometimes``: varied anywhere."""

    varied: dict[Assign, Names] = field(default_factory=dict)
    useful: dict[Assign, Names] = field(default_factory=dict)
    sometimes: Names = NONE

    def forward(self, body: Iterable[Statement], states: frozenset[Names]) -> frozenset[Names]:
        for statement in body:
            match statement:
                case Assign():
                    self.varied[statement] = self.varied.get(statement, NONE) | united(states)
                    states = frozenset(self.varied_after(statement, state) for state in states)
                    self.sometimes |= self.varied[statement] | united(states)
                case If(_, then, orelse):
                    states = self.forward(then, states) | self.forward(orelse, states)
                case Do(_, _, inner):
                    states = closure(states, lambda now, inner=inner: self.forward(inner, now))
                case Part(inner):
                    states = self.forward(inner, states)
        return states

    def varied_after(self, statement: Assign, state: Names) -> Names:
        if reals_of(statement) & state:
            return state | {statement.target.name}
        return state - killed(statement.target)

    def backward(self, body: tuple[Statement, ...], states: frozenset[Names]) -> frozenset[Names]:
        for statement in reversed(body):
            match statement:
                case Assign(target):
                    self.useful[statement] = self.useful.get(statement, NONE) | united(states)
                    moved = reals_of(statement) & self.varied[statement]
                    states = frozenset(
                        (state - killed(target)) | moved if target.name in state else state for state in states
                    )
                case If(_, then, orelse):
                    states = self.backward(then, states) | self.backward(orelse, states)
                case Do(_, _, inner):
                    states = closure(states, lambda now, inner=inner: self.backward(inner, now))
                case Part(inner):
                    states = self.backward(inner, states)
        return states

    def active(self, statement: Assign) -> bool:
        """The target's adjoint may not be zero, and somewhere it varies: then it has to be set to zero at least."""
        return statement.target.name in self.useful.get(statement, NONE) & self.sometimes

    def derivative_uses(self, statement: Assign) -> Names:
        """use(I'): operands of the partials by varied operands that are not constant; subscripts of what is touched."""
        if not self.active(statement):
            return NONE
        varied = self.varied[statement]
        uses = statement.target.index_names
        for term in statement.terms:
            for place, factor in enumerate(term):
                if factor.ref.name not in varied:
                    continue
                uses |= factor.ref.index_names
                uses |= united(other.ref.names for rest, other in enumerate(term) if rest != place)
                if factor.sine:
                    uses |= factor.ref.names
        return uses


def activity_of(program: tuple[Statement, ...]) -> Activity:
    activity = Activity()
    activity.forward(program, frozenset({frozenset({"x"})}))
    activity.backward(program, frozenset({frozenset({"y"})}))
    return activity


def has_derivative(body: tuple[Statement, ...], activity: Activity) -> bool:
    """Whether a loop around ``body`` has a derivative; one around a part has."""
    return any(isinstance(each, Part) or (isinstance(each, Assign) and activity.active(each)) for each in inside(body))
