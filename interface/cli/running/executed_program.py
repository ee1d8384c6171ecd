"""The program of a command that runs it: all its heads are looked at before the first one runs.

``snapset replay relax.f90 --head 'relax(x)>(y)' --head 'relax(z)>(y)'`` tells at once that there is no z.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from snapset.library import analysis

if TYPE_CHECKING:
    from snapset.analysis.activity.differentiation_head import Head
    from snapset.config.settings import Settings
    from snapset.frontend.ir import Program


def program_to_run(settings: Settings, heads: Sequence[Head], no_head: Callable[[Program], Exception]) -> Program:
    """What the heads reach of the settings' files. Raises InputError for what cannot be read and for a head that does
    not fit the program, ``no_head`` where there is none."""
    program = analysis.load(settings.files, settings.read, regions=settings.regions, heads=settings.heads,
                            effects=settings.choices.effects)
    if not heads:
        raise no_head(program)
    check_heads(program, heads, settings)
    return program


def check_heads(program: Program, heads: Sequence[Head], settings: Settings) -> None:
    """Raises InputError for the first of several heads that does not fit; one alone says so itself as soon as it is
    looked at."""
    if len(heads) < 2:
        return
    from snapset.analysis.pipeline import HeadAnalysis

    options = analysis.analysis_options(settings.choices)
    for head in heads:
        HeadAnalysis(program, head, (), options).arguments()
