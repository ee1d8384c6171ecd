"""Which files of tests have most to do with a change: those that name what is changed or are named like it, and those
that were committed together with it.

    analysis/sections/entry_forms.py     tests/analysis/loops/test_planes.py, three times of five
"""

from __future__ import annotations

import subprocess
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from functools import cache
from pathlib import Path

from benchmarks.mutants.changes import Mutant
from benchmarks.mutants.rooms import FIRST, ROOT

NEAR = 4
COMMITS = 1500  # that are looked at, the latest


def nearest(mutant: Mutant, files: Collection[Path]) -> Sequence[Path]:
    """At most four files; none of the tests that are asked first."""
    module = mutant.module.rpartition(".")[2]
    words = {*module.split("_"), *mutant.module.split(".")[-2:-1]}
    names = [name for name in mutant.function.split(".") if len(name) > 5]
    together = committed_together().get("/".join(mutant.module.split(".")[1:]) + ".py", Counter())

    def score(path: Path) -> float:
        text, place = text_of(path), path.relative_to(ROOT).as_posix()
        return (2*len(words & {*path.stem.split("_"), path.parent.name}) + 5*(module in text)
                + 2*sum(name in text for name in names) + 5*together[place])

    others = (path for path in files if not path.relative_to(ROOT).as_posix().startswith(FIRST))
    return sorted(others, key=lambda path: (-score(path), path))[:NEAR]


@cache
def text_of(path: Path) -> str:
    return path.read_text()


@cache
def committed_together() -> Mapping[str, Counter[str]]:
    """By source the files of tests that were changed with it; one that is among many counts less. Nothing without a
    repository's history."""
    listed = subprocess.run(["git", "log", f"-{COMMITS}", "--no-merges", "--format=%x00", "--name-only", "--",
                             "analysis", "frontend", "tests"], cwd=ROOT, capture_output=True, text=True, check=False)
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for commit in listed.stdout.split("\0"):
        paths = commit.split()
        tests = [path for path in paths if "/test_" in path]
        for source in (path for path in paths if not path.startswith("tests/")):
            for test in tests:
                found[source][test] += 1/len(tests)
    return found
