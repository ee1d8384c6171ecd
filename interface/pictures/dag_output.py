"""``--graph FILE.svg`` or ``FILE.dot``: the graphs of every region."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from snapset import atomic_file
from snapset.frontend.base.diagnostics import InputError

if TYPE_CHECKING:
    from snapset.analysis.dag.fortran.solved_levels import HeadRegions

KINDS = (".svg", ".dot", ".gv")


def check(path: str) -> None:
    """Raises InputError, before anything runs, for a picture that could not be written."""
    if Path(path).suffix.lower() not in KINDS:
        raise InputError(f"--graph {path}: give a name that ends in .svg, or in .dot for Graphviz")
    if not Path(path).absolute().parent.is_dir():
        raise InputError(f"--graph {path}: there is no directory {Path(path).parent}")


def save(path: str, results: Sequence[HeadRegions]) -> None:
    """Write the whole file or nothing. Raises OSError where it cannot be written."""
    if Path(path).suffix.lower() == ".svg":
        from snapset.pictures import dag_svg

        text = dag_svg.draw(results)
    else:
        from snapset.pictures import dag_graphviz

        text = dag_graphviz.write(results)
    atomic_file.save(Path(path), text, "picture")
