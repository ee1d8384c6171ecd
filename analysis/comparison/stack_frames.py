"""What a stretch of a generated adjoint leaves on its stack, and what it takes off that others left there.

A frame is filled statement by statement. What a POP asks for is on the frame's stack, or it was put there before the
frame began: then it is a demand. A loop that pushes has entries, one that pops demands; set against each other they are
a :class:`~snapset.analysis.comparison.balanced_items.LoopPair`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from snapset.analysis.comparison.balanced_items import (
    Altered,
    Changed,
    ChoicePair,
    Item,
    LoopPair,
    Met,
    Pair,
    RunAgain,
)
from snapset.analysis.comparison.control_values import counts_turns, decided
from snapset.analysis.comparison.saved_bytes import is_whole
from snapset.analysis.comparison.stack_calls import saved_place
from snapset.analysis.comparison.stack_contents import (
    HOLE,
    Around,
    Branching,
    Content,
    Demand,
    Either,
    Entry,
    Items,
    Net,
    Opened,
    PartMark,
    RepeatedPops,
    StackValue,
    Sweep,
    UnpairedError,
    Way,
    condition,
    drawn_out,
    dropped,
    fitting,
    forgotten,
    is_first,
    marks_only,
    place_of,
    spoken,
    spread,
    undone,
    unlike,
    values_of,
)
from snapset.analysis.dataflow.bitsets import EMPTY, May, exactly
from snapset.analysis.procedures.procedure_model import ProcedureModel
from snapset.frontend import ir

Chooser = Callable[[Branching, str, int], Net]
"""What a branch does when a variable has a value."""


@dataclass(slots=True)
class StackFrame:
    """A stack as it is being built, of a procedure. ``choose``: as of :data:`Chooser`. ``told``: the values of controls
    that have just been popped, where one PUSH only has put them there."""

    model: ProcedureModel
    choose: Chooser
    demands: list[Demand] = field(default_factory=list)
    base: Items = ()
    entries: list[Entry] = field(default_factory=list)
    told: dict[str, int] = field(default_factory=dict)

    def net(self) -> Net:
        return Net(tuple(self.demands), self.base, tuple(self.entries))

    def add(self, items: Items) -> None:
        """What runs next and leaves the stack as it is."""
        if not items:
            return
        if self.entries:
            top = self.entries[-1]
            self.entries[-1] = Entry(top.content, top.above + items)
        else:
            self.base += items

    def push(self, content: Content) -> None:
        self.entries.append(Entry(content))

    def put(self, net: Net) -> None:
        """A stretch that was looked at by itself runs next."""
        for demand in net.demands:
            self.add(demand.before)
            self.ask(demand.content)
        self.add(net.base)
        self.entries += net.entries

    def ask(self, content: Content) -> None:
        """What takes something off the stack. Raises UnpairedError where that is not what lies there."""
        if isinstance(content, RepeatedPops) and not content.values:
            return
        while self.entries and marks_only(self.entries[-1].content) and not marks_only(content):
            top = self.entries.pop()
            self.add(forgotten(top))
        if self.entries and marks_only(content) and not fitting(self.entries[-1].content, content):
            self.add(self._run_below(content) or dropped(content))
            return
        told = self._told_way(content)
        self._tell(content)
        if told is not None:
            self.put(told)
            return
        if not self.entries:
            self.demands.append(Demand(content, self.base))
            self.base = ()
            return
        if isinstance(content, RepeatedPops):
            self._looked(content)
            return
        top = self.entries.pop()
        match top.content, content:
            case PartMark() as first, PartMark() as second:
                self.add((RunAgain(first.stmt, second.stmt, top.above),))
            case StackValue() as pushed, StackValue() as popped:
                self.add(self._value(pushed, popped, top.above))
            case Either() as either, StackValue() as popped:
                self.add((ChoicePair(top.above, tuple(self._value(one, popped, HOLE) for one in either.values)),))
            case Branching() | Opened() as branching, StackValue() as popped:
                if popped.call.role == "pop control":
                    self._opened(branching, popped, top.above)
                else:
                    self._each_way(branching, popped, top.above)
            case Around() as loop, StackValue() as popped:
                self.entries += (*self._turned(loop, top.above, popped),)
                self.ask(popped)
            case Around() as forward, Around() as backward:
                self._looped(forward, backward, top)
            case _, Around() as backward if counts_turns(backward.stmt):
                self._first_turn(backward, top)
            case Branching() | Opened() as branching, Around() as backward:
                self._each_way(branching, backward, top.above)
            case Opened() as opened, Branching() as branching:
                self._chosen(opened, branching, top.above)
            case Branching() as forward, Branching() as backward:
                self.add((self._alike(forward, backward, top.above),))
            case Sweep(), Sweep():
                self.add(top.above)
            case _:
                raise unlike(content, top.content)

    def _told_way(self, content: Content) -> Net | None:
        """The alternative of a branch that a control decides that has just been popped."""
        if isinstance(content, Branching) and isinstance(content.stmt, ir.If):
            for name, value in self.told.items():
                if decided(content.stmt.cond, {name: value}) is not None:
                    return self.choose(content, name, value)
        return None

    def _tell(self, content: Content) -> None:
        """Note which number a control is popped with; forget it where more is popped than values."""
        if isinstance(content, PartMark) or (isinstance(content, StackValue) and content.call.role == "pop"):
            return
        self.told = {}
        top = self.entries[-1].content if self.entries else None
        if isinstance(content, StackValue) and isinstance(top, StackValue) and top.call.value is not None:
            target = saved_place(content.stmt)
            self.told = {} if target is None else {target.name: top.call.value}

    def _looped(self, forward: Around, backward: Around, top: Entry) -> None:
        try:
            body = self._closed(forward.body, backward.body, backward.stmt)
        except UnpairedError:
            if not counts_turns(backward.stmt):
                raise
            self._first_turn(backward, top)
        else:
            self.add((LoopPair(top.above, body, self._counted(forward.stmt, backward.stmt)),))

    def _first_turn(self, backward: Around, top: Entry) -> None:
        """The first turn back, then the loop: of a loop whose end is asked for behind each turn what lies on top is the
        last one's, and there is always one."""
        self.entries.append(top)
        self.put(backward.body)
        left = next((one.content for one in reversed(self.entries) if not marks_only(one.content)), None)
        if left is not None and not isinstance(left, Around):
            raise unlike(backward, left)
        self.ask(backward)

    def _run_below(self, asked: Content) -> Items:
        """A marked part's second run, before which not all is popped that was pushed in a row after its mark ::

            mark; PUSH(m); PUSH(u); first run; ...; POP(u); second run, its adjoint; POP(m)

        The mark goes; what has run since is in the last value's own entry, too. Nothing where there is no such mark.
        """
        place = len(self.entries)
        while place and marks_only(top := self.entries[place - 1].content) and not is_first(top, asked):
            place -= 1
        since = tuple(item for entry in self.entries[max(0, place - 1):]
                      for item in forgotten(entry))
        while place and isinstance(self.entries[place - 1].content, StackValue):
            place -= 1
            if place and self.entries[place - 1].above:
                return ()
        if not place or not is_first(self.entries[place - 1].content, asked):
            return ()
        first = self.entries.pop(place - 1)
        return (RunAgain(place_of(first.content), place_of(asked), since),)

    # ------------------------------------------------------------ one of a kind

    def _value(self, pushed: StackValue, popped: StackValue, inner: Items) -> Items:
        if (pushed.call.type, pushed.call.array) != (popped.call.type, popped.call.array):
            raise UnpairedError(popped.stmt, f"{popped.stmt.name} meets {pushed.stmt.name}, line "
                                             f"{pushed.stmt.span.line}")
        met = Met(popped.stmt, pushed.stmt)
        if not pushed.call.saves:
            return (*inner, met)
        source, target = saved_place(pushed.stmt), saved_place(popped.stmt)
        if source is None or target is None or source != target:
            return inner if target is None else (*inner, *self._written(target), met)
        touched = self.model.refs.touch(target)
        whole = exactly(touched.certain) if is_whole(popped.stmt, popped.call, target, self.model) else exactly(EMPTY)
        return (Pair(pushed.stmt, popped.stmt, touched.bits, whole, touched.subscripts, inner),)

    def _looked(self, look: RepeatedPops) -> None:
        """Values are given back, and stay where they are: pairs, one within the other, as if they were popped. Of what
        was pushed first nobody says that it is what it was when the last one was pushed."""
        self.drop_marks(len(look.values))
        items: Items = ()
        written: Items = ()
        for place, popped in enumerate(look.values):
            pushed = self.entries[-1 - place].content if place < len(self.entries) else None
            since = self.entries[-1 - place].above + items if pushed is not None else items
            match pushed, popped:
                case StackValue(), StackValue():
                    items = self._value(pushed, popped, since)
                    target = saved_place(popped.stmt)
                    written += self._written(target) if place and target is not None else ()
                case Around(), Around():
                    body = self._closed(pushed.body, popped.body, popped.stmt)
                    items = (LoopPair(since, body, self._counted(pushed.stmt, popped.stmt)),)
                    written += self._given_back(popped.body) if place else ()
                case _:
                    raise UnpairedError(popped.stmt, f"{spoken(popped)} is repeated, and no PUSH is there")
        if self.entries:
            self.entries[-1] = Entry(self.entries[-1].content, items + written)

    def _given_back(self, net: Net) -> Items:
        """What the POPs of a loop write."""
        found: Items = ()
        for demand in net.demands:
            if isinstance(demand.content, Around):
                found += self._given_back(demand.content.body)
            elif isinstance(demand.content, StackValue) and (target := saved_place(demand.content.stmt)) is not None:
                found += self._written(target)
        return found

    def _written(self, target: ir.Ref) -> Items:
        """By a POP: nobody says with which value."""
        return (Changed(Altered(self.model.refs.touch(target).bits)),)

    def _counted(self, forward: ir.Do | ir.While, backward: ir.Do | ir.While) -> May:
        if isinstance(forward, ir.Do) and isinstance(backward, ir.Do) and forward.var == backward.var:
            return self.model.refs.touch(forward.var).bits
        return EMPTY

    def _closed(self, forward: Net, backward: Net, stmt: ir.Stmt, hole: Items = HOLE) -> Items:
        """A stretch and its reversal with what runs between them. Raises UnpairedError where they do not fit."""
        if forward.demands or backward.entries:
            raise UnpairedError(stmt, "a stretch both pushes and pops what others do")
        frame = StackFrame(self.model, self.choose, [], forward.base, list(forward.entries))
        frame.add(hole)
        frame.put(backward)
        frame.drop_marks()
        frame.drop_asked_marks()
        if frame.entries or frame.demands:
            left = frame.entries[-1].content if frame.entries else frame.demands[0].content
            raise UnpairedError(stmt, f"what is done with {spoken(left)}, line {place_of(left).span.line}, has no "
                                      "counterpart here")
        return frame.base

    def drop_asked_marks(self) -> None:
        """Forget adjoints whose first run is not here."""
        demands, self.demands, base = self.demands, [], self.base
        self.base = ()
        for demand in demands:
            self.base += demand.before
            if marks_only(demand.content):
                self.base += dropped(demand.content)
            else:
                self.demands.append(Demand(demand.content, self.base))
                self.base = ()
        self.base += base

    def drop_marks(self, last: int | None = None) -> None:
        """Forget first runs whose adjoint does not come; ``last``: those among so many values that lie on top."""
        kept = len(self.entries) if last is not None else 0
        while kept and last:
            kept -= 1
            last -= not marks_only(self.entries[kept].content)
        entries, self.entries = self.entries[kept:], self.entries[:kept]
        for entry in entries:
            if marks_only(entry.content):
                self.add(forgotten(entry))
            else:
                self.entries.append(entry)

    # ------------------------------------------------------------ branches

    def _turned(self, loop: Around, above: Items, popped: StackValue) -> tuple[Entry, ...]:
        """A loop whose turns end with the PUSH that also stands before it, as one whose turns begin with it."""
        inside = drawn_out(loop.body.entries)
        last = inside[-1] if inside else None
        before = self.entries[-1] if self.entries else None
        pushed = (*values_of(before), *values_of(last))
        if last is None or before is None or loop.body.demands or not values_of(before) or not values_of(last) \
                or len({(one.call.type, one.call.array, saved_place(one.stmt)) for one in pushed}) > 1:
            raise UnpairedError(popped.stmt, f"{spoken(popped)} pops what the loop of line {loop.stmt.span.line} has "
                                             "pushed, in which turn is not certain")
        self.entries.pop()
        since = before.above + last.above
        body = Net((), (), (Entry(Either(pushed), since + loop.body.base), *inside[:-1]))
        return Entry(Around(loop.stmt, body), ()), Entry(Either(pushed), since + above)

    def _each_way(self, branching: Branching | Opened, popped: StackValue | Around, above: Items) -> None:
        """What every alternative pushed last is popped, be it by a loop."""
        if isinstance(branching, Opened):
            self._reduced(replace(branching, ways=tuple(replace(way, net=self._asked(undone(way), popped), done=())
                                                        for way in branching.ways)), above)
            return
        nets = tuple(self._asked(net, popped) for net in branching.ways)
        if any(net.entries for net in nets):
            self.entries.append(Entry(Branching(branching.stmt, nets), above))
        else:
            self.add((ChoicePair(above, tuple(net.base for net in nets)),))

    def _asked(self, net: Net, popped: StackValue | Around) -> Net:
        frame = StackFrame(self.model, self.choose, list(net.demands), net.base, list(net.entries))
        frame.add(HOLE)
        frame.ask(popped)
        if frame.demands:
            raise UnpairedError(popped.stmt, f"not every alternative has pushed what {spoken(popped)} takes")
        return frame.net()

    def _opened(self, branching: Branching | Opened, popped: StackValue, above: Items) -> None:
        """A control is popped that every alternative pushed last."""
        target = saved_place(popped.stmt)
        ways: list[Way] = []
        nets = [undone(way) for way in branching.ways] if isinstance(branching, Opened) else branching.ways
        for net in (one for way in nets for one in spread(way)):
            frame = StackFrame(self.model, self.choose, [], net.base, list(net.entries))
            while frame.entries and marks_only(frame.entries[-1].content):
                top = frame.entries.pop()
                frame.add(forgotten(top))
            if not frame.entries or not isinstance(control := frame.entries[-1].content, StackValue) \
                    or control.call.value is None or control.call.type != popped.call.type or target is None:
                raise UnpairedError(popped.stmt, "not every alternative pushes a number to tell it by")
            last = frame.entries.pop()
            ways.append(Way(control.call.value, frame.net(), (*last.above, *HOLE, Met(popped.stmt, control.stmt))))
        if target is None:
            raise UnpairedError(popped.stmt, "a control is popped into no variable")
        self._reduced(Opened(popped.stmt, target.name, tuple(ways)), above)
        self.add(self._written(target))

    def _reduced(self, opened: Opened, above: Items) -> None:
        """Back on the stack, unless nothing of it is left there."""
        if any(way.net.entries for way in opened.ways):  # marks count
            self.entries.append(Entry(opened, above))
        else:
            ways = tuple(way.net.base + way.done for way in opened.ways)
            self.add((ChoicePair(above, ways),))

    def _chosen(self, opened: Opened, branching: Branching, above: Items) -> None:
        """A branch on the control pops what the alternatives pushed."""
        ways: list[Way] = []
        for way in opened.ways:
            backward = self.choose(branching, opened.variable, way.value)
            if backward.entries:
                raise UnpairedError(branching.stmt, "an alternative both pushes and pops")
            net = way.net
            frame = StackFrame(self.model, self.choose, [], net.base, list(net.entries))
            frame.add((*way.done, *HOLE))
            frame.put(backward)
            frame.drop_asked_marks()
            if frame.demands:
                raise UnpairedError(branching.stmt, "an alternative pops more than was pushed")
            ways.append(Way(way.value, frame.net(), ()))
        self._reduced(Opened(opened.stmt, opened.variable, tuple(ways)), above)

    def _alike(self, forward: Branching, backward: Branching, above: Items) -> Item:
        """Two branches on the same condition, which is evaluated again."""
        if condition(forward.stmt) != condition(backward.stmt) or len(forward.ways) != len(backward.ways):
            raise UnpairedError(backward.stmt, f"this branch does not tell which way that in line "
                                               f"{forward.stmt.span.line} went")
        return ChoicePair(above, tuple(self._closed(one, other, backward.stmt)
                                       for one, other in zip(forward.ways, backward.ways, strict=True)))
