"""What ``snapset check`` and ``snapset diff`` found as JSON: see docs/json.md."""

from __future__ import annotations

from snapset.analysis.symbolic.polynomials import Quantity
from snapset.check.causes import Cause
from snapset.check.check_output import Checked
from snapset.check.check_text import title
from snapset.check.lock_comparison import Finding
from snapset.documents.check_documents import CauseDocument, CheckDocument, DiffDocument, FindingDocument
from snapset.documents.explain_documents import StepDocument


def document(checked: Checked) -> CheckDocument | DiffDocument:
    """Of a comparison, or of a lock just written."""
    shown = [one for one in checked.findings if one.kind != "renamed"]
    number = {one: place for place, one in enumerate(shown)}
    source = checked.source()
    found = [_finding(one) for one in shown]
    renamed = [_finding(one) for one in checked.findings if one.kind == "renamed"]
    causes = [_cause(one, title(one, source), number) for one in checked.causes]
    if checked.command == "diff":
        before, _, after = checked.old.partition("..")
        return DiffDocument(before=before, after=after, heads=checked.heads, parts=checked.parts, findings=found,
                            renamed=renamed, causes=causes)
    return CheckDocument(lock=checked.old, written=checked.written, heads=checked.heads, parts=checked.parts,
                         findings=found, renamed=renamed, causes=causes)


def _finding(one: Finding) -> FindingDocument:
    evidence = [StepDocument(file=step.file, line=step.line, procedure=step.procedure, role=step.role,
                             location=step.location, note=step.note, lines=list(step.lines)) for step in one.evidence]
    return FindingDocument(file=one.span.file, line=one.span.line, part=one.part, message=one.message, kind=one.kind,
                           head=one.head, evidence=evidence)


def _cause(one: Cause, title: str, number: dict[Finding, int]) -> CauseDocument:
    return CauseDocument(file=one.span.file, line=one.span.line, title=title, changed=one.change is not None,
                         bytes={name: _figure(quantity) for name, quantity in one.saved.items()},
                         findings=sorted(number[finding] for finding in one.findings))


def _figure(quantity: Quantity | None) -> int | str | None:
    if quantity is None:
        return None
    return str(quantity) if quantity.constant is None else int(quantity.constant)
