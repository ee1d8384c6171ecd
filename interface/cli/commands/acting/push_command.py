"""``snapset report --format pushes|taf``: the answer as lines of an adjoint."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from snapset.config.settings import Settings
    from snapset.render.records.push_list import HeadPushes

FORMATS = ("pushes", "taf")


def written(heads: Sequence[HeadPushes], settings: Settings, form: str) -> str:
    """The lines."""
    if form == "taf":
        from snapset.frontend.sources.files import form_of
        from snapset.render.pages.acting import taf_text

        return taf_text.write(heads, {file: form_of(file, settings.read) == "fixed" for file in settings.files})
    from snapset.cli.running.quoted_lines import source_lines
    from snapset.render.pages.acting import push_text

    return push_text.write(heads, source_lines(settings.files))
