"""The README as an index page shows it, where links into the repository lead nowhere:

    SNAPSET_URL=https://example.org/owner/snapset python -m build

makes them absolute, and names the repository, its documentation and its changelog in the package's metadata. Without
it both stay out. Everything else is in pyproject.toml.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

from setuptools import setup


def absolute(text: str, home: str) -> str:
    """Markdown whose links to files of the repository lead to ``home``; a picture's is the file itself."""
    def led(found: re.Match[str]) -> str:
        if re.match(r"[a-z]+:|#", found[3]):
            return found[0]
        return f"{found[1]}[{found[2]}]({home}/{'raw' if found[1] else 'blob'}/HEAD/{found[3]})"

    return re.sub(r"(!?)\[([^\]]*)\]\(([^)\s]+)\)", led, text)


def urls(home: str) -> dict[str, str]:
    """By what an index page calls them."""
    return {"Repository": home, "Documentation": f"{home}/blob/HEAD/docs/index.md",
            "Changelog": f"{home}/blob/HEAD/CHANGELOG.md", "Issues": f"{home}/issues"}


if __name__ == "__main__":
    there = os.environ.get("SNAPSET_URL", "").rstrip("/")
    readme = (Path(__file__).parent / "README.md").read_text(encoding="utf-8")
    setup(long_description=absolute(readme, there) if there else readme,
          long_description_content_type="text/markdown", project_urls=urls(there) if there else {})
