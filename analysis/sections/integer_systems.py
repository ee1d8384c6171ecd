"""Is there a whole number for each name such that some linear forms are zero and others are not negative?

``j >= k + 1; i >= i2 + 1; i2 >= k2 + 1; k2 <= k; i = i2; j = k2`` has none: j is above k, and at most k. Asked of the
subscripts of two references, with the bounds of the loops around them: do they ever meet? Names are eliminated one by
one (Fourier 1826, Motzkin 1936), equations first; a form is divided by what all its factors share, its constant rounded
down, which is where whole numbers tell more than fractions do. "No" is certain, "yes" is not: what remains may have a
solution in fractions alone, and a system that grows beyond ``MOST`` forms is taken to have one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import gcd
from typing import TypeAlias

MOST = 300
Form: TypeAlias = Mapping[str, int]  # factors by name; the constant is that of CONSTANT
CONSTANT = ""
_Row: TypeAlias = dict[str, int]


class _NoneError(Exception):
    """No number does."""


def may_hold(zero: Iterable[Form], not_negative: Iterable[Form]) -> bool:
    """False: no whole numbers for the names make every form of ``zero`` 0 and every other at least 0."""
    try:
        rows = _substituted([_clean(one) for one in zero], [_clean(one) for one in not_negative])
        return _feasible(rows)
    except _NoneError:
        return False


def _clean(form: Form) -> _Row:
    return {name: factor for name, factor in form.items() if factor or name == CONSTANT} | {
        CONSTANT: form.get(CONSTANT, 0)}


def _names(row: _Row) -> list[str]:
    return [name for name in row if name != CONSTANT]


def _plus(one: _Row, times: int, other: _Row, by: int) -> _Row:
    """``times*one + by*other``."""
    found = {name: times*factor for name, factor in one.items()}
    for name, factor in other.items():
        found[name] = found.get(name, 0) + by*factor
    return _clean(found)


def _tight(row: _Row) -> _Row | None:
    """The form that is not negative for the same whole numbers, divided; None where it never is negative."""
    names = _names(row)
    if not names:
        if row[CONSTANT] < 0:
            raise _NoneError
        return None
    shared = gcd(*(row[name] for name in names))
    return {name: factor//shared for name, factor in row.items()}  # rounded down


def _substituted(zero: list[_Row], rest: list[_Row]) -> list[_Row]:
    """The other forms, with as many names replaced as the equations say; the equations left are two forms each."""
    while zero:
        row = zero.pop()
        names = _names(row)
        if row[CONSTANT] % (gcd(*(row[name] for name in names)) if names else row[CONSTANT] or 1):
            raise _NoneError  # 2*i = 2*k + 1
        if not names:
            if row[CONSTANT]:
                raise _NoneError
            continue
        name = next((one for one in names if abs(row[one]) == 1), None)
        if name is None:
            rest += [row, {one: -factor for one, factor in row.items()}]
            continue
        sign = row[name]
        zero = [_plus(one, 1, row, -sign*one.get(name, 0)) for one in zero]
        rest = [_plus(one, 1, row, -sign*one.get(name, 0)) for one in rest]
    return rest


def _feasible(rows: list[_Row]) -> bool:
    left = _distinct(rows)
    while left:
        ups = dict[str, int]()
        downs = dict[str, int]()
        for row in left:
            for name in _names(row):
                count = ups if row[name] > 0 else downs
                count[name] = count.get(name, 0) + 1
        name = min(ups | downs, key=lambda one: (ups.get(one, 0)*downs.get(one, 0), one))
        if ups.get(name, 0)*downs.get(name, 0) + len(left) > MOST:
            return True
        above = [row for row in left if row.get(name, 0) > 0]
        below = [row for row in left if row.get(name, 0) < 0]
        left = _distinct([row for row in left if name not in row]
                         + [_plus(a, -b[name], b, a[name]) for a in above for b in below])
    return True


def _distinct(rows: Iterable[_Row]) -> list[_Row]:
    """Of forms with the same factors the one that is the least."""
    least: dict[frozenset[tuple[str, int]], _Row] = {}
    for row in rows:
        tight = _tight(row)
        if tight is not None:
            key = frozenset((name, factor) for name, factor in tight.items() if name != CONSTANT)
            if key not in least or tight[CONSTANT] < least[key][CONSTANT]:
                least[key] = tight
    return list(least.values())
