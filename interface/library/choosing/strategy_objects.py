"""Strategies as objects: ``Choices(strategies=(Strategy.LAZY, Plus(opt1={"a"})))`` is ``"lazy,Opt1+=a"``."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from snapset.frontend.base.collection_arguments import collections

EVERY = "*"


class NamedStrategy(StrEnum):
    """The strategies that have a name: DH (9), DH (8), the cheapest."""

    LAZY = "lazy"
    EAGER = "eager"
    OPTIMAL = "optimal"


@dataclass(frozen=True, slots=True)
class OptSides:
    """A partition of DH (6): what of Opt1, Opt2 and Opt3 is on the plus side, and what is not although ``"*"`` is.

    What is not named is on lazy's side. Raises TypeError for a plain text in place of a set, ValueError where nothing
    is named.
    """

    plus1: Iterable[str] = ()
    plus2: Iterable[str] = ()
    plus3: Iterable[str] = ()
    minus1: Iterable[str] = ()
    minus2: Iterable[str] = ()
    minus3: Iterable[str] = ()

    def __post_init__(self) -> None:
        given = {name: getattr(self, name) for name in self.__slots__}
        collections("OptSides", **given)
        for name, names in given.items():
            object.__setattr__(self, name, tuple(sorted(names)))
        if not any(given.values()):
            raise ValueError("OptSides names nothing: that is lazy")

    def __str__(self) -> str:
        """As the command line has it: ``Opt1+=a,b;Opt3-=c``."""
        sides = ((f"Opt{name[-1]}{'+' if name.startswith('plus') else '-'}", getattr(self, name))
                 for name in self.__slots__)
        return ";".join(f"{side}={','.join(names)}" for side, names in sides if names)


def spelt(strategies: str | Iterable[NamedStrategy | OptSides | str]) -> str:
    """What was given, as one text."""
    return strategies if isinstance(strategies, str) else ",".join(map(str, strategies))
