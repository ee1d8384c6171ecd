"""All diagnostics, one record each: see :mod:`snapset.frontend.rules.rule`. To add one, add its record here, and call
:func:`diagnostic` where it is found."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from snapset.frontend.base.diagnostics import Diagnostic, Severity, Span
from snapset.frontend.rules import (
    analysed,
    declared_rules,
    message_rules,
    not_here,
    not_understood,
    scheduled_loops,
    second_run,
)
from snapset.frontend.rules.rule import Rule

_RECORDS = (*second_run.RULES, *not_here.RULES, *not_understood.RULES, *analysed.RULES, *scheduled_loops.RULES,
            *message_rules.RULES, *declared_rules.RULES)
RULES: Final[Mapping[str, Rule]] = MappingProxyType({one.code: one for one in sorted(_RECORDS, key=lambda r: r.code)})


def diagnostic(code: str, message: str, span: Span, severity: Severity | None = None) -> Diagnostic:
    """The diagnostic of that code at a place; the record's first severity unless another one of its is given."""
    return RULES[code].at(message, span, severity)
