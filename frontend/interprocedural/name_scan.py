"""What a unit's text mentions: the names by which it may reach procedures and modules, without parsing it.

Every word counts, but where a word only names without reaching: in PUBLIC and PRIVATE, in the list of USE ONLY (the
name must stand elsewhere to be used), as the name of an interface body. What a generic name, a binding or a rename
stands for counts where that name is mentioned (:attr:`Mentions.aliases`); operators and FINAL always count.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from snapset.frontend.base.lazy_patterns import pattern_of
from snapset.frontend.base.source_model import Item, Line, Unit

_WORD = pattern_of(r"'[^']*'|\"[^\"]*\"|[a-z_]\w*")
_NAME = pattern_of(r"[a-z]\w*$")
_ACCESS = pattern_of(r"(?:public|private)(?: |::|$)")
_USE = pattern_of(r"use\b *(?:, *(?:non_)?intrinsic *)?(?:::)? *([a-z]\w*) *(?:, *(?:only *:)?(.*))?$")
_RENAMED = pattern_of(r"=> *([a-z]\w*)")
_INTERFACE = pattern_of(r"(?:abstract )?interface(?: (.*))?$")
_SPECIFIC = pattern_of(r"(?:module )?procedure *(?:::)? *([a-z]\w*(?: *, *[a-z]\w*)*)$")
_BODY = pattern_of(r"(?:^|.*[ )])(?:function|subroutine) ([a-z]\w*)(.*)$")
_TYPE = pattern_of(r"type(?: (?!is ?\()[a-z]\w*$| ?,.*::.*| ?::.*)")
_BINDING = pattern_of(r"(procedure|generic)\b(.*?)(?:::)(.*)$")
_ENTRY = pattern_of(r"entry ([a-z]\w*)")
_ALLOCATE = pattern_of(r"\ballocate\s*\(")


@dataclass(slots=True)
class Mentions:
    """The names that a program unit mentions.

    ``words``: every name that counts. ``aliases``: names by the name that must be mentioned for them to count.
    """

    words: set[str] = field(default_factory=set)
    aliases: list[tuple[str, frozenset[str]]] = field(default_factory=list)


def mentions(unit: Unit, contained: bool) -> Mentions:
    """What ``unit`` mentions; ``contained``: with the procedures in it."""
    found = Mentions()
    plain: list[str] = []
    _read(unit, contained, found, plain)
    found.words.update(_WORD.findall("\n".join(plain)))
    return found


def entry_names(unit: Unit) -> Iterable[str]:
    """The ENTRY points of a procedure."""
    for item in unit.items:
        if isinstance(item, Line) and item.text.startswith("entry"):
            match = _ENTRY.match(item.text)
            if match is not None:
                yield match[1]


def allocates(units: Iterable[Unit]) -> bool:
    """Does any ALLOCATE stand in these units, or in what they contain? If none does, none tells a shape, and what no
    head reaches need not be read for that."""
    return any(allocates(unit.contains) or any("allocate" in item.text and _ALLOCATE.search(item.text)
                                               for item in unit.items if isinstance(item, Line)) for unit in units)


def _read(unit: Unit, contained: bool, found: Mentions, plain: list[str]) -> None:
    if unit.header is not None:
        plain.append(unit.header.text)
    items: Sequence[Item] = unit.items
    at = 0
    while at < len(items):
        item = items[at]
        at += 1
        if not isinstance(item, Line):
            continue
        text = item.text
        if text.startswith("use") and (use := _USE.match(text)) is not None:
            found.words.add(use[1])
            _renames(use[2] or "", found)
        elif text.startswith(("interface", "abstract interface")) and _INTERFACE.match(text):
            at = _interface(items, at, text, found, plain)
        elif text.startswith("type") and _TYPE.match(text):
            plain.append(text)
            at = _type(items, at, found, plain)
        elif not _ACCESS.match(text):
            plain.append(text)
    if contained:
        for inner in unit.contains:
            _read(inner, True, found, plain)


def _renames(listed: str, found: Mentions) -> None:
    """``local => remote`` counts; operators reach through their interfaces, which always count."""
    found.words.update(_RENAMED.findall(listed))


def _interface(items: Sequence[Item], at: int, opening: str, found: Mentions, plain: list[str]) -> int:
    """An interface block from behind its first statement; the place behind its END."""
    match = _INTERFACE.match(opening)
    generic = (match[1] if match is not None else None) or ""
    specifics: set[str] = set()
    depth = 1
    while at < len(items) and depth:
        item = items[at]
        at += 1
        if not isinstance(item, Line):
            continue
        text = item.text
        if text.startswith("end interface"):
            depth -= 1
        elif text.startswith(("interface", "abstract interface")) and _INTERFACE.match(text):
            depth += 1
        elif (listed := _SPECIFIC.match(text)) is not None:
            specifics.update(_WORD.findall(listed[1]))
        elif (use := _USE.match(text)) is not None:
            found.words.add(use[1])
            _renames(use[2] or "", found)
        elif (body := _BODY.match(text)) is not None and not text.startswith("end"):
            specifics.add(body[1])
            plain.append(text[: body.start(1)] + body[2])
        else:
            plain.append(text)
    if _NAME.match(generic):
        found.aliases.append((generic, frozenset(specifics)))
    elif generic:  # operator(+), assignment(=), read(formatted)
        found.words |= specifics
    return at


def _type(items: Sequence[Item], at: int, found: Mentions, plain: list[str]) -> int:
    """A derived type definition from behind its first statement; the place behind its END."""
    while at < len(items):
        item = items[at]
        at += 1
        if not isinstance(item, Line):
            continue
        text = item.text
        if text == "end type" or text.startswith("end type "):
            return at
        match = _BINDING.match(text) if text.startswith(("procedure", "generic")) else None
        if match is None:
            plain.append(text)
            continue
        plain.append(match[2])
        if match[1] == "generic":
            _generic(match[3], found)
        else:
            for name in match[3].split(","):
                bound, _, target = (piece.strip() for piece in name.partition("=>"))
                if target:
                    found.aliases.append((bound, frozenset(_WORD.findall(target))))
    return at


def _generic(text: str, found: Mentions) -> None:
    name, _, targets = text.partition("=>")
    words = frozenset(_WORD.findall(targets))
    if _NAME.match(name.strip()):
        found.aliases.append((name.strip(), words))
    else:
        found.words |= words


def targets_of(every: Iterable[Mentions]) -> Mapping[str, set[str]]:
    """All aliases of a program together."""
    joined: dict[str, set[str]] = {}
    for one in every:
        for name, targets in one.aliases:
            joined.setdefault(name, set()).update(targets)
    return joined
