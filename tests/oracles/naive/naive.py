"""A naive reference for the checkpoint sets: every path on its own, as straight-line code.

It shares nothing with :mod:`snapset.analysis` but the mathematics (equations.md, 1 to 3). A state is what
straight-line code along one path gives, never a union; where paths meet, the states are kept side by side
in a Python set, and only what is asked for at a point is united over them. A loop adds trip after trip
until a further trip brings no state that is not there. The state after a trip depends on the state before
it and on nothing else, so this covers *every* number of trips, not only a few, and it ends, since
there are finitely many sets of names.

What is decided once for a statement and not per path (whether it is kept, active, whether a test is evaluated)
is found by starting from "nothing is kept" and repeating everything until nothing more is.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from tests.oracles.naive.naive_activity import (
    NONE,
    Activity,
    Names,
    activity_of,
    closure,
    has_derivative,
    killed,
    read_by,
    united,
)
from tests.oracles.naive.naive_program import Assign, Do, If, Part, Statement, inside


@dataclass(frozen=True)
class After:
    """use and out of the adjoint of all that follows a point, along one path."""

    use: Names = NONE
    out: Names = NONE


# ---------------------------------------------------------------- what follows, backward


@dataclass(frozen=True)
class Around:
    """The loops around a point: their variables and bounds."""

    vars: Names = NONE
    bounds: Names = NONE

    def within(self, loop: Do) -> Around:
        return Around(self.vars | {loop.var}, self.bounds | {loop.bound})


@dataclass
class Facts:
    """What is known of a part so far. ``after``: the states behind it; ``kept``: assignments of its first run."""

    around: Around
    after: set[After] = field(default_factory=set)
    kept: set[Assign] = field(default_factory=set)
    use_cbar: Names = NONE
    out_cbar: Names = NONE

    @property
    def out_dbar(self) -> Names:
        """The variable of a loop around the part is given back by that loop's reversal."""
        return united(state.out for state in self.after) - self.around.vars

    @property
    def use_dbar(self) -> Names:
        return united(state.use for state in self.after)


@dataclass
class Backward:
    """Adjoint liveness. ``kept`` holds what the adjoint code that directly contains an assignment keeps of it."""

    activity: Activity
    kept: set[Assign] = field(default_factory=set)
    parts: dict[Part, Facts] = field(default_factory=dict)

    def found(self) -> object:
        """All that is decided once and not per path."""
        facts = {part: (frozenset(each.kept), each.use_cbar, each.out_cbar) for part, each in self.parts.items()}
        return frozenset(self.kept), facts

    def run(self, program: tuple[Statement, ...]) -> None:
        """Repeats until nothing more is kept anywhere; only the last round's states count."""
        before: object = None
        while before != (before := self.found()):
            for facts in self.parts.values():
                facts.after.clear()
            self.block(program, frozenset({After()}), Around())

    def block(self, body: tuple[Statement, ...], states: frozenset[After], around: Around) -> frozenset[After]:
        for statement in reversed(body):
            match statement:
                case Assign():
                    states = frozenset(self.assign(statement, state, around) for state in states)
                case If(test, then, orelse):
                    states = self.block(then, states, around) | self.block(orelse, states, around)
                    if self.alive(then + orelse):
                        states = frozenset(After(state.use | test.names, state.out) for state in states)
                case Do():
                    states = self.loop(statement, states, around)
                case Part():
                    states = self.part(statement, states, around)
        return states

    def assign(self, statement: Assign, after: After, around: Around) -> After:
        """equations.md 2. A loop's reversal gives the derivative statements in its body the loop's variable."""
        uses = self.activity.derivative_uses(statement) - around.vars
        written = frozenset({statement.target.name})
        if not written & after.use:
            return After(uses | after.use, after.out - uses)
        self.kept.add(statement)
        use = uses | read_by(statement) | (after.use - killed(statement.target))
        return After(use, (after.out | written) - uses)

    def loop(self, loop: Do, states: frozenset[After], around: Around) -> frozenset[After]:
        """Before a loop its variable counts as changed, also where neither sweep runs the loop: then it is what is left
        behind the loop, which may be more than nothing (`do k = 2, n` of an idle body, and k = 3 behind it)."""
        within = around.within(loop)
        states = closure(states, lambda now: self.block(loop.body, now, within))
        if not self.alive(loop.body):
            return frozenset(After(s.use, s.out | {loop.var}) for s in states)
        return frozenset(After((s.use - {loop.var}) | {loop.bound}, s.out | {loop.var}) for s in states)

    def alive(self, body: tuple[Statement, ...]) -> bool:
        """Whether the adjoint of ``body`` does anything: then the tests and bounds around it are evaluated.

        A part always counts, as what saves and restores around it has to be run as often.
        """
        return any(
            isinstance(each, Part)
            or (isinstance(each, Assign) and (each in self.kept or self.activity.active(each)))
            for each in inside(body)
        )

    def part(self, part: Part, states: frozenset[After], around: Around) -> frozenset[After]:
        """equations.md 3: use([C];D adj) and out([C];D adj)."""
        facts = self.parts.setdefault(part, Facts(around))
        facts.after |= states
        second = self.block(part.body, frozenset({After()}), around)
        facts.use_cbar = united(state.use for state in second)
        facts.out_cbar = united(state.out for state in second)
        pairs = [
            (before, state.out)
            for state in states
            for before in FirstRun(facts.kept).block(part.body, frozenset({state.use}))
        ]
        out_c = FirstRun(facts.kept).writes(part.body)
        return frozenset(
            After(before | facts.use_cbar, facts.out_cbar | ((out | out_c) - facts.use_cbar)) for before, out in pairs
        )


@dataclass(frozen=True)
class FirstRun:
    """A part's first run: the assignments that what follows needs, and the control around them."""

    kept: set[Assign]

    def needs(self, body: tuple[Statement, ...]) -> bool:
        return any(each in self.kept for each in inside(body))

    def block(self, body: tuple[Statement, ...], states: frozenset[Names]) -> frozenset[Names]:
        """Live before ``body``, per path, and notes what is kept."""
        for statement in reversed(body):
            match statement:
                case Assign():
                    states = frozenset(self.assign(statement, state) for state in states)
                case If(test, then, orelse):
                    states = self.block(then, states) | self.block(orelse, states)
                    if self.needs(then + orelse):
                        states = frozenset(state | test.names for state in states)
                case Do(var, bound, inner):
                    states = closure(states, lambda now, inner=inner: self.block(inner, now))
                    if self.needs(inner):
                        states = frozenset((state - {var}) | {bound} for state in states)
                case Part(inner):
                    states = self.block(inner, states)
        return states

    def assign(self, statement: Assign, live: Names) -> Names:
        if statement.target.name not in live:
            return live
        self.kept.add(statement)
        return read_by(statement) | (live - killed(statement.target))

    def reads(self, body: tuple[Statement, ...], states: frozenset[Names]) -> frozenset[Names]:
        """use(C) per path: what is read before it is written, by what is kept."""
        for statement in reversed(body):
            match statement:
                case Assign(target) if statement in self.kept:
                    states = frozenset(read_by(statement) | (state - killed(target)) for state in states)
                case If(test, then, orelse) if self.needs(then + orelse):
                    states = self.reads(then, states) | self.reads(orelse, states)
                    states = frozenset(state | test.names for state in states)
                case Do(var, bound, inner) if self.needs(inner):
                    states = closure(states, lambda now, inner=inner: self.reads(inner, now))
                    states = frozenset((state - {var}) | {bound} for state in states)
                case Part(inner):
                    states = self.reads(inner, states)
        return states

    def writes(self, body: tuple[Statement, ...]) -> Names:
        """out(C): with the variables of the loops that are kept."""
        written = {each.target.name for each in inside(body) if isinstance(each, Assign) and each in self.kept}
        counted = {each.var for each in inside(body) if isinstance(each, Do) and self.needs(each.body)}
        return frozenset(written | counted)


# ---------------------------------------------------------------- what upstream code requires, forward


@dataclass(frozen=True)
class Solution:
    req: Names
    snp: Names
    sbk: Names
    req_d: Names
    req_c: Names


@dataclass(frozen=True)
class Answer:
    """All sets of one part. ``lazy`` and ``eager`` are (9) and (8)."""

    around: Around
    use_c: Names
    out_c: Names
    use_cbar: Names
    out_cbar: Names
    use_dbar: Names
    out_dbar: Names
    lazy: Solution
    eager: Solution


def lazy(req: Names, c: Names, use_cbar: Names, out_cbar: Names, out_dbar: Names) -> Solution:
    """DH (9)."""
    return Solution(req, c & (req | use_cbar), NONE, (out_dbar & (req | use_cbar)) - c, out_cbar & req)


def eager(req: Names, c: Names, use_cbar: Names, out_cbar: Names, out_dbar: Names) -> Solution:
    """DH (8), less what it asks for in vain: D need not keep what Sbk restores and C̄ does not use.

    The papers' out(C̄) within out(C) would exclude that case; a first run that is trimmed allows it.
    """
    snp = (c & (use_cbar | (req - out_cbar))) | ((out_dbar & use_cbar) - req - c)
    sbk = req & out_cbar
    return Solution(req, snp, sbk, (out_dbar & req) - c - (sbk - use_cbar), NONE)


@dataclass
class Forward:
    """To be recorded, for one strategy."""

    backward: Backward
    choose: Callable[[Names, Names, Names, Names, Names], Solution]
    req: dict[Part, Names] = field(default_factory=dict)

    def block(self, body: tuple[Statement, ...], states: frozenset[Names]) -> frozenset[Names]:
        for statement in body:
            match statement:
                case Assign():
                    states = frozenset(self.assign(statement, state) for state in states)
                case If(_, then, orelse):
                    states = self.block(then, states) | self.block(orelse, states)
                case Do(var, bound, inner):
                    if self.derives(inner):
                        states = frozenset(state | {bound} for state in states)
                    states = closure(states, lambda now, inner=inner: self.block(inner, now))
                    states = frozenset(state - {var} for state in states)
                case Part():
                    states = self.part(statement, states)
        return states

    def derives(self, body: tuple[Statement, ...]) -> bool:
        return has_derivative(body, self.backward.activity)

    def assign(self, statement: Assign, req: Names) -> Names:
        req |= self.backward.activity.derivative_uses(statement)
        return req - killed(statement.target) if statement in self.backward.kept else req

    def part(self, part: Part, states: frozenset[Names]) -> frozenset[Names]:
        """D starts with Req_D, the part's second run with Req_C."""
        self.req[part] = self.req.get(part, NONE) | united(states)
        self.block(part.body, frozenset({self.solution(part, self.req[part]).req_c}))
        return frozenset(self.solution(part, state).req_d for state in states)

    def solution(self, part: Part, req: Names) -> Solution:
        facts = self.backward.parts[part]
        out_c = FirstRun(facts.kept).writes(part.body)
        return self.choose(req, out_c, facts.use_cbar, facts.out_cbar, facts.out_dbar)


def required(program: tuple[Statement, ...], backward: Backward, choose: Callable[..., Solution]) -> Forward:
    """Repeats until Req at every part is stable (Req_C feeds the parts inside)."""
    forward = Forward(backward, choose)
    before: dict[Part, Names] | None = None
    while forward.req != before:
        before = dict(forward.req)
        forward.block(program, frozenset({NONE}))
    return forward


def analyse(program: tuple[Statement, ...]) -> dict[Part, Answer]:
    """All sets of every part of ``program``; the head is p(x)>(y)."""
    backward = Backward(activity_of(program))
    backward.run(program)
    lazily, eagerly = required(program, backward, lazy), required(program, backward, eager)
    answers = {}
    for part, facts in backward.parts.items():
        first = FirstRun(facts.kept)
        answers[part] = Answer(
            facts.around,
            united(first.reads(part.body, frozenset({NONE}))),
            first.writes(part.body),
            facts.use_cbar,
            facts.out_cbar,
            facts.use_dbar,
            facts.out_dbar,
            lazily.solution(part, lazily.req[part]),
            eagerly.solution(part, eagerly.req[part]),
        )
    return answers
