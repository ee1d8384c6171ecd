"""Options shared by the tests, and a cache of their own: none may write in the user's."""

from __future__ import annotations

import gc
import zlib
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

MANY = 2, 3, 5, 8, 13, 21, 34, 55

# A slow minute of the machine is no failure, and the same examples are drawn in each run.
settings.register_profile("tests", deadline=None, derandomize=True, database=None,
                          suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("tests")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-corpus",
        action="store_true",
        help="rewrite corpus/*.expected from the tool's answer (only the lines that are there); read the diff",
    )
    parser.addoption("--share", type=int, default=1, metavar="N",
                     help="one in N of the tests, by the hash of their names: always the same ones")


@pytest.hookimpl(tryfirst=True)  # before ``-m`` chooses
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Of a test with more than 2 cases one in two is in ``make test``, of one with more than 3 one in three, and so on
    with ``MANY``; the others are ``wide``. With ``@pytest.mark.sample(4)`` it is one in four at most, with
    ``sample(4, fixed=True)`` one in four however many there are, with ``sample(1)`` each. Which ones is as good as
    random, and depends on the case's name alone: every second case of a table might be of one kind, and every fourth of
    a product of two have one option; and a case that is added leaves the others where they are."""
    cases: defaultdict[str, list[pytest.Item]] = defaultdict(list)
    for item in items:
        if not item.get_closest_marker("slow") and not item.get_closest_marker("wide"):
            cases[item.nodeid.partition("[")[0]].append(item)
    for of_one in cases.values():
        marker = of_one[0].get_closest_marker("sample")
        least = marker.args[0] if marker else 0
        fixed = least == 1 or (marker and marker.kwargs.get("fixed"))
        every = least if fixed else max(least, 1 + sum(len(of_one) > number for number in MANY))
        if every > 1:
            mixed = sorted(of_one, key=lambda item: zlib.crc32(item.nodeid.encode()))
            for item in mixed[-(-len(of_one)//every):]:
                item.add_marker(pytest.mark.wide)
    share = config.getoption("share")
    left_out = [item for item in items if zlib.crc32(item.nodeid.encode()) % share]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if not zlib.crc32(item.nodeid.encode()) % share]


def pytest_collection_finish() -> None:
    """What is collected (nine thousand tests, all modules) lives to the end: the garbage collector need not look at it
    again and again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(500_000, 20, 100)


@pytest.fixture(autouse=True, scope="session")
def cache_of_the_tests(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Also for commands that tests start."""
    directory = tmp_path_factory.mktemp("cache") / "snapset"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SNAPSET_CACHE_DIR", str(directory))
        patch.setenv("XDG_CONFIG_HOME", str(directory.parent / "config"))
        yield directory
