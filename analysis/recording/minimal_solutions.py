"""All minimal solutions of one part: every valid choice of Sbk, Snp, Req_D, Req_C that holds nothing superfluous.

Validity is pointwise (DH 4 and 5), so a solution picks, for each location on its own, one row of a small table
(:func:`snapset.analysis.equations.valid_at`). The count is the product of the rows' numbers, and any solution can
be reached by its number. DH (7) does not list all of them: what it misses is marked (``snapset verify --claim
dh7-misses``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import product
from math import prod

from snapset.analysis.equations import (
    Entry,
    Partition,
    PartSets,
    SnapshotChoice,
    is_valid,
    lazy_partition,
    preserves_cbar,
    preserves_req,
    solution,
    valid_at,
)
from snapset.analysis.results import Part
from snapset.frontend.base.collection_arguments import collections, nested
from snapset.frontend.base.frozen_records import frozen

Context = tuple[int, int, int, int, int]
"""0 or 1 each: is the location in Req, out(C), out(D̄), out(C̄), use(C̄)?"""


NOWHERE: Context = (0, 0, 0, 0, 0)  # in none of the five sets


@frozen(kw_only=True)
class LocationChoice:
    """What may be done with one location. ``listed``: DH (7) has it."""

    sbk: bool
    snp: bool
    req_d: bool
    req_c: bool
    listed: bool


@frozen(kw_only=True)
class MinimalSolution:
    """One choice for the whole part. ``missed``: the locations whose choice DH (7) does not list."""

    sbk: frozenset[str]
    snp: frozenset[str]
    req_d: frozenset[str]
    req_c: frozenset[str]
    missed: frozenset[str]

    @property
    def listed(self) -> bool:
        """Is it a solution of DH (7)?"""
        return not self.missed


@frozen
class Judgement:
    """What is wrong with a choice, by location: DH (4) broken, DH (5) broken, valid but larger than needed."""

    breaks_4: frozenset[str]
    breaks_5: frozenset[str]
    larger: frozenset[str]

    @property
    def valid(self) -> bool:
        """Does the choice preserve the derivatives?"""
        return not self.breaks_4 | self.breaks_5

    @property
    def minimal(self) -> bool:
        """Is it valid, and would it not be if any of its sets lost a location?"""
        return self.valid and not self.larger


@frozen
class MinimalSolutions:
    """All minimal solutions, lazily. The first is lazy (DH 9); those that DH (7) misses come last at each location.

    ``contexts``: where each location is, by name. The order is that of ``itertools.product`` over the locations
    by name, the last varying fastest: it depends on nothing else.
    """

    contexts: Mapping[str, Context]

    def __post_init__(self) -> None:
        nested("MinimalSolutions", contexts=self.contexts)

    @property
    def choices(self) -> dict[str, tuple[LocationChoice, ...]]:
        """For each location that has any, the choices there are: a solution takes one of each."""
        rows = {name: _row(*self.contexts[name]) for name in sorted(self.contexts)}
        return {name: row for name, row in rows.items() if row != (_NOTHING,)}

    @property
    def count(self) -> int:
        """How many there are, exactly, without making them."""
        return prod(len(_row(*context))**number for context, number in self._classes().items())

    @property
    def count_listed(self) -> int:
        """How many of them DH (7) lists."""
        return prod(sum(one.listed for one in _row(*context))**number for context, number in self._classes().items())

    def _classes(self) -> Mapping[Context, int]:
        """How many locations there are of each of the 32 kinds."""
        return Counter(self.contexts.values())

    def __iter__(self) -> Iterator[MinimalSolution]:
        rows = self.choices
        for picked in product(*rows.values()):
            yield _solution(dict(zip(rows, picked, strict=True)))

    def __getitem__(self, number: int) -> MinimalSolution:
        """The solution that iteration gives after ``number`` others; raises IndexError if there is none."""
        rows, rest = self.choices, number
        if not 0 <= number < self.count:
            raise IndexError(f"solution {number} of {self.count}")
        picked = {}
        for name in reversed(rows):
            rest, place = divmod(rest, len(rows[name]))
            picked[name] = rows[name][place]
        return _solution(picked)

    def judge(self, *, sbk: Iterable[str] = (), snp: Iterable[str] = (), req_d: Iterable[str] = (),
              req_c: Iterable[str] = ()) -> Judgement:
        """Any choice at all: is it valid, is it minimal, and if not, because of which locations?"""
        collections("judge", sbk=sbk, snp=snp, req_d=req_d, req_c=req_c)
        four = [frozenset(one) for one in (sbk, snp, req_d, req_c)]
        four_broken, five_broken, larger = set(), set(), set()
        for name in frozenset(self.contexts).union(*four):
            context = self.contexts.get(name, NOWHERE)
            entry = (int(name in four[0]), int(name in four[1]), int(name in four[2]), int(name in four[3]))
            breaks_4, breaks_5, too_large = _verdict(context, entry)
            if breaks_4:
                four_broken.add(name)
            if breaks_5:
                five_broken.add(name)
            if too_large:
                larger.add(name)
        return Judgement(frozenset(four_broken), frozenset(five_broken), frozenset(larger))


def minimal_solutions(*, req: Iterable[str], out_c: Iterable[str], out_dbar: Iterable[str], out_cbar: Iterable[str],
                      use_cbar: Iterable[str]) -> MinimalSolutions:
    """All minimal solutions for a part whose sets of location names are known: see :func:`snapset.solve`.

        >>> every = minimal_solutions(req={"a"}, out_c={"a"}, out_dbar=(), out_cbar={"a"}, use_cbar={"a"})
        >>> every.count, [sorted(one.sbk) for one in every]
        (2, [[], ['a']])
    """
    collections("minimal_solutions", req=req, out_c=out_c, out_dbar=out_dbar, out_cbar=out_cbar, use_cbar=use_cbar)
    five = [frozenset(one) for one in (req, out_c, out_dbar, out_cbar, use_cbar)]
    names = sorted(frozenset().union(*five))
    return MinimalSolutions({name: _context([name in one for one in five]) for name in names})


def minimal_solutions_of(part: Part, strategy: str | None = None) -> MinimalSolutions:
    """All minimal solutions of a reported part, under the Req that ``strategy`` makes upstream (default: the first).

    In a loop a part's Req_D is required of it again in the next iteration: Req then depends on the choice. Under
    lazy's Req, the largest, all are valid whichever is taken; some may be larger than their own Req asks for.

    Raises:
        KeyError: the part was not solved for this strategy.
    """
    req = part.sets.req if strategy is None else part.solutions[strategy].req
    sets = part.sets
    return minimal_solutions(req=req, out_c=sets.out_c, out_dbar=sets.out_dbar, out_cbar=sets.out_cbar,
                             use_cbar=set(sets.use_cbar) - set(sets.intact))


# ---------------------------------------------------------------- one location

_NOTHING = LocationChoice(sbk=False, snp=False, req_d=False, req_c=False, listed=True)


def _context(held: Iterable[bool]) -> Context:
    req, out_c, out_dbar, out_cbar, use_cbar = map(int, held)
    return req, out_c, out_dbar, out_cbar, use_cbar


@cache
def _row(req: int, out_c: int, out_dbar: int, out_cbar: int, use_cbar: int) -> tuple[LocationChoice, ...]:
    """The minimal choices for a location: lazy's first, then those of DH (7), then what it misses. One of 32 rows."""
    context = req, out_c, out_dbar, out_cbar, use_cbar
    sets = PartSets.of(context)
    lazy = _entry(solution(sets, lazy_partition()))
    listed = {_entry(solution(sets, Partition.of(sides))) for sides in product((0, 1), repeat=3)}
    order = sorted(valid_at(context), key=lambda one: (one not in listed, one != lazy, one))
    return tuple(LocationChoice(sbk=bool(one[0]), snp=bool(one[1]), req_d=bool(one[2]), req_c=bool(one[3]),
                                listed=one in listed) for one in order)


@cache
def _verdict(context: Context, entry: Entry) -> tuple[bool, bool, bool]:
    """Of a choice for a location: is DH (4) broken, is DH (5), is it valid but larger than needed?"""
    sets, choice = PartSets.of(context), SnapshotChoice.of(entry)
    larger = is_valid(sets, choice) and entry not in valid_at(context)
    return bool(preserves_cbar(sets, choice)), bool(preserves_req(sets, choice)), larger


def _entry(choice: SnapshotChoice) -> Entry:
    return choice.sbk, choice.snp, choice.req_d, choice.req_c


def _solution(picked: Mapping[str, LocationChoice]) -> MinimalSolution:
    def those(field: str) -> frozenset[str]:
        return frozenset(name for name, one in picked.items() if getattr(one, field))

    missed = frozenset(name for name, one in picked.items() if not one.listed)
    return MinimalSolution(sbk=those("sbk"), snp=those("snp"), req_d=those("req_d"), req_c=those("req_c"),
                           missed=missed)
