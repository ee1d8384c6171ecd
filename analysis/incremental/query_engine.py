"""A query engine: results that know what they have read, and are made again only where that has changed.

``adjoint("m::solve")`` reads the model of ``m::solve``, and of each procedure it calls what that one's adjoint does.
The engine writes down all it reads, with a *stamp* of each answer. A later run asks for the same: where everything
that was read has the stamp that it had, the answer is what it was, and nothing is computed. Where the statements of a
callee were changed its adjoint is made again; if its *effect* comes out as before, that has the old stamp, and here
it ends: the caller has read nothing that is new. This is the red-green algorithm of rustc's query system and of salsa;
in the words of Mokhov, Mitchell, Peyton Jones (Build systems a la carte, 2018) a suspending scheduler with verifying
traces and early cut-off.

A query is a method marked ``@query``. Nobody says what it depends on: it asks other queries, and that is noticed. So a
dependence cannot be forgotten, only a value be passed around the engine: what is handed from query to query otherwise
must be the same in every run of the same options. ``@derived`` is a value that is not worth a trace of its own; who
asks for it has read what it was made from.

Checking walks along what was read with a list of its own, not on Python's stack; computing, which is plain recursion
of queries, is ``deep``.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import partial, wraps
from typing import Any, Concatenate, Final, Literal, ParamSpec, Protocol, TypeAlias, TypeVar, cast

from snapset.frontend.base.deep_recursion import deep
from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.persistence.fingerprint import digest, spelled

P = ParamSpec("P")
T = TypeVar("T")
K = TypeVar("K", bound=Hashable)
V = TypeVar("V")

Node: TypeAlias = tuple[Any, ...]
"""A question: the name of a query, and what is asked of it."""
Stamp: TypeAlias = "bytes | int | str | None"
"""Answers to a question that have the same stamp are the same."""
Keep: TypeAlias = Literal["live", "stamp", "value", "file"]
Answer: TypeAlias = "tuple[Node, Keep, Stamp, Any]"
"""A question, what is kept of its answers, the answer's stamp and the answer."""
_PLAIN: Final = (int, bool, str, bytes, type(None))


class StaleError(Exception):
    """What was remembered does not fit what is made from the same input: nothing that was remembered can be used."""


@frozen
class Trace:
    """One answer as it was found: what was read for it, in order, with the stamps; its own stamp; the answer itself
    where it is small and kept."""

    reads: tuple[tuple[Node, Stamp], ...]
    stamp: Stamp
    value: Any


class TraceMemory(Protocol):
    """The traces of earlier runs, and of this one for later ones."""

    def traces(self, node: Node) -> tuple[Trace, ...]:
        """The answers that a question had, the last one first."""

    def keep(self, node: Node, trace: Trace) -> None:
        """An answer of this run."""

    def large(self, stamp: Stamp) -> Any | None:
        """A value that has a place of its own."""

    def keep_large(self, stamp: Stamp, value: Any) -> None:
        """Give it one."""


@frozen
class _Rule:
    compute: Callable[..., Any]
    keep: Keep
    content: Callable[[Any], bytes] | None


_GONE: Stamp = b"gone"  # no question's stamp is this object


class Engine:
    """Answers questions, each once a run. Without a memory nothing is written down. ``elsewhere``: asks the process
    that has what a question is about; False where that is this one, or none."""

    def __init__(self, memory: TraceMemory | None = None) -> None:
        self.memory = memory
        self.computed: list[Node] = []
        self._rules: dict[str, _Rule] = {}
        self._values: dict[Node, Any] = {}
        self._stamps: dict[Node, Stamp] = {}
        self._reading: list[dict[Node, Stamp]] = []
        self._news: list[Answer] | None = None
        self.elsewhere: Callable[[Node], bool] | None = None

    def attach(self, owner: object) -> None:
        """Answer the queries of an object, the only one of its class here."""
        for name, function, keep, content in _queries(type(owner)):
            self._rules[name] = _Rule(partial(function, owner), keep, content)

    def ask(self, node: Node) -> Any:
        """The answer to a question. Who asks has read it."""
        if node not in self._values:
            if self._stamps.get(node, _GONE) is _GONE:
                self._stamps.pop(node, None)
                self._settle(node)
            if node not in self._values:
                self._recall(node)
        if self._reading and self.memory is not None:
            self._reading[-1][node] = self._stamps[node]
        return self._values[node]

    def derived(self, known: dict[Node, tuple[Any, Mapping[Node, Stamp]]], node: Node,
                compute: Callable[[], T]) -> T:
        """A value that is kept in ``known``. Who asks for it has read what it was made from."""
        if self.memory is None:
            if node not in known:
                known[node] = compute(), {}
            value, _ = known[node]
            return cast("T", value)
        if node not in known:
            self._reading.append({})
            try:
                value = compute()
            finally:
                reads = self._reading.pop()
            known[node] = value, reads
        found: tuple[T, Mapping[Node, Stamp]] = known[node]
        if self._reading:
            self._reading[-1].update(found[1])
        return found[0]

    # ------------------------------------------------------------ other processes

    def news(self) -> tuple[Answer, ...]:
        """The answers that were made here since this was asked last, of those that are kept. The first time: none."""
        found, self._news = self._news or (), []
        return tuple(found)

    def told(self, answers: Iterable[Answer]) -> None:
        """Take over the answers that another process has made of the same program under the same options."""
        for node, keep, stamp, value in answers:
            if node not in self._values:
                self._values[node], self._stamps[node] = value, stamp
                if keep == "file" and self.memory is not None:
                    self.memory.keep_large(stamp, value)

    def remembered(self, traces: Iterable[tuple[Node, Keep, Trace]]) -> None:
        """Keep the traces that another process has made, having been told its answers; those come without."""
        assert self.memory is not None
        for node, keep, trace in traces:
            known = self._values.get(node) if keep == "value" else None
            self.memory.keep(node, replace(trace, value=known))

    @contextmanager
    def interrupted(self) -> Iterator[None]:
        """Meanwhile, questions of another process are answered: what they read, whoever waits here has not."""
        reading, self._reading = self._reading, []
        try:
            yield
        finally:
            self._reading = reading

    def read_as(self, other: Engine, node: Node) -> None:
        """Who asked has read what the answer of another engine, for the same program, was made from."""
        if self.memory is not None and other.memory is not None:
            for read, _ in other.memory.traces(node)[0].reads:
                self.ask(read)

    def knows(self, node: Node) -> bool:
        """Is there an answer already?"""
        return node in self._values

    def _noted(self, node: Node, rule: _Rule, value: Any) -> None:
        if self._news is not None and rule.keep in ("value", "file"):
            self._news.append((node, rule.keep, self._stamps[node], value))

    def keeps(self, node: Node) -> Keep:
        """What is kept of the answers to a question."""
        return self._rules[node[0]].keep

    # ------------------------------------------------------------ what the program says

    def said(self) -> tuple[tuple[Node, Stamp], ...]:
        """All live questions that were asked in this run, by whomever, with the stamps of their answers."""
        return tuple((node, stamp) for node, stamp in self._stamps.items()
                     if stamp is not _GONE and self.keeps(node) == "live")

    def says(self, asked: Iterable[tuple[Node, Stamp]]) -> bool:
        """Are the answers to these live questions what they were?"""
        try:
            return all(self._stamp(self._rules[node[0]], node, {}, self._rules[node[0]].compute(*node[1:])) == stamp
                       for node, stamp in asked)
        except MemoryError:
            raise
        except Exception:
            return False  # asked of a program that is no more

    # ------------------------------------------------------------ red and green

    def _settle(self, node: Node) -> None:
        """Find the stamp of an answer: by what was read for it, or by making it."""
        work = [(node, self._settling(node))]
        while work:
            settled, steps = work[-1]
            try:
                wanted = next(steps, None)
            except MemoryError:
                raise
            except Exception:
                if len(work) == 1:
                    raise
                self._stamps[settled], wanted = _GONE, None  # asked in an earlier run, of a program that is no more
            if wanted is None:
                work.pop()
            elif wanted not in self._stamps:
                work.append((wanted, self._settling(wanted)))

    def _settling(self, node: Node) -> Iterator[Node]:
        """What has to be settled before, one after the other: what comes later was read because of what came before."""
        if self.memory is not None:
            for trace in self.memory.traces(node):
                for read, stamp in trace.reads:
                    if read not in self._stamps:
                        yield read
                    if self._stamps[read] != stamp:
                        break
                else:
                    if self._rules[node[0]].keep != "live":
                        self._stamps[node] = trace.stamp
                        self.memory.keep(node, trace)
                        return
        if node not in self._stamps:
            self._compute(node)

    def _recall(self, node: Node) -> None:
        """The answer whose stamp is known: as it was kept, else made again."""
        assert self.memory is not None
        trace, rule = self.memory.traces(node)[0], self._rules[node[0]]
        value = trace.value if rule.keep == "value" else None
        if rule.keep == "file":
            value = self.memory.large(trace.stamp)
        if value is None and (rule.keep != "value" or trace.stamp is not None):
            value, reads = self._run(rule, node)
            if reads != dict(trace.reads):
                raise StaleError(node)
            if rule.keep == "file":
                self.memory.keep_large(trace.stamp, value)
        self._values[node] = value

    def _compute(self, node: Node) -> None:
        rule = self._rules[node[0]]
        if self.elsewhere is not None and rule.keep in ("value", "file") and self.elsewhere(node):
            return
        value, reads = self._run(rule, node)
        self._values[node] = value
        if self.memory is None:
            self._stamps[node] = None
            self._noted(node, rule, value)
            return
        stamp = self._stamps[node] = self._stamp(rule, node, reads, value)
        self._noted(node, rule, value)
        if rule.keep != "live":
            self.memory.keep(node, Trace(tuple(reads.items()), stamp, value if rule.keep == "value" else None))
        if rule.keep == "file":
            self.memory.keep_large(stamp, value)

    @deep
    def _run(self, rule: _Rule, node: Node) -> tuple[Any, dict[Node, Stamp]]:
        self.computed.append(node)
        self._reading.append({})
        try:
            value = rule.compute(*node[1:])
        finally:
            reads = self._reading.pop()
        return value, reads

    def _stamp(self, rule: _Rule, node: Node, reads: Mapping[Node, Stamp], value: Any) -> Stamp:
        """The value itself where it is plain; of one that came out as before the stamp it had; else a hash of what was
        read, which tells it from all others."""
        if rule.content is not None:
            return rule.content(value)
        if rule.keep in ("value", "live") and type(value) in _PLAIN:
            plain: Stamp = value
            return plain
        if rule.keep in ("value", "file"):
            assert self.memory is not None
            for trace in self.memory.traces(node):
                if value == (trace.value if rule.keep == "value" else self.memory.large(trace.stamp)):
                    return trace.stamp
        return digest(spelled(node), spelled(tuple(reads.items())) if rule.keep != "live" else repr(value))


_Query: TypeAlias = "tuple[str, Callable[..., Any], Keep, Callable[[Any], bytes] | None]"
_QUERIES: dict[type, tuple[_Query, ...]] = {}


def _queries(kind: type) -> tuple[_Query, ...]:
    """The queries of a class, those of its bases after its own; looked for once."""
    if kind not in _QUERIES:
        _QUERIES[kind] = tuple(method.rule for one in kind.__mro__ for method in vars(one).values()
                               if getattr(method, "rule", None) is not None)
    return _QUERIES[kind]


class QueryOwner:
    """What has queries. There is one object of a class for an engine, but for classes that only derive."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.derived_values: dict[Node, tuple[Any, Mapping[Node, Stamp]]] = {}
        engine.attach(self)


S = TypeVar("S", bound=QueryOwner)


def query(keep: Keep = "stamp", content: Callable[[Any], bytes] | None = None,
          ) -> Callable[[Callable[Concatenate[S, P], T]], Callable[Concatenate[S, P], T]]:
    """A method that answers questions; its arguments are numbers, texts, and tuples of these.

    What is kept of an answer: ``stamp``: nothing but that; it is made again for whoever wants it, and counts as changed
    where anything that was read has. ``value``: a small answer, ``file``: a large one; it is compared with the one
    before. ``live``: nothing, it is looked up in every run; what the program itself says. ``content``: a hash of the
    answer, by which one that is not kept is compared all the same.
    """

    def mark(method: Callable[Concatenate[S, P], T]) -> Callable[Concatenate[S, P], T]:
        name = method.__qualname__

        @wraps(method)
        def ask(self: S, *args: P.args, **kwargs: P.kwargs) -> T:
            assert not kwargs
            answer: T = self.engine.ask((name, *args))
            return answer

        ask.rule = name, method, keep, content  # type: ignore[attr-defined]
        return cast("Callable[Concatenate[S, P], T]", ask)

    return mark


def derived(method: Callable[Concatenate[S, P], T]) -> Callable[Concatenate[S, P], T]:
    """A method whose value is kept for the run; who asks for it has read what it was made from."""
    name = method.__name__

    @wraps(method)
    def ask(self: S, *args: P.args, **kwargs: P.kwargs) -> T:
        engine, node = self.engine, (name, *args)
        if engine.memory is None and (found := self.derived_values.get(node)) is not None:
            return cast("T", found[0])
        return engine.derived(self.derived_values, node, lambda: method(self, *args, **kwargs))

    return cast("Callable[Concatenate[S, P], T]", ask)


class LazyTable(Mapping[K, V]):
    """Values by key, each found when it is asked for."""

    def __init__(self, keys: Callable[[], Collection[K]], find: Callable[[K], V]) -> None:
        self._all = keys
        self._find = find

    def __getitem__(self, key: K) -> V:
        return self._find(key)

    def __contains__(self, key: object) -> bool:
        return key in self._all()

    def __iter__(self) -> Iterator[K]:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._all())
