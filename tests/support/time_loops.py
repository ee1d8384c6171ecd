"""The corpus's time loops: where each is, what the head is, and inputs that run it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from snapset.analysis.loops.loop_analysis import LoopAnalysis, analyse_loop
from snapset.analysis.pipeline import AnalysisOptions
from snapset.frontend.interprocedural.marked_loops import mark_loop
from snapset.frontend.ir import Program
from snapset.library.analysis import load, parse_heads

from tests.support.corpus import CORPUS


@dataclass(frozen=True)
class CorpusLoop:
    """``inputs``: as --set has them."""

    head: str
    line: int
    inputs: tuple[str, ...] = ("n=8", "nt=7")


LOOPS = {
    "loop_explicit": CorpusLoop("heat(u)>(cost)", 10),
    "loop_burgers_ab2": CorpusLoop("burg(u,nu)>(cost)", 12),
    "loop_ab3": CorpusLoop("gyre(zeta)>(cost)", 12, ("nt=5",)),
    "loop_leapfrog": CorpusLoop("leap(now,old)>(cost)", 9),
    "loop_swap_pointer": CorpusLoop("swapped(a,b)>(cost)", 11),
    "loop_accumulate": CorpusLoop("accum(u)>(cost)", 9),
    "loop_long_range": CorpusLoop("distant(u)>(cost)", 10, ("n=4", "nt=8")),
    "loop_implicit": CorpusLoop("stiff(u)>(cost)", 9),
    "loop_small_d": CorpusLoop("tracers(t,w)>(cost)", 9),
    "loop_while": CorpusLoop("adaptive(u)>(cost)", 10, ("n=4", "tend=0.3")),
    "loop_exit": CorpusLoop("relaxed(u)>(cost)", 9, ("n=4", "nt=9")),
    "loop_forced": CorpusLoop("forced(u,force)>(cost)", 9),
    "loop_varying": CorpusLoop("grows(u)>(cost)", 8),
    "loop_nested_call": CorpusLoop("twice(x)>(y)", 16, ("n=6", "nt=5")),
    "loop_module_state": CorpusLoop("run(x)>(y)", 23, ("nt=6",)),
}


def file_of(name: str) -> str:
    return str(CORPUS / f"{name}.f90")


def analysed(name: str) -> LoopAnalysis:
    """A loop of the corpus, in its only adjoint code."""
    one = LOOPS[name]
    return loop_of([file_of(name)], one.head, one.line)


def loop_of(files: list[str], head: str, line: int, options: AnalysisOptions | None = None) -> LoopAnalysis:
    """The loop that begins in a line of the last file."""
    program, place = mark_loop(load(files, heads=[head]), files[-1], line)
    (found,) = analyse_loop(program, parse_heads([head])[0], place, options or AnalysisOptions())
    return found


def written(tmp_path: Path, text: str) -> str:
    """A file with a text."""
    path = tmp_path / "t.f90"
    path.write_text(text)
    return str(path)


def marked(file: str, head: str, line: int) -> Program:
    """The program with the loop as a part."""
    return mark_loop(load([file], heads=[head]), file, line)[0]
