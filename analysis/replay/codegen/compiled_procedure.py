"""A procedure as Python functions by node of its flow graph, and how their source is compiled."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from snapset.analysis.replay.codegen import confined_code
from snapset.analysis.replay.codegen.forall import Forall
from snapset.analysis.replay.memory.variable_slots import Layout, RefusedError, SlotPlace, refuse
from snapset.frontend import ir
from snapset.frontend.cfg.graph import FlowGraph

Function = Callable[..., Any]


@dataclass(slots=True)
class CompiledProcedure:
    """A procedure ready to run.

    By node: ``run`` (None: nothing to do), ``choose`` (the next node, where there are several), ``spots`` (what an
    assignment or loop variable writes), ``binds`` (what a call runs, with its arguments), ``masks`` (the mask in
    force at a masked assignment), ``wheres`` (the nodes that evaluate it), ``entry``: how each slot is made, in
    order, ``touched``: the slots its code names. ``lengths``: by slot of characters without a constant length what
    gives it. ``fixed``: slots with constant bounds. ``placed``: the slots of leaves that are not global;
    ``dummies``: those of the procedure's own arguments that hold values.
    ``growing``: what may give variables other memory; its derivative is a generator that stops where the old memory
    is to come back. ``results``: by call, the slots of a function result whose memory each call may make anew;
    ``given``: those of a result of which nothing is allocated. ``messages``: the calls of MPI. ``single``: the bytes of
    what is written where that is one number, always in place. ``refused``: the nodes that end a run.
    """

    procedure: ir.Procedure
    flow: FlowGraph
    layout: Layout
    run: dict[int, Function] = field(default_factory=dict)
    choose: dict[int, Function] = field(default_factory=dict)
    spots: dict[int, Function] = field(default_factory=dict)
    binds: dict[int, Function] = field(default_factory=dict)
    masks: dict[int, Function] = field(default_factory=dict)
    wheres: dict[int, tuple[int, ...]] = field(default_factory=dict)
    alternates: dict[int, tuple[int, ...]] = field(default_factory=dict)
    bounds: dict[int, Function] = field(default_factory=dict)
    constants: dict[int, Function] = field(default_factory=dict)
    lengths: dict[int, Function] = field(default_factory=dict)
    entry: tuple[SlotPlace, ...] = ()
    touched: dict[int, frozenset[int]] = field(default_factory=dict)
    growing: set[int] = field(default_factory=set)
    foralls: Mapping[int, Forall] = field(default_factory=dict)
    fixed: set[int] = field(default_factory=set)
    messages: set[int] = field(default_factory=set)
    single: dict[int, int] = field(default_factory=dict)
    results: dict[int, tuple[int, ...]] = field(default_factory=dict)
    given: dict[int, tuple[int, ...]] = field(default_factory=dict)
    refused: dict[int, RefusedError] = field(default_factory=dict)
    dummies: tuple[int, ...] = ()
    placed: dict[tuple[ir.Area, tuple[str, ...]], int] = field(default_factory=dict)

    def with_masks(self, nodes: frozenset[int]) -> frozenset[int]:
        """Nodes that run, and the WHEREs whose masks they need; another WHERE may read what nobody kept."""
        return nodes.union(*(self.wheres.get(n, ()) for n in nodes))


def only(stmt: ir.Call) -> str:
    """The procedure a call runs. Raises InputError where that is not certain."""
    if stmt.intrinsic:
        raise refuse(f"the intrinsic subroutine {stmt.name}", stmt.span)
    if len(stmt.targets) != 1:
        why = "which has no source here" if not stmt.targets else "which may run several procedures"
        raise refuse(f"the call of `{stmt.name}`, {why}", stmt.span)
    return stmt.targets[0]


class GeneratedCode:
    """Collects generated functions. ``names``: the namespace they see, and are found in once compiled."""

    def __init__(self, title: str, names: dict[str, object]) -> None:
        self.title = title
        self.names = names
        self._texts: list[str] = []
        self._wanted: list[tuple[dict[int, Function], int, str, str]] = []
        self._known: dict[tuple[str, str], str] = {}

    def define(self, table: dict[int, Function], key: int, name: str, parameters: str, lines: list[str]) -> None:
        """A function that comes into ``table`` when it is compiled; one with the same text serves again."""
        assert name.isidentifier(), "a name that is none"
        body = "\n ".join(lines) or "pass"
        known = self._known.get((parameters, body))
        if known is None:
            known = self._known[parameters, body] = f"{name}_{len(self._known)}"
            self._texts.append(f"def {known}({parameters}):\n {body}\n")
        self._wanted.append((table, key, name, known))

    def defined(self) -> int:
        """How many functions wait to be compiled."""
        return len(self._wanted)

    def forget(self, defined: int) -> None:
        """The functions that were defined since so many waited come into no table."""
        del self._wanted[defined:]

    def compile(self) -> None:
        """Run what was defined since the last time through Python's compiler.

        Raises confined.TooDeepError, with the key of the function.
        """
        try:
            confined_code.define("\n".join(self._texts), self.title, self.names)
        except confined_code.TooDeepError as error:
            raise confined_code.TooDeepError(self._too_deep()) from error
        for table, key, name, known in self._wanted:
            function = self.names[known]
            assert callable(function)
            table[key] = self.names[name] = function
        self._texts.clear()
        self._wanted.clear()

    def _too_deep(self) -> int | None:
        """The key of the function that Python's compiler does not take."""
        keys = {f"def {known}": key for _, key, _, known in self._wanted}
        for text in self._texts:
            try:
                confined_code.compiled(text, self.title)
            except confined_code.TooDeepError:
                return keys.get(text.partition("(")[0])
        return None
