"""The names in formulas that stand for what is not known of the program: they can only be assumed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from snapset.analysis.symbolic.polynomials import Atom, Clamp, Extreme, Formula, Over, Quotient, Runs, Sym

_UNKNOWN = ("size", "trips", "bytes")


def unknown_names(formulas: Iterable[Formula]) -> tuple[str, ...]:
    """``size(h)``, ``trips(march:12)``, ``bytes(missing_module::dt)``, each once, sorted."""
    found: set[str] = set()
    seen: set[Formula] = set()
    work = list(formulas)
    while work:
        formula = work.pop()
        if formula in seen:
            continue
        seen.add(formula)
        for atom in formula.atoms():
            if isinstance(atom, Sym) and atom.what.startswith(_UNKNOWN):
                found.add(atom.name)
            work.extend(_inside(atom))
    return tuple(sorted(found))


def _inside(atom: Atom) -> Iterator[Formula]:
    match atom:
        case Clamp(of=inner) | Runs(of=inner):
            yield inner
        case Quotient(top=top, bottom=bottom):
            yield from (top, bottom)
        case Extreme(of=those):
            yield from those
        case Over(count=count, body=body):
            yield from (count, body)
        case _:
            pass
