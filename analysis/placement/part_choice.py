"""The cheapest solution of DH (7) for one part, from its sets and bytes alone: no Fortran needed.

Example: u may be saved (Snp, 800 bytes) or taped where D overwrites it (Req_D, ten times 800): it is saved.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from snapset.analysis.dataflow.bitsets import EMPTY, EVERYTHING, members, singleton
from snapset.analysis.equations import NamedSolution, Partition, PartSets, opt_sets, solution, solve
from snapset.analysis.placement.two_sided_allocation import Option, allocate
from snapset.frontend.base.collection_arguments import collections
from snapset.frontend.base.frozen_records import frozen

NOTHING_PUSHED = Option(0, 0, 0)
NO_BYTES: Mapping[str, int] = MappingProxyType({})


@frozen(kw_only=True)
class PartBytes:
    """Bytes by location index: its ``size``, what D tapes if it is in Req_D, C-bar if it is in Req_C.

    ``base``: what is pushed whatever is chosen (for other locations, other statements).
    """

    size: Mapping[int, int]
    tape_d: Mapping[int, int]
    tape_c: Mapping[int, int]
    base: Option = NOTHING_PUSHED


def option_of(sets: PartSets, bytes_: PartBytes, partition: Partition, bits: int) -> Option:
    """What the solution for ``partition`` adds for the locations in ``bits``."""
    choice = solution(sets, partition)
    held = _sum(bytes_.size, choice.sbk & bits)
    snapshot = _sum(bytes_.size, (choice.sbk | choice.snp) & bits)
    in_d, in_c = _sum(bytes_.tape_d, choice.req_d & bits), _sum(bytes_.tape_c, choice.req_c & bits)
    return Option(snapshot + in_d, held + in_c, snapshot + in_d + in_c, snapshot)


def _sum(table: Mapping[int, int], bits: int) -> int:
    return sum(table.get(i, 0) for i in members(bits))


def best_partition(sets: PartSets, bytes_: PartBytes) -> Partition:
    """The partition with the least peak; of these the least traffic; of these the smallest snapshot."""
    options = opt_sets(sets)
    optional = options.opt1 | options.opt2 | options.opt3
    places = list(members(optional))
    sides = [Partition.of((a, a, b)) for a in (EMPTY, EVERYTHING) for b in (EMPTY, EVERYTHING)]
    items = [[option_of(sets, bytes_, side, 1 << i) for side in sides] for i in places]
    fixed = option_of(sets, bytes_, Partition(), ~optional & _everything(sets))
    base = Option(bytes_.base.d + fixed.d, bytes_.base.c + fixed.c, bytes_.base.traffic + fixed.traffic, fixed.snapshot)
    plus12 = plus3 = EMPTY
    for i, at in zip(places, allocate(base, items), strict=True):
        plus12 |= sides[at].plus1 & singleton(i)
        plus3 |= sides[at].plus3 & singleton(i)
    return Partition(plus1=plus12 & options.opt1, plus2=plus12 & options.opt2, plus3=plus3 & options.opt3)


def _everything(sets: PartSets) -> int:
    return sets.req | sets.out_c | sets.out_dbar | sets.out_cbar | sets.use_cbar


def cheapest(*, req: Iterable[str], out_c: Iterable[str], out_dbar: Iterable[str], out_cbar: Iterable[str],
             use_cbar: Iterable[str], size: Mapping[str, int], tape_d: Mapping[str, int] = NO_BYTES,
             tape_c: Mapping[str, int] = NO_BYTES) -> NamedSolution:
    """The solution with the least peak; of these the least traffic; of these the smallest snapshot (section 4).

    Args:
        req, out_c, out_dbar, out_cbar, use_cbar: the sets of DH section 3, as for :func:`snapset.solve`.
        size: bytes of each location that something overwrites; no other one is ever saved.
        tape_d, tape_c: the bytes that D tapes for it in Req_D, and C̄ in Req_C; its size where absent.

    Raises:
        ValueError: such a location has no size, or bytes are negative.
        TypeError: a plain text in place of a set.
    """
    collections("cheapest", req=req, out_c=out_c, out_dbar=out_dbar, out_cbar=out_cbar, use_cbar=use_cbar,
                size=size, tape_d=tape_d, tape_c=tape_c)
    given = [frozenset(names) for names in (req, out_c, out_dbar, out_cbar, use_cbar)]
    names = sorted(frozenset().union(*given))
    overwritten = frozenset().union(*given[1:4])
    if missing := [name for name in names if name not in size and name in overwritten]:
        raise ValueError(f"no size is given of {', '.join(missing)}")
    if any(amount < 0 for table in (size, tape_d, tape_c) for amount in table.values()):
        raise ValueError("bytes are never negative")
    known, in_d, in_c = ({i: table.get(name, size.get(name, 0)) for i, name in enumerate(names)}
                         for table in (size, tape_d, tape_c))
    sets = PartSets.of(sum(1 << i for i, name in enumerate(names) if name in one) for one in given)
    best = best_partition(sets, PartBytes(size=known, tape_d=in_d, tape_c=in_c))
    sides = [[names[i] for i in members(one & held)] for one, held in zip(
        (best.plus1, best.plus2, best.plus3), _optional(sets), strict=True)]
    return solve(req=given[0], out_c=given[1], out_dbar=given[2], out_cbar=given[3], use_cbar=given[4],
                 strategy="partition", plus1=sides[0], plus2=sides[1], plus3=sides[2])


def _optional(sets: PartSets) -> tuple[int, int, int]:
    options = opt_sets(sets)
    return options.opt1, options.opt2, options.opt3
