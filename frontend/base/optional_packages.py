"""Packages that only some of the work needs: they come with an extra of the installation, ``snapset[proof]``."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from snapset.frontend.base.diagnostics import InputError


def optional(package: str, extra: str, what: str) -> Any:
    """The package. Raises InputError where it is not installed; the message names ``what`` needs it, and the extra."""
    try:
        return import_module(package)
    except ModuleNotFoundError as error:
        if error.name != package:
            raise
        raise InputError(f"{what} needs {package}, which is not installed: pip install 'snapset[{extra}]'") from None
