"""Names that changed since the lock was written and nothing else: said once, not at every set they stand in.

A name that is gone and a new one are the same where the lock with the one put in the place of the other has the same
sets as today, the program does not know the old one any more, and it does know the new one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import permutations

from snapset.check.lock_file import FIGURES, Record
from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.base.lazy_patterns import pattern_of
from snapset.frontend.ir import Program

_NAME = pattern_of(r"[a-z_]\w*", re.IGNORECASE)
_KEY = pattern_of(r"(\w+)(.*, )(?:(call of )(\w+)|)(.*)")
_LOCATION = pattern_of(r"(?:([a-z_]\w*)::)?([a-z_]\w*)", re.IGNORECASE)
_MOST = 12
_MOST_PROCEDURES = 6  # at once: all orders of them are tried

Parts = Mapping[str, Record]


@frozen
class Renaming:
    """One name that was ``old`` when the lock was written and is ``new`` today.

    ``procedure``: in which it stands. ``key``: of a part of that procedure, today.
    """

    key: str
    procedure: str
    old: str
    new: str


def renamed(old: Parts, new: Parts, program: Program) -> tuple[dict[str, Record], tuple[Renaming, ...]]:
    """The lock of a head with today's names, and what was renamed."""
    parts, found = _procedures_renamed(dict(old), new, program)
    mappings = _mappings(parts, new, program)
    while mappings:
        changed = {key: _in_record(one, _Names(_owner(key), mappings)) for key, one in parts.items()}
        wrong = {name for key, one in parts.items() if key in new and _shape(changed[key]) != _shape(new[key])
                 for name in _procedures_in(key, one) & mappings.keys()}
        if not wrong:
            parts = changed
            found += [Renaming(next(key for key in new if name in _procedures_in(key, new[key])), name, before, after)
                      for name in sorted(mappings) for before, after in sorted(mappings[name].items())]
            break
        mappings = {name: mapping for name, mapping in mappings.items() if name not in wrong}
    return parts, tuple(found)


def _procedures_renamed(parts: dict[str, Record], new: Parts,
                        program: Program) -> tuple[dict[str, Record], list[Renaming]]:
    """The lock with today's names of procedures, where each of those that are gone has come back by another name."""
    names = {one.name for one in program.procedures.values()}
    gone, come = sorted(_procedures(parts) - _procedures(new)), sorted(_procedures(new) - _procedures(parts))
    if not 0 < len(gone) == len(come) <= _MOST_PROCEDURES or names & set(gone) or not names >= set(come):
        return parts, []
    for order in permutations(come):
        by_name = dict(zip(gone, order, strict=True))
        changed = {_in_key(key, by_name): _in_record(one, _Procedures(by_name)) for key, one in parts.items()}
        if changed.keys() == new.keys() and all(_qualified(changed[key]) == _qualified(new[key]) for key in new):
            found = [Renaming(next(key for key in new if after in _procedures_in(key, new[key])), after, before, after)
                     for before, after in sorted(by_name.items())]
            return changed, found
    return parts, []


def _mappings(parts: Parts, new: Parts, program: Program) -> dict[str, dict[str, str]]:
    """By procedure, what its variables may have been renamed to."""
    found: dict[str, dict[str, str]] = {}
    both = [key for key in parts if key in new]
    for procedure in sorted({name for key in both for name in _procedures_in(key, parts[key])}):
        mapping = _mapping(*(_uses(procedure, [(key, one[key]) for key in both]) for one in (parts, new)))
        declared = {name for one in program.procedures.values() if one.name == procedure for name in one.variables}
        if mapping and not declared & mapping.keys() and declared >= set(mapping.values()):
            found[procedure] = mapping
    return found


def _owner(key: str) -> str:
    match = _NAME.match(key)
    return match[0] if match else ""


def _qualified(record: Record) -> set[str]:
    """The procedures in whose names locations stand: ``first::a``."""
    return {match[1] for _, text in _texts(record) for match in _LOCATION.finditer(text) if match[1]}


def _procedures_in(key: str, record: Record) -> set[str]:
    """The procedures that a part's record names."""
    return _of_key(key) | _qualified(record)


class _Names:
    """Puts today's names of variables into a location of a part of ``owner``."""

    def __init__(self, owner: str, mappings: Mapping[str, Mapping[str, str]]) -> None:
        self.owner, self.mappings = owner, mappings

    def __call__(self, text: str) -> str:
        def put(match: re.Match[str]) -> str:
            name = self.mappings.get(match[1] or self.owner, {}).get(match[2], match[2])
            return f"{match[1]}::{name}" if match[1] else name

        return _LOCATION.sub(put, text)


class _Procedures:
    """Puts today's names of procedures into a location."""

    def __init__(self, by_name: Mapping[str, str]) -> None:
        self.by_name = by_name

    def __call__(self, text: str) -> str:
        return _NAME.sub(lambda match: self.by_name.get(match[0], match[0]), text)


def _procedures(parts: Parts) -> set[str]:
    return {name for key, one in parts.items() for name in _procedures_in(key, one)}


def _of_key(key: str) -> set[str]:
    match = _KEY.fullmatch(key)
    return {match[1], *([match[4]] if match[4] else [])} if match else set()


def _in_key(key: str, by_name: Mapping[str, str]) -> str:
    match = _KEY.fullmatch(key)
    if match is None:
        return key
    first, callee = (by_name.get(name or "", name or "") for name in (match[1], match[4]))
    return f"{first}{match[2]}{match[3] or ''}{callee}{match[5]}"


def _mapping(before: Mapping[str, list[str]], after: Mapping[str, list[str]]) -> dict[str, str]:
    """The names only the one has to the names only the other has, by where they stand."""
    gone, come = sorted(before.keys() - after.keys()), sorted(after.keys() - before.keys())
    if len(gone) != len(come) or len(gone) > _MOST:
        return {}
    by_use: Callable[[Mapping[str, list[str]], list[str]], list[str]] = lambda uses, names: sorted(  # noqa: E731
        names, key=lambda name: (sorted(uses[name]), name))
    return dict(zip(by_use(before, gone), by_use(after, come), strict=True))


def _uses(procedure: str, records: list[tuple[str, Record]]) -> dict[str, list[str]]:
    """By name of a procedure's variable the places it stands in: the part's number, and the set."""
    found: dict[str, list[str]] = {}
    for number, (key, record) in enumerate(records):
        for place, text in _texts(record):
            names = {match[2] for match in _LOCATION.finditer(text) if (match[1] or _owner(key)) == procedure}
            for name in names:
                found.setdefault(name, []).append(f"{number} {place}")
    return found


def _texts(record: Record) -> Iterator[tuple[str, str]]:
    for reason, locations in record.reasons.items():
        yield from ((reason, one) for one in locations)
    for (strategy, name), content in record.solutions.items():
        for location, figure in content.items():
            yield f"{strategy} {name}", location
            if isinstance(figure, str):
                yield f"{strategy} {name} bytes", figure


def _shape(record: Record) -> object:
    """The sets alone: figures are compared by value, later."""
    reasons = {name: set(locations) for name, locations in record.reasons.items()}
    return reasons, {at: set(content) for at, content in record.solutions.items() if at[1] not in FIGURES}


def _in_record(record: Record, put: Callable[[str], str]) -> Record:
    return replace(
        record,
        reasons={name: tuple(sorted(map(put, locations))) for name, locations in record.reasons.items()},
        solutions={at: {put(location): put(figure) if isinstance(figure, str) else figure
                        for location, figure in content.items()} for at, content in record.solutions.items()},
    )  # fmt: skip
