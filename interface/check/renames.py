"""Names that changed since the lock was written and nothing else: said once, not at every set they stand in.

A name that is gone and a new one are the same where the lock with the one put in the place of the other has the same
sets as today, the program does not know the old one any more, and it does know the new one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from snapset.check.lock_file import FIGURES, Record
from snapset.frontend.ir import Program

_NAME = re.compile(r"[a-z_]\w*", re.IGNORECASE)
_KEY = re.compile(r"(\w+)(.*, )(?:(call of )(\w+)|)(.*)")
_MOST = 12

Parts = Mapping[str, Record]


@dataclass(frozen=True, slots=True)
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
    found: list[Renaming] = []
    parts = dict(old)
    gone, come = _procedures(old) - _procedures(new), _procedures(new) - _procedures(old)
    names = {one.name for one in program.procedures.values()}
    if len(gone) == len(come) == 1 and not gone & names and come <= names:
        (before,), (after,) = gone, come
        changed = {_in_key(key, before, after): _in_record(one, {before: after}) for key, one in parts.items()}
        if changed.keys() == new.keys():
            parts = changed
            found.append(Renaming(next(key for key in new if after in _of_key(key)), after, before, after))
    for procedure in sorted({_NAME.match(key)[0] for key in parts.keys() & new.keys()}):  # type: ignore[index]
        keys = [key for key in parts if key in new and _NAME.match(key)[0] == procedure]  # type: ignore[index]
        mapping = _mapping([parts[key] for key in keys], [new[key] for key in keys])
        declared = {name for one in program.procedures.values() if one.name == procedure for name in one.variables}
        if mapping and not declared & mapping.keys() and declared >= set(mapping.values()):
            changed = {key: _in_record(parts[key], mapping) for key in keys}
            if all(_shape(changed[key]) == _shape(new[key]) for key in keys):
                parts.update(changed)
                found += (Renaming(keys[0], procedure, before, after) for before, after in sorted(mapping.items()))
    return parts, tuple(found)


def _procedures(parts: Parts) -> set[str]:
    return {name for key in parts for name in _of_key(key)}


def _of_key(key: str) -> set[str]:
    match = _KEY.fullmatch(key)
    return {match[1], *([match[4]] if match[4] else [])} if match else set()


def _in_key(key: str, old: str, new: str) -> str:
    match = _KEY.fullmatch(key)
    if match is None:
        return key
    first, callee = (new if name == old else name or "" for name in (match[1], match[4]))
    return f"{first}{match[2]}{match[3] or ''}{callee}{match[5]}"


def _mapping(old: list[Record], new: list[Record]) -> dict[str, str]:
    """The names only the one has to the names only the other has, by where they stand."""
    before, after = _uses(old), _uses(new)
    gone, come = sorted(before.keys() - after.keys()), sorted(after.keys() - before.keys())
    if len(gone) != len(come) or len(gone) > _MOST:
        return {}
    by_use: Callable[[Mapping[str, list[str]], list[str]], list[str]] = lambda uses, names: sorted(  # noqa: E731
        names, key=lambda name: (sorted(uses[name]), name))
    return dict(zip(by_use(before, gone), by_use(after, come), strict=True))


def _uses(records: list[Record]) -> dict[str, list[str]]:
    """By name the places it stands in: the part's number, and the set."""
    found: dict[str, list[str]] = {}
    for number, record in enumerate(records):
        for place, text in _texts(record):
            for name in set(_NAME.findall(text)):
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


def _in_record(record: Record, mapping: Mapping[str, str]) -> Record:
    def put(text: str) -> str:
        return _NAME.sub(lambda found: mapping.get(found[0], found[0]), text)

    return replace(
        record,
        reasons={name: tuple(sorted(map(put, locations))) for name, locations in record.reasons.items()},
        solutions={at: {put(location): put(figure) if isinstance(figure, str) else figure
                        for location, figure in content.items()} for at, content in record.solutions.items()},
    )  # fmt: skip
