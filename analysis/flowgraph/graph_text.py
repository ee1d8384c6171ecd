"""What an adjoint of a tool's own graph must save, in a few lines for people.

    480 bytes pushed, at most 480 at once
    half: Snp t; Req_D dt, k1; 8 bytes each time
    taped: k1 before 4: k1 = sin(t); dt before 11: dt = 1.01*dt
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping

from snapset.analysis.equations import NamedSolution

_SPELT = {"snp": "Snp", "sbk": "Sbk", "req_d": "Req_D", "req_c": "Req_C"}


def text(traffic: int | None, peak: int | None, parts: Mapping[str, tuple[NamedSolution, int | None]],
         taped: Mapping[Hashable, Iterable[str]]) -> str:
    """A line for the figures, each part, and the tape."""
    lines = [f"bytes are not known: the graph's size lacks some of {', '.join(_pushed(parts, taped))}"
             if traffic is None or peak is None else f"{traffic} bytes pushed, at most {peak} at once"]
    for name, (solution, size) in parts.items():
        held = {said: sorted(getattr(solution, one)) for one, said in _SPELT.items()}
        sets = [f"{said} {', '.join(names)}" for said, names in held.items() if names]
        lines.append(f"{name}: {'; '.join(sets) or 'nothing'}" + ("" if size is None else f"; {size} bytes each time"))
    found = [f"{', '.join(sorted(names))} before {key}" for key, names in taped.items() if names]
    return "\n".join([*lines, f"taped: {'; '.join(found)}"] if found else lines)


def _pushed(parts: Mapping[str, tuple[NamedSolution, int | None]],
            taped: Mapping[Hashable, Iterable[str]]) -> list[str]:
    """All that is saved or taped."""
    saved = (one.snp | one.sbk for one, _ in parts.values())
    return sorted(frozenset().union(*saved, *taped.values()))
