"""Bytes with sizes that the user chooses: the same values for both tools."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import prod

from snapset.analysis.memory.byte_sizes import location_bytes, total
from snapset.analysis.memory.locations import Info
from snapset.analysis.procedures.procedure_model import ProcedureModel
from snapset.analysis.results import Bytes
from snapset.analysis.symbolic.atoms import squeezed
from snapset.render.layout.byte_figures import Figures

from benchmarks.peer.texts.generated import Push

DEFAULT = 10


class Chosen(Mapping[str, int]):
    """Every name has a value: the one given, or the default; an array's size has as many factors as dimensions."""

    def __init__(self, given: Mapping[str, int], ranks: Mapping[str, int], default: int = DEFAULT) -> None:
        self.given = {squeezed(name): value for name, value in given.items()}
        self.ranks = ranks
        self.default = default

    def __getitem__(self, name: str) -> int:
        if name in self.given:
            return self.given[name]
        array = re.fullmatch(r"size\(([^,]*)\)", name)
        return int(self.default ** (self.ranks.get(array[1], 1) if array else 1))

    def __contains__(self, name: object) -> bool:
        return True

    def __iter__(self) -> Iterator[str]:
        return iter(self.given)

    def __len__(self) -> int:
        return len(self.given)


@dataclass(frozen=True)
class Sizes:
    """Of the locations of one procedure, in its own names. ``given``: values by name."""

    model: ProcedureModel
    given: Mapping[str, int]

    @cached_property
    def chosen(self) -> Chosen:
        ranks = {info.name: sum(shape.rank for shape in info.shapes) for info in self.model.space.infos}
        return Chosen(self.given, ranks)

    def amount(self, amount: Bytes | None) -> int | None:
        """An amount's value; None where it has no size."""
        figure = Figures(self.chosen)(amount)
        return figure if isinstance(figure, int) else None

    def infos(self, name: str) -> list[Info]:
        """The locations of that name, below it, or overlaid on it."""
        base, *path = name.split("%")
        bits = 0
        for place, bit, _ in self.model.refs.numbered(base):
            if place[:len(path)] == tuple(path):
                bits |= bit
        if base in self.model.procedure.variables:
            return [info for i, info in enumerate(self.model.space.infos) if bits >> i & 1]
        return [info for info in self.model.space.infos if info.name == name or info.name.startswith(f"{name}%")]

    def canonical(self, name: str) -> set[str]:
        """The names under which a report lists these locations."""
        return {info.name for info in self.infos(name)} or {name}

    def push(self, push: Push) -> int:
        """A PUSH's bytes: the location's own where it saves a whole one, else as many elements as it says."""
        found = self.infos(push.name)
        if push.counts and found and not push.element:
            whole = self.amount(total(location_bytes(info) for info in found))
            if whole is not None:
                return whole
        return push.each * prod(self.count(text) for text in push.counts)

    def count(self, text: str) -> int:
        """The value of a Fortran integer expression, every name standing for its value."""
        chosen = self.chosen

        def value(node: ast.expr) -> int:
            match node:
                case ast.Constant(value=int() as number):
                    return number
                case ast.Name(id=name):
                    return chosen[name.replace("__", "%")]
                case ast.Call(func=ast.Name(id="size"), args=[array, *_]):
                    name = ast.unparse(array).replace("__", "%")
                    return chosen[f"size({name})" if len(node.args) == 1 else f"size({name},1)"]
                case ast.Call(func=ast.Name(id="max" | "min" as name), args=given):
                    return (max if name == "max" else min)(value(one) for one in given)
                case ast.BinOp(left=left, op=op, right=right):
                    return _operation(op, value(left), value(right))
                case ast.UnaryOp(op=ast.USub(), operand=operand):
                    return -value(operand)
                case _:
                    return chosen.default

        try:
            return max(0, value(ast.parse(text.replace("%", "__"), mode="eval").body))
        except SyntaxError:
            return chosen.default


def _operation(op: ast.operator, a: int, b: int) -> int:
    match op:
        case ast.Add():
            return a + b
        case ast.Sub():
            return a - b
        case ast.Mult():
            return a * b
        case ast.Pow():
            return int(a**b)
        case _:
            return a // b if b else 0

