"""Procedures without source as the peer takes them: they read and write their arguments, and nothing else, and what
needs none of these does not run them; of those in its library files it knows which.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from snapset.analysis.external.declared_effects import from_library
from snapset.frontend import ir
from snapset.frontend.ir.statement_walk import statements


def arguments_only(program: ir.Program) -> Mapping[str, str]:
    """A declaration, as of the project file, for every procedure that is called by name and has no source."""
    widest: dict[str, int] = {}
    for procedure in program.procedures.values():
        for stmt in statements(procedure.body):
            if isinstance(stmt, ir.Call) and not stmt.targets and not stmt.intrinsic and stmt.via == "name" \
                    and from_library(stmt.name) is None:
                widest[stmt.name] = max(widest.get(stmt.name, 0), len(stmt.args))
    return {name: " ".join(["inout"]*count + ["skippable"]) for name, count in sorted(widest.items())}


def described(library: str) -> Mapping[str, str]:
    """The external procedures of a library file of the peer's (option -ext), declared as in the project file.

    ``shape`` lists the arguments, and four lines say of each with 1 what may happen to it.
    """
    found: dict[str, str] = {}
    for block in re.split(r"^(?=(?:subroutine|function)\s)", library, flags=re.MULTILINE):
        heading = re.match(r"(?:subroutine|function)\s+(\w+)\s*:", block)
        shape = re.search(r"^\s*shape:\s*\((.*)\)", block, re.MULTILINE)
        if heading is None or shape is None or not re.search(r"^\s*external", block, re.MULTILINE):
            continue
        params = [place for place, one in enumerate(shape[1].split(",")) if one.strip().startswith("param")]
        read = _flags(block, "ReadNotWritten") | _flags(block, "ReadThenWritten")
        written = _flags(block, "NotReadThenWritten") | _flags(block, "ReadThenWritten")
        words = [_WORDS[place in read, place in written] for place in params]
        found[heading[1].lower()] = " ".join([*words, "skippable"])
    return found


_WORDS = {(True, True): "inout", (True, False): "in", (False, True): "out", (False, False): "none"}


def _flags(block: str, name: str) -> frozenset[int]:
    """The places with a 1."""
    match = re.search(rf"^\s*{name}:\s*\(([01, ]*)\)", block, re.MULTILINE)
    return frozenset() if match is None else frozenset(i for i, one in enumerate(match[1].split(",")) if "1" in one)


def project_file(effects: Mapping[str, str]) -> str:
    """The text of a snapset.toml that declares them."""
    return "[effects]\n" + "".join(f'{name} = "{words}"\n' for name, words in effects.items())
