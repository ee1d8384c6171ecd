"""Findings for the services that show them: SARIF, GitHub's annotations, JUnit's XML, Markdown, HTML.

A command makes an :class:`~snapset.render.formats.annotations.Outcome`; :func:`write` gives it in any of the formats.
"""

from __future__ import annotations

from snapset.render.formats.annotations import Outcome


def write(outcome: Outcome, form: str) -> str:
    """The outcome as sarif, github, junit, markdown or html; ends with a newline unless empty."""
    if form == "sarif":
        from snapset.render.formats import sarif_log

        return sarif_log.write(outcome)
    if form == "github":
        from snapset.render.formats import github_commands

        return github_commands.write(outcome)
    if form == "junit":
        from snapset.render.formats import junit_suites

        return junit_suites.write(outcome)
    if form == "html":
        from snapset.render.formats import findings_page

        return findings_page.write(outcome)
    from snapset.render.formats import markdown_page

    return markdown_page.write(outcome)
