"""What lies on a generated adjoint's stack, and what is asked of it: values, loops and branches that push, and marks.

``DO i = 1, n; PUSH(u); ...; END DO`` is an :class:`Around` whose net has one entry. Marks put nothing on the stack:
they say where a part's first run begins, and where its adjoint does.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TypeAlias

from snapset.analysis.comparison.balanced_items import ChoicePair, Hole, Item
from snapset.analysis.comparison.stack_calls import StackCall
from snapset.frontend import ir
from snapset.frontend.base.frozen_records import frozen

Items: TypeAlias = tuple[Item, ...]
HOLE: Items = (Hole(),)


class UnpairedError(Exception):
    """A POP has no certain PUSH; the text says why, for people."""

    def __init__(self, stmt: ir.Stmt, why: str) -> None:
        super().__init__(why)
        self.line = stmt.span.line
        self.why = why


@frozen
class StackValue:
    """A value, or a control, on the stack, or one that is asked for."""

    stmt: ir.Call
    call: StackCall


@frozen
class RepeatedPops:
    """Values that are read and stay on the stack: the POPs between ADSTACK_STARTREPEAT and ADSTACK_RESETREPEAT, loops
    of POPs among them."""

    stmt: ir.Call
    values: tuple[StackValue | Around, ...]


@frozen
class Around:
    """A loop, whose body pushes or pops."""

    stmt: ir.Do | ir.While
    body: Net


@frozen
class Branching:
    """A branch that pushes or pops in some alternative. ``text``: of what decides."""

    stmt: ir.If | ir.Select
    ways: tuple[Net, ...]


@frozen
class Way:
    """An alternative whose control has been popped: the value, what else it pushed, what is done of its reversal.

    Whatever takes something more from it puts a hole before that: what has run until then. Behind the last there is
    none, so that what has been given back last stays what it was."""

    value: int
    net: Net
    done: Items


@frozen
class Opened:
    """A branch whose control has been popped into a variable, by the statement ``stmt``."""

    stmt: ir.Call
    variable: str
    ways: tuple[Way, ...]


@frozen
class Either:
    """One of these values. What is pushed before a loop and at the end of each turn ::

        PUSH(i); DO; A; PUSH(i); END DO          PUSH(i) or PUSH(i); A        in each turn, and once behind all
    """

    values: tuple[StackValue, ...]

    @property
    def stmt(self) -> ir.Stmt:
        return self.values[0].stmt


@frozen
class Sweep:
    """A call of a procedure's forward sweep, which pushes, or of its backward sweep, which pops."""

    stmt: ir.Call


@frozen
class PartMark:
    """Before the first run of a part, or before its adjoint: at a call, or at the first statement of a marked part's
    first and second run (``marked``). ``name``: of what it calls, or the part's id."""

    stmt: ir.Stmt
    name: str
    marked: bool = False


Content: TypeAlias = "StackValue | Either | RepeatedPops | Around | Branching | Opened | Sweep | PartMark"


@frozen
class Entry:
    """What is on the stack. ``above``: what has run since."""

    content: Content
    above: Items = ()


@frozen
class Demand:
    """What is asked of the stack below. ``before``: what ran since the demand before it."""

    content: Content
    before: Items = ()


@frozen
class Net:
    """A frame that is done. ``base``: what ran after the last demand, below the first entry."""

    demands: tuple[Demand, ...] = ()
    base: Items = ()
    entries: tuple[Entry, ...] = ()

    @property
    def neutral(self) -> bool:
        return not self.demands and not self.entries


def marks_only(content: Content) -> bool:
    """Does it put nothing on the stack, nor take anything off?"""
    match content:
        case PartMark():
            return True
        case Around():
            return _only_marks(content.body)
        case Branching():
            return all(_only_marks(net) for net in content.ways)
        case Opened():
            return all(_only_marks(way.net) for way in content.ways)
        case _:
            return False


def _only_marks(net: Net) -> bool:
    return all(marks_only(one.content) for one in net.entries) and all(marks_only(one.content) for one in net.demands)


def forgotten(entry: Entry) -> Items:
    """What runs in an entry that has only marks left, and since. Where the reversal of alternatives has begun, what has
    run since stands in the holes that it has left in them."""
    match entry.content:
        case Branching(ways=nets):
            return (ChoicePair(entry.above, tuple(map(_flat, nets))), *entry.above)
        case Opened(ways=ways):
            return (ChoicePair(entry.above, tuple((*_flat(way.net), *way.done) for way in ways)), *entry.above)
        case _:
            return (*dropped(entry.content), *entry.above)


def dropped(content: Content) -> Items:
    """What runs in what is asked for, which has only marks."""
    match content:
        case Around():
            return _flat(content.body)
        case Branching() | Opened():
            return forgotten(Entry(content))
        case _:
            return ()


def _flat(net: Net) -> Items:
    found: list[Item] = []
    for demand in net.demands:
        found += (*demand.before, *dropped(demand.content))
    found += net.base
    for entry in net.entries:
        found += forgotten(entry)
    return tuple(found)


def fitting(top: Content, content: Content) -> bool:
    """May what is on the stack and what is asked for be two ends of the same first runs?"""
    match top, content:
        case PartMark() as first, PartMark() as second:
            return first.name == second.name and same_arguments(first.stmt, second.stmt)
        case Around() as first, Around() as second:
            return _alike_nets(first.body, second.body)
        case Branching() as first, Branching() as second:
            return condition(first.stmt) == condition(second.stmt) and len(first.ways) == len(second.ways) and all(
                _alike_nets(one, other) for one, other in zip(first.ways, second.ways, strict=True))
        case Opened(), Branching():
            return marks_only(top)
        case _:
            return False


def is_first(content: Content, asked: Content) -> bool:
    """Is it the mark of a marked part's first run, the second of which is asked for?"""
    return isinstance(content, PartMark) and content.marked and fitting(content, asked)


def same_arguments(first: ir.Stmt, second: ir.Stmt) -> bool:
    """Has the call of an adjoint, ``step_b(x(i), xb(i), z, zb)``, the arguments of ``step(x(i), z)`` in their order?
    Of two calls of one procedure the adjoint may have one first run only."""
    if not isinstance(first, ir.Call) or not isinstance(second, ir.Call):
        return True
    left = iter([_beginning(one.value) for one in second.args])
    return all(any(_beginning(one.value) == other for other in left) for one in first.args)


def _beginning(argument: ir.Expr) -> ir.Expr:
    """Tapenade writes ``work(1:, 4)`` in an adjoint's call for ``work(1, 4)``: the memory that begins there."""
    if not isinstance(argument, ir.Ref) or argument.parts[-1].subscripts is None:
        return argument
    last = argument.parts[-1]
    subscripts = tuple(
        sub.lower if isinstance(sub, ir.Range) and sub.lower is not None and sub.upper is None and sub.step is None
        else sub for sub in last.subscripts or ())
    return replace(argument, parts=(*argument.parts[:-1], replace(last, subscripts=subscripts)), rank=0)


def _alike_nets(forward: Net, backward: Net) -> bool:
    if forward.demands or backward.entries or len(forward.entries) != len(backward.demands):
        return False
    pairs = zip(reversed(forward.entries), backward.demands, strict=True)
    return all(fitting(one.content, other.content) for one, other in pairs)


def spread(net: Net) -> list[Net]:
    """An alternative that ends with a branch of its own is several."""
    if not net.entries or not isinstance(last := net.entries[-1].content, Branching):
        return [net]
    found = []
    for way in last.ways:
        for one in spread(way):
            entries, base = list(net.entries[:-1]), net.base
            inner = list(one.entries)
            if inner:
                inner[-1] = Entry(inner[-1].content, inner[-1].above + net.entries[-1].above)
            if entries:
                entries[-1] = Entry(entries[-1].content, entries[-1].above + one.base)
            else:
                base += one.base
            found.append(Net(net.demands, base, (*entries, *inner)))
    return found


def condition(stmt: ir.If | ir.Select) -> ir.Expr:
    return stmt.cond if isinstance(stmt, ir.If) else stmt.selector


def place_of(content: Content) -> ir.Stmt:
    return content.stmt


def spoken(content: Content) -> str:
    match content:
        case StackValue():
            return content.stmt.name
        case Either():
            return content.values[0].stmt.name
        case Around():
            return "a loop"
        case Branching() | Opened():
            return "a branch"
        case RepeatedPops() | Sweep():
            return f"a call of {content.stmt.name}"
        case PartMark():
            return f"the part {content.name}"


def values_of(entry: Entry | None) -> tuple[StackValue, ...]:
    """One of which lies there."""
    match entry:
        case Entry(content=StackValue() as one):
            return (one,)
        case Entry(content=Either(values=values)):
            return values
        case _:
            return ()


def drawn_out(entries: tuple[Entry, ...]) -> tuple[Entry, ...]:
    """What all alternatives of the last branch push last, behind it instead."""
    if not entries or not isinstance(branching := entries[-1].content, Branching):
        return entries
    nets = [Net(net.demands, net.base, drawn_out(net.entries)) for net in branching.ways]
    if not all(net.entries and values_of(net.entries[-1]) for net in nets):
        return entries
    lasts = [net.entries[-1] for net in nets]
    values = tuple(dict.fromkeys(one for last in lasts for one in values_of(last)))
    since = tuple(item for last in lasts for item in last.above) + entries[-1].above
    ways = tuple(Net(net.demands, net.base, net.entries[:-1]) for net in nets)
    return (*entries[:-1], Entry(Branching(branching.stmt, ways)), Entry(Either(values), since))


def undone(way: Way) -> Net:
    """With what has been done of its reversal."""
    net = way.net
    if not net.entries:
        return Net(net.demands, net.base + way.done)
    top = net.entries[-1]
    return Net(net.demands, net.base, (*net.entries[:-1], Entry(top.content, top.above + way.done)))


def unlike(popping: Content, pushed: Content) -> UnpairedError:
    """What pops and what has pushed are not two ends of one thing."""
    return UnpairedError(place_of(popping), f"{spoken(popping)} takes here what {spoken(pushed)}, line "
                                            f"{place_of(pushed).span.line}, has pushed, and is not like it")
