"""One part solved from sets that an AD tool has: by a strategy, or as cheaply as possible where sizes are given."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from snapset.frontend.base.collection_arguments import collections

if TYPE_CHECKING:
    from snapset.analysis.equations import NamedSolution


def solve(*, req: Iterable[str], out_c: Iterable[str], out_dbar: Iterable[str], out_cbar: Iterable[str],
          use_cbar: Iterable[str], strategy: str | None = None, plus1: Iterable[str] = (), plus2: Iterable[str] = (),
          plus3: Iterable[str] = (), size: Mapping[str, int] | None = None,
          tape_d: Mapping[str, int] | None = None, tape_c: Mapping[str, int] | None = None) -> NamedSolution:
    """Solve one part from sets of location names that an AD tool computed itself.

    Args:
        req, out_c, out_dbar, out_cbar, use_cbar: the sets of DH section 3.
        strategy: ``lazy`` (9), ``eager`` (8), ``partition`` with the plus sides given, or ``cheapest``; cheapest where
            sizes are given, else lazy.
        plus1, plus2, plus3: Opt1+, Opt2+, Opt3+ for ``partition``.
        size: bytes of each location, for ``cheapest``; tape_d, tape_c: what D tapes for it in Req_D, and C̄ in Req_C.

    Raises:
        ValueError: an unknown strategy, a plus side naming what its Opt set does not hold, sizes for another strategy
            than cheapest, or cheapest without the size of a location.
        TypeError: a plain text in place of a set: ``{"alpha"}`` is one location, ``"alpha"`` would be four.
    """
    collections("solve", **{name: one for name, one in (("size", size), ("tape_d", tape_d), ("tape_c", tape_c))
                            if one is not None})
    given = {"req": req, "out_c": out_c, "out_dbar": out_dbar, "out_cbar": out_cbar, "use_cbar": use_cbar}
    chosen = strategy or ("lazy" if size is None else "cheapest")
    if chosen != "cheapest":
        from snapset.analysis.equations import solve as by_strategy

        if size is not None or tape_d is not None or tape_c is not None:
            raise ValueError(f"sizes choose the cheapest solution, and {chosen} is asked for: leave one out")
        return by_strategy(**given, strategy=chosen, plus1=plus1, plus2=plus2, plus3=plus3)
    from snapset.analysis.placement.part_choice import cheapest

    return cheapest(**given, size=size or {}, tape_d=tape_d or {}, tape_c=tape_c or {})
