"""Values that know the cells they were made of, and what the derivative of each operation needs."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

Cells = frozenset[int]
NONE: Cells = frozenset()


class NotTracedError(Exception):
    """A construct that this interpreter does not know."""


@dataclass(frozen=True, slots=True)
class Value:
    """A number, the cells it was made of, those it depends on differentiably, and those its derivative needs."""

    v: Any
    reads: Cells = NONE
    flows: Cells = NONE
    needs: Cells = NONE


def mapped(function: Callable[..., Value], *args: Any) -> Any:
    """Applied element by element."""
    found = np.frompyfunc(function, len(args), 1)(*args)
    return found if isinstance(found, np.ndarray) else boxed(found)


def boxed(value: Value) -> Any:
    found = np.empty((), dtype=object)
    found[()] = value
    return found


def combined(op: str, a: Value, b: Value) -> Value:
    """A binary operation, and what its partial derivatives need."""
    reads, flows, needs = a.reads | b.reads, a.flows | b.flows, a.needs | b.needs
    if op == "*":
        needs |= (b.reads if a.flows else NONE) | (a.reads if b.flows else NONE)
    elif op == "/":
        needs |= (b.reads if a.flows else NONE) | (reads if b.flows else NONE)
    elif op == "**":
        needs |= reads if flows and not (b.v == 1 and not b.reads) else NONE
    if op not in OPERATORS:
        raise NotTracedError(op)
    if op not in ("+", "-", "*", "/", "**"):
        flows = needs = NONE
    return Value(OPERATORS[op](a.v, b.v), reads, flows, needs)


def divided(a: Any, b: Any) -> Any:
    return int(a/b) if isinstance(a, int) and isinstance(b, int) else a/b


OPERATORS: Mapping[str, Callable[[Any, Any], Any]] = {
    "+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a*b, "/": divided, "**": lambda a, b: a**b,
    ">": lambda a, b: a > b, "<": lambda a, b: a < b, ">=": lambda a, b: a >= b, "<=": lambda a, b: a <= b,
    "==": lambda a, b: a == b, "/=": lambda a, b: a != b, ".and.": lambda a, b: a and b, ".or.": lambda a, b: a or b,
}
FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    "sin": math.sin, "cos": math.cos, "exp": math.exp, "sqrt": math.sqrt, "tanh": math.tanh, "atan": math.atan,
    "abs": abs, "max": max, "min": min, "real": float, "dble": float,
    "mod": lambda a, b: int(math.fmod(a, b)) if isinstance(a, int) else math.fmod(a, b),
}
SIDED = ("abs", "max", "min")  # which side was taken may have been recorded


def applied(name: str, args: Sequence[Value]) -> Value:
    reads, flows, needs = (frozenset().union(*(getattr(one, what) for one in args))
                           for what in ("reads", "flows", "needs"))
    if name == "mod":
        flows = needs = NONE
    elif name in SIDED:
        needs = NONE
    elif name not in ("real", "dble") and flows:
        needs |= reads
    return Value(FUNCTIONS[name](*(one.v for one in args)), reads, flows, needs)
