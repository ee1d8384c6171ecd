"""Where tests stand: in the room of what they guard, and nothing looks for its own place or for others' by sys.path."""

from __future__ import annotations

import re

from tests.support.paths import ROOT

OWN = {"support", "oracles", "generators", "stress", "benchmarks", "project"}
TOPS = ("frontend", "analysis", "interface")


def test_no_test_stands_outside_a_room() -> None:
    assert [path.name for path in (ROOT / "tests").glob("*.py")
            if path.name not in ("__init__.py", "conftest.py")] == []
    assert {path.name for path in (ROOT / "tests").iterdir() if (path / "__init__.py").exists()} == OWN.union(TOPS)


def test_every_room_is_one_of_the_sources() -> None:
    """Or one in it, where a room of the sources has more tests than a folder may hold."""
    for top in TOPS:
        for path in (ROOT / "tests" / top).rglob("__init__.py"):
            room = ROOT / path.parent.relative_to(ROOT / "tests")
            assert any((one / "__init__.py").exists() for one in (room, room.parent)), path


def test_no_module_changes_the_path() -> None:
    for top in ("tests", "benchmarks"):
        for path in (ROOT / top).rglob("*.py"):
            assert not re.search(r"^sys\.path\.", path.read_text(), re.MULTILINE), path
