"""What of a quoted line is code: ``a = f('a', b) ! a`` names a once, not three times."""

from __future__ import annotations

from snapset.frontend.base.lazy_patterns import pattern_of

_TEXT_OR_COMMENT = pattern_of(r"'[^']*'|\"[^\"]*\"|!.*")


def only_code(line: str) -> str:
    """The line with blanks in place of texts in quotes and of comments, each place where it was."""
    return _TEXT_OR_COMMENT.sub(lambda found: " "*len(found[0]), line)
