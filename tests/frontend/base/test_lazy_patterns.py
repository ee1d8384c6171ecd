"""Regular expressions that are compiled when they are first used."""

from __future__ import annotations

import importlib
import pkgutil
import re

import pytest
import snapset
from snapset.frontend.base.lazy_patterns import pattern_of


def test_a_pattern_does_what_a_compiled_one_does() -> None:
    lazy, compiled = pattern_of(r"(\d+)\s*([a-z]?)", re.IGNORECASE), re.compile(r"(\d+)\s*([a-z]?)", re.IGNORECASE)
    text = "12 A, 3b and 4"
    for _ in range(2):  # once it is compiled, it is the same
        assert lazy.findall(text) == compiled.findall(text)
        assert lazy.sub(r"\2\1", text) == compiled.sub(r"\2\1", text)
        assert [one.span() for one in lazy.finditer(text)] == [one.span() for one in compiled.finditer(text)]
        assert lazy.fullmatch(text) is None
    assert (lazy.pattern, lazy.flags, lazy.groups) == (compiled.pattern, compiled.flags, compiled.groups)


def test_it_is_compiled_when_it_is_first_used() -> None:
    wrong = pattern_of("(")
    with pytest.raises(re.error):
        wrong.match("(")


def test_every_pattern_can_be_compiled() -> None:
    """Each stands in a module, which is imported without compiling it."""
    found = 0
    for module in pkgutil.walk_packages(snapset.__path__, "snapset."):
        if module.name.endswith("__main__"):
            continue
        for one in vars(importlib.import_module(module.name)).values():
            if type(one).__name__ == "LazyPattern":
                assert one.groups >= 0
                found += 1
    assert found > 200
