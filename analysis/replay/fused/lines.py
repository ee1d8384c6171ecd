"""The text of a generated function: lines, which node each belongs to, statements counted, jumps out of loops."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Literal

from snapset.analysis.replay.fused.scalar_values import NotFusableError
from snapset.frontend.base.frozen_records import frozen

DEEPEST = 80  # Python takes a hundred levels of indentation
MOST_LOOPS = 18  # and twenty blocks in each other


@frozen
class Mark:
    """Where a line of the function is in the program.

    ``pending``: statements run before the node that the count does not hold yet. ``bulk``: the loop whose
    iterations were counted in advance, ``each`` statements at a time (-1: none).
    """

    node: int
    pending: int
    bulk: int = -1


@frozen
class Steps:
    """How a generated function goes round a DO loop, for handing over in its middle.

    ``by``: the step (None: not constant). ``var``: the name of its variable (None: the iterations are counted down).
    ``each``: statements of an iteration where they are counted in advance, to the value ``counted``.
    """

    by: int | None
    var: str | None = None
    each: int = 0
    counted: str = ""


@dataclass(slots=True)
class Construct:
    """A Python loop being written: a loop of the program, or a stretch that a GOTO leaves or repeats.

    ``steps``: lines that go before `continue`, with their node. ``counted``: statements of each iteration that
    are counted where it begins. ``waiting``: jumps that leave it for constructs further out.
    """

    kind: Literal["loop", "forward", "backward"]
    name: str | None = None
    label: int | None = None
    steps: list[str] = field(default_factory=list)
    node: int = -1
    counted: int = 0
    waiting: set[int] = field(default_factory=set)


class Lines:
    """Collects lines. ``pending``: statements to be added to the count ``c``."""

    def __init__(self) -> None:
        self.texts: list[tuple[int, str | Callable[[], str]]] = []
        self.marks: list[Mark] = []
        self.indent = 1
        self.pending = 0
        self.bulk = -1
        self.open: list[Construct] = []

    def add(self, text: str | Callable[[], str], node: int = -1, ahead: int = 0) -> None:
        """A line; one whose text is known only at the end comes as a function. ``ahead``: counted too early."""
        self.texts.append((self.indent, text))
        self.marks.append(Mark(node, self.pending - ahead - sum(c.counted for c in self.open), self.bulk))

    def source(self, head: str) -> str:
        found = [head]
        for indent, text in self.texts:
            found.append(" " * indent + (text if isinstance(text, str) else text() or "pass"))
        return "\n".join(found) + "\n"

    def flush(self) -> None:
        if self.pending:
            self.add(f"c += {self.pending}")
            self.pending = 0

    @contextmanager
    def inside(self) -> Iterator[None]:
        """An indented block, which counts what it runs before it ends."""
        self.indent += 1
        if self.indent > DEEPEST:
            raise NotFusableError
        before = len(self.texts)
        yield
        self.flush()
        if len(self.texts) == before:
            self.add("pass")
        self.indent -= 1

    @contextmanager
    def construct(self, construct: Construct) -> Iterator[None]:
        """What is written inside a Python loop, then where its jumps to constructs further out arrive."""
        if len(self.open) >= MOST_LOOPS:
            raise NotFusableError
        self.open.append(construct)
        yield
        self.open.pop()

    def arrivals(self, construct: Construct) -> None:
        """Behind a Python loop: go on with jumps that came out of it."""
        for code in sorted(construct.waiting):
            at, again = divmod(code, 2)
            self.add(f"if g == {code}:")
            self.indent += 1
            if at == len(self.open) - 1:
                self.add("g = -1")
                self.leave(self.open[at], bool(again))
            else:
                self.open[-1].waiting.add(code)
                self.add("break")
            self.indent -= 1

    def jump(self, at: int, again: bool) -> None:
        """Leave the construct number ``at``, or begin its next round."""
        out = sum(c.counted for c in self.open[at + 1:]) + (0 if again else self.open[at].counted)
        self.pending -= out
        self.flush()
        if at == len(self.open) - 1:
            self.leave(self.open[at], again)
            return
        code = 2 * at + again
        for construct in self.open[at + 1:]:
            construct.waiting.add(code)
        self.add(f"g = {code}")
        self.add("break")

    def leave(self, construct: Construct, again: bool) -> None:
        if again:
            for line in construct.steps:
                self.add(line, construct.node)
        self.add("continue" if again else "break")

    def find(self, wanted: Callable[[Construct], bool]) -> int:
        """The innermost construct that is wanted.

        Raises:
            NotDirectError: there is none.
        """
        for at in reversed(range(len(self.open))):
            if wanted(self.open[at]):
                return at
        raise NotFusableError
