"""What ``snapset check`` found as JSON: the schema ``snapset.check/1`` of docs/json.md."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from snapset.analysis.results import HeadResult
from snapset.check.lock_comparison import Finding
from snapset.documents.check_documents import CheckDocument, FindingDocument


def document(lock: Path, results: Sequence[HeadResult], findings: Sequence[Finding], written: bool) -> CheckDocument:
    """Of a comparison, or of a lock just written."""
    return CheckDocument(
        lock=str(lock),
        written=written,
        heads=len(results),
        parts=sum(len(one.parts) for one in results),
        findings=[FindingDocument(file=one.span.file, line=one.span.line, part=one.part, message=one.message)
                  for one in findings],
    )
