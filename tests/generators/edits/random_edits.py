"""The realistic programs and the corpus with one to four random edits each.

For example ``f(i) = f(i) + q*d`` of a tridiagonal solver is copied behind the loop's next statement, its left side
becomes that of another statement, and ``!$AD CHECKPOINT-START`` and ``-END`` stand around some lines. Each source is
what a person wrote; an edit makes code of the same kind whose order nobody thought of. Some of these programs stop on
their inputs or read what is undefined: they prove nothing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from random import Random

from tests.generators.edits.statement_lines import (
    ASSIGNMENT,
    CONDITION,
    OPERAND,
    blocks,
    bodies,
    free_statements,
    is_comment,
    is_free,
)

ROOT = Path(__file__).resolve().parents[3]
HEAD = ""  # each program has its own, in its first line
LOCATIONS = ()  # those of the text
UNSAFE = ("adaptive_grid", "random", "timer")  # long; what runs twice gives other numbers
TOLD = re.compile(r"^head:\s*(.+?)\s*(#|$)", re.MULTILINE)
HEAD_LINE = "! head: "


@cache
def sources() -> tuple[tuple[Path, str], ...]:
    """Files and their heads. Not those of message passing, which need ranks."""
    found = list[tuple[Path, str]]()
    for path in sorted([*(ROOT/"benchmarks/realistic").iterdir(), *(ROOT/"corpus").iterdir()]):
        if path.suffix in (".f", ".f90") and path.stem not in UNSAFE and "mpi" not in path.stem:
            head, expected = path.with_suffix(".head"), path.with_suffix(".expected")
            if head.exists():
                found.append((path, head.read_text().strip()))
            elif expected.exists() and (told := TOLD.search(expected.read_text())):
                found.append((path, told[1]))
    return tuple(found)


def numbers(random: Random) -> Mapping[str, int]:
    """None: the inputs are those that a replay chooses."""
    return {}


def program(random: Random) -> str:
    """One of the sources, edited; its head in the first line."""
    path, head = random.choice(sources())
    lines = free_statements(path.read_text(), path.suffix == ".f")
    for _ in range(random.randrange(1, 5)):
        if places := bodies(lines):
            random.choice(EDITS)(lines, random.choice(places), random)
    return "\n".join([f"{HEAD_LINE}{head}", *lines]) + "\n"


def mark(lines: list[str], body: range, random: Random) -> None:
    """Some statements become a checkpointed part."""
    if found := blocks(lines, body):
        part = random.choice(found)
        lines[part.start:part.stop] = ["!$AD CHECKPOINT-START", *lines[part.start:part.stop], "!$AD CHECKPOINT-END"]


def repeat(lines: list[str], body: range, random: Random) -> None:
    """A whole loop or IF runs twice."""
    if found := [part for part in blocks(lines, body) if len(part) > 1]:
        part = random.choice(found)
        lines[part.stop:part.stop] = lines[part.start:part.stop]


def swap(lines: list[str], body: range, random: Random) -> None:
    """Two statements change places."""
    if len(free := [at for at in body if is_free(lines[at])]) > 1:
        k = random.randrange(len(free) - 1)
        lines[free[k]], lines[free[k + 1]] = lines[free[k + 1]], lines[free[k]]


def copy(lines: list[str], body: range, random: Random) -> None:
    """A statement stands in a second place, too."""
    if free := [at for at in body if is_free(lines[at])]:
        taken, at = lines[random.choice(free)], random.choice(free) + random.randrange(2)
        lines[at:at] = [taken]


def guard(lines: list[str], body: range, random: Random) -> None:
    """A statement runs under a condition of another one."""
    free = [at for at in body if is_free(lines[at]) and "\n" not in lines[at]]
    tests = [found["test"] for at in body if (found := CONDITION.match(lines[at].strip())) and "\n" not in lines[at]]
    if free and tests:
        at = random.choice(free)
        lines[at] = f"    if {random.choice(tests)} {lines[at].strip()}"


def retarget(lines: list[str], body: range, random: Random) -> None:
    """A statement writes what another one writes."""
    if assigned := _assignments(lines, body):
        at, one = random.choice(assigned)
        _, theirs = random.choice(assigned)
        lines[at] = f"    {theirs['target']} = {one['value']}"


def operand(lines: list[str], body: range, random: Random) -> None:
    """A statement reads what another one reads or writes."""
    if assigned := _assignments(lines, body):
        at, one = random.choice(assigned)
        _, theirs = random.choice(assigned)
        if mine := list(OPERAND.finditer(one["value"])):
            place = random.choice(mine)
            new = random.choice([theirs["target"], *(found[0] for found in OPERAND.finditer(theirs["value"]))])
            written = any(_name(other["target"]) == _name(new) for _, other in assigned)
            seen = re.compile(rf"\b{re.escape(_name(new))}\b", re.IGNORECASE)
            if written and not any(seen.search(lines[before]) for before in body if before < at):
                return  # a function's result, a local variable, what is INTENT(OUT) would be read before it is defined
            lines[at] = f"    {one['target']} = {one['value'][:place.start()]}{new}{one['value'][place.end():]}"


EDITS = (mark, mark, mark, repeat, swap, copy, copy, guard, retarget, operand, operand)


def _name(ref: str) -> str:
    return ref.partition("(")[0].partition("%")[0].strip().lower()


def _assignments(lines: list[str], body: range) -> list[tuple[int, re.Match[str]]]:
    return [(at, found) for at in body if not is_comment(lines[at]) and (found := ASSIGNMENT.match(lines[at].strip()))]
