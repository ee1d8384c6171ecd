"""``snapset verify``: the claims about the equations, proved or refuted, in every format."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable

from snapset.cli.grammar.arguments import UsageError
from snapset.frontend.base.optional_packages import optional


def run(parsed: Namespace, terminal: Callable[[], tuple[int, bool, bool]]) -> tuple[str, int]:
    """What to print, and the exit code: 1 if a verdict is not the recorded one. Raises UsageError for no claim, and
    InputError without sympy."""
    optional("sympy", "proof", "snapset verify")
    from snapset.analysis.proof.verify import verify
    from snapset.cli.running.progress import Progress

    try:
        with Progress(parsed.quiet) as progress:
            progress.stage("proving the claims about the equations")
            verdicts = verify(parsed.claim)
    except ValueError as error:
        raise UsageError(f"--claim: {error}; snapset verify lists them") from None
    code = 0 if all(one.as_recorded for one in verdicts) else 1
    if parsed.format == "json":
        from snapset.documents.json_text import dumps
        from snapset.render.records import verify_json

        return dumps([verify_json.document(verdicts)]), code
    from snapset.render.pages import verification

    markup = parsed.format == "html"
    width, colour, plain = (100, False, False) if markup else terminal()
    text = verification.write(verdicts, width=width, colour=colour, ascii_only=plain, markup=markup)
    if not markup:
        return text, code
    from snapset.render.layout.page_frame import tables

    return tables("The claims about the equations", [text]), code
