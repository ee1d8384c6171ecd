"""Reads strategies as users write them.

    lazy,eager                             two strategies
    Opt1+=a,b;Opt3+=*                      a partition; what is not named falls to lazy's side
    Sbk+=w                                 w is kept by Sbk alone, where that is valid: what DH (7) leaves out
    eager;relax@17:Opt3+=v;relax@21:lazy   a choice for all parts, and others for two of them
    mine{Opt3+=v;relax@21:Sbk+=w}          the same under a name of its own

A strategy file has a clause a line (``eager``, ``relax@17: Opt3+=v``), ``#`` begins a comment; its strategy is named
after the file.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from snapset.analysis.recording.strategies import EAGER, LAZY, OPTIMAL, Strategy
from snapset.frontend.base.diagnostics import InputError, Span
from snapset.frontend.base.lazy_patterns import pattern_of
from snapset.frontend.base.nearest_name import nearest

_NAMED = {"lazy": LAZY, "eager": EAGER, "optimal": OPTIMAL}
_ASSIGNMENT = pattern_of(r"\s*(?:opt([123])([+-])|(s)bk(\+))\s*=\s*(.*?)\s*", re.IGNORECASE)
_LABELLED = pattern_of(r"\s*([\w.-]+)\{(.*)\}\s*", re.DOTALL)
_PART = r"[^\s;=,{}]+@\d+(?::split)?(?::context\d+)?(?:#\d+)?"
_OF_PART = pattern_of(rf"\s*({_PART})\s*:\s*(.*)", re.IGNORECASE)
_STARTS = pattern_of(r"\s*(lazy|eager|all|optimal)\s*(;|$)|\s*opt|\s*sbk|\s*[\w.-]+\{"
                     rf"|\s*{_PART}\s*:", re.IGNORECASE)


def parse_strategies(text: str) -> tuple[Strategy, ...]:
    """``lazy,eager``, ``optimal``, ``all``, partitions ``Opt1+=a,b;Opt2-=c;Opt3+=*``, choices by part (several
    separated by commas).

    Raises:
        InputError: an unknown name, a malformed partition, or a name on both sides.
    """
    found: list[Strategy] = []
    for piece in _pieces(text):
        word = piece.strip()
        if word.lower() in _NAMED:
            found.append(_NAMED[word.lower()])
        elif word.lower() == "all":
            found += _NAMED.values()
        elif match := _LABELLED.fullmatch(word):
            found.append(replace(_chosen(match[2]), name=match[1]))
        elif "=" in word or ";" in word or "@" in word:
            found.append(_chosen(word))
        else:
            raise InputError(f"unknown strategy '{word}'{nearest(word.lower(), (*_NAMED, 'all'))}; use lazy, eager, "
                             "optimal, all, a partition such as Opt1+=a;Opt3+=*, or a part's: relax@17:Opt3+=v")
    return tuple({s.name: s for s in found}.values())


def strategy_of_lines(lines: Iterable[str], name: str, file: str) -> str:
    """The text of the strategy that a file's lines say. Raises InputError with the line for one that says nothing."""
    clauses: list[str] = []
    for number, line in enumerate(lines, 1):
        if clause := line.partition("#")[0].strip():
            try:
                _chosen(clause)
            except InputError as error:
                raise InputError(error.message, Span(file, number, 1)) from error
            clauses.append(clause)
    if not clauses:
        raise InputError(f"no choice in {file}; a line says 'eager', 'Opt3+=v' or 'relax@17: Opt3+=v'")
    return f"{name}{{{';'.join(clauses)}}}"


def _pieces(text: str) -> list[str]:
    """Split at commas, but not in braces, nor at those of a partition's name lists: a piece that starts none continues
    the last."""
    pieces: list[str] = []
    for part in text.split(","):
        if pieces and (pieces[-1].count("{") > pieces[-1].count("}")
                       or ("=" in pieces[-1] and not _STARTS.match(part))):
            pieces[-1] += "," + part
        else:
            pieces.append(part)
    return pieces


def _chosen(text: str) -> Strategy:
    """A choice for all parts, and those for some."""
    every: list[str] = []
    of_part: dict[str, list[str]] = {}
    for clause in text.split(";"):
        match = _OF_PART.fullmatch(clause)
        if match and not match[2]:
            raise InputError(f"nothing is chosen for {match[1]} in strategy '{text}'; write lazy, eager or Opt3+=a")
        (of_part.setdefault(match[1].lower(), []) if match else every).append(match[2] if match else clause)
    by_part = {part: _alone(clauses, text) for part, clauses in of_part.items()}
    return replace(_alone(every, text), name=text, by_part=by_part)


def _alone(clauses: Iterable[str], text: str) -> Strategy:
    """Clauses that are for the same parts: a name, or the sides of a partition; lazy if there are none."""
    given = [clause.strip() for clause in clauses if clause.strip()]
    if not given:
        return LAZY
    if any(one.lower() in _NAMED for one in given):
        if len(given) > 1 or given[0].lower() == "optimal":
            raise InputError(f"strategy '{text}': {given[0] if len(given) == 1 else ' and '.join(given)} cannot be "
                             "chosen together with others; write lazy, eager or the sides of Opt1, Opt2, Opt3")
        return _NAMED[given[0].lower()]
    return _partition(given, text)


def _partition(clauses: Iterable[str], text: str) -> Strategy:
    sides: dict[str, frozenset[str]] = {}
    for clause in clauses:
        match = _ASSIGNMENT.fullmatch(clause)
        if match is None:
            raise InputError(f"cannot read '{clause}' in strategy '{text}'; write Opt1+=a,b or Opt3-=*")
        names = frozenset(n.strip().lower().replace(".", "%") for n in match[5].split(","))
        if "" in names:
            raise InputError(f"a name is missing in '{clause}' of strategy '{text}'")
        side = (match[1] or match[3].lower()) + (match[2] or match[4])
        sides[side] = sides.get(side, frozenset()) | names
    for number in "123":
        both = sides.get(number + "+", frozenset()) & sides.get(number + "-", frozenset())
        if both:
            raise InputError(f"strategy '{text}' puts {', '.join(sorted(both))} on both sides of Opt{number}")
    return Strategy(text, "partition", sides)
