"""The corpus: small Fortran programs and, beside each, ``NAME.expected``, the sets derived by hand.

One block per part, a line per set, ``#`` starts a comment::

    head: burgers(u)>(cost)
    part burgers@13 region lines 13-18
      use_c     dt n nu u
      out_c has flux u
      lazy      snp: u | sbk: | req_d: nu | req_c:
      tape lazy D: 20 nu
      diagnostic SN101 line 12

A set without its line is not checked, ``has`` asks only for what it names. Of two names of one storage,
written ``a~b``, either will do. A part's ``diagnostic`` lines are complete: those and no others say what
a second run would do differently. All parts are listed, unless a line says ``parts: some``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from snapset.analysis.results import HeadResult, Part, Solution

from tests.support.paths import ROOT

CORPUS = ROOT / "corpus"
SETS = ("req", "use_c", "out_c", "use_cbar", "out_cbar", "use_dbar", "out_dbar", "intact")
OPTIONS = ("snp0", "opt1", "opt2", "opt3")
FIELDS = ("snp", "sbk", "req_d", "req_c")
RUNS_TWICE = re.compile(r"SN1\d\d|SN60[12]")


@dataclass(frozen=True)
class Check:
    """One comparable fact: ``key`` names it, ``items`` is what is expected; ``has``: at least these."""

    key: str
    items: frozenset[str]
    has: bool = False


@dataclass(frozen=True)
class ExpectedPart:
    """A block of an expected file. ``title`` is its first line in canonical words."""

    id: str
    title: str
    checks: tuple[Check, ...]


@dataclass(frozen=True)
class Expected:
    """A whole expected file. ``complete``: the tool may report no further parts."""

    head: str
    parts: tuple[ExpectedPart, ...]
    complete: bool = True


def names_of(text: str) -> frozenset[str]:
    return frozenset(text.split())


def entries_of(text: str) -> frozenset[str]:
    """``20 nu, 22 s`` as the entries ``20 nu`` and ``22 s``."""
    return frozenset(" ".join(entry.split()) for entry in text.split(",") if entry.strip())


def parse_line(line: str) -> tuple[Check, ...]:
    """The checks that one line of a block asks for. Raises ValueError on a line it does not know."""
    key, _, rest = line.partition(" ")
    if key == "diagnostic":
        code, word, number = rest.split()
        if word != "line":
            raise ValueError(f"not a diagnostic line: {line}")
        return (Check("diagnostics", frozenset({f"{code} line {number}"})),)
    if key == "tape":
        where, _, entries = rest.partition(":")
        return (Check(f"tape {where.strip()}", entries_of(entries)),)
    has = rest.strip().startswith("has ")
    rest = rest.strip().removeprefix("has ") if has else rest
    if key in SETS or key in OPTIONS:
        return (Check(key, names_of(rest), has),)
    checks = []
    for piece in rest.split("|"):
        field, colon, names = piece.partition(":")
        if not colon or field.strip() not in FIELDS:
            raise ValueError(f"not a line of an expected file: {line}")
        checks.append(Check(f"{key} {field.strip()}", names_of(names), has))
    return tuple(checks)


def split_comment(line: str) -> str:
    return line.split("#", 1)[0].rstrip()


def blocks_of(text: str) -> tuple[list[str], list[list[str]]]:
    """The lines before the first part, and the lines of each part, comments gone."""
    preamble: list[str] = []
    blocks: list[list[str]] = []
    for line in filter(None, (split_comment(line) for line in text.splitlines())):
        if line.startswith("part "):
            blocks.append([line])
        elif blocks:
            blocks[-1].append(line.strip())
        else:
            preamble.append(line)
    return preamble, blocks


def parse_block(lines: list[str]) -> ExpectedPart:
    title = " ".join(lines[0].split()[1:])
    checks = [check for line in lines[1:] for check in parse_line(line)]
    said = frozenset[str]().union(*(check.items for check in checks if check.key == "diagnostics"))
    others = tuple(check for check in checks if check.key != "diagnostics")
    return ExpectedPart(title.split()[0], title, (*others, Check("diagnostics", said)))


def parse_expected(text: str) -> Expected:
    """Reads an expected file. Raises ValueError on a line that means nothing or a missing head."""
    preamble, blocks = blocks_of(text)
    heads = [line.removeprefix("head:").strip() for line in preamble if line.startswith("head:")]
    if len(heads) != 1:
        raise ValueError("an expected file starts with one 'head:' line")
    return Expected(heads[0], tuple(map(parse_block, blocks)), "parts: some" not in preamble)


# ---------------------------------------------------------------- what the tool answered, in the same words


def title_of(part: Part) -> str:
    words = [part.id, part.kind, f"lines {part.first_line}-{part.last_line}"]
    if part.callee is not None:
        words.append(f"callee {part.callee.rsplit('::', 1)[-1]}")
    if part.parent is not None:
        words.append(f"parent {part.parent}")
    return " ".join(words)


def tape_of(solution: Solution, where: str) -> frozenset[str]:
    return frozenset(f"{entry.line} {entry.location}" for entry in solution.tape if entry.part == where)


def answer(part: Part, key: str) -> frozenset[str]:
    """What the tool says about ``key``: a set's name, ``lazy snp``, ``tape lazy D`` or ``diagnostics``."""
    if key in SETS:
        return frozenset(getattr(part.sets, key))
    if key in OPTIONS:
        return frozenset(getattr(part.options, key))
    if key == "diagnostics":
        ours = (said for said in part.diagnostics if RUNS_TWICE.fullmatch(said.code))
        return frozenset(f"{said.code} line {said.span.line}" for said in ours)
    words = key.split()
    if words[0] == "tape":
        return tape_of(part.solutions[words[1]], words[2])
    return frozenset(getattr(part.solutions[words[0]], words[1]))


def matches(check: Check, got: frozenset[str]) -> bool:
    """Whether ``got`` is what ``check`` expects; ``a~b`` stands for a, b or both."""
    left = set(got)
    for item in check.items:
        alternatives = set(item.split("~"))
        if not alternatives & got:
            return False
        left -= alternatives
    return check.has or not left


def show(items: frozenset[str]) -> str:
    return " ".join(sorted(items)) if not any(" " in item for item in items) else ", ".join(sorted(items))


def complaint(check: Check, got: frozenset[str]) -> str:
    plain = {name for item in check.items for name in item.split("~")}
    lines = [f"  {check.key}: expected {'at least ' if check.has else ''}{{{show(check.items)}}}, got {{{show(got)}}}"]
    if missing := check.items - got:
        lines.append(f"      missing: {show(frozenset(missing))}")
    if (extra := got - plain) and not check.has:
        lines.append(f"      not expected: {show(frozenset(extra))}")
    return "\n".join(lines)


def complaints_about(expected: ExpectedPart, part: Part) -> list[str]:
    found = [complaint(check, got) for check in expected.checks if not matches(check, got := answer(part, check.key))]
    if sorted(title_of(part).split()) != sorted(expected.title.split()):
        found.insert(0, f"  expected 'part {expected.title}', got 'part {title_of(part)}'")
    return [f"part {expected.id}", *found] if found else []


def compare(expected: Expected, result: HeadResult) -> list[str]:
    """Everything that differs, as lines to print; [] when the tool agrees."""
    parts = {part.id: part for part in result.parts}
    lines: list[str] = []
    for block in expected.parts:
        if block.id in parts:
            lines += complaints_about(block, parts[block.id])
        else:
            lines.append(f"part {block.id} is missing; the tool reports {', '.join(parts) or 'none'}")
    if expected.complete:
        lines += [f"part {id} is not expected" for id in parts if id not in {block.id for block in expected.parts}]
    return lines


# ---------------------------------------------------------------- writing the tool's answer into the file


def rewrite_line(line: str, part: Part) -> str | None:
    """The same line with the tool's answer; None drops it (``has`` and ``a~b`` lines stay as they are)."""
    checks = parse_line(split_comment(line).strip())
    key = checks[0].key
    if key == "diagnostics":
        return None
    if all(check.has or matches(check, answer(part, check.key)) for check in checks):
        return line
    if key.startswith("tape"):
        return f"  {key}: {', '.join(sorted(answer(part, key), key=lambda entry: int(entry.split()[0])))}".rstrip()
    if len(checks) == 1 and " " not in key:
        return f"  {key:<9} {show(answer(part, key))}".rstrip()
    fields = (f"{check.key.split()[1]}: {show(answer(part, check.key))}".rstrip() for check in checks)
    return f"  {key.split()[0]:<9} {' | '.join(fields)}"


def rewrite(text: str, result: HeadResult) -> str:
    """``text`` with every block's lines brought to the tool's answer; parts it no longer reports go."""
    parts = {part.id: part for part in result.parts}
    out: list[str] = []
    part: Part | None = None
    kept = True

    def close() -> None:
        if part is not None:
            said = sorted(answer(part, "diagnostics"), key=lambda item: (int(item.split()[-1]), item))
            out.extend(f"  diagnostic {item}" for item in said)

    for line in text.splitlines():
        if line.startswith("part "):
            close()
            part = parts.get(line.split()[1])
            kept = part is not None
            if part is not None:
                out.append(f"part {title_of(part)}")
        elif part is None or not split_comment(line).strip():
            if kept:
                out.append(line)
        elif (new := rewrite_line(line, part)) is not None:
            out.append(new)
    close()
    return "\n".join(out) + "\n"
