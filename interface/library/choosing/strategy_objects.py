"""Strategies and parts as objects: ``Choices(strategies=(NamedStrategy.LAZY, OptSides(plus1={"a"})))`` is
``"lazy,Opt1+=a"``, and ``regions=[MarkedLines("a.f90", 10, 20)]`` makes these lines a checkpointed part."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field, fields
from enum import StrEnum
from typing import NamedTuple

from snapset.frontend.base.collection_arguments import collections
from snapset.frontend.base.frozen_records import frozen

EVERY = "*"


class NamedStrategy(StrEnum):
    """The strategies that have a name: DH (9), DH (8), the cheapest."""

    LAZY = "lazy"
    EAGER = "eager"
    OPTIMAL = "optimal"


@frozen
class OptSides:
    """A partition of DH (6): what of Opt1, Opt2 and Opt3 is on the plus side, and what is not although ``"*"`` is.
    ``kept``: what Sbk alone keeps, where that is valid; (7) has no such choice.

    What is not named is on lazy's side. Raises TypeError for a plain text in place of a set, ValueError where nothing
    is named.
    """

    plus1: Iterable[str] = ()
    plus2: Iterable[str] = ()
    plus3: Iterable[str] = ()
    minus1: Iterable[str] = ()
    minus2: Iterable[str] = ()
    minus3: Iterable[str] = ()
    kept: Iterable[str] = ()

    def __post_init__(self) -> None:
        given = {one.name: getattr(self, one.name) for one in fields(self)}
        collections("OptSides", **given)
        for name, names in given.items():
            object.__setattr__(self, name, tuple(sorted(names)))
        if not any(given.values()):
            raise ValueError("OptSides names nothing: that is lazy")

    def __str__(self) -> str:
        """As the command line has it: ``Opt1+=a,b;Opt3-=c``."""
        sides = [(f"Opt{one.name[-1]}{'+' if one.name.startswith('plus') else '-'}", getattr(self, one.name))
                 for one in fields(self) if one.name != "kept"]
        return ";".join(f"{side}={','.join(names)}" for side, names in (*sides, ("Sbk+", self.kept)) if names)


@frozen
class ByPart:
    """A choice for all parts, ``rest``, and others for some, by the part's id (``relax@17``). ``name``: what the
    solutions are called; else by what they are.

    Raises ValueError for an id that is none.
    """

    parts: Mapping[str, NamedStrategy | OptSides]
    rest: NamedStrategy | OptSides = NamedStrategy.LAZY
    name: str = field(default="", kw_only=True)

    def __post_init__(self) -> None:
        collections("ByPart", parts=self.parts)
        if stray := [one for one in self.parts if "@" not in one]:
            raise ValueError(f"{stray[0]}: no part's id, such as relax@17")

    def __str__(self) -> str:
        """As the command line has it: ``eager;relax@17:Opt3+=v``."""
        clauses = [str(self.rest), *(f"{part}:{clause}" for part, chosen in self.parts.items()
                                     for clause in str(chosen).split(";"))]
        text = ";".join(clauses)
        return f"{self.name}{{{text}}}" if self.name else text


class MarkedLines(NamedTuple):
    """MarkedLines of a file that are a checkpointed part, as ``--region`` names them."""

    file: str
    first: int
    last: int


def spelt(strategies: str | Iterable[NamedStrategy | OptSides | ByPart | str]) -> str:
    """What was given, as one text."""
    return strategies if isinstance(strategies, str) else ",".join(map(str, strategies))
