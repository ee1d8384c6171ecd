"""Options shared by the tests."""

from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-corpus",
        action="store_true",
        help="rewrite corpus/*.expected from the tool's answer (only the lines that are there); read the diff",
    )
