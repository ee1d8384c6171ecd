"""Cases of data-flow analyses: Fortran with the sets beside each line, as comments.

``y = x*x  !> {x} -> {x, y}`` says what holds before and behind the statement; a line that is several evaluations has
them one after another (``init ..; test ..; step ..``), and what holds where the procedure ends stands at its END. The
first lines say what is solved::

    ! analysis: varied
    ! head: s(x)>(y)
    ! code: s              the adjoint code whose sets these are
    ! part: 7-11           of its marked part there ("none": of the procedure itself; default: of the first one solved)
    ! boundary: {x}        solved from there
    ! options: --recompute

Of several solutions that fit, the first is the one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from snapset.analysis.dataflow.observation import SolvedProblem, remark, remarks
from snapset.frontend.load import load_text
from snapset.library.analysis import Choices, parse_heads
from snapset.library.dataflow import solved_problems

CASES = Path(__file__).resolve().parent / "cases"
_OPTIONS = {"--recompute": {"recompute": True}, "--split f": {"split": ("f",)}}


@dataclass(frozen=True)
class Case:
    """A case file. ``expected``: by line what stands behind ``!>``."""

    path: Path
    text: str
    given: dict[str, str]
    expected: dict[int, str]


def read(path: Path) -> Case:
    """A case file, its comments taken out of the program."""
    given = dict(re.findall(r"^! (\w+): (.+)$", path.read_text(), re.MULTILINE))
    lines, expected = [], {}
    for number, line in enumerate(path.read_text().splitlines(), 1):
        code, _, said = line.partition("!>")
        lines.append(code.rstrip())
        if said:
            expected[number] = said.strip()
    return Case(path, "\n".join(lines) + "\n", given, expected)


def found(case: Case) -> dict[int, str]:
    """What the analysis says beside each line of the case."""
    options = _OPTIONS[case.given["options"]] if "options" in case.given else {}
    program = load_text(case.text, name="case.f90")
    choices = Choices(strategies="lazy", **options)
    every = solved_problems(program, parse_heads([case.given["head"]]), choices, case.given["analysis"])
    one = next((one for one in every if fits(one, case.given)), None)
    assert one is not None, [(other.code, other.part, remark(other.boundary)) for other in every]
    said = {line: text for (_, line), text in remarks(one).items()}
    if 0 in said:
        lines = case.text.splitlines()
        last = max(said)
        said[next(n for n in range(last + 1, len(lines) + 1) if lines[n - 1].startswith("end"))] = said.pop(0)
    return said


def fits(one: SolvedProblem, given: dict[str, str]) -> bool:
    part = "none" if one.part is None else f"{one.part[0]}-{one.part[1]}"
    return (one.code == given["code"] and given.get("part", part) == part
            and given.get("boundary", remark(one.boundary)) == remark(one.boundary))
