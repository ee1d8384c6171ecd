"""Where a result is written: a directory that is there, and no file that it is made from."""

from __future__ import annotations

import os
from collections.abc import Iterable

from snapset.frontend.base.diagnostics import InputError


def check_directory(output: str | None) -> None:
    """Raises InputError where there is none, before anything is worked out; or where the name is a directory's."""
    if output is not None and not os.path.isdir(os.path.dirname(os.path.abspath(output))):
        raise InputError(f"--output {output}: there is no directory {os.path.dirname(output)}")
    if output is not None and os.path.isdir(output):
        raise InputError(f"--output {output}: that is a directory; give the name of a file")


def spare(output: str | None, files: Iterable[str]) -> None:
    """Raises InputError where the result would take the place of what is read. Empty names are none."""
    if output is not None and os.path.realpath(output) in {os.path.realpath(one) for one in files if one}:
        raise InputError(f"--output {output}: that file is read; give another name")
