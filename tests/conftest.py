"""Options shared by the tests, and a cache of their own: none may write in the user's."""

from __future__ import annotations

import gc
import zlib
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

FEW, SOME, MANY = 6, 20, 40


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-corpus",
        action="store_true",
        help="rewrite corpus/*.expected from the tool's answer (only the lines that are there); read the diff",
    )


@pytest.hookimpl(tryfirst=True)  # before ``-m`` chooses
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Of a test with ``@pytest.mark.sample(4)`` one case in four is in ``make test``, the others are ``wide``; of one
    with more than ``FEW`` cases and no such mark, one in two, with more than ``SOME``, one in three, with more than
    ``MANY``, one in four. Where to begin
    depends on the test's name: tests of the corpus begin at different programs."""
    cases: defaultdict[str, list[pytest.Item]] = defaultdict(list)
    for item in items:
        if not item.get_closest_marker("slow"):
            cases[item.nodeid.partition("[")[0]].append(item)
    for name, of_one in cases.items():
        marker = of_one[0].get_closest_marker("sample")
        every = marker.args[0] if marker else 1 + sum(len(of_one) > number for number in (FEW, SOME, MANY))
        for at, item in enumerate(of_one):
            if (at + zlib.crc32(name.encode())) % every:
                item.add_marker(pytest.mark.wide)


def pytest_collection_finish() -> None:
    """What is collected (nine thousand tests, all modules) lives to the end: the garbage collector need not look at it
    again and again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)


@pytest.fixture(autouse=True, scope="session")
def cache_of_the_tests(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Also for commands that tests start."""
    directory = tmp_path_factory.mktemp("cache") / "snapset"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SNAPSET_CACHE_DIR", str(directory))
        patch.setenv("XDG_CONFIG_HOME", str(directory.parent / "config"))
        yield directory
