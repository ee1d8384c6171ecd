"""What a hand-written adjoint gives when gfortran compiles it: the judge of what is superfluous and what is needed."""

from __future__ import annotations

import subprocess
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.analysis.comparison.adjoint_cases import AdjointCase
from tests.oracles.gfortran_programs import commands, compile_program
from tests.support.paths import ROOT

STACK = ROOT / "benchmarks" / "peer" / "adstack.c"


def gradient(case: AdjointCase, adjoint: str, folder: Path) -> str:
    """The bits of the gradient, or why there is none (a stack that does not fit ends the run)."""
    folder.mkdir(parents=True)
    (folder / "all.f90").write_text("\n".join((case.original, adjoint, case.driver)))
    refused = compile_program(folder, "run", ("all.f90", f"{stack().name}/stack.o"), ("-O0", "-w"))
    assert not refused, refused
    (command,) = commands(folder / "run", [()])
    done = subprocess.run(command, capture_output=True, text=True, timeout=20, check=False)
    return done.stdout if done.returncode == 0 else f"stopped: {done.stderr}"


@cache
def stack() -> TemporaryDirectory[str]:
    """Where the compiled stack is, as long as the tests run."""
    folder = TemporaryDirectory()
    subprocess.run(["gfortran", "-O1", "-w", "-fPIC", "-c", str(STACK), "-o", f"{folder.name}/stack.o"], check=True,
                   timeout=60)
    return folder


def without(adjoint: str, first: int) -> str:
    """The adjoint without the PUSH in a line and its POP: of the k PUSHes of that designator in its procedure, the POP
    as far from the end of the POPs."""
    lines = adjoint.splitlines(keepends=True)
    texts = [line.partition("!")[0].strip() for line in lines]
    begin = max(n for n in range(first) if texts[n].startswith("subroutine"))
    end = next(n for n in range(first, len(texts)) if texts[n].startswith("end subroutine"))
    pushed = texts[first - 1]
    pushes = [n for n in range(begin, end) if texts[n] == pushed]
    pops = [n for n in range(begin, end) if texts[n] == pushed.replace("push", "pop")]
    gone = {first - 1, pops[len(pushes) - 1 - pushes.index(first - 1)]}
    return "".join(line for n, line in enumerate(lines) if n not in gone)
