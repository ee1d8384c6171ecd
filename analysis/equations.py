"""The data-flow equations of one checkpointed part (Dauvergne & Hascoët, "DH").

    Req |- [C];D  =  PUSH(Sbk); PUSH(Snp); C; Req_D |- D-bar; POP(Snp); Req_C |- C-bar; POP(Sbk)      (1)

Self-contained: an AD tool brings its own six sets. Inside, sets are bit sets (ints), ``&``, ``|`` and
``& ~`` being the paper's ∩, ∪ and \\; :func:`solve` takes and returns sets of names.

A choice is valid when it preserves what C-bar uses (4) and what is required upstream (5). Every
condition is pointwise: a location's membership in req, out(C), out(D-bar), out(C-bar), use(C-bar)
decides alone which choices are valid for it (:func:`valid_at`).
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product

from snapset.analysis.dataflow.bitsets import EMPTY, EVERYTHING, Exact, May, exactly
from snapset.frontend.base.collection_arguments import collections
from snapset.frontend.base.frozen_records import frozen


@frozen(kw_only=True, quick=True)
class PartSets:
    """What is known about a part: Req, out(C), out(D̄), out(C̄), use(C̄), as bit sets. ``untaped``: what C̄ cannot put
    back, as no adjoint code is made that could tape it; of that nothing may be in Req_C.

    What may be too large here makes a solution larger, never wrong: (4) and (5) get harder to meet. So the equations
    take each set as it is given."""

    req: May
    out_c: May
    out_dbar: May
    out_cbar: May
    use_cbar: May
    untaped: May = EMPTY

    @classmethod
    def of(cls, context: Iterable[int]) -> PartSets:
        """From a row of the pointwise table: (req, out_c, out_dbar, out_cbar, use_cbar)."""
        req, out_c, out_dbar, out_cbar, use_cbar = map(exactly, context)
        return cls(req=req, out_c=out_c, out_dbar=out_dbar, out_cbar=out_cbar, use_cbar=use_cbar)


@frozen(kw_only=True, quick=True)
class OptSets:
    """DH (6): what every solution saves, and the three sets each location of which may go either way."""

    snp0: Exact
    opt1: Exact
    opt2: Exact
    opt3: Exact


@frozen(kw_only=True)
class Partition:
    """Opt1+, Opt2+ and Opt3+; the minus sides are what remains. ``kept``: what Sbk alone is to keep, where that is
    valid (:func:`kept_alone`); (7) has no such choice."""

    plus1: Exact = EMPTY
    plus2: Exact = EMPTY
    plus3: Exact = EMPTY
    kept: Exact = EMPTY

    @classmethod
    def of(cls, sides: Iterable[int]) -> Partition:
        """From (Opt1+, Opt2+, Opt3+), and behind them what Sbk alone keeps."""
        plus1, plus2, plus3, *kept = map(exactly, sides)
        return cls(plus1=plus1, plus2=plus2, plus3=plus3, kept=kept[0] if kept else EMPTY)


@frozen(kw_only=True, quick=True)
class SnapshotChoice:
    """The four unknowns of DH (1)."""

    sbk: Exact
    snp: Exact
    req_d: Exact
    req_c: Exact

    @classmethod
    def of(cls, entry: Iterable[int]) -> SnapshotChoice:
        """From (Sbk, Snp, Req_D, Req_C)."""
        sbk, snp, req_d, req_c = map(exactly, entry)
        return cls(sbk=sbk, snp=snp, req_d=req_d, req_c=req_c)


def opt_sets(s: PartSets) -> OptSets:
    """DH (6); where C̄ cannot put back what it overwrites there is no choice between Sbk and Req_C."""
    either = exactly(s.req & s.out_cbar & ~s.untaped)
    return OptSets(
        snp0=exactly(s.out_c & (s.use_cbar | (s.req & ~s.out_cbar))),
        opt1=exactly(either & s.use_cbar),
        opt2=exactly(either & ~s.use_cbar),
        opt3=exactly(s.out_dbar & (s.use_cbar | s.req) & ~s.out_c),
    )


def solution(s: PartSets, p: Partition) -> SnapshotChoice:
    """DH (7), for the partition whose plus sides are ``p`` (what of them is not in the Opt sets is ignored).

    DH (7) presumes out(C̄) ⊆ out(C). Where adjoint liveness trims C's first run that can fail for a
    location of Opt2, and (7) as printed would then save it twice: it is in no need of Snp when C's
    first run does not write it (so Opt2- meets out(C)), nor of Snp or Req_D when Sbk keeps it
    (so Opt3 loses Opt2+). Under the hypothesis both corrections change nothing.

    A location of ``p.kept`` that only upstream asks for is saved in Sbk alone, in place of Snp or Req_D: minimal, too,
    and the one solution of (4) and (5) that (7) leaves out.
    """
    o, alone, always = opt_sets(s), kept_alone(s) & p.kept, always_kept(s)
    plus2 = (o.opt2 & p.plus2) | exactly(always & ~s.use_cbar)
    opt3 = o.opt3 & ~plus2 & ~alone
    return SnapshotChoice(
        sbk=(o.opt1 & p.plus1) | plus2 | alone | always,
        snp=(o.snp0 & ~alone) | exactly(o.opt2 & ~p.plus2 & s.out_c) | (opt3 & p.plus3),
        req_d=opt3 & ~p.plus3,
        req_c=(o.opt1 & ~p.plus1) | (o.opt2 & ~p.plus2),
    )


def always_kept(s: PartSets) -> Exact:
    """What is in Sbk in every solution: required upstream, overwritten by C̄, and C̄ cannot put it back."""
    return exactly(s.req & s.out_cbar & s.untaped)


def kept_alone(s: PartSets) -> Exact:
    """What Sbk alone may keep in place of Snp or Req_D: required upstream, changed before C̄, and nothing to C̄."""
    return exactly(s.req & (s.out_c | s.out_dbar) & ~s.use_cbar & ~s.out_cbar)


def eager_partition(s: PartSets) -> Partition:
    """The partition that makes DH (7) into DH (8): Opt1- and Opt2- empty, Opt3+ what Req does not hold."""
    return Partition(plus1=EVERYTHING, plus2=EVERYTHING, plus3=exactly(s.out_dbar & (s.use_cbar & ~s.req) & ~s.out_c))


def lazy_partition() -> Partition:
    """The partition that makes DH (7) into DH (9): all plus sides empty."""
    return Partition()


def preserves_cbar(s: PartSets, c: SnapshotChoice) -> May:
    """DH (4): the locations whose value C̄ uses and finds changed; 0 when the condition holds."""
    return ((s.out_c | (s.out_dbar & ~c.req_d)) & ~c.snp) & s.use_cbar


def preserves_req(s: PartSets, c: SnapshotChoice) -> May:
    """DH (5): the required locations that upstream finds changed; 0 when the condition holds."""
    downstream = (s.out_c | (s.out_dbar & ~c.req_d)) & ~c.snp
    return (downstream | (s.out_cbar & ~c.req_c)) & ~c.sbk & s.req


def is_valid(s: PartSets, c: SnapshotChoice) -> bool:
    """Do (4) and (5) hold?"""
    return not preserves_cbar(s, c) and not preserves_req(s, c)


def use_of_part(live: May, use_cbar: May) -> May:
    """use([C];D adj) = use(C) ∪ (use(D̄) \\ kill(C)) ∪ use(C̄); ``live``: the first two, live before C's first run."""
    return live | use_cbar


def out_of_part(s: PartSets) -> May:
    """out([C];D adj) before Req is taken off: the same for every solution of (7)."""
    return s.out_cbar | ((s.out_dbar | s.out_c) & ~exactly(s.use_cbar))  # what C̄ uses is saved, and put back


# ---------------------------------------------------------------- the pointwise table

Entry = tuple[int, int, int, int]


def valid_at(context: tuple[int, int, int, int, int]) -> tuple[Entry, ...]:
    """The minimal valid (Sbk, Snp, Req_D, Req_C) for a location in (req, out_c, out_dbar, out_cbar, use_cbar).

    One row of the 32-row table the whole problem is; found from (4) and (5) alone.
    """
    s = PartSets.of(context)
    entries = [(sbk, snp, req_d, req_c) for sbk, snp, req_d, req_c in product((0, 1), repeat=4)]
    valid = [e for e in entries if is_valid(s, SnapshotChoice.of(e))]
    return tuple(e for e in valid if not any(_below(other, e) for other in valid))


def _below(small: Entry, large: Entry) -> bool:
    return small != large and all(a <= b for a, b in zip(small, large, strict=True))


# ---------------------------------------------------------------- for AD tools: sets of names


@frozen(kw_only=True)
class NamedSolution:
    """One solution in names: DH (7) with the sets (6) it came from."""

    snp: frozenset[str]
    sbk: frozenset[str]
    req_d: frozenset[str]
    req_c: frozenset[str]
    snp0: frozenset[str]
    opt1: frozenset[str]
    opt2: frozenset[str]
    opt3: frozenset[str]


def solve(*, req: Iterable[str], out_c: Iterable[str], out_dbar: Iterable[str], out_cbar: Iterable[str],
          use_cbar: Iterable[str], strategy: str = "lazy", plus1: Iterable[str] = (), plus2: Iterable[str] = (),
          plus3: Iterable[str] = ()) -> NamedSolution:
    """Solve one part from sets of location names that an AD tool computed itself.

    Args:
        req, out_c, out_dbar, out_cbar, use_cbar: the sets of DH section 3.
        strategy: ``lazy`` (9), ``eager`` (8), or ``partition`` with the plus sides given.
        plus1, plus2, plus3: Opt1+, Opt2+, Opt3+ for ``partition``.

    Raises:
        ValueError: an unknown strategy, or a plus side naming what its Opt set does not hold.
        TypeError: a plain text in place of a set: ``{"alpha"}`` is one location, ``"alpha"`` would be four.
    """
    collections("solve", req=req, out_c=out_c, out_dbar=out_dbar, out_cbar=out_cbar, use_cbar=use_cbar,
                plus1=plus1, plus2=plus2, plus3=plus3)
    given = [set(x) for x in (req, out_c, out_dbar, out_cbar, use_cbar)]
    names = sorted(set().union(*given))
    bit = {name: 1 << i for i, name in enumerate(names)}
    sets = PartSets.of(sum(bit[n] for n in x) for x in given)
    options = opt_sets(sets)

    def named(bits: int) -> frozenset[str]:
        return frozenset(n for n in names if bits & bit[n])

    if strategy == "lazy":
        partition = lazy_partition()
    elif strategy == "eager":
        partition = eager_partition(sets)
    elif strategy == "partition":
        sides = [set(plus1), set(plus2), set(plus3)]
        for number, side, held in zip((1, 2, 3), sides, (options.opt1, options.opt2, options.opt3), strict=True):
            if stray := sorted(side - named(held)):
                raise ValueError(f"Opt{number} does not hold {', '.join(stray)}")
        partition = Partition.of(sum(bit[n] for n in side) for side in sides)
    else:
        raise ValueError(f"unknown strategy {strategy!r}: lazy, eager or partition")
    c = solution(sets, partition)
    return NamedSolution(snp=named(c.snp), sbk=named(c.sbk), req_d=named(c.req_d), req_c=named(c.req_c),
                         snp0=named(options.snp0), opt1=named(options.opt1), opt2=named(options.opt2),
                         opt3=named(options.opt3))
