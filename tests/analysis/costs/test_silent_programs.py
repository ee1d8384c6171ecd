"""A program that communicates nothing pays nothing for what is known of messages: counted in calls, not in seconds."""

from __future__ import annotations

import gc
import subprocess
import sys
from collections import Counter
from types import FrameType
from typing import Any

import pytest
from snapset import analyse
from snapset.frontend.ir.statement_walk import statements
from snapset.frontend.load import load_program, load_text

from tests.support.corpus import CORPUS, parse_expected
from tests.support.message_patterns import PATTERNS
from tests.support.message_programs import fortran_of

SILENT = ("burgers_region", "recursion", "loop_leapfrog")
ASKED = {"known_call", "is_message_passing", "starts_messages", "prepared_buffers", "prepares_unknown",
         "completed_requests", "prepares_messages", "foreign_starts"}
"""What may be asked of one statement: is it a call of MPI? And once of all: does any start a message?"""


def entered(program: Any, head: str) -> Counter[str]:
    """The functions of the room of messages that an analysis enters, and how often."""
    found: Counter[str] = Counter()

    def hook(frame: FrameType, event: str, arg: Any) -> None:
        if event == "call" and "/analysis/messages/" in frame.f_code.co_filename:
            found[frame.f_code.co_name] += 1

    gc.collect()  # what earlier tests left unfinished ends now, not while it is looked at
    sys.setprofile(hook)
    try:
        analyse(program, head)
    finally:
        sys.setprofile(None)
    return found


@pytest.mark.parametrize("name", SILENT)
def test_only_calls_are_looked_at(name: str) -> None:
    (file,) = CORPUS.glob(f"{name}.f*")
    program = load_program([str(file)])
    head = parse_expected((CORPUS / f"{name}.expected").read_text()).head
    analyse(program, head)  # what is imported, and made once, is not counted
    found = entered(program, head)
    every = sum(1 for one in program.procedures.values() for _ in statements(one.body))
    assert {one for one in found if not one.startswith("<")} <= ASKED
    assert sum(found.values()) <= 4*every


def test_a_program_that_communicates_is_followed() -> None:
    """Else the test above could not fail."""
    program = load_text(fortran_of(PATTERNS["halo"]))
    assert "static_messages" in entered(program, "model(x)>(y)")


def test_nothing_of_it_is_imported() -> None:
    code = ("import sys; from snapset.cli.main import main; main(sys.argv[1:]); rooms = 'snapset.analysis.messages.', "
            "'snapset.analysis.replay.ranks'; "
            "print(sorted(one for one in sys.modules if one.startswith(rooms)), file=sys.stderr)")
    words = [str(CORPUS / "burgers_region.f90"), "--head", "burgers(u)>(cost)", "--quiet"]
    done = subprocess.run([sys.executable, "-c", code, "report", *words], capture_output=True, text=True, timeout=120,
                          check=True)
    names = [one.strip(" '\n[]").rpartition(".")[2] for one in done.stderr.split(",")]
    assert set(names) <= {"mpi_calls", "foreign_starts"}
