"""Random programs through S, U and recomputation: every required value found again, the gradient store-all's.

    python -m tests.generators.fuzz_dag --programs 1000              random programs, as fuzz.py has them
    python -m tests.generators.fuzz_dag --programs 1000 --sections   straight-line code, elements under changing names
    python -m tests.generators.fuzz_dag --only 4711                  one program: its text, and what is wrong with it

Each program is run under the solved choice, the bounds and two random ones (dag_choices.py). Its number decides
everything.
"""

from __future__ import annotations

import argparse
import os
import sys
from concurrent.futures import ProcessPoolExecutor
from itertools import repeat
from random import Random

from snapset.analysis.activity.differentiation_head import find_procedure, parse_heads
from snapset.analysis.pipeline import prepare
from snapset.analysis.replay.dag.dag_experiment import PreparedReplay, replay_analysed
from snapset.analysis.replay.experiment.inputs import Inputs
from snapset.frontend.base.diagnostics import InputError
from snapset.frontend.load import load_text

from tests.generators import random_fortran
from tests.generators.dag.dag_choices import WAYS, choices
from tests.generators.sections import random_sections

CHUNK = 25
LIMIT = 5_000_000  # statements


def case(number: int, sections: bool) -> tuple[str, str, Inputs]:
    """The program of a number, its head and inputs."""
    random = Random(number)
    if sections:
        return random_sections.program(random), random_sections.HEAD, Inputs({"n": random.choice((3, 1, 0, 4))})
    return random_fortran.program(random), random_fortran.HEAD, Inputs(random_fortran.numbers(random))


def wrong(number: int, sections: bool) -> tuple[dict[str, str], int]:
    """What is wrong with a program, by way of choosing, and how many values were compared."""
    text, head_text, inputs = case(number, sections)
    (head,) = parse_heads(head_text)
    program = load_text(text, name=f"{number}.f90")
    try:
        analysis = prepare(program, head)
        ready = PreparedReplay(program, analysis, find_procedure(program, head).key, inputs, LIMIT)
    except InputError as error:
        return {"the program": str(error)}, 0
    found, compared = {}, 0
    for place, way in enumerate(WAYS):
        run = replay_analysed(ready, choices(analysis, way, Random(f"{number} {place}")))
        compared += run.compared
        if not run.equal:
            found[f"{way} ({place})"] = run.error or f"lost {dict(run.lost)}, gradient off by {run.largest:.1e}"
    return found, compared


def several(first: int, count: int, sections: bool) -> tuple[list[tuple[int, dict[str, str]]], int]:
    """The programs of a range that go wrong, and how many values were compared."""
    bad, total = [], 0
    for number in range(first, first + count):
        found, compared = wrong(number, sections)
        total += compared
        if found:
            bad.append((number, found))
    return bad, total


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=int, default=1000, metavar="N")
    parser.add_argument("--first", type=int, default=0, metavar="NUMBER")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--sections", action="store_true")
    parser.add_argument("--only", type=int, metavar="NUMBER")
    given = parser.parse_args()
    if given.only is not None:
        found, _ = wrong(given.only, given.sections)
        print(f"{case(given.only, given.sections)[0]}! {found or 'nothing wrong'}")
        return int(bool(found))
    starts = range(given.first, given.first + given.programs, CHUNK)
    sizes = [min(CHUNK, given.first + given.programs - start) for start in starts]
    failed = total = 0
    with ProcessPoolExecutor(given.jobs) as pool:
        for bad, compared in pool.map(several, starts, sizes, repeat(given.sections)):
            failed, total = failed + len(bad), total + compared
            for number, what in bad:
                print(f"program {number}: {what}", flush=True)
    print(f"programs {given.first} to {given.first + given.programs - 1}, each under {len(WAYS)} choices: "
          f"{total} required values compared, {failed} programs wrong")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
