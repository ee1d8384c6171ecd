"""Mutants that no test can tell from the original, each with the reason: the lines of ``equivalent.tsv``."""

from __future__ import annotations

from pathlib import Path

from benchmarks.mutants.changes import Mutant

FILE = Path(__file__).with_name("equivalent.tsv")


def equivalents(file: Path = FILE) -> dict[tuple[str, str, str], str]:
    """Module, function and change, and why it makes no difference."""
    lines = [line for line in file.read_text().splitlines() if line and not line.startswith("#")]
    return {(module, function, what): why
            for module, function, what, why in (line.split("\t") for line in lines)}


def key(mutant: Mutant) -> tuple[str, str, str]:
    return mutant.module.removeprefix("snapset.").removeprefix("analysis."), mutant.function, mutant.what
