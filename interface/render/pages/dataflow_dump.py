"""Data-flow problems for people and programs: the list, one with its sets beside the source, the table of the docs."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from snapset.analysis.dataflow.framework import DataFlowProblem
from snapset.analysis.dataflow.observation import SolvedProblem, at_the_end, remark, remarks
from snapset.analysis.problems import PROBLEMS
from snapset.documents.dataflow_documents import DataFlowDocument, NodeSetsDocument, SetsDocument, SolvedProblemDocument

Problem = type[DataFlowProblem[Any]]
_WIDEST = 60  # where the sets stand beside the source, at most


def listing() -> str:
    """One line a problem: name, direction, join, safe side, what it tells."""
    wide = max(map(len, PROBLEMS))
    return "".join(f"{name:{wide}}  {_manner(problem)}\n{'':{wide}}  {problem.summary()}\n"
                   for name, problem in PROBLEMS.items())  # fmt: skip


def listing_json() -> str:
    """The same as a JSON array."""
    return json.dumps([_about(problem) for problem in PROBLEMS.values()], indent=2, ensure_ascii=False) + "\n"


_PAGE = """\
# Data-flow problems

<!-- made by docs/generate.py: make docs -->

Every set in a report comes from one of these. Each is a class (`analysis/dataflow/framework.py`) that says its
direction, its join, which side is safe, and what one statement makes of a set; one solver
(`analysis/dataflow/solver.py`) does the rest. *Over-approximation* is safe where a set may hold too much,
*under-approximation* where it may hold too little. I is a statement, entry I and exit I are right before and right
after it in the order of execution, whatever way the analysis runs.

`snapset report FILE --head HEAD --dump NAME` prints one of them beside the source, `--dump list` this list, both also
with `--format json` (`snapset schema dataflow`):

```text
  y = x*x                 {x} -> {x, y}         before -> behind the statement
  do i = 1, n             init {..} -> {..}; test {..} -> {..}; step {..} -> {..}
```

Where an analysis tells apart the elements or the ages of an array (array kills, arrays private to an iteration), the
dump names the array if any of them is in the set. Of an analysis that is solved several times for the same code and
border, knowing more each time, it prints the last. Nothing in it comes from the cache.
Every analysis has a case in `tests/analysis/dataflow/cases`: Fortran with the sets beside each line.

"""


def page() -> str:
    """docs/dataflow.md"""
    return _PAGE + table()


def table() -> str:
    """The problems as Markdown, for the docs."""
    rows = ["| name | direction | join | safe side | module |", "|---|---|---|---|---|"]
    rows += [f"| [`{name}`](#{name}) | {p.direction.value} | {p.joining} | {p.safe.value} | `{_module(p)}` |"
             for name, p in PROBLEMS.items()]  # fmt: skip
    more = [f"### {name}\n\n{p.summary()}\n\n```text\n{p.equation()}\n```\n" for name, p in PROBLEMS.items()]
    return "\n".join([*rows, "", *more])


def text(problem: Problem, solved: Sequence[SolvedProblem]) -> str:
    """The problem, and each time it was solved the source with what holds before and behind each statement."""
    head = [f"{problem.name}: {_manner(problem)}", *(f"    {line}" for line in problem.equation().splitlines())]
    if not solved:
        head += ["", "No analysis of these heads asks for it."]
    return "\n".join([*head, *(line for one in solved for line in _beside(problem, one))]) + "\n"


def document(problem: Problem, solved: Sequence[SolvedProblem]) -> DataFlowDocument:
    """The same for programs."""
    return DataFlowDocument(**_about(problem), solved=[
        SolvedProblemDocument(
            code=one.code, part=None if one.part is None else list(one.part), boundary=_sets(one.boundary),
            nodes=[NodeSetsDocument(file=n.file, line=n.line, kind=n.kind, at_entry=_sets(n.at_entry),
                                    at_exit=_sets(n.at_exit)) for n in one.nodes])
        for one in solved])  # fmt: skip


def _beside(problem: Problem, solved: SolvedProblem) -> Iterator[str]:
    """The lines of one solution."""
    part = "" if solved.part is None else f" lines {solved.part[0]}-{solved.part[1]}"
    border = "exit" if at_the_end(problem) else "entry"
    yield ""
    yield f"{solved.code}{part}, at its {border} {remark(solved.boundary)}"
    said = remarks(solved)
    for file in dict.fromkeys(node.file for node in solved.nodes):
        lines = [line for name, line in said if name == file and line]
        source = _source(file)
        shown = [(line, source.get(line, "")) for line in range(min(lines), max(lines) + 1)]
        wide = min(_WIDEST, max(len(one) for _, one in shown))
        for line, one in shown:
            yield f"{line:5}  {one:{wide}}  {said.get((file, line), '')}".rstrip()
        if (file, 0) in said:
            yield f"{'':5}  {'':{wide}}  {said[file, 0]}"


def _source(file: str) -> dict[int, str]:
    """The lines of a file that is still there."""
    try:
        found = Path(file).read_text(errors="replace")
    except OSError:
        return {}
    return {number: line.expandtabs().rstrip() for number, line in enumerate(found.splitlines(), 1)}


def _sets(sets: Any) -> SetsDocument:
    return {name: list(one) for name, one in sets.items()}


def _manner(problem: Problem) -> str:
    return f"{problem.direction.value}, {problem.joining}, safe side {problem.safe.value}, {_module(problem)}"


def _about(problem: Problem) -> dict[str, Any]:
    return {"problem": problem.name, "direction": problem.direction.value, "join": problem.joining,
            "safe": problem.safe.value, "summary": problem.summary(), "equation": problem.equation(),
            "module": _module(problem)}  # fmt: skip


def _module(problem: Problem) -> str:
    """Where it stands, as a file of the repository."""
    return problem.__module__.removeprefix("snapset.").replace(".", "/") + ".py"
