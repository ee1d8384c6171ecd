"""What a check found, for people: each cause with its statement, what follows from it beneath, at last what to do.

    decay.f90:15: rate(i) = rate(i)*u(i)
      changed, 8000 bytes more to save (lazy), in 1 part
      decay, part 1: lazy: Snp gains rate, 8000 bytes, snapshot 8000 -> 16000 bytes: C's adjoint overwrites it now
    1 cause. To accept it: snapset check --update, and commit snapset.lock
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from snapset.analysis.symbolic.polynomials import Quantity
from snapset.check.causes import Cause
from snapset.check.lock_comparison import Finding
from snapset.check.lock_file import FIGURES, NAMED, SIZED
from snapset.frontend.base.visible_text import visible_line

MOST = 12
"""Parts of one cause that are named."""
_SETS = (*SIZED, *NAMED, *FIGURES)
Lines = Mapping[tuple[str, int], str]


def write(causes: Sequence[Cause], source: Lines, accept: str) -> str:
    """The page; "" where nothing has changed. ``accept``: the last line's end, "" where nothing is to be accepted."""
    if not causes:
        return ""
    if len(causes) == 1 and not causes[0].own and len(causes[0].findings) == 1:
        return _line(f"{causes[0].findings[0]}{_end(causes, accept)}")
    lines = [line for cause in causes for line in (f"{place(cause)}: {title(cause, source)}", *_beneath(cause))]
    lines.append(f"{len(causes)} {'cause' if len(causes) == 1 else 'causes'}{_end(causes, accept)}")
    return "".join(map(_line, lines))


def _line(text: str) -> str:
    return visible_line(text) + "\n"


def _end(causes: Sequence[Cause], accept: str) -> str:
    return "".join(f"; {one}" for one in closing(causes, accept))


def closing(causes: Sequence[Cause], accept: str) -> list[str]:
    """What to do: neither a budget nor an error is accepted by writing the lock."""
    found = [one for cause in causes for one in cause.findings]
    over = any(one.kind == "budget" for one in found)
    wrong = any(one.is_error for one in found)
    rest = any(one.kind != "budget" and not one.is_error for one in found)
    said = [f"to accept {'it' if len(causes) == 1 else 'them'}: {accept}"] if rest and accept else []
    said += ["a budget holds until the project file gives another one"] if over else []
    return said + (["an error is one until its cause is gone"] if wrong else [])


def place(cause: Cause) -> str:
    """``decay.f90:15``"""
    return f"{cause.span.file}:{cause.span.line}"


def title(cause: Cause, source: Lines) -> str:
    """The statement; of a part or head that came or went its name."""
    if cause.change is not None and cause.change.removed:
        return f"removed before it: {cause.change.removed}"
    if not cause.own:
        return cause.findings[0].part
    return source.get((cause.span.file, cause.span.line), "").strip() or cause.findings[0].part


def amount(cause: Cause) -> str:
    """``8000 bytes more to save (lazy), 16 bytes less (eager)``; "" where no snapshot and no tape changed."""
    by_amount: dict[Quantity | None, list[str]] = {}
    for strategy, quantity in cause.saved.items():
        if quantity is None or quantity.constant != 0:
            by_amount.setdefault(quantity, []).append(strategy)
    return ", ".join(f"{_amount(quantity)} ({', '.join(names)})" for quantity, names in by_amount.items())


def _amount(quantity: Quantity | None) -> str:
    if quantity is None:
        return "unknown bytes more to save"
    if quantity.constant is not None:
        return f"{abs(quantity.constant)} bytes {'more' if quantity.constant > 0 else 'less'} to save"
    if all(factor < 0 for factor in quantity.terms.values()):  # names are sizes
        return f"{-quantity} bytes less to save"
    return f"{quantity} bytes more to save"


def _beneath(cause: Cause) -> list[str]:
    """What follows: the bytes in all, then part by part."""
    parts = together(cause.findings)
    found = []
    size, changed = amount(cause), "changed" if cause.change is not None else ""
    if size or changed:
        count = f"in {len(parts)} part{'' if len(parts) == 1 else 's'}" if size else ""
        found.append("  " + ", ".join(filter(None, (changed, size, count))))
    for part, messages in list(parts.items())[:MOST]:
        if cause.own or part != cause.findings[0].part:
            found.append(f"  {part}")
        found += [f"    {message}" for message in messages]
    if len(parts) > MOST:
        found.append(f"  and {len(parts) - MOST} more parts; --format json has all")
    return found


def together(findings: Sequence[Finding]) -> dict[str, list[str]]:
    """By part what is said of it; what is the same under several strategies once."""
    found: dict[str, dict[str, list[str]]] = {}
    for one in sorted(findings, key=lambda one: _SETS.index(one.set) if one.set in _SETS else -1):
        said = one.message.removeprefix(f"{one.strategy}: ") if one.strategy else one.message
        found.setdefault(one.part, {}).setdefault(said, []).extend([one.strategy] if one.strategy else [])
    return {part: [f"{', '.join(dict.fromkeys(names))}: {said}" if names else said for said, names in messages.items()]
            for part, messages in found.items()}
