"""What quantities are made of: names, loop counters, and what no polynomial is: maxima, divisions, sums over loops.

An atom knows from its making what is asked of it most: its ``mark`` (see :mod:`snapset.analysis.symbolic.polynomials`),
the loop counters in it, whether it can be negative. Nobody has to go down into it, so no nesting is too deep.

``m - P1``, where the shared part P1 is ``m - 3``, equals 3, and so does ``n - P2``, where P2 is ``n - 3``: what
refers to something shared may be equal and written with other names, or equal to what refers to nothing. As quantities
they are equal; atoms made of them are not, so that what is kept by atom is written as what was asked for.
"""

from __future__ import annotations

from dataclasses import field
from functools import lru_cache
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, ClassVar, Final, Literal, TypeAlias

from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.ir import Area

if TYPE_CHECKING:
    from snapset.analysis.symbolic.polynomials import Quantity

PRIME: Final = (1 << 127) - 1
REMEMBERED: Final = 1 << 15  # results kept of an operation


def hashed(*content: object) -> int:
    """A number below the prime that tells one content from another, the same in every process."""
    return int.from_bytes(blake2b(repr(content).encode(), digest_size=16).digest(), "little") % PRIME


def squeezed(text: str) -> str:
    """A name without blanks, in lower case: how names that are given and those of formulas are compared."""
    return "".join(text.split()).lower()


class Atom:
    """What polynomials are made of. ``mark``: see above. ``counters``: the loop counters in it that no sum or maximum
    binds. ``weight``: how many terms it is written with. ``never_negative``: certainly >= 0, whatever the names stand
    for. ``shares``: is something in it shared?"""

    __slots__ = ()

    if TYPE_CHECKING:
        @property
        def mark(self) -> int: ...
        @property
        def counters(self) -> frozenset[Counter]: ...
        @property
        def weight(self) -> int: ...
        @property
        def never_negative(self) -> bool: ...
        @property
        def shares(self) -> bool: ...

    def __eq__(self, other: object) -> bool:
        return isinstance(other, type(self)) and self.mark == other.mark

    def __hash__(self) -> int:
        return hash(self.mark)

    def inside(self) -> tuple[Quantity, ...]:
        """The quantities it is made of."""
        return ()


NO_COUNTERS: Final[frozenset[Any]] = frozenset()


@frozen(eq=False)
class Sym(Atom):
    """An integer of the program by name: a variable's value (``what`` ''), or of an array ``size`` (``size:2``:
    of its second dimension, ``trips``: a count that is not known, ``bytes``: a size that is not known, ``tag``: see
    :mod:`snapset.analysis.costs.tape_pushes`). ``area``, ``path``: which variable, where it is one (a caller renames
    it)."""

    name: str
    area: Area | None = None
    path: tuple[str, ...] = ()
    what: str = ""
    mark: int = field(init=False, repr=False)
    counters: ClassVar[frozenset[Counter]] = NO_COUNTERS
    weight: ClassVar[int] = 1
    shares: ClassVar[bool] = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "mark", _name_mark(self.name, self.area, self.path, self.what))

    @property
    def never_negative(self) -> bool:
        return self.what.startswith("size") or self.what in ("trips", "bytes", "tag")


@lru_cache(maxsize=1 << 15)
def _name_mark(name: str, area: Area | None, path: tuple[str, ...], what: str) -> int:
    return hashed("Sym", name, None if area is None else (area.kind, area.owner, area.name), path, what)


@frozen(eq=False)
class Counter(Atom):
    """How many iterations of a loop are done: 0, 1, ... ``loop`` tells loops apart, ``name`` is for people."""

    name: str
    loop: str
    mark: int = field(init=False, repr=False)
    weight: ClassVar[int] = 1
    never_negative: ClassVar[bool] = True
    shares: ClassVar[bool] = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "mark", hashed("Counter", self.name, self.loop))

    @property
    def counters(self) -> frozenset[Counter]:
        return frozenset((self,))


@frozen(eq=False)
class Compound(Atom):
    """An atom made of quantities. The derived attributes are worked out once, from those of what it is made of."""

    mark: int = field(init=False, repr=False)
    counters: frozenset[Counter] = field(init=False, repr=False)
    weight: int = field(init=False, repr=False)
    never_negative: bool = field(init=False, repr=False)
    shares: bool = field(init=False, repr=False)

    def __post_init__(self) -> None:
        inner = self.inside()
        put = object.__setattr__
        put(self, "mark", self.own_mark())
        put(self, "counters", self.bound_off(NO_COUNTERS.union(*(one.counters for one in inner))))
        put(self, "weight", 1 + sum(one.weight for one in inner))
        put(self, "never_negative", self.certainly())
        put(self, "shares", any(any(map(shares_in, one.terms)) for one in inner))

    def own_mark(self) -> int:
        return hashed(type(self).__name__, *(one.mark for one in self.inside()))

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, type(self)) or self.mark != other.mark:
            return False
        return self.shares == other.shares and (not self.shares or self.names == other.names)

    __hash__ = Atom.__hash__

    @property
    def names(self) -> frozenset[Name]:
        """The names in it, and the loop counters that it does not bind."""
        found: set[Name] = set(self.counters)
        for one in self.inside():
            found.update([name for name in one.names if isinstance(name, Sym)])
        return frozenset(found)

    def bound_off(self, counters: frozenset[Counter]) -> frozenset[Counter]:
        """Those of the counters inside that are seen from outside."""
        return counters

    def certainly(self) -> bool:
        """Certainly >= 0?"""
        return True


@frozen(eq=False)
class Clamp(Compound):
    """max(0, of): how many elements or iterations there are."""

    of: Quantity

    def inside(self) -> tuple[Quantity, ...]:
        return (self.of,)


@frozen(eq=False)
class Runs(Compound):
    """1 where ``of`` > 0, else 0: does a loop run at all?"""

    of: Quantity

    def inside(self) -> tuple[Quantity, ...]:
        return (self.of,)


@frozen(eq=False)
class Quotient(Compound):
    """Fortran's integer division."""

    top: Quantity
    bottom: Quantity

    def inside(self) -> tuple[Quantity, ...]:
        return self.top, self.bottom

    def certainly(self) -> bool:
        return self.top.never_negative and self.bottom.never_negative


@frozen(eq=False)
class Power(Compound):
    """Fortran's integer power with an exponent that is no number."""

    base: Quantity
    exponent: Quantity

    def inside(self) -> tuple[Quantity, ...]:
        return self.base, self.exponent

    def certainly(self) -> bool:
        return self.base.never_negative


@frozen(eq=False)
class Extreme(Compound):
    """The largest or smallest of several."""

    op: Literal["max", "min"]
    of: frozenset[Quantity]

    def inside(self) -> tuple[Quantity, ...]:
        return tuple(self.of)

    def own_mark(self) -> int:
        return hashed(self.op, *sorted(one.mark for one in self.of))

    def certainly(self) -> bool:
        return (any if self.op == "max" else all)(one.never_negative for one in self.of)


@frozen(eq=False)
class Over(Compound):
    """The sum or the maximum (0 for none) of ``body`` for ``counter`` = 0 .. ``count`` - 1."""

    op: Literal["sum", "max"]
    counter: Counter
    count: Quantity
    body: Quantity

    def inside(self) -> tuple[Quantity, ...]:
        return self.count, self.body

    def own_mark(self) -> int:
        return hashed("Over", self.op, self.counter.mark, self.count.mark, self.body.mark)

    def bound_off(self, counters: frozenset[Counter]) -> frozenset[Counter]:
        return (self.body.counters - {self.counter}) | self.count.counters

    def certainly(self) -> bool:
        return self.body.never_negative


Name: TypeAlias = Sym | Counter
Given: TypeAlias = "tuple[tuple[Name, Quantity], ...]"


@frozen(eq=False)
class SharedPart(Compound):
    """``body``, referred to and not repeated, where the names in ``given`` stand for other quantities.

    ``names``: all names in it that are left.
    """

    body: Quantity
    given: Given = ()
    names: frozenset[Name] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        Compound.__post_init__(self)
        put = object.__setattr__
        bound = {name for name, _ in self.given}
        put(self, "names", (self.body.names - bound).union(*(value.names for _, value in self.given)))
        counted = self.body.counters or any(value.counters for _, value in self.given)
        put(self, "counters", NO_COUNTERS if not counted else
            frozenset(one for one in self.names if isinstance(one, Counter)))
        put(self, "weight", 1 + len(self.given))
        put(self, "shares", True)

    def inside(self) -> tuple[Quantity, ...]:
        return self.body, *(value for _, value in self.given)

    def own_mark(self) -> int:
        if not self.given:
            return self.body.mark
        return hashed("SharedPart", self.body.mark, *sorted((name.mark, value.mark) for name, value in self.given))

    def certainly(self) -> bool:
        return self.body.never_negative and all(
            value.never_negative or not name.never_negative for name, value in self.given)


# ---------------------------------------------------------------- products of atoms

Monomial: TypeAlias = frozenset[tuple[Atom, int]]
ONE_MONOMIAL: Final[Monomial] = frozenset()


@lru_cache(maxsize=REMEMBERED)
def mark_of(monomial: Monomial) -> int:
    found = 1
    for atom, power in monomial:
        found = found * (atom.mark if power == 1 else pow(atom.mark, power, PRIME)) % PRIME
    return found


@lru_cache(maxsize=REMEMBERED)
def atoms_of(monomial: Monomial) -> frozenset[Atom]:
    """A monomial keeps its hash, an atom is asked for it each time: sets of atoms are made of these."""
    return frozenset([atom for atom, _ in monomial])


@lru_cache(maxsize=REMEMBERED)
def counters_of(monomial: Monomial) -> frozenset[Counter]:
    return NO_COUNTERS.union(*(atom.counters for atom, _ in monomial))


@lru_cache(maxsize=REMEMBERED)
def weight_of(monomial: Monomial) -> int:
    """How many terms it is written with."""
    return 1 + sum([atom.weight for atom, _ in monomial])


@lru_cache(maxsize=REMEMBERED)
def names_alone(monomial: Monomial) -> frozenset[Name] | None:
    """The names of a product of names and loop counters; None where something else is in it."""
    names = [atom for atom, _ in monomial if isinstance(atom, Sym | Counter)]
    return frozenset(names) if len(names) == len(monomial) else None


@lru_cache(maxsize=REMEMBERED)
def shares_in(monomial: Monomial) -> bool:
    """Is something shared in a product of atoms?"""
    return any(atom.shares for atom, _ in monomial)


@lru_cache(maxsize=REMEMBERED)
def joined(left: Monomial, right: Monomial) -> Monomial:
    if not left:
        return right
    if not right:
        return left
    powers = dict(left)
    for atom, power in right:
        powers[atom] = 1 if isinstance(atom, Runs) else powers.get(atom, 0) + power
    for atom in [a for a in powers if isinstance(a, Runs) and Clamp(a.of) in powers]:
        del powers[atom]  # the count itself is zero where the loop does not run
    return frozenset(powers.items())


@lru_cache(maxsize=REMEMBERED)
def never_negative(monomial: Monomial) -> bool:
    """Is a product of atoms certainly >= 0?"""
    return all(power % 2 == 0 or atom.never_negative for atom, power in monomial)
