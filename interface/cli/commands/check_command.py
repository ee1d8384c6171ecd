"""``snapset check``: today's sets against the lock; what changed, by cause."""

from __future__ import annotations

import os
from argparse import Namespace
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from snapset.check import budgets, check_output, finding_evidence, lock_comparison, lock_file
from snapset.check.causes import causes
from snapset.check.changes_since_lock import changes_since
from snapset.check.lock_comparison import Finding
from snapset.cli.running import command_session
from snapset.config import unheard_names
from snapset.frontend.base.diagnostics import InputError
from snapset.render.layout.byte_figures import Figures
from snapset.render.layout.code_selection import CodeSelection, selection
from snapset.render.layout.whole_result import all_diagnostics

if TYPE_CHECKING:
    from snapset.analysis.results import HeadResult
    from snapset.config.settings import Settings
    from snapset.frontend.ir import Program

UPDATE = "snapset check --update"
BY_HOOK = f"{UPDATE} (or git add -u, then pre-commit run snapset-update --hook-stage manual)"
"""pre-commit installs snapset for itself, and nowhere else; of what is not staged its hooks see nothing."""
NoHead = Callable[["Program"], Exception]


def run(settings: Settings, parsed: Namespace, no_head: NoHead) -> tuple[str, int, tuple[str, ...]]:
    """What to print, the exit code, and what to say on stderr. Raises InputError for whatever is unusable."""
    path, whole = settings.baseline, not settings.explicit_heads
    if not path.exists() and not parsed.update:
        raise InputError(f"{path}: no such file; write it with {_update()}, and commit it")
    # An update of everything need not understand what it replaces.
    old = lock_file.load(path) if path.exists() and not (parsed.update and whole) else {}
    with command_session.session_for(settings, no_head) as session:
        results, program = command_session.results_of(session, settings), session.program()
        figures = Figures(settings.assume)
        new = lock_file.lock_of(results, figures, path.parent)
        visible = selection(settings.files, settings.select, settings.ignore, settings.project)
        over = budgets.exceeded(settings.budgets, results, figures, whole)  # which no update accepts
        if parsed.update:
            lock_file.save(path, {**({} if whole else old), **new})
            found: tuple[Finding, ...] = ()
        else:
            found = lock_comparison.compare(old, results, new, program, lock_comparison.places_in(path), whole,
                                            visible.shows)
            session.stage("looking for what changed")
            found = finding_evidence.with_evidence(found, program, session.heads, results, settings.choices)
        found += over
        found += _errors(results, visible, found)
    said = unheard_names.notes(settings, program, figures.used, figures.contained)
    said += tuple(visible.unused((one for result in results for one in all_diagnostics(result)), whole))
    said += tuple(str(one) for one in found if one.kind == "renamed")
    checked = check_output.Checked(
        "check", str(path), len(results), sum(len(one.parts) for one in results), parsed.update, found,
        causes(found, changes_since(path, settings.files, found)), f"{_update()}, and commit {path}", settings.files,
        check_output.cases_of(new))
    return check_output.written(checked, parsed.format), int(bool(checked.causes)), said


def _update() -> str:
    """What accepts a change: pre-commit says so in its hooks' environment."""
    return BY_HOOK if os.environ.get("PRE_COMMIT") else UPDATE


def _errors(results: Sequence[HeadResult], visible: CodeSelection, said: Sequence[Finding]) -> tuple[Finding, ...]:
    """What is wrong whatever the lock says, such as a declared list that lacks something; ``said``: already."""
    known = {(one.span, one.message.removeprefix("new ")) for one in said}
    found = (Finding(one.span, result.head, f"{one.severity} {one.code}: {one.message}", "diagnostic", result.head)
             for result in results for one in visible.shown(all_diagnostics(result)) if one.severity == "error")
    return tuple(sorted(one for one in found if (one.span, one.message) not in known))
