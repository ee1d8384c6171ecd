"""Intrinsic subroutines: what they leave behind. Functions are in :mod:`snapset.frontend.ir.intrinsic_table`."""

from __future__ import annotations

RECEIVING = frozenset((
    "random_number", "cpu_time", "system_clock", "date_and_time", "get_command", "get_command_argument",
    "get_environment_variable",
))
"""Those that only give values to their arguments: ``call cpu_time(t)``."""

STATELESS = (RECEIVING - {"random_number"}) | {"move_alloc", "mvbits"}
"""Those that leave nothing behind but what their arguments get: no state of a generator, no file."""
